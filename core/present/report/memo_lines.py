"""The memo's lists: what was assumed, and what could change the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.finding import Severity
from core.model.run import Kind
from core.model.scenario import DemandKind, Scenario
from core.present.assumptions import SOURCES, assumptions
from core.present.batch import batch_reasons
from core.present.bill import bill_notes
from core.present.conditions import conditions_of
from core.present.doubts import doubt_text, gathered, named_reasons
from core.present.measure import next_text
from core.present.memory_lines import memory_line, memory_warnings
from core.present.names import SEPARATOR
from core.present.numbers import concurrency
from core.present.reasons import exclusion_text
from core.present.report.memo_table import clipped
from core.present.traffic import for_traffic_view
from core.present.worth import worth_line

Numbered = tuple[int, str]
"""The place of a run and what is said of it."""

REASON_CHARS = 80
GRAVE = 3
"""Ranks of what could change the answer that always stand."""

_ASKED = (t("Made for"), t("Targets"))
_METHOD = t("Method")
_BILL = (t("Demand"), t("Fleet"), t("Pause of a user"))
_PAID = (t("Price"), *SOURCES)
"""Assumptions that stand under the title and at the foot of the page."""


def asked(scenario: Scenario, language: str) -> tuple[str, ...]:
    """Return what was asked: what the deployment is for, and its targets."""
    said = dict(assumptions(scenario, scenario.answers[0].run, language))
    return tuple(f"{name}: {said[name]}" for name in _names(_ASKED, language) if name in said)


def assumed(
    scenario: Scenario, language: str, *, prices_hidden: bool, today: date | None = None
) -> tuple[tuple[str, ...], int]:
    """Return what the numbers rest on beside the files, and how many of the lines, the first ones, make the bill.

    Each stands once, with the numbers of its runs where they differ. The bill is that of the demand, the fleet with its
    growth and spares, and each price with where it comes from: whoever signs it has to see all of it.
    """
    skipped = _names((*_ASKED, _METHOD), language)
    bill, paid, rest = _names(_BILL, language), _names(_PAID, language), list[Numbered]()
    billed: dict[str, list[Numbered]] = {name: [] for name in (*bill, _PAID[0].render(language))}
    for place, answer in enumerate(scenario.answers, start=1):
        pairs = assumptions(scenario, answer.run, language, prices_hidden=prices_hidden, today=today)
        for name in bill:
            billed[name] += [(place, f"{own}: {value}") for own, value in pairs if own == name]
        said = SEPARATOR.join(value if own == paid[0] else f"{own}: {value}" for own, value in pairs if own in paid)
        billed[paid[0]] += [(place, f"{paid[0]}: {said}")] if said else []
        rest += [(place, f"{name}: {value}") for name, value in pairs if name not in (*skipped, *bill, *paid)]
    for place, answer in enumerate(scenario.answers, start=1):
        rest += [(place, line) for line in _of_run(answer, scenario, language)]
    runs = len(scenario.answers)
    asked_of_all = [line for name in bill for line in merged(billed[name], runs)]
    first = [SEPARATOR.join(asked_of_all)] if asked_of_all else []
    first += merged(billed[paid[0]], runs)
    rule = [_rule(scenario).render(language)] if scenario.demand else []
    return (*first, *rule, *merged(rest, runs)), len(first)


def _rule(scenario: Scenario) -> Text:
    """Return how replicas are worked out from the demand."""
    sure = t("the safe number less the doubt about the rate")
    by_load = scenario.demand is not None and scenario.demand.kind is DemandKind.CONCURRENCY
    each = t("the safe number") if by_load else sure
    if scenario.fleet is not None and not scenario.fleet.plain:
        return t(
            "Replicas are the demand over {each} with the cautions named under Fleet, rounded up: copies of what "
            "was measured, evenly loaded",
            each=each,
        )
    return t(
        "Replicas are the demand over {each}, rounded up: copies of what was measured, evenly loaded, without spares",
        each=each,
    )


def _names(texts: Sequence[Text], language: str) -> tuple[str, ...]:
    return tuple(text.render(language) for text in texts)


def _of_run(answer: RunAnswer, scenario: Scenario, language: str) -> Iterable[str]:
    """Yield what memory allows, how the cost is to be read, what a person gave by hand, which levels are left out."""
    memory = memory_line(answer, language)
    if memory:
        yield memory
    if scenario.price and answer.cost and answer.cost.upper_bound_of_good:
        yield bill_notes(answer, scenario.price, language)[-1]
    by_hand = [
        f"{each.name.render(language)} {each.value}" for each in conditions_of(answer.run, language) if each.by_hand
    ]
    if by_hand:
        yield t("Given by hand: {values}", values=", ".join(by_hand)).render(language)
    left: dict[str, list[str]] = {}
    for stage in answer.run.stages:
        if stage.excluded:
            load = "?" if stage.load is None else concurrency(stage.load, language, decimals=1)
            left.setdefault(exclusion_text(stage.excluded).render(language), []).append(load)
    for reason, loads in left.items():
        yield t("Level {loads} {reason}", loads=", ".join(loads), reason=clipped(reason, REASON_CHARS)).render(language)


def changes(scenario: Scenario, language: str) -> tuple[tuple[str, ...], int]:
    """Return what could change the answer, the gravest first, and how many of the lines may not be left out.

    Those are that a run is simulated, findings that are no mere notes, and what weakens an answer; behind them stand
    where the doubt comes from, what to measure next, what a looser target is worth, and notes.
    """
    ranks: Sequence[list[Numbered]] = [[] for _ in range(6)]
    for place, answer in enumerate(scenario.answers, start=1):
        led = for_traffic_view(answer)
        if answer.run.kind is Kind.SIMULATED:
            said = t("Simulated numbers are a candidate, not confirmed: a benchmark has to confirm them.")
            ranks[0].append((place, said.render(language)))
        ranks[1] += [(place, line) for line in _findings(answer, language, grave=True)]
        ranks[1] += [(place, line) for line in memory_warnings(answer, language)]
        ranks[2] += [(place, line) for line in _reasons(led, language)]
        ranks[3] += [(place, line) for line in _filled(doubt_text(led.capacity.doubt, language))]
        ranks[4] += [(place, line) for line in (_next(led, language), worth_line(answer, language)) if line]
        ranks[5] += [(place, line) for line in _findings(answer, language, grave=False)]
    lines = [tuple(merged(rank, len(scenario.answers))) for rank in ranks]
    return tuple(line for rank in lines for line in rank), sum(len(rank) for rank in lines[:GRAVE])


def _next(answer: RunAnswer, language: str) -> str | None:
    said = next_text(answer, language)
    return t("Measure next: {what}", what=said).render(language) if said else None


def _reasons(answer: RunAnswer, language: str) -> tuple[str, ...]:
    batch = batch_reasons(answer.batch, language) if answer.batch else ()
    return (*named_reasons(answer, language), *(f"{line[0].upper()}{line[1:]}." for line in batch if line))


def _findings(answer: RunAnswer, language: str, *, grave: bool) -> Iterable[str]:
    """Yield findings as what was seen and what follows; what to do about them stands on the Data page."""
    found = (*answer.findings, *(answer.for_traffic.findings if answer.for_traffic else ()))
    for each in gathered(found):
        if (each.finding.severity is not Severity.INFO) is grave:
            parts = (each.finding.what, each.finding.consequence)
            yield " ".join(_sentence(part.render(language)) for part in parts if part)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _filled(text: str | None) -> tuple[str, ...]:
    return (text,) if text else ()


def merged(every: Iterable[Numbered], runs: int) -> Iterable[str]:
    """Yield each line once; the numbers of its runs stand before it where it is not said of all.

    >>> list(merged([(1, "a"), (2, "a"), (2, "b")], 2)), list(merged([(1, "a")], 1))
    (['a', '(2) b'], ['a'])
    """
    places: dict[str, list[int]] = {}
    for place, line in every:
        known = places.setdefault(line, [])
        if place not in known:
            known.append(place)
    for line, numbers in places.items():
        yield line if len(numbers) == runs else f"({', '.join(map(str, numbers))}) {line}"
