"""What a person decided about which levels are one run: data, applied after the files have been grouped.

A decision names raw levels by their keys (the hash of the file and the position in it), never runs: runs
come and go as files arrive, and a decision must outlive that. A key that is in no file has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.i18n import Text, joined, t
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.scenario import clean_name
from core.model.stage import Stage
from core.normalise.conditions import conditions_of
from core.normalise.level import Level
from core.normalise.partings import Parting, Way, parted, ways_to_part
from core.normalise.parts import Part

Members = Mapping[str, tuple[tuple[str, ...], ...]]
"""By run id, for each stage the keys of the levels that it was made of."""


def key_of(sha256: str, number: int) -> str:
    """Return the key of a raw level: the hash of its file, and its position in it."""
    return f"{sha256}#{number}"


def file_of(key: str) -> str:
    """Return the hash of the file that a level is from.

    >>> file_of(key_of("ab12", 3))
    'ab12'
    """
    return key.rpartition("#")[0]


class Act(StrEnum):
    """What is done with the parts that hold one of the levels named. Stored: never rename one."""

    MERGE = "merge"
    SPLIT = "split"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision.

    Attributes:
        act: MERGE makes one run of all of them, SPLIT parts each by `by`, KEEP leaves them as they are.
        levels: keys of the raw levels that it is about, sorted.
        by: how a run is split.
        setting: the name of the setting that `Parting.SETTING` splits by.
        doubt: the kind of doubt that it settles, "" where nobody had asked.
        of: labels that the runs to merge had then: the one run that they become cannot say which they were.
    """

    act: Act
    levels: tuple[str, ...]
    by: Parting = Parting.FOUND
    setting: str = ""
    doubt: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name that a person gave to the run that holds these levels."""

    levels: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrouping:
    """Everything that a person decided about runs, in the order of the decisions.

    Attributes:
        excluded: why a raw level is kept out of the fit, by its key.
    """

    steps: tuple[Step, ...] = ()
    names: tuple[Named, ...] = ()
    excluded: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """True where nothing was decided."""
        return not (self.steps or self.names or self.excluded)


def regrouped(fresh: Sequence[Part], steps: Iterable[Step]) -> list[Part]:
    """Return the parts after the steps: every level of `fresh` once, whatever the steps say."""
    parts = list(fresh)
    for step in steps:
        wanted = frozenset(step.levels)
        meant = [part for part in parts if not wanted.isdisjoint(part.keys)]
        if step.act is Act.MERGE:
            pieces = _merged(meant)
        elif step.act is Act.SPLIT:
            pieces = [piece for part in meant for piece in _split(part, step, fresh)]
        else:
            continue
        meant_ids = {id(part) for part in meant}
        parts = [part for part in parts if id(part) not in meant_ids] + pieces
    return parts


def name_of(keys: Iterable[str], names: Iterable[Named]) -> str | None:
    """Return the name that a person gave last to the run of these levels, None where nobody did."""
    own = frozenset(keys)
    given = [each.label for each in names if not own.isdisjoint(each.levels)]
    return given[-1] if given else None


def renamed(decided: Regrouping, keys: Iterable[str], label: str) -> Regrouping:
    """Return the decisions with this name for the run of these levels; an empty one takes a name back."""
    own = tuple(sorted(keys))
    rest = [replace(each, levels=tuple(key for key in each.levels if key not in own)) for each in decided.names]
    new = [Named(levels=own, label=clean_name(label))] if label.strip() else []
    return replace(decided, names=(*(each for each in rest if each.levels), *new))


def excluding(decided: Regrouping, keys: Iterable[str], reason: str) -> Regrouping:
    """Return the decisions with these levels kept out for this reason; an empty one takes them in again."""
    own = frozenset(keys)
    rest = {key: why for key, why in decided.excluded.items() if key not in own}
    new = dict.fromkeys(sorted(own), reason.strip()) if reason.strip() else {}
    return replace(decided, excluded={**rest, **new})


def ways_to_split(part: Part, fresh: Sequence[Part]) -> tuple[Way, ...]:
    """Return how the levels of a part can be parted, first the way in which the files alone are read."""
    found = len(_as_found(part, fresh))
    own = (Way(by=Parting.FOUND, parts=found),) if found > 1 else ()
    return (*own, *ways_to_part(part.levels))


def kept_out(level: Level, excluded: Mapping[str, str]) -> Level:
    """Return a level with the reason why a person keeps it out; what a rule keeps out stays so."""
    reason = reason_of(level.keys, excluded)
    if reason is None or level.stage.excluded is not None:
        return level
    return replace(level, stage=replace(level.stage, excluded=reason))


def left_out(stages: Iterable[tuple[Stage, str | None]]) -> tuple[Finding, ...]:
    """Return a finding for each reason why a person keeps levels out: it goes wherever the run goes."""
    by_reason: dict[str, list[Stage]] = {}
    for stage, reason in stages:
        if reason is not None and stage.excluded == reason:
            by_reason.setdefault(reason, []).append(stage)
    return tuple(
        Finding(
            code="level.left_out",
            severity=Severity.INFO,
            where=same[0].where,
            what=t("Left out by hand at {loads}: {reason}", loads=", ".join(map(_load, same)), reason=reason),
        )
        for reason, same in by_reason.items()
    )


def reason_of(keys: Iterable[str], excluded: Mapping[str, str]) -> str | None:
    """Return why a person keeps out the level of these keys, None where nobody does."""
    return next((excluded[key] for key in keys if key in excluded), None)


def _load(stage: Stage) -> str:
    return "?" if stage.load is None else f"{stage.load:g}"


def _merged(parts: Sequence[Part]) -> list[Part]:
    """Make one part of several; what is measured and what is simulated stay two."""
    kinds = {kind: [part for part in parts if part.levels[0].kind is kind] for kind in Kind}
    return [_one(same) if len(same) > 1 else same[0] for same in kinds.values() if same]


def _one(parts: Sequence[Part]) -> Part:
    ordered = sorted(parts, key=lambda part: min(part.keys))
    levels = tuple(level for part in ordered for level in part.levels)
    own = [finding for part in ordered for finding in _lasting(part.findings)]
    return Part(levels=levels, findings=(*own, _by_hand(ordered)))


def _split(part: Part, step: Step, fresh: Sequence[Part]) -> list[Part]:
    if step.by is Parting.FOUND:
        return _as_found(part, fresh)
    pieces = parted(part.levels, step.by, setting=step.setting, chosen=frozenset(step.levels))
    if len(pieces) < 2:
        return [part]
    own = _lasting(part.findings)
    return [
        replace(part, levels=tuple(levels), findings=(*own, _split_by_hand(levels)), folder=name, could_join=())
        for name, levels in pieces
    ]


def _as_found(part: Part, fresh: Sequence[Part]) -> list[Part]:
    """Part levels as the files alone do; a piece that is whole again is what it was, with its findings."""
    keys = frozenset(part.keys)
    pieces = []
    for origin in fresh:
        inside = tuple(level for level in origin.levels if not keys.isdisjoint(level.keys))
        if len(inside) == len(origin.levels):
            pieces.append(origin)
        elif inside:
            pieces.append(replace(origin, levels=inside, findings=(*_lasting(origin.findings), _split_by_hand(inside))))
    return pieces


_OUTDATED = frozenset({"group.by_folder", "group.ambiguous", "group.merged_by_hand", "group.split_by_hand"})


def _lasting(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a decision does not settle."""
    return [finding for finding in findings if finding.code not in _OUTDATED]


def _by_hand(parts: Sequence[Part]) -> Finding:
    told = [conditions_of(part.levels).known() for part in parts]
    differ = sorted({name for one in told for name in one if any(one[name] != other.get(name) for other in told)})
    certain = sorted({name for name in differ if len({str(one[name]) for one in told if name in one}) > 1})
    return Finding(
        code="group.merged_by_hand",
        severity=Severity.WARNING if certain else Severity.INFO,
        where=min((part.levels[0].stage.where for part in parts), key=str),
        what=t("{count} runs were put together by hand", count=len(parts)),
        consequence=t("They differ in {names}, which therefore stays unknown", names=_list(certain))
        if certain
        else None,
        fix=t("Split them again if one curve cannot hold for all of them") if certain else None,
    )


def _list(names: Sequence[str]) -> Text:
    return joined([Text(name.replace("_", " ")) for name in names])


def _split_by_hand(levels: Sequence[Level]) -> Finding:
    return Finding(
        code="group.split_by_hand",
        severity=Severity.INFO,
        where=levels[0].stage.where,
        what=t("This run was split from another by hand"),
    )
