"""What two scenarios differ in, as sentences, as tables for the screen, and as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from core.answer_diff import VALUES, beyond_doubt, is_number
from core.i18n import Text, t
from core.model.answer import Interval, RunAnswer
from core.model.change import AnswerChange, Aspect, Change, Difference, Names, Part, Word
from core.model.target import Target
from core.present.batch import batch_columns
from core.present.bill import shown_cost
from core.present.comparison import estimate_cell
from core.present.diff_amounts import difference_text
from core.present.diff_words import change_name, change_values
from core.present.headline import headline
from core.present.names import target_name
from core.present.status import status_of
from core.present.traffic import for_traffic_view

Json = dict[str, Any]

BEFORE, AFTER = t("Before"), t("After")
LONGEST_LINE = 160
MOST_LINES = 60

PARTS: dict[Part, Text] = {
    Part.STATUS: t("Answer"),
    Part.SAFE: t("Safe number"),
    Part.ESTIMATE: t("Estimate (range)"),
    Part.BINDING: t("Stopped by"),
    Part.COST: t("Cost per million output tokens"),
    Part.TRAFFIC_SAFE: t("Safe number for your traffic"),
    Part.TRAFFIC_ESTIMATE: t("Estimate for your traffic (range)"),
    Part.RATE: t("Highest throughput (range)"),
    Part.JOB_TIME: t("Time of the job (range)"),
    Part.JOB_COST: t("Cost of the job (range)"),
    Part.DEADLINE: t("Deadline of the job"),
    Part.REST: t("What stands under the answer"),
}

_QUIET = frozenset({Part.STATUS, Part.BINDING, Part.DEADLINE, Part.REST})
"""Parts that a table leaves out where they are the same."""

_DEADLINES = {"met": t("kept"), "missed": t("missed"), "cannot_tell": t("cannot tell")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the notes: `sign` is "+", "-" or " "."""

    sign: str
    text: str


def change_text(change: Change, language: str = "en", *, several: bool = False) -> str:
    """Return one change as a sentence, such as "TTFT p99: ≤ 500 ms → ≤ 300 ms"; `several` runs are told apart."""
    old, new = shown_values(change, language)
    name = change_name(change, language)
    run = _run_name(change.run) if change.run else None
    if run and (several or change.about is Aspect.RUN) and change.about is not Aspect.RUN_NAME:
        name = name if change.about is Aspect.RUN else f"{run}: {name}"
    if old is None:
        return t("{name}: added {value}", name=name, value=new or "").render(language)
    if new is None:
        return t("{name}: removed {value}", name=name, value=old).render(language)
    return f"{name}: {old} → {new}"


def shown_values(change: Change, language: str = "en") -> tuple[str | None, str | None]:
    """Return both sides in words; of notes only the lines that differ, cut to what a cell can hold."""
    if change.about is not Aspect.NOTES:
        return change_values(change, language)
    lines = notes_lines(str(change.before or ""), str(change.after or ""))
    sides = [" / ".join(line.text for line in lines if line.sign == sign and line.text.strip()) for sign in "-+"]
    old, new = (f"{side[:LONGEST_LINE]}…" if len(side) > LONGEST_LINE else side for side in sides)
    return old or None, new or None


def notes_lines(before: str, after: str) -> tuple[Line, ...]:
    """Return the lines of two notes that differ, each with two lines around it; at most `MOST_LINES`."""
    told = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    kept = [line for line in told if not line.startswith(("---", "+++", "@@"))]
    return tuple(Line(sign=line[:1], text=line[1:]) for line in kept[:MOST_LINES])


def summary_text(found: Difference, language: str = "en") -> str:
    """Return how much differs, in one sentence."""
    if found.empty:
        return t("Both say the same").render(language)
    inputs = len(found.inputs)
    said = t("1 input differs") if inputs == 1 else t("{count} inputs differ", count=inputs)
    if not inputs:
        said = t("No input differs")
    if not found.answers:
        return t("{inputs}; the answers are the same", inputs=said).render(language)
    if found.asked_otherwise and not any(
        word in (Word.ADDED, Word.REMOVED) for each in found.answers for word in each.words.values()
    ):
        return t("{inputs}: the same measurements answer another question", inputs=said).render(language)
    return t("{inputs}; {answers}", inputs=said, answers=_answers_text(found.answers)).render(language)


def _answers_text(answers: Sequence[AnswerChange]) -> Text:
    """Return what the answers differ in; "more than their doubt" only where the ranges of the numbers do not meet."""
    words = {word for each in answers for word in each.words.values()}
    moved = [
        beyond_doubt(part, each.before, each.after)
        for each in answers
        for part, word in each.words.items()
        if is_number(part) and word is not Word.SAME
    ]
    if words & {Word.ADDED, Word.REMOVED} and Word.CHANGED not in words:
        return t("an answer has come or gone")
    if moved and all(moved):
        return t("the answers differ by more than their doubt")
    if any(moved):
        return t(
            "{count} of the {all} numbers that differ do so by more than their doubt", count=sum(moved), all=len(moved)
        )
    if Word.CHANGED in words:
        return t("the answers changed, but no number by more than its doubt")
    if Word.UNTOLD in words:
        return t("the ranges of the answers meet: whether they changed cannot be told")
    return t("the answers stay within their doubt")


def inputs_table(
    changes: Sequence[Change], language: str = "en", *, sides: tuple[Text, Text] = (BEFORE, AFTER)
) -> pd.DataFrame:
    """Return one row for each input that differs; the run stands there where any change is about one."""
    values = [shown_values(change, language) for change in changes]
    columns: list[tuple[Text, list[str | None]]] = [(t("What"), [change_name(change, language) for change in changes])]
    if any(change.run for change in changes):
        columns.append((t("Run"), [_run_name(change.run) if change.run else None for change in changes]))
    columns += [(sides[0], [old for old, _ in values]), (sides[1], [new for _, new in values])]
    return pd.DataFrame({name.render(language): pd.Series(cells, dtype="str") for name, cells in columns})


def answers_table(
    answers: Sequence[AnswerChange],
    language: str = "en",
    *,
    sides: tuple[Text, Text] = (BEFORE, AFTER),
    asked_otherwise: bool = False,
) -> pd.DataFrame:
    """Return one row for each part of each answer: both sides, how far it moved, whether that is more than doubt.

    Args:
        answers: that differ.
        language: of the words.
        sides: names of both sides.
        asked_otherwise: the measurements are the same, so that no step is for doubt to explain.
    """
    rows: list[tuple[str, str, str | None, str | None, str]] = []
    for each in answers:
        for part, word in each.words.items():
            if word is Word.SAME and part in _QUIET:
                continue
            old, new = (_cell(part, answer, language) for answer in (each.before, each.after))
            step = difference_text(each, part, language, asked_otherwise=asked_otherwise)
            rows.append((_run_name(each.run), PARTS[part].render(language), old, new, step))
    names = (t("Run"), t("What"), *sides, t("Difference"))
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return pd.DataFrame(
        {name.render(language): pd.Series(list(cells), dtype="str") for name, cells in zip(names, columns, strict=True)}
    )


def difference_document(found: Difference) -> Json:
    """Return the difference as JSON: what the model holds, in its units, and a word for each part of an answer."""
    return {
        "schema": "plimsoll.difference/1",
        "inputs": [
            {
                "about": change.about.value,
                "name": change.name,
                "run": _run_document(change.run) if change.run else None,
                "at": change.at,
                "before": change.before,
                "after": change.after,
            }
            for change in found.inputs
        ],
        "answers": [
            {
                "run": _run_document(each.run),
                "parts": {
                    part.value: {
                        "before": _document(part, each.before),
                        "after": _document(part, each.after),
                        "word": word.value,
                    }
                    for part, word in each.words.items()
                },
            }
            for each in found.answers
        ],
    }


def _run_name(run: Names) -> str:
    return run.after or run.before or ""


def _run_document(run: Names) -> Json:
    return {"before": run.before, "after": run.after}


def _document(part: Part, answer: RunAnswer | None) -> Json | str | int | None:
    value = VALUES[part](answer) if answer and part in VALUES else None
    if isinstance(value, Interval):
        return {"low": value.low, "mid": value.mid, "high": value.high, "level": value.level}
    if isinstance(value, Target):
        return {"metric": value.metric.value, "statistic": value.statistic, "limit": value.limit, "op": value.op}
    return value


def _cell(part: Part, answer: RunAnswer | None, language: str) -> str | None:
    """Return one part of an answer in the words of the other tables; None where it has none."""
    if answer is None or part not in VALUES or VALUES[part](answer) is None:
        return None
    return _CELLS[part](answer, language)


def _safe(answer: RunAnswer, language: str) -> str:
    return headline(replace(answer, for_traffic=None, batch=None), language).number


def _cost(answer: RunAnswer, language: str) -> str | None:
    return shown_cost(answer.cost.per_million_output, answer.cost, language) if answer.cost else None


def _of_batch(column: int) -> Callable[[RunAnswer, str], str | None]:
    return lambda answer, language: batch_columns([answer], language)[column][1][0]


_CELLS: Mapping[Part, Callable[[RunAnswer, str], str | None]] = {
    Part.STATUS: lambda answer, language: status_of(answer.capacity).render(language),
    Part.SAFE: _safe,
    Part.ESTIMATE: lambda answer, language: estimate_cell(answer.capacity, language),
    Part.BINDING: lambda answer, language: (
        target_name(answer.capacity.binding, language) if answer.capacity.binding else None
    ),
    Part.COST: _cost,
    Part.TRAFFIC_SAFE: lambda answer, language: headline(for_traffic_view(answer), language).number,
    Part.TRAFFIC_ESTIMATE: lambda answer, language: estimate_cell(for_traffic_view(answer).capacity, language),
    Part.RATE: _of_batch(0),
    Part.JOB_TIME: _of_batch(1),
    Part.JOB_COST: _of_batch(2),
    Part.DEADLINE: lambda answer, language: _DEADLINES[str(VALUES[Part.DEADLINE](answer))].render(language),
}
