"""What a list shows of a saved version without opening it, as small JSON beside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import msgspec

from core.model.answer import Interval, Status
from core.model.bounding import bounding
from core.model.scenario import Scenario
from core.model.sound import LABEL_CHARS, MOST, wrong_range
from core.model.target import Target


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of one run.

    Attributes:
        kind: "measured" or "simulated". status: of its capacity, see `core.model.answer.Status`.
        safe, estimate: concurrent requests. binding: the target that stops it, such as "ttft p99"; older versions kept
            one where nothing could be told, too. bound: the target that gives an upper bound there.
        cost: money per million output tokens at the safe number. currency: its label.
    """

    label: str
    kind: str
    status: str
    safe: int | None = None
    estimate: Interval | None = None
    binding: str | None = None
    bound: str | None = None
    cost: Interval | None = None
    currency: str | None = None


def summary_of(scenario: Scenario) -> str:
    """Return the summary of a scenario as JSON."""
    runs = []
    for answer in scenario.answers:
        capacity, cost = answer.capacity, answer.cost
        bound = bounding(answer)
        runs.append(
            RunSummary(
                label=answer.run.label,
                kind=answer.run.kind.value,
                status=capacity.status.value,
                safe=capacity.safe,
                estimate=capacity.concurrency,
                binding=_named(capacity.binding) if capacity.status is not Status.CANNOT_TELL else None,
                bound=_named(bound.target) if bound else None,
                cost=cost.per_million_output if cost else None,
                currency=cost.currency if cost else None,
            )
        )
    return msgspec.json.encode(runs).decode()


def _named(target: Target | None) -> str | None:
    return f"{target.metric.value} {target.statistic}" if target else None


def summary_from(text: str | None) -> tuple[RunSummary, ...] | None:
    """Return the summary that was kept, None where there is none or it is not one that this program wrote."""
    if text is None:
        return None
    try:
        found = msgspec.json.decode(text, type=tuple[RunSummary, ...])
    except msgspec.DecodeError:
        return None
    return found if all(_possible(each) for each in found) else None


def _possible(found: RunSummary) -> bool:
    texts = (found.label, found.binding or "", found.bound or "", found.currency or "")
    safe_is_one = found.safe is None or 0 <= found.safe <= MOST
    ranges = [each for each in (found.estimate, found.cost) if each is not None]
    return safe_is_one and max(map(len, texts)) <= LABEL_CHARS and all(wrong_range(each) is None for each in ranges)


def words_of(scenario: Scenario, tags: Iterable[str]) -> str:
    """Return what the search looks through: the name in the first line, tags in the second, the rest in the third."""
    told: dict[str, None] = {}
    for run in scenario.runs:
        known = run.conditions
        parts = (run.label, known.model, known.accelerator, known.engine, known.precision, *(f.name for f in run.files))
        told.update((part, None) for part in parts if part)
    columns = (text for column in scenario.decision for text in (column.name, *column.values.values()))
    return _lines(scenario.name, " ".join(tags), " ".join((scenario.notes, *told, *columns)))


def reworded(words: str, *, name: str | None = None, tags: Iterable[str] | None = None) -> str:
    """Return the words of a scenario under another name or with other tags."""
    lines = [*words.split("\n", 2), "", ""][:3]
    return _lines(lines[0] if name is None else name, lines[1] if tags is None else " ".join(tags), lines[2])


def folded(text: str) -> str:
    """Return text as the search compares it: case, width and composition make no difference.

    >>> folded("Ｈ100 Größe") == folded("h100 GRÖSSE")
    True
    """
    return unicodedata.normalize("NFKC", text).casefold()


def _lines(*parts: str) -> str:
    return "\n".join(" ".join(folded(part).split()) for part in parts)
