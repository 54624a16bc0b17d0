"""What two scenarios differ in: every input that a person can set, and every answer with an honest word.

Both sides are taken as they were saved; nothing is computed anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import StrEnum

from core.answer_diff import answer_changes
from core.model.change import Aspect, Change, Difference, Value
from core.model.compared import NOTHING, Compared, Study
from core.model.demand_curve import Curve
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.same import paired, same
from core.model.scenario import DecisionColumn, Scenario
from core.model.target import Target
from core.run_diff import DERIVED, Pair, by_run, paired_runs, run_changes

_SEPARATOR = "."


def scenario_difference(before: Scenario, after: Scenario) -> Difference:
    """Return everything that two scenarios differ in; empty where both say the same.

    Swapping both sides swaps each change. Runs are the same one where they share files, else by their id.
    """
    pairs = paired_runs(before.runs, after.runs)
    sections = (
        _words(before, after),
        _whole(run_changes(pairs), before.runs, after.runs, "runs"),
        _whole(_targets(before.targets, after.targets), before.targets, after.targets, "targets"),
        _price(pairs, before.price, after.price),
        _one(Aspect.THINK_TIME, before.think_time_s, after.think_time_s),
        _parts(Aspect.TRAFFIC, before.traffic, after.traffic),
        _parts(Aspect.WORKLOAD, before.workload, after.workload),
        _parts(Aspect.DEMAND, before.demand, after.demand),
        _fleet(before.fleet, after.fleet),
        _compared(pairs, before.compared or NOTHING, after.compared or NOTHING),
        _whole(_columns(pairs, before.decision, after.decision), _headers(before), _headers(after), "columns"),
        _versions(before, after),
    )
    return Difference(
        inputs=tuple(change for section in sections for change in section),
        answers=tuple(answer_changes(before.answers, after.answers)),
    )


def _whole(found: Iterator[Change], before: object, after: object, name: str) -> Iterator[Change]:
    """Give what was found; where both differ and nothing was, it is their order."""
    changes = tuple(found)
    yield from changes
    if not changes and not same(before, after, DERIVED):
        yield Change(about=Aspect.ORDER, name=name)


def _one(about: Aspect, before: Value, after: Value, name: str = "") -> Iterator[Change]:
    if not same(before, after):
        yield Change(about=about, name=name, before=before, after=after)


def _words(before: Scenario, after: Scenario) -> Iterator[Change]:
    yield from _one(Aspect.NAME, before.name, after.name)
    yield from _one(Aspect.NOTES, before.notes, after.notes)


def _versions(before: Scenario, after: Scenario) -> Iterator[Change]:
    for name in ("method_version", "constants_version", "app_version", "schema_version"):
        yield from _one(Aspect.VERSION, getattr(before, name), getattr(after, name), name)


def _targets(before: Sequence[Target], after: Sequence[Target]) -> Iterator[Change]:
    def name(target: Target) -> str:
        return f"{target.metric.value} {target.statistic}"

    for old, new in paired(before, after, key=name):
        found = new or old
        if found and not same(old, new):
            limits = (old.limit if old else None, new.limit if new else None)
            yield Change(about=Aspect.TARGET, name=name(found), before=limits[0], after=limits[1])


def _price(pairs: Sequence[Pair], before: Price | None, after: Price | None) -> Iterator[Change]:
    """Give what differs in the price; where one side has none, what is as usual says nothing."""
    names = [f.name for f in fields(Price) if f.name not in ("accelerators", "pools", "by_run")]
    flat = [_leaves(price, names, usual=before is None or after is None) for price in (before, after)]
    for name in dict.fromkeys((*flat[0], *flat[1])):
        yield from _one(Aspect.PRICE, flat[0].get(name), flat[1].get(name), name)
    own = [{run: dict(_flat(each)) for run, each in (price.by_run if price else ())} for price in (before, after)]
    for name in dict.fromkeys(name for side in own for leaves in side.values() for name in leaves):
        sides = ({run: leaves[name] for run, leaves in side.items() if name in leaves} for side in own)
        for run, was, now in by_run(pairs, *sides):
            yield Change(about=Aspect.PRICE, name=name, run=run, before=was, after=now)
    for counts in ("accelerators", "pools"):
        said = [_by_run(price, counts) for price in (before, after)]
        for run, was, now in by_run(pairs, *said):
            yield Change(
                about=Aspect.COUNT, name="" if counts == "accelerators" else counts, run=run, before=was, after=now
            )


def _leaves(price: Price | None, names: Sequence[str], *, usual: bool) -> dict[str, Value]:
    """Return the leaves of a price; with `usual` without those that every price has unless somebody changes them."""
    if price is None:
        return {}
    left = [f.name for f in fields(Price) if usual and f.default is not MISSING and getattr(price, f.name) == f.default]
    kept = [name for name in names if name not in left or name == "currency"]
    return {path: leaf for name in kept for path, leaf in _flat(getattr(price, name), (name,))}


def _by_run(price: Price | None, name: str) -> dict[str, Value]:
    """Return the counts by run; those of both pools as "8 + 32"."""
    found = getattr(price, name) if price else ()
    return {run: counts[0] if len(counts) == 1 else " + ".join(map(str, counts)) for run, *counts in found}


def _parts(about: Aspect, before: object, after: object) -> Iterator[Change]:
    """Give each part of something nested that differs, named by the way to it; "given" where one side is empty."""
    old, new = dict(_flat(before)), dict(_flat(after))
    found = tuple(
        change for name in dict.fromkeys((*old, *new)) for change in _one(about, old.get(name), new.get(name), name)
    )
    yield from found
    if not found and not same(before, after):
        yield Change(about=about, name="given", before=before is not None, after=after is not None)


def _fleet(before: Fleet | None, after: Fleet | None) -> Iterator[Change]:
    """Give what differs in the fleet, where nothing was said as it is usual; a curve of many points is one input."""
    was, now = (one.curve if one else None for one in (before, after))
    if not same(was, now):
        yield Change(about=Aspect.FLEET, name="curve", before=_curve(was), after=_curve(now))
    old, new = (replace(one or Fleet(), curve=None) for one in (before, after))
    if not same(old, new):
        yield from _parts(Aspect.FLEET, old, new)
    elif same(was, now):
        yield from _one(Aspect.FLEET, before is not None, after is not None, "given")


def _compared(pairs: Sequence[Pair], before: Compared, after: Compared) -> Iterator[Change]:
    """Give each difference that only one side lets stand, and what differs in the study; runs by their names."""
    for name in dict.fromkeys((*before.accepted, *after.accepted)):
        yield from _one(Aspect.ACCEPTED, name in before.accepted, name in after.accepted, name)
    now = {old.id: new.id for old, new in pairs if old and new}
    labels = {run.id: run.label for pair in pairs for run in pair if run}
    was = {now.get(name, name) for name in before.runs}
    for name in sorted(was | set(after.runs)):
        if (name in was) != (name in after.runs):
            sides = (_there(name, was, labels), _there(name, after.runs, labels))
            yield Change(about=Aspect.STUDY, name="runs", before=sides[0], after=sides[1])
    old, new = before.study or Study(), after.study or Study()
    for name in ("before", "after"):
        one, other = getattr(old, name), getattr(new, name)
        if now.get(one, one) != other:
            sides = (labels.get(one, one) or None, labels.get(other, other) or None)
            yield Change(about=Aspect.STUDY, name=name, before=sides[0], after=sides[1])
    yield from _one(Aspect.STUDY, old.layer, new.layer, "layer")
    for name in ("dates", "kv_transfer_s", "worker_loads"):
        told: tuple[dict[str, Value], ...] = (dict(getattr(old, name)), dict(getattr(new, name)))
        for run, first, then in by_run(pairs, *told):
            yield Change(about=Aspect.STUDY, name=name, run=run, before=first, after=then)
    yield from _one(Aspect.STUDY, before.study is not None, after.study is not None, "given")


def _there(name: str, runs: Collection[str], labels: Mapping[str, str]) -> str | None:
    return labels.get(name, name) if name in runs else None


def _curve(curve: Curve | None) -> Value:
    """Return a curve by its name and length; None where the demand is at its peak all the time."""
    return f"{curve.name} ({len(curve.points)})" if curve else None


def _flat(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Value]]:
    """Give every leaf with the way to it, the members of a tuple counted from 1."""
    if is_dataclass(value):
        for each in fields(value):
            yield from _flat(getattr(value, each.name), (*path, each.name))
    elif isinstance(value, tuple):
        for number, each in enumerate(value, start=1):
            yield from _flat(each, (*path, str(number)))
    elif isinstance(value, StrEnum):
        yield _SEPARATOR.join(path), value.value
    elif isinstance(value, str | int | float):
        yield _SEPARATOR.join(path), value


def _columns(
    pairs: Sequence[Pair], before: Sequence[DecisionColumn], after: Sequence[DecisionColumn]
) -> Iterator[Change]:
    for old, new in paired(before, after, key=lambda column: column.name):
        column = new or old
        if column is None or same(old, new):
            continue
        if old is None or new is None:
            yield Change(
                about=Aspect.COLUMN, name=column.name, before=old.name if old else None, after=new.name if new else None
            )
        values = (old.values if old else {}, new.values if new else {})
        for run, was, now in by_run(pairs, *values):
            yield Change(about=Aspect.CELL, name=column.name, run=run, before=was, after=now)


def _headers(scenario: Scenario) -> tuple[str, ...]:
    return tuple(column.name for column in scenario.decision)
