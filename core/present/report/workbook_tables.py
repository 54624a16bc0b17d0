"""The sheets of data: targets, conditions, levels, findings."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import Interval, RunAnswer, TargetAnswer
from core.model.metric import Metric
from core.model.run import Run
from core.model.scenario import Scenario
from core.model.target import Target
from core.present.conditions import Known, conditions_of
from core.present.names import metric_name
from core.present.report.frames import KIND, RUN, findings_frame, kind_cell, levels_frame
from core.present.report.workbook_page import UNKNOWN, Book
from core.present.status import status_of

_FIELDS_OF_NUMBERS = (int, float)


def write_targets(book: Book, sheet: Worksheet, scenario: Scenario) -> None:
    """Write one row per run and target: the limit, what it allows alone, the value at the safe number."""
    rows = [(answer, each) for answer in scenario.answers for each in answer.per_target]
    limits = [_limit(each.target) for _, each in rows]
    found = [each.capacity.concurrency for _, each in rows]
    values = [_value(answer, each) for answer, each in rows]
    columns: tuple[tuple[Text, pd.Series], ...] = (
        (RUN, _words([answer.run.label for answer, _ in rows])),
        (t("Target"), _words([metric_name(e.target.metric, e.target.statistic, book.language) for _, e in rows])),
        (t("Must be"), _words(["≥" if each.target.metric.higher_is_better else "≤" for _, each in rows])),
        (t("Limit"), _numbers([limit for limit, _ in limits])),
        (t("Unit"), _words([unit or None for _, unit in limits])),
        (t("Answer"), _words([book.say(status_of(each.capacity)) for _, each in rows])),
        (t("Safe number"), pd.Series([each.capacity.safe for _, each in rows], dtype="Int64")),
        (t("Estimate"), _numbers([one.mid if one else None for one in found])),
        (t("Range from"), _numbers([one.low if one else None for one in found])),
        (t("Range to"), _numbers([one.high if one else None for one in found])),
        (t("Value at the safe number"), _numbers([one.mid if one else None for one in values])),
        (t("Value, range from"), _numbers([one.low if one else None for one in values])),
        (t("Value, range to"), _numbers([one.high if one else None for one in values])),
    )
    frame = pd.DataFrame({book.say(name): column for name, column in columns})
    optional = [book.say(name) for name, column in columns if column.isna().all() and len(rows)]
    book.data(sheet, frame.drop(columns=optional), frozen=2)


def write_conditions(book: Book, sheet: Worksheet, runs: Sequence[Run]) -> None:
    """Write one column per run; what is unknown is said, what a person gave stands in italics."""
    every = [conditions_of(run, book.language) for run in runs]
    heads = [book.say(t("Group")), book.say(t("Condition")), *(run.label for run in runs)]
    for column, head in enumerate(heads):
        book.put(sheet, 0, column, head, "head")
    widths = [28, 28, *(30 for _ in runs)]
    for row, known in enumerate(zip(*every, strict=True), start=1):
        book.tall(sheet, row, ["", "", *(one.value or "" for one in known)], widths)
        book.put(sheet, row, 0, book.say(known[0].group), "quiet")
        book.put(sheet, row, 1, book.say(known[0].name))
        for column, (run, one) in enumerate(zip(runs, known, strict=True), start=2):
            _condition(book, sheet, (row, column), run, one)
    last = len(every[0]) if every else 0
    if any(run.asked for run in runs):
        book.put(sheet, last + 2, 0, book.say(t("In italics: given by hand, not by the files")), "quiet")
    book.tall(sheet, 0, heads, widths)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(1, 2)
    sheet.autofilter(0, 0, max(last, 1), len(heads) - 1)
    sheet.repeat_rows(0)


def write_levels(book: Book, sheet: Worksheet, runs: Sequence[Run]) -> None:
    """Write every level of every run, numbers as numbers, with all their digits."""
    book.data(sheet, levels_frame(runs, book.language), frozen=3)


def write_findings(book: Book, sheet: Worksheet, scenario: Scenario) -> None:
    """Write what was found in the files."""
    frame = findings_frame(scenario, book.language)
    names = [book.say(name) for name in (t("What was found"), t("What follows"), t("What to do"), t("Where"))]
    book.data(sheet, frame, wrap=names, frozen=2)
    if frame.empty:
        book.put(sheet, 1, 0, book.say(t("Nothing was found that weakens the answer")), "quiet")


def kinds(book: Book, runs: Sequence[Run]) -> tuple[str, list[str]]:
    """Return the head and the cells of the column that tells measured from simulated."""
    return book.say(KIND), [kind_cell(run, book.language) for run in runs]


def _condition(book: Book, sheet: Worksheet, at: tuple[int, int], run: Run, known: Known) -> None:
    if known.value is None:
        book.put(sheet, *at, book.say(UNKNOWN), "unknown")
        return
    raw = getattr(run.conditions, known.field, None)
    is_number = isinstance(raw, _FIELDS_OF_NUMBERS) and not isinstance(raw, bool)
    value = raw if is_number else known.value
    book.put(sheet, *at, value, "italic" if known.by_hand else "known", num_format="#,##0.###" if _cut(raw) else "0")


def _cut(raw: object) -> bool:
    return isinstance(raw, float) and not raw.is_integer()


def _limit(target: Target) -> tuple[float, str]:
    """Return the limit in the unit that people write it in."""
    if target.metric.is_time:
        unit = "ms" if target.limit < 1.0 else "s"
        return target.limit_in(unit), unit
    if target.metric in (Metric.SUCCESS_RATE, Metric.GOODPUT):
        return target.limit_in("%"), "%"
    return target.limit, "tok/s" if target.metric is Metric.TOK_S_USER else ""


def _value(answer: RunAnswer, each: TargetAnswer) -> Interval | None:
    """Return what the target's metric is at the safe number, in the unit of its limit."""
    target, point = each.target, answer.at_capacity
    found = point.metrics.get(f"{target.metric.value} {target.statistic}") if point else None
    if found is None:
        return None
    factor = {"ms": 1e3, "%": 1e2}.get(_limit(target)[1], 1.0)
    low, mid, high = (None if end is None else end * factor for end in (found.low, found.mid, found.high))
    return Interval(low=low, mid=mid, high=high)


def _numbers(values: Sequence[float | None]) -> pd.Series:
    return pd.Series(list(values), dtype="Float64")


def _words(values: Sequence[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype="str")
