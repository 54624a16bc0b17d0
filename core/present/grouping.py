"""Doubts about which files are one run, in words: the question, its readings side by side, what they disagree about."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.i18n import Text, t
from core.normalise.doubts import DoubtKind, GroupingDoubt, ReadingRun
from core.normalise.lengths import SAME_WITHIN
from core.normalise.regrouping import Act
from core.present.formats import format_name
from core.present.names import metric_name, value_text
from core.present.numbers import concurrency, percent, plain

FEW_NAMES, FEW_LOADS = 4, 8

_WHY: dict[DoubtKind, Text] = {
    DoubtKind.FOLDERS: t(
        "The same levels with different results lie in these folders, and nothing inside the files tells them apart."
    ),
    DoubtKind.REPEATS: t(
        "Files of one folder hold the same levels with different results. Their names differ, and nothing inside does."
    ),
    DoubtKind.SETTING: t("Nothing but this setting tells these runs apart."),
    DoubtKind.FORMATS: t(
        "Model, lengths and settings agree as far as the files say. "
        "Each tool measures in its own way, so that a step between the two may come from the tools."
    ),
    DoubtKind.AXIS: t(
        "Some levels were sent at a rate, others with so many requests in flight. "
        "Requests arrive differently then, so that one curve for both is a rough one."
    ),
    DoubtKind.AMBIGUOUS: t("The file fits several configurations and names none of them."),
}

_KEPT: dict[DoubtKind, Text] = {
    DoubtKind.FOLDERS: t("No, each folder is a run of its own"),
    DoubtKind.REPEATS: t("Yes, one run measured several times"),
    DoubtKind.SETTING: t("No, each value is a run of its own"),
    DoubtKind.FORMATS: t("No, one run for each tool"),
    DoubtKind.AXIS: t("No, two runs"),
    DoubtKind.AMBIGUOUS: t("To none, it is a run of its own"),
}

_CHANGED: dict[DoubtKind, Text] = {
    DoubtKind.FOLDERS: t("Yes, one run measured several times"),
    DoubtKind.REPEATS: t("No, one run for each name"),
    DoubtKind.SETTING: t("Yes, one run"),
    DoubtKind.FORMATS: t("Yes, one run with the levels of both"),
    DoubtKind.AXIS: t("Yes, one run, placed by the requests in flight"),
}

_LOOPS = {
    "closed": t("requests in flight held constant"),
    "open": t("sent at a rate"),
    "unstated": t("load not stated"),
}


def alike(doubts: Sequence[GroupingDoubt]) -> tuple[tuple[GroupingDoubt, ...], ...]:
    """Return doubts that one answer settles together: the same question about several configurations."""
    same: dict[object, list[GroupingDoubt]] = {}
    for doubt in doubts:
        names = tuple(sorted({run.name for reading in doubt.readings for run in reading.runs}))
        own = doubt.id if doubt.kind in (DoubtKind.AMBIGUOUS, DoubtKind.LENGTHS) else names
        same.setdefault((doubt.kind, doubt.about, own), []).append(doubt)
    return tuple(map(tuple, same.values()))


def question(doubt: GroupingDoubt, language: str = "en") -> str:
    """Return the question in one sentence."""
    names = _some([name for run in _sides(doubt) if (name := run_name(doubt, run, language))])
    match doubt.kind:
        case DoubtKind.FOLDERS | DoubtKind.REPEATS:
            asked = t("Are {names} the same run, measured again?", names=names)
        case DoubtKind.SETTING:
            asked = t('Is the setting "{setting}" only a label?', setting=doubt.about)
        case DoubtKind.LENGTHS:
            asked = t("Are these requests of the same length?")
        case DoubtKind.FORMATS:
            asked = t("Did {names} measure the same deployment?", names=names)
        case DoubtKind.AXIS:
            asked = t("Is this one run, measured in two ways?")
        case DoubtKind.AMBIGUOUS:
            asked = t("Which configuration does {file} belong to?", file=doubt.files[0])
    return asked.render(language)


def why(doubt: GroupingDoubt, language: str = "en") -> str:
    """Return why two readings are possible, and what they disagree about."""
    if doubt.kind is DoubtKind.LENGTHS:
        apart = percent(round((doubt.ratio or 1.0) - 1.0, 3), language)
        border = percent(round(SAME_WITHIN - 1.0, 3), language)
        prompts = t(
            "The mean lengths of prompts differ by {share}; beyond {border} levels are kept apart.",
            share=apart,
            border=border,
        )
        answers = t(
            "The mean lengths of answers differ by {share}; beyond {border} levels are kept apart.",
            share=apart,
            border=border,
        )
        said = (prompts if doubt.about == "input" else answers).render(language)
    else:
        said = _WHY[doubt.kind].render(language)
    between = contrast_text(doubt, language)
    return f"{said} {between}" if between else said


def contrast_text(doubt: GroupingDoubt, language: str = "en") -> str | None:
    """Return the largest difference at a load that both sides measured, None where there is no such load."""
    found = doubt.contrast
    if found is None:
        return None
    return t(
        "At {load} concurrent requests {metric} is {low} in {lower} and {high} in {higher}, {times} times as long.",
        load=concurrency(found.load, language, decimals=1),
        metric=metric_name(found.metric, found.statistic, language),
        low=value_text(found.metric, found.low, language),
        high=value_text(found.metric, found.high, language),
        lower=_side_name(doubt, found.lower, language),
        higher=_side_name(doubt, found.higher, language),
        times=plain(found.high / found.low, language),
    ).render(language)


def reading_title(doubt: GroupingDoubt, reading: int, language: str = "en") -> str:
    """Return the answer that a reading gives to the question."""
    chosen = doubt.readings[reading]
    if doubt.kind is DoubtKind.LENGTHS:
        return (t("Yes, one run") if len(chosen.runs) == 1 else t("No, two runs")).render(language)
    if chosen.step.act is Act.KEEP:
        return _KEPT[doubt.kind].render(language)
    if doubt.kind is DoubtKind.AMBIGUOUS:
        return t("To {configuration}", configuration=chosen.runs[0].name).render(language)
    return _CHANGED[doubt.kind].render(language)


def reading_table(doubts: Sequence[GroupingDoubt], reading: int, language: str = "en") -> pd.DataFrame:
    """Return one row per run that a reading makes of the files: its loads, and how often they were measured."""
    rows = [(doubt, run) for doubt in doubts for run in doubt.readings[reading].runs]
    return pd.DataFrame(
        {
            t("Run").render(language): [
                run_name(doubt, run, language) or t("one run").render(language) for doubt, run in rows
            ],
            t("Levels at").render(language): [_loads(run, language) for _, run in rows],
            t("Measurements").render(language): [plain(run.executions, language, digits=9) for _, run in rows],
            t("Requests").render(language): [
                t("unknown").render(language) if run.requests is None else plain(run.requests, language, digits=9)
                for _, run in rows
            ],
        }
    )


def run_name(doubt: GroupingDoubt, run: ReadingRun, language: str = "en") -> str:
    """Return what tells a run of a reading from the others, "" where nothing has to."""
    return _side_name(doubt, run.name, language) if run.name else ""


def _side_name(doubt: GroupingDoubt, name: str, language: str) -> str:
    match doubt.kind:
        case DoubtKind.FORMATS:
            return format_name(name, language)
        case DoubtKind.AXIS:
            return _LOOPS[name].render(language) if name in _LOOPS else name
        case DoubtKind.LENGTHS:
            return t("{tokens} tokens", tokens=name).render(language)
        case _:
            return name or t("the top folder").render(language)


def _sides(doubt: GroupingDoubt) -> tuple[ReadingRun, ...]:
    return max((reading.runs for reading in doubt.readings), key=len)


def _some(names: Sequence[str]) -> str:
    shown = list(names[:FEW_NAMES])
    return ", ".join([*shown, "…"] if len(names) > FEW_NAMES else shown)


def _loads(run: ReadingRun, language: str) -> str:
    shown = [concurrency(load, language, decimals=1) for load in run.loads]
    if len(shown) <= FEW_LOADS:
        return ", ".join(shown) or t("unknown").render(language)
    return t("{count} levels, {low} to {high}", count=len(shown), low=shown[0], high=shown[-1]).render(language)
