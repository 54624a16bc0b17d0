"""What a person changed by hand, as a list: each with the way to take it back alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.i18n import Text, t
from core.model.run import Run
from core.normalise.doubts import GroupingDoubt
from core.normalise.partings import Parting
from core.normalise.regrouping import Act, Members, Regrouping, Step, excluding
from core.present.grouping import question, reading_title
from core.present.numbers import concurrency

BY: dict[Parting, Text] = {
    Parting.FOUND: t("as the files alone say"),
    Parting.FILE: t("by file"),
    Parting.FOLDER: t("by folder"),
    Parting.NAME: t("by the names of the files"),
    Parting.SETTING: t("by a setting"),
    Parting.INPUT: t("by the length of prompts"),
    Parting.OUTPUT: t("by the length of answers"),
    Parting.CHOSEN: t("some levels apart"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change and the decisions without it."""

    text: str
    without: Regrouping


def changes_of(
    decided: Regrouping,
    runs: Sequence[Run],
    members: Members,
    doubts: Sequence[GroupingDoubt],
    language: str = "en",
) -> tuple[Change, ...]:
    """Return every decision in words, the earliest first."""
    steps = [
        Change(
            text=_step_text(step, runs, members, doubts, language),
            without=replace(decided, steps=tuple(each for each in decided.steps if each is not step)),
        )
        for step in decided.steps
    ]
    names = [
        Change(
            text=t("Renamed to {name}", name=named.label).render(language),
            without=replace(decided, names=tuple(each for each in decided.names if each is not named)),
        )
        for named in decided.names
    ]
    return (*steps, *names, *_left_out(decided, runs, members, language))


def _step_text(
    step: Step, runs: Sequence[Run], members: Members, doubts: Sequence[GroupingDoubt], language: str
) -> str:
    for doubt in doubts:
        position = next((i for i, each in enumerate(doubt.readings) if _same(each.step, step)), None)
        if position is not None:
            return f"{question(doubt, language)} {reading_title(doubt, position, language)}"
    labels = ", ".join(run.label for run in _holding(step.levels, runs, members))
    if step.act is Act.MERGE:
        return t("Put together: {runs}", runs=" + ".join(step.of) or labels).render(language)
    by = t("by {setting}", setting=step.setting.replace("_", " ")) if step.setting else BY[step.by]
    return t("Split {how}: {runs}", how=by, runs=labels).render(language)


def _same(one: Step, other: Step) -> bool:
    return (
        bool(one.doubt)
        and (one.doubt, one.act, one.by) == (other.doubt, other.act, other.by)
        and not set(one.levels).isdisjoint(other.levels)
    )


def _left_out(decided: Regrouping, runs: Sequence[Run], members: Members, language: str) -> list[Change]:
    """Return what is kept out: a run as a whole where all of its levels are out for one reason."""
    changes = []
    for run in runs:
        out: dict[str, list[int]] = {}
        for position, keys in enumerate(members.get(run.id, ())):
            reason = next((decided.excluded[key] for key in keys if key in decided.excluded), None)
            if reason:
                out.setdefault(reason, []).append(position)
        for reason, positions in out.items():
            own = [key for i in positions for key in members[run.id][i]]
            if len(positions) == len(run.stages):
                said = t("Left out: {run} as a whole. {reason}", run=run.label, reason=reason)
            else:
                loads = ", ".join(_load(run, i, language) for i in positions)
                said = t("Left out: level {loads} of {run}. {reason}", loads=loads, run=run.label, reason=reason)
            changes.append(Change(text=said.render(language), without=excluding(decided, own, "")))
    return changes


def _load(run: Run, position: int, language: str) -> str:
    load = run.stages[position].load
    return "?" if load is None else concurrency(load, language, decimals=1)


def _holding(levels: Iterable[str], runs: Sequence[Run], members: Members) -> list[Run]:
    wanted = frozenset(levels)
    return [run for run in runs if any(not wanted.isdisjoint(keys) for keys in members.get(run.id, ()))]
