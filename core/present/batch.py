"""A batch in words: the highest throughput, how long the job takes, whether in time, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.decide.throughput import ENOUGH, at_highest
from core.i18n import Text, t
from core.model.answer import BatchAnswer, JobAnswer, RunAnswer, Status, Throughput
from core.model.price import Price
from core.model.workload import Job, Verdict
from core.present.money import with_range
from core.present.names import SEPARATOR, target_name
from core.present.numbers import concurrency, percent, plain, rate, span
from core.present.reasons import reason_text

_UNITS = ((86_400.0, t("{count} days")), (3_600.0, t("{count} h")), (60.0, t("{count} min")), (1.0, t("{count} s")))
_FROM = 1.5
"""A time is given in the largest unit that it fills this often."""

RATES: dict[str, Text] = {
    "output_tok_s": t("{rate} output tokens/s"),
    "total_tok_s": t("{rate} tokens/s, read and written"),
    "req_s": t("{rate} requests/s"),
}

TOOLTIP = t(
    "The load with the highest throughput among those measured, within the targets where there are any. The time is "
    "the number of requests divided by the requests per second there, plus at most the time of one request for the "
    "last ones. The range holds the true value nine times in ten."
)


def time_unit(seconds: float, language: str = "en") -> tuple[float, str]:
    """Return how many seconds the unit has in which a time is best given, and its sign.

    >>> time_unit(14_400)
    (3600.0, 'h')
    """
    size, unit = next((pair for pair in _UNITS if seconds >= _FROM * pair[0]), _UNITS[-1])
    return size, Text(unit.msgid, {"count": ""}).render(language).strip()


def duration(seconds: float, language: str = "en", like: float | None = None) -> str:
    """Return a time in words, in the unit of `like` where given.

    >>> duration(14_400), duration(5_400), duration(45), duration(5_000, like=14_400)
    ('4 h', '1.5 h', '45 s', '1.39 h')
    """
    scale = seconds if like is None else like
    size, unit = next((pair for pair in _UNITS if scale >= _FROM * pair[0]), _UNITS[-1])
    return Text(unit.msgid, {"count": plain(seconds / size, language)}).render(language)


def durations(low: float, high: float, language: str, *, like: float) -> str:
    """Return a range of times in one unit, that of `like`.

    >>> durations(12_600, 16_200, "en", like=14_400)
    '3.5–4.5 h'
    """
    size, unit = next((pair for pair in _UNITS if like >= _FROM * pair[0]), _UNITS[-1])
    between = span(low / size, high / size, lambda x: plain(x, language))
    return Text(unit.msgid, {"count": between}).render(language)


def batch_number(answer: RunAnswer, batch: BatchAnswer, language: str = "en") -> str:
    """Return what is written largest: the time of the job, else the highest rate, "?" where neither is known."""
    time = batch.job.completion_s if batch.job else None
    if time and time.mid is not None:
        return duration(time.mid, language)
    best = batch.throughput
    if _job(answer) or best.rate is None or best.rate.mid is None:
        return "?"
    return ("≥ " if best.status is Status.AT_LEAST else "") + _rate(best, best.rate.mid, language)


def batch_first(answer: RunAnswer, batch: BatchAnswer, language: str = "en") -> str:
    """Return the first line: the time of the job, else the highest throughput, or what cannot be told."""
    asked, found = _job(answer), batch.job
    if asked and found:
        return _time_text(asked, found, batch.throughput, language).render(language)
    return _rate_text(batch.throughput, language).render(language)


def batch_doubt(answer: RunAnswer, batch: BatchAnswer, language: str = "en") -> str | None:
    """Return at which load that is, and from which load on more hardly helps."""
    best = batch.throughput
    if best.at is None or best.rate is None:
        return None
    at = concurrency(best.at, language)
    parts = [t("at {load} concurrent requests", load=at)]
    if _job(answer) and best.rate.mid is not None:
        parts = [t("highest throughput {rate}, at {load} concurrent requests", rate=_ranged(best, language), load=at)]
    enough = best.enough.mid if best.enough else None
    if enough is not None and round(enough) < round(best.at):
        share, load = percent(ENOUGH, language), concurrency(enough, language)
        parts.append(t("{share} of it from {load} on", share=share, load=load))
    if best.limited_by:
        parts.append(t("{target} allows no more load", target=target_name(best.limited_by, language)))
    return SEPARATOR.join(part.render(language) for part in parts)


def batch_verdict(answer: RunAnswer, batch: BatchAnswer, language: str = "en") -> str | None:
    """Return whether the job is done in time, None where no deadline was given."""
    asked, found = _job(answer), batch.job
    if asked is None or asked.deadline_s is None or found is None:
        return None
    limit = duration(asked.deadline_s, language)
    match found.deadline:
        case Verdict.MET:
            said = t("done within the deadline of {limit}", limit=limit)
        case Verdict.MISSED:
            said = t("misses the deadline of {limit} at every load measured", limit=limit)
        case _:
            said = t("cannot tell whether it is done within {limit}", limit=limit)
    return said.render(language)


def batch_cost(batch: BatchAnswer, price: Price | None, language: str = "en") -> str:
    """Return money for the job and per million output tokens at that load, or why there is none."""
    cost, job = batch.cost, batch.job
    parts = []
    whole = with_range(job.cost, job.currency, language) if job and job.currency else None
    if whole:
        parts.append(t("{cost} for the job", cost=whole).render(language))
    each = with_range(cost.per_million_output, cost.currency, language) if cost else None
    if each:
        parts.append(t("{cost} per million output tokens", cost=each).render(language))
    if parts:
        return SEPARATOR.join(parts)
    if price is None:
        return t("no price given: no cost").render(language)
    if batch.throughput.at is None:
        return t("no throughput known: no cost").render(language)
    return t("number of accelerators unknown: no cost").render(language)


def batch_columns(answers: Sequence[RunAnswer], language: str = "en") -> tuple[tuple[Text, list[str | None]], ...]:
    """Return columns of a table with one row per run: the highest throughput, the job's time, what it costs."""
    batches = [answer.batch for answer in answers]
    rates = [_rate_cell(batch.throughput, language) if batch else None for batch in batches]
    jobs = [batch.job if batch else None for batch in batches]
    return (
        (t("Highest throughput (range)"), rates),
        (t("Time of the job (range)"), [_time_cell(job, language) for job in jobs]),
        (t("Cost of the job (range)"), [_cost_cell(job, language) for job in jobs]),
    )


def _rate_cell(best: Throughput, language: str) -> str | None:
    return _ranged(best, language) if best.rate else None


def _time_cell(job: JobAnswer | None, language: str) -> str | None:
    time = job.completion_s if job else None
    if time is None or time.low is None or time.mid is None or time.high is None:
        return None
    return f"{duration(time.mid, language)} ({durations(time.low, time.high, language, like=time.mid)})"


def _cost_cell(job: JobAnswer | None, language: str) -> str | None:
    return with_range(job.cost, job.currency, language) if job and job.cost and job.currency else None


def at_best(answer: RunAnswer) -> RunAnswer:
    """Return the answer as charts draw it: of a batch without targets the mark stands at the highest rate."""
    batch = answer.batch
    if batch is None or batch.throughput.point is None:
        return answer
    capacity = at_highest(answer.capacity, batch)
    return replace(answer, capacity=capacity, at_capacity=batch.throughput.point, cost=batch.cost)


def batch_reasons(batch: BatchAnswer, language: str = "en") -> tuple[str, ...]:
    """Return what weakens the throughput and the job, a clause each."""
    codes = (*batch.throughput.reasons, *(batch.job.reasons if batch.job else ()))
    return tuple(reason_text(code).render(language) for code in dict.fromkeys(codes))


def _job(answer: RunAnswer) -> Job | None:
    return answer.workload.job if answer.workload else None


def _time_text(asked: Job, found: JobAnswer, best: Throughput, language: str) -> Text:
    time, requests = found.completion_s, concurrency(asked.requests, language)
    if time is None or time.low is None or time.mid is None or time.high is None:
        return t("Cannot tell how long the job takes: {why}", why=_why(found.reasons, language))
    between = durations(time.low, time.high, language, like=time.mid)
    about = duration(time.mid, language)
    if best.status is Status.AT_LEAST:
        return t(
            "{requests} requests take about {time} ({range}); more load may be faster",
            requests=requests,
            time=about,
            range=between,
        )
    return t("{requests} requests take about {time} ({range})", requests=requests, time=about, range=between)


def _rate_text(best: Throughput, language: str) -> Text:
    if best.rate is None or best.rate.mid is None:
        if best.status is Status.BELOW:
            return t("No load that was measured keeps the targets")
        return t("Cannot tell the highest throughput: {why}", why=_why(best.reasons, language))
    if best.status is Status.AT_LEAST:
        shown = _rate(best, best.rate.mid, language)
        return t("At least {rate}: nothing shows yet where it stops rising", rate=shown)
    return t("Highest throughput: {rate}", rate=_ranged(best, language))


def _why(reasons: tuple[str, ...], language: str) -> str:
    return "; ".join(reason_text(code).render(language) for code in dict.fromkeys(reasons)) or "?"


def _rate(best: Throughput, value: float, language: str) -> str:
    return Text(RATES[best.rate_name or "req_s"].msgid, {"rate": rate(value, "", language)}).render(language)


def _ranged(best: Throughput, language: str) -> str:
    """Return the highest rate with its range, such as "18,200 output tokens/s (17,500–19,000)"."""
    found = best.rate
    if found is None or found.mid is None or found.low is None:
        return "?"
    middle = _rate(best, found.mid, language)
    if found.high is None:
        return t("{rate} (at least {low})", rate=middle, low=plain(found.low, language)).render(language)
    return f"{middle} ({span(found.low, found.high, lambda x: plain(x, language))})"
