"""Doubts about which files are one run, in words: the question, its readings side by side, what they disagree about."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from core.i18n import Text, t
from core.normalise.doubts import DoubtKind, GroupingDoubt, ReadingRun
from core.normalise.labels import is_label
from core.normalise.lengths import SAME_WITHIN
from core.normalise.regrouping import Act
from core.present.conditions import NAMES, condition_name
from core.present.files import short_names
from core.present.formats import format_name
from core.present.names import SEPARATOR, metric_name, value_text
from core.present.numbers import concurrency, percent, plain

FEW_NAMES, FEW_LOADS, FEW_ROWS = 4, 8, 12
LONGEST_SIDE = 40
_LENGTHS = ("input_tokens_mean", "output_tokens_mean")

EN_DASH = "–"
_WORD = re.compile(r"[^\W\d_]{2}")

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
    """Return doubts that one answer settles together: the same question about several configurations.

    Doubts that share a level stay apart, because an answer about a level takes the place of another about it.
    """
    same: dict[object, list[GroupingDoubt]] = {}
    for doubt in doubts:
        key = (doubt.kind, doubt.about, _asked_alike(doubt))
        clash = any(not set(doubt.levels).isdisjoint(other.levels) for other in same.get(key, ()))
        same.setdefault((*key, doubt.id) if clash else key, []).append(doubt)
    return tuple(map(tuple, same.values()))


def _asked_alike(doubt: GroupingDoubt) -> object:
    """Return what questions of one kind must share to be one question."""
    if doubt.kind is DoubtKind.AMBIGUOUS:
        return doubt.id
    if doubt.kind is DoubtKind.LENGTHS:
        return tuple(len(reading.runs) for reading in doubt.readings)
    return tuple(sorted({run.name for reading in doubt.readings for run in reading.runs}))


def configurations(doubts: Sequence[GroupingDoubt], language: str = "en") -> list[str]:
    """Return what tells each doubt's configuration from those of the others, "" where there is no other.

    Conditions and settings that not all share come first; where they do not tell, the first file does.
    """
    names = _telling_names(doubts)
    known = [dict(doubt.shared) for doubt in doubts]
    told = [", ".join(_pair(name, one[name], language) for name in names if name in one) for one in known]
    files = short_names(doubt.files[0] for doubt in doubts)
    return [
        SEPARATOR.join(filter(None, (text, files[doubt.files[0]]))) if told.count(text) > 1 else text
        for text, doubt in zip(told, doubts, strict=True)
    ]


def _telling_names(doubts: Sequence[GroupingDoubt]) -> list[str]:
    """Return the conditions and settings that tell doubts apart: each tells more than those before it, lengths last."""
    known = [dict(doubt.shared) for doubt in doubts]
    names = list(dict.fromkeys(name for one in known for name in one))
    names.sort(key=lambda name: (name in _LENGTHS, max(len(one.get(name, "")) for one in known) > LONGEST_SIDE))
    told: list[tuple[str | None, ...]] = [() for _ in known]
    telling = []
    for name in names:
        more = [(*each, one.get(name)) for each, one in zip(told, known, strict=True)]
        if len({*more}) > len({*told}):
            telling.append(name)
            told = more
    return telling


def asked_of(same: Sequence[GroupingDoubt], every: Sequence[GroupingDoubt], language: str = "en") -> str:
    """Return which configurations a question is about, "" where there is only one question.

    Args:
        same: doubts that one answer settles.
        every: all doubts that are asked about, those of `same` among them.
        language: of the text.
    """
    if len(same) > 1:
        return t("The same is asked of {count} configurations.", count=len(same)).render(language)
    own = configurations(every, language)[list(every).index(same[0])]
    return t("It is asked of {configuration}.", configuration=own).render(language) if own else ""


def _pair(name: str, value: str, language: str) -> str:
    """Return a condition or setting with its value; a text that is a word speaks for itself."""
    if name in _LENGTHS:
        lengths = t("{tokens} in", tokens=value) if name == "input_tokens_mean" else t("{tokens} out", tokens=value)
        return lengths.render(language)
    if _WORD.search(value) and value not in ("True", "False"):
        return value
    shown = condition_name(name, language) if name in NAMES else name.replace("_", " ")
    return f"{shown} {value}"


def question(doubt: GroupingDoubt, language: str = "en") -> str:
    """Return the question in one sentence."""
    names = _some([name for run in _sides(doubt) if (name := run_name(doubt, run, language))], language)
    match doubt.kind:
        case DoubtKind.FOLDERS | DoubtKind.REPEATS:
            asked = t("Are {names} the same run, measured again?", names=names)
        case DoubtKind.SETTING:
            asked = (
                t('Is the setting "{setting}" only a label?', setting=doubt.about)
                if is_label(doubt.about)
                else t('Are these one run, although the setting "{setting}" differs?', setting=doubt.about)
            )
        case DoubtKind.LENGTHS:
            asked = t("Are these requests of the same length?")
        case DoubtKind.FORMATS:
            asked = t("Did {names} measure the same deployment?", names=names)
        case DoubtKind.AXIS:
            asked = t("Is this one run, measured in two ways?")
        case DoubtKind.AMBIGUOUS:
            asked = t("Which configuration does {file} belong to?", file=doubt.files[0])
    return asked.render(language)


def why(doubt: GroupingDoubt, language: str = "en", same: Sequence[GroupingDoubt] = ()) -> str:
    """Return why two readings are possible, and what they disagree about most.

    Args:
        doubt: the first of those asked together.
        language: of the text.
        same: all of them, where one answer settles several.
    """
    every = same or (doubt,)
    if doubt.kind is DoubtKind.LENGTHS:
        ratios = sorted(
            {percent(round((each.ratio or 1.0) - 1.0, 3), language): each.ratio or 1.0 for each in every}.items(),
            key=lambda pair: pair[1],
        )
        apart = EN_DASH.join(dict.fromkeys((ratios[0][0], ratios[-1][0])))
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
    most = max(every, key=lambda each: each.contrast.high / each.contrast.low if each.contrast else 0.0)
    between = contrast_text(most, language)
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
    """Return one row per run that a reading makes of the files: its loads, and how often they were measured.

    A row says what tells its run and its configuration from the others; of many rows the first are shown and
    the last one counts the rest.
    """
    rows = [
        (SEPARATOR.join(filter(None, (run_name(doubt, run, language), configuration))), run)
        for doubt, configuration in zip(doubts, configurations(doubts, language), strict=True)
        for run in doubt.readings[reading].runs
    ]
    cells = [
        (
            name or t("one run").render(language),
            _loads(run, language),
            plain(run.executions, language, digits=9),
            t("unknown").render(language) if run.requests is None else plain(run.requests, language, digits=9),
        )
        for name, run in rows[:FEW_ROWS]
    ]
    if len(rows) > FEW_ROWS:
        cells.append((t("and {count} more", count=len(rows) - FEW_ROWS).render(language), "…", "…", "…"))
    headers = (t("Run"), t("Levels at"), t("Measurements"), t("Requests"))
    return pd.DataFrame(cells, columns=[header.render(language) for header in headers], dtype="str")


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
        case DoubtKind.FOLDERS:
            return told_apart([run.name for run in _sides(doubt)])[name] or t("the top folder").render(language)
        case _:
            return name


def _sides(doubt: GroupingDoubt) -> tuple[ReadingRun, ...]:
    return max((reading.runs for reading in doubt.readings), key=len)


def told_apart(names: Sequence[str]) -> dict[str, str]:
    """Return folders by what differs between them, each cut to be read and still unlike the others.

    >>> list(told_apart(["drop/a/conc_1", "drop/b/conc_1"]).values())
    ['a', 'b']
    >>> list(told_apart(["x" * 60 + "-one", "x" * 60 + "-two"]).values())[0][-5:]
    'x-one'
    """
    parts = [name.split("/") for name in names]
    shortest = min(map(len, parts), default=1) - 1
    front = next((i for i in range(shortest) if len({each[i] for each in parts}) > 1), shortest)
    most = shortest - front
    back = next((i for i in range(most) if len({each[-1 - i] for each in parts}) > 1), most)
    short = {name: "/".join(each[front : len(each) - back]) for name, each in zip(names, parts, strict=True)}
    cut = {name: text if len(text) <= LONGEST_SIDE else f"…{text[1 - LONGEST_SIDE :]}" for name, text in short.items()}
    return cut if len({*cut.values()}) == len({*short.values()}) else short


def _some(names: Sequence[str], language: str) -> str:
    if len(names) <= FEW_NAMES:
        return ", ".join(names)
    more = t("and {count} more", count=len(names) - FEW_NAMES + 1).render(language)
    return ", ".join([*names[: FEW_NAMES - 1], more])


def _loads(run: ReadingRun, language: str) -> str:
    shown = [concurrency(load, language, decimals=1) for load in run.loads]
    if len(shown) <= FEW_LOADS:
        return ", ".join(shown) or t("unknown").render(language)
    return t("{count} levels, {low} to {high}", count=len(shown), low=shown[0], high=shown[-1]).render(language)
