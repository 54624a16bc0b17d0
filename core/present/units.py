"""Every unit of the bill in words: the amount with its range, its denominator by name, and how it was worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.i18n import Text, t
from core.model.answer import Cost, Interval, LoadPoint, RunAnswer
from core.model.price import Price
from core.present.energy_words import energy_hows
from core.present.hourly_how import hourly_hows
from core.present.how import How
from core.present.money import with_range
from core.present.numbers import money, percent, plain, rate, seconds, span
from core.price.cost import cached_share, input_tok_s
from core.price.count import accelerators
from core.price.units import Gap, Unit, UnitCost, inside_share, jobs_per_accelerator_hour, unit_costs

NAMES: dict[Unit, Text] = {
    Unit.MILLION_OUTPUT: t("A million output tokens, whole bill on them"),
    Unit.MILLION_TOTAL: t("A million tokens, input and output"),
    Unit.MILLION_WEIGHTED_OUTPUT: t("A million output tokens, weighted"),
    Unit.MILLION_WEIGHTED_INPUT: t("A million input tokens, weighted"),
    Unit.MILLION_WEIGHTED_CACHED: t("A million cached input tokens, weighted"),
    Unit.REQUEST: t("An answered request"),
    Unit.USER_MONTH: t("An active user and month"),
    Unit.JOB: t("The whole job"),
    Unit.AUDIO_HOUR: t("An hour of sound"),
}
"""The denominator of every amount."""

GAPS: dict[Gap, Text] = {
    Gap.PRICE: t("unknown: no price is given"),
    Gap.COUNT: t("unknown: nobody said how many accelerators there are"),
    Gap.LOAD: t("unknown: there is no load to price"),
    Gap.OUTPUT: t("unknown: the files give no output tokens per second"),
    Gap.INPUT: t("unknown: the files give no input tokens per second"),
    Gap.CACHED: t("unknown: the files give no cache hit rate"),
    Gap.REQUESTS: t("unknown: the files give no requests per second"),
    Gap.THINK_TIME: t("unknown: no think time of a user is given"),
    Gap.USERS: t("unknown: the files give neither request times nor request rates"),
    Gap.JOB: t("unknown: no job is given, or its time cannot be told"),
    Gap.AUDIO: t("unknown: the files give no mean RTF"),
}
"""Why an amount is not known."""

FREE = t("nothing extra: the weight of cached input is 0")

JOBS = t("Jobs that one accelerator does in an hour")

_FORMULAS: dict[Unit, Text] = {
    Unit.MILLION_OUTPUT: t("bill per hour × 10⁶ ÷ (3,600 × output tokens/s × share inside the targets)"),
    Unit.MILLION_TOTAL: t("bill per hour × 10⁶ ÷ (3,600 × all tokens/s × share inside the targets)"),
    Unit.MILLION_WEIGHTED_OUTPUT: t(
        "bill per hour × 10⁶ ÷ (3,600 × (output + input × (1 − cached + weight of cached × cached) ÷ ratio))"
    ),
    Unit.MILLION_WEIGHTED_INPUT: t("the weighted output figure ÷ ratio"),
    Unit.MILLION_WEIGHTED_CACHED: t("the weighted input figure × weight of cached"),
    Unit.REQUEST: t("bill per hour ÷ (3,600 × requests/s × share inside the targets)"),
    Unit.USER_MONTH: t("bill per hour × 730 hours ÷ active users at the safe number, N + X × Z"),
    Unit.JOB: t("bill per hour × time of the job ÷ 3,600 s"),
    Unit.AUDIO_HOUR: t("bill per hour ÷ (requests in flight ÷ mean RTF)"),
}

_USERS_BY_TIME = t("bill per hour × 730 hours ÷ active users at the safe number, N × (R + Z) ÷ R")

_SOURCES: dict[Unit, Text] = {
    Unit.MILLION_OUTPUT: t("As InferenceX and NVIDIA divide it; never add it to a figure of input made the same way"),
    Unit.MILLION_WEIGHTED_OUTPUT: t("Google's GKE inference quickstart; a ratio of 4 is its convention"),
    Unit.USER_MONTH: t(
        "Users by the interactive response time law (Denning and Buzen 1978): people are X (R + Z), and the safe "
        "number N is the X R of them who wait for an answer"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One number of the panel: what it is of, how much with its range or why unknown, and how it came about."""

    name: str
    amount: str
    how: How
    known: bool = True


def unit_lines(
    answer: RunAnswer, price: Price | None, think_s: float | None = None, language: str = "en"
) -> tuple[Line, ...]:
    """Return every unit of the bill at the safe number, the leading one first, then jobs per hour and electricity.

    Args:
        answer: of one run; of a batch the load with the highest throughput is priced.
        price: as it was given.
        think_s: pause of a user, seconds; None leaves the cost of a user unknown.
        language: "en" or "ko".
    """
    point = answer.batch.throughput.point if answer.batch else answer.at_capacity
    words = _Words(answer=answer, price=price, point=point, language=language, think_s=think_s)
    lines = [words.line(found) for found in unit_costs(answer, price, think_s)]
    if answer.batch and answer.batch.job:
        lines.append(words.jobs())
    energy = (
        Line(name=how.name, amount=how.result, how=how) for how in energy_hows(point, answer.run, price, language)
    )
    return (*lines, *energy)


def unit_table(lines: Sequence[Line], language: str = "en") -> pd.DataFrame:
    """Return the lines as a table: the denominator, and the amount with its range or why it is unknown."""
    return pd.DataFrame(
        {
            t("Cost of").render(language): pd.Series([line.name for line in lines], dtype="str"),
            t("Amount (range)").render(language): pd.Series([line.amount for line in lines], dtype="str"),
        }
    )


def common_gap(lines: Sequence[Line]) -> str | None:
    """Return why nothing is known where one reason holds for every line: one sentence then says what rows would."""
    reasons = {line.amount for line in lines if not line.known}
    return reasons.pop() if len(reasons) == 1 and not any(line.known for line in lines) else None


def bill_hows(answer: RunAnswer, price: Price | None, lines: Sequence[Line], language: str = "en") -> tuple[How, ...]:
    """Return how every number of the panel was worked out, first the bill per hour that all of them divide."""
    hourly = hourly_hows(answer.run, price, language) if price else ()
    return (*hourly, *(line.how for line in lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The words of one answer's units."""

    answer: RunAnswer
    price: Price | None
    point: LoadPoint | None
    language: str
    think_s: float | None = None

    def line(self, found: UnitCost) -> Line:
        name = NAMES[found.unit].render(self.language)
        currency = self.price.currency if self.price else ""
        shown = with_range(found.amount, currency, self.language)
        amount = shown or GAPS[found.gap or Gap.LOAD].render(self.language)
        if shown and found.unit is Unit.MILLION_WEIGHTED_CACHED and self.price and not self.price.cached_weight:
            amount = FREE.render(self.language)
        source = _SOURCES.get(found.unit)
        how = How(
            name=name,
            formula=self._formula(found.unit).render(self.language),
            values=self._values(found) if shown else (),
            result=amount,
            source=source.render(self.language) if source else None,
        )
        return Line(name=name, amount=amount, how=how, known=shown is not None)

    def jobs(self) -> Line:
        """Return how many such jobs an accelerator does in an hour."""
        found = jobs_per_accelerator_hour(self.answer, self.price)
        name = JOBS.render(self.language)
        shown = _ranged(found, "", self.language) or GAPS[Gap.JOB].render(self.language)
        formula = t("3,600 s ÷ (time of the job × accelerators)").render(self.language)
        job = self.answer.batch.job if self.answer.batch else None
        count = accelerators(self.answer.run, self.price or Price(amount=1.0, per_accelerator=True))
        values = (
            self._rate(t("time of the job"), job.completion_s if job else None, "s"),
            (t("accelerators"), "?" if count is None else plain(count, self.language, digits=9)),
        )
        said = tuple((word.render(self.language), value) for word, value in values) if found else ()
        return Line(name=name, amount=shown, how=How(name=name, formula=formula, values=said, result=shown))

    def _formula(self, unit: Unit) -> Text:
        """Return the formula of a unit; that of users is the one for what the files give, as `users_at` chooses."""
        if unit is Unit.USER_MONTH and self._whole() is not None:
            return _USERS_BY_TIME
        return _FORMULAS[unit]

    def _whole(self) -> Interval | None:
        """Return the mean time of a request at the safe number, None where the files do not give it."""
        whole = self.point.metrics.get("e2e mean") if self.point else None
        return whole if whole and whole.mid else None

    def _users(self) -> list[tuple[Text, str]]:
        """Return what the users at the safe number come from."""
        safe, whole = self.answer.capacity.safe or 0, self._whole()
        pace = (
            self._rate(t("R, mean time of a request at the safe number"), whole, "s")
            if whole
            else self._rate(t("X, requests/s at the safe number"), self.point.req_s if self.point else None)
        )
        pause = "?" if self.think_s is None else seconds(self.think_s, self.language)
        return [(t("N, safe number"), plain(safe, self.language, digits=9)), pace, (t("Z, pause of a user"), pause)]

    def _sound(self, found: UnitCost) -> list[tuple[Text, str]]:
        """Return what the hours of sound per hour come from: the requests in flight over the mean RTF."""
        at, rate_s = self.point.at if self.point else None, found.rate
        if not at or rate_s is None or not rate_s.mid:
            return []
        return [
            (t("requests in flight"), plain(at, self.language, digits=9)),
            (t("mean RTF"), plain(at / rate_s.mid, self.language)),
        ]

    def _values(self, found: UnitCost) -> tuple[tuple[str, str], ...]:
        values = [(t("bill per hour"), self._bill())]
        match found.unit:
            case Unit.MILLION_OUTPUT:
                values += [self._rate(t("output tokens/s"), found.rate), self._share(found)]
            case Unit.MILLION_TOTAL:
                values += [self._rate(t("all tokens/s"), found.rate), self._share(found)]
            case Unit.MILLION_WEIGHTED_OUTPUT:
                values += self._weights()
            case Unit.MILLION_WEIGHTED_INPUT:
                values = [self._figure(t("the weighted output figure"), "per_million_weighted_output"), self._ratio()]
            case Unit.MILLION_WEIGHTED_CACHED:
                values = [self._figure(t("the weighted input figure"), "per_million_weighted_input"), self._cached()]
            case Unit.REQUEST:
                values += [self._rate(t("requests/s"), found.rate), self._share(found)]
            case Unit.USER_MONTH:
                values += [self._rate(t("active users at the safe number"), found.rate), *self._users()]
            case Unit.JOB:
                values += [self._rate(t("time of the job"), found.rate, "s")]
            case Unit.AUDIO_HOUR:
                values += [self._rate(t("hours of sound per hour"), found.rate), *self._sound(found)]
        return tuple((name.render(self.language), value) for name, value in values)

    @property
    def _cost(self) -> Cost | None:
        return self.answer.batch.cost if self.answer.batch else self.answer.cost

    def _figure(self, name: Text, figure: str) -> tuple[Text, str]:
        cost = self._cost
        return name, (with_range(getattr(cost, figure), cost.currency, self.language) if cost else None) or "?"

    def _ratio(self) -> tuple[Text, str]:
        weight = self.price.output_weight if self.price else 0.0
        return t("ratio: input tokens that cost as much as one output token"), plain(weight, self.language)

    def _cached(self) -> tuple[Text, str]:
        weight = self.price.cached_weight if self.price else 0.0
        return t("weight of cached: its price over that of other input"), plain(weight, self.language)

    def _bill(self) -> str:
        cost = self._cost
        return money(cost.per_hour, cost.currency, self.language) if cost else ""

    def _rate(self, name: Text, found: Interval | None, unit: str = "") -> tuple[Text, str]:
        return name, _ranged(found, unit, self.language) or "?"

    def _share(self, found: UnitCost) -> tuple[Text, str]:
        share = inside_share(found, self._cost)
        told = "?" if share is None else percent(share, self.language)
        if self._cost is None or not self._cost.upper_bound_of_good:
            return t("share inside the targets, from the requests"), told
        if share == 1.0:
            return t("share inside the targets, assumed: the files do not tell"), told
        return t("share inside the targets, at most: the files do not tell all"), told

    def _weights(self) -> list[tuple[Text, str]]:
        price, point = self.price, self.point
        if price is None or point is None:
            return []
        hits = cached_share(self.answer.run, point.at)
        unknown = t("unknown, all input counts as work").render(self.language)
        return [
            self._rate(t("output tokens/s"), point.output_tok_s),
            self._rate(t("input tokens/s"), input_tok_s(point)),
            (t("cached share of the input"), unknown if hits is None else percent(hits, self.language)),
            self._ratio(),
            self._cached(),
        ]


def _ranged(found: Interval | None, unit: str, language: str) -> str | None:
    """Return a rate with its range, None where it is unknown."""
    if found is None or found.mid is None:
        return None
    middle = rate(found.mid, unit, language)
    if found.low is None or found.high is None:
        return middle
    return f"{middle} ({span(found.low, found.high, lambda x: plain(x, language))})"
