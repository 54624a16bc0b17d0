"""What a person says of a run that the files do not: conditions, a share from a profile, levels to keep out.

What is said belongs to the levels of a run (by their keys, see `core.normalise.regrouping`), not to the run's
id: runs are merged, split and renamed, and nothing that was said may be lost by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar

from core.check.checks import check_run
from core.model.run import Run
from core.model.sizing import Sizing
from core.normalise.regrouping import Members, Regrouping, file_of, left_out, name_of, reason_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a person changed in one run by hand.

    Attributes:
        excluded: why a level is kept out of the fit, by its load.
        conditions: values for fields of `Conditions` that the files leave unknown.
        gpu_busy: share of time in which the accelerator computes, from a profile, in (0, 1].
        sizing: what memory is reckoned with.
    """

    excluded: Mapping[float, str] = field(default_factory=dict)
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)
    gpu_busy: float | None = None
    sizing: Sizing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a person said of the run that holds these levels."""

    levels: tuple[str, ...]
    edits: Edits


def edited(run: Run, edits: Edits) -> Run:
    """Return a checked run with a person's changes, checked anew. What a rule excluded stays out."""
    if edits.gpu_busy is not None:
        run = replace(run, gpu_busy=edits.gpu_busy)
    if not edits.excluded and not edits.conditions and edits.sizing is None:
        return run
    unknown: dict[str, Any] = {
        name: value for name, value in edits.conditions.items() if getattr(run.conditions, name, 0) is None
    }
    changed = replace(
        run,
        stages=tuple(
            replace(stage, excluded=stage.excluded or edits.excluded.get(stage.load or 0.0)) for stage in run.stages
        ),
        conditions=replace(run.conditions, **unknown),
        asked=(*run.asked, *(name for name in unknown if name not in run.asked)),
        sizing=edits.sizing or run.sizing,
    )
    return checked_anew(run, changed)


def checked_anew(run: Run, changed: Run) -> Run:
    """Return `changed` with the findings of the checks renewed; all others stay."""
    outdated = check_run(run)
    kept = tuple(finding for finding in changed.findings if finding not in outdated)
    return replace(changed, findings=(*kept, *check_run(changed)))


def amended(run: Run, keys: Sequence[tuple[str, ...]], decided: Regrouping) -> Run:
    """Return a run that came without files (from a saved scenario) with the name and the reasons that a person gave.

    Args:
        run: as saved.
        keys: for each of its stages.
        decided: its names and exclusions apply; to merge and to split takes the files.
    """
    reasons = [reason_of(own, decided.excluded) for own in keys]
    label = name_of([key for own in keys for key in own], decided.names) or run.label
    changed = replace(
        run,
        label=label,
        stages=tuple(
            replace(stage, excluded=stage.excluded or reason) for stage, reason in zip(run.stages, reasons, strict=True)
        ),
    )
    if not any(reasons):
        return changed
    told = left_out(zip(changed.stages, reasons, strict=True))
    return checked_anew(run, replace(changed, findings=(*changed.findings, *told)))


def told_of(keys: Iterable[str], told: Iterable[Told]) -> Edits:
    """Return what was said of the levels of one run together; where they contradict each other, nothing."""
    own = frozenset(keys)
    said = [each.edits for each in told if not own.isdisjoint(each.levels)]
    names = {name for each in said for name in each.conditions}
    values = {name: {each.conditions[name] for each in said if name in each.conditions} for name in names}
    shares = {each.gpu_busy for each in said if each.gpu_busy is not None}
    sizings = {each.sizing for each in said if each.sizing is not None}
    return Edits(
        conditions={name: found.pop() for name, found in sorted(values.items()) if len(found) == 1},
        gpu_busy=shares.pop() if len(shares) == 1 else None,
        sizing=sizings.pop() if len(sizings) == 1 else None,
    )


def retold(told: Iterable[Told], keys: Iterable[str], edits: Edits) -> tuple[Told, ...]:
    """Return what was said with `edits` in place of everything said of these levels before."""
    own = tuple(sorted(keys))
    rest = [replace(each, levels=tuple(key for key in each.levels if key not in own)) for each in told]
    new = [] if edits == Edits() else [Told(levels=own, edits=edits)]
    return (*(each for each in rest if each.levels), *new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something of a run that can be left out.

    Attributes:
        name: short, and lasting as long as the run is as it is: "level_3", "file_<hash>", "run".
        keys: of the levels in it.
        stage: position of the level, None for a file and for the whole run.
        file: name of the file, None for a level and for the whole run.
    """

    name: str
    keys: tuple[str, ...]
    stage: int | None = None
    file: str | None = None


def pieces_of(run: Run, members: Sequence[tuple[str, ...]]) -> tuple[Piece, ...]:
    """Return what of a run can still be left out: its levels, its files where they are no single level, all of it."""
    used = [i for i, stage in enumerate(run.stages) if stage.excluded is None]
    every = tuple(key for i in used for key in members[i])
    levels = [Piece(name=f"level_{i}", keys=members[i], stage=i) for i in used]
    files = []
    for ref in run.files:
        own = tuple(key for key in every if file_of(key) == ref.sha256)
        if 0 < len(own) < len(every) and own not in members:
            files.append(Piece(name=f"file_{ref.sha256}", keys=own, file=ref.name))
    return (*levels, *files, *([Piece(name="run", keys=every)] if every else []))


V = TypeVar("V")


def carried(counts: Iterable[tuple[str, V]], before: Members, after: Members) -> tuple[tuple[str, V], ...]:
    """Return what was said by id (such as counts) by the ids that runs have now; where the parts disagree, nothing.

    >>> carried([("m-a", 8), ("m-b", 8), ("x", 2)], {"m-a": (("1",),), "m-b": (("2",),)}, {"m": (("1",), ("2",))})
    (('x', 2), ('m', 8))
    >>> carried([("m", 8)], {"m": (("1",), ("2", "3"))}, {"m-a": (("1",),), "m-b": (("3",), ("2",))})
    (('m-a', 8), ('m-b', 8))
    """
    known = dict(counts)
    found = []
    for run_id, stages in after.items():
        own = {key for stage in stages for key in stage}
        values = {
            known[old]
            for old, parts in before.items()
            if old in known and not own.isdisjoint(chain.from_iterable(parts))
        }
        if len(values) == 1:
            found.append((run_id, values.pop()))
    kept = [(run_id, count) for run_id, count in known.items() if run_id not in before and run_id not in after]
    return (*kept, *found)
