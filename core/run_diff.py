"""Which runs of two scenarios are the same one, and what differs in them: files, conditions, levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from core.model.architecture import Architecture
from core.model.change import Aspect, Change, Names, Value
from core.model.run import Conditions, FileRef, Run
from core.model.same import paired, same
from core.model.sizing import Sizing
from core.model.stage import Stage

V = TypeVar("V", bound=Value)

Pair = tuple[Run | None, Run | None]

DERIVED = frozenset({"id", "where", "findings"})
"""What follows from the rest: a file or a run that is renamed changes one input, not thirty."""


def paired_runs(before: Sequence[Run], after: Sequence[Run]) -> tuple[Pair, ...]:
    """Return each run with its counterpart, in the order of `after`, then those that are gone.

    Runs belong together by the files that they share, then by id, then by name; runs that share no file belong
    together where they have the same id: they were measured again.
    """
    scored = [
        (likeness, min(i, j), max(i, j), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(after)
        if any((likeness := _likeness(old, new))[:2])
    ]
    partner: dict[int, int] = {}
    for _, _, _, i, j in sorted(scored, key=lambda each: (*(-part for part in each[0]), each[1], each[2])):
        if j not in partner and i not in partner.values():
            partner[j] = i
    found: list[Pair] = [(before[partner[j]] if j in partner else None, new) for j, new in enumerate(after)]
    return (*found, *((old, None) for i, old in enumerate(before) if i not in partner.values()))


def _likeness(one: Run, other: Run) -> tuple[float, bool, bool]:
    mine, theirs = ({file.sha256 for file in run.files} for run in (one, other))
    every = mine | theirs
    return (len(mine & theirs) / len(every) if every else 0.0, one.id == other.id, one.label == other.label)


def names_of(pair: Pair) -> Names:
    """Return what a run is called on both sides."""
    old, new = pair
    return Names(old.label if old else None, new.label if new else None)


def run_changes(pairs: Sequence[Pair]) -> Iterator[Change]:
    """Give everything that differs in the runs."""
    for old, new in pairs:
        run = names_of((old, new))
        if old is None or new is None:
            yield Change(about=Aspect.RUN, run=run, before=run.before, after=run.after)
        elif not same(old, new, DERIVED):
            yield from _changes(old, new, run)


def by_run(
    pairs: Sequence[Pair], before: Mapping[str, V], after: Mapping[str, V]
) -> Iterator[tuple[Names, V | None, V | None]]:
    """Give what was said by id of a run wherever both sides differ; the ids of no run stand for themselves."""
    for old, new in pairs:
        values = (before.get(old.id) if old else None, after.get(new.id) if new else None)
        if values[0] != values[1]:
            yield names_of((old, new)), *values
    known = {run.id for pair in pairs for run in pair if run}
    for name in dict.fromkeys((*before, *after)):
        if name not in known and before.get(name) != after.get(name):
            yield Names(name, name), before.get(name), after.get(name)


def _changes(old: Run, new: Run, run: Names) -> Iterator[Change]:
    found = [
        *_named(old, new, run),
        *_files(old.files, new.files, run),
        *_conditions(old, new, run),
        *_sizing(old.sizing or Sizing(), new.sizing or Sizing(), run),
        *_levels(old.stages, new.stages, run),
    ]
    yield from found
    rest = replace(
        new,
        label=old.label,
        gpu_busy=old.gpu_busy,
        sizing=old.sizing,
        kind=old.kind,
        files=old.files,
        conditions=old.conditions,
        asked=old.asked,
        stages=old.stages,
    )
    if not found or not same(old, rest, DERIVED):
        # The same files, read as another format or by another version, or levels in another order.
        yield Change(about=Aspect.READING, run=run, before=_reader(old), after=_reader(new))


def _reader(run: Run) -> str:
    return " ".join(part for part in (run.format_id, run.format_version) if part)


def _named(old: Run, new: Run, run: Names) -> Iterator[Change]:
    if old.label != new.label:
        yield Change(about=Aspect.RUN_NAME, run=run, before=old.label, after=new.label)
    if old.gpu_busy != new.gpu_busy:
        yield Change(about=Aspect.GPU_BUSY, run=run, before=old.gpu_busy, after=new.gpu_busy)
    if old.kind is not new.kind:
        yield Change(about=Aspect.READING, name="kind", run=run, before=old.kind.value, after=new.kind.value)


def _sizing(before: Sizing, after: Sizing, run: Names) -> Iterator[Change]:
    """Give what memory is reckoned with, by part; of the model its class, of a log that there is one."""
    for each in fields(Sizing):
        old, new = getattr(before, each.name), getattr(after, each.name)
        if old != new:
            yield Change(about=Aspect.MEMORY, name=each.name, run=run, before=_said(old), after=_said(new))


def _said(value: object) -> Value:
    if isinstance(value, Architecture):
        return f"{value.kind}, {len(value.order)} × {value.hidden}"
    return value if isinstance(value, str | int | float) else None if value is None else True


def _files(before: Sequence[FileRef], after: Sequence[FileRef], run: Names) -> Iterator[Change]:
    for old, new in paired(before, after, key=lambda file: file.sha256, alike=lambda a, b: a.name == b.name):
        if old is None or new is None:
            names = (old.name if old else None, new.name if new else None)
            yield Change(about=Aspect.FILE, run=run, before=names[0], after=names[1])
        elif old.name != new.name:
            yield Change(about=Aspect.FILE_NAME, run=run, before=old.name, after=new.name)


def _conditions(old: Run, new: Run, run: Names) -> Iterator[Change]:
    for name in (f.name for f in fields(Conditions)):
        values = [getattr(each.conditions, name) for each in (old, new)]
        hand = [name in each.asked for each in (old, new)]
        if not same(*values):
            yield Change(about=Aspect.CONDITION, name=name, run=run, before=values[0], after=values[1])
        elif hand[0] != hand[1]:
            yield Change(about=Aspect.BY_HAND, name=name, run=run, before=hand[0], after=hand[1])


def _levels(before: Sequence[Stage], after: Sequence[Stage], run: Names) -> Iterator[Change]:
    unseen = DERIVED | {"excluded"}
    for old, new in paired(before, after, key=lambda stage: repr(stage.load), alike=lambda a, b: same(a, b, unseen)):
        stage = new or old
        at = stage.load if stage else None
        if old is None or new is None:
            yield Change(about=Aspect.LEVEL, run=run, at=at, before=old is not None, after=new is not None)
            continue
        if old.excluded != new.excluded:
            yield Change(about=Aspect.EXCLUDED, run=run, at=at, before=old.excluded, after=new.excluded)
        if not same(old, new, unseen):
            yield Change(about=Aspect.NUMBERS, run=run, at=at)
