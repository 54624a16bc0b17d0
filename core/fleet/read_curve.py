"""A table of demand over time as a curve of whole steps, with what was finer, missing or left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import Place, RefusedFileError
from core.fleet.demand_table import Counts, Reading, clock_at, headers, numbers_of
from core.fleet.moments import Clock, hour_of, moment_of
from core.fleet.size import Numbers
from core.i18n import Text, t
from core.ingest.table import Table
from core.model.demand_curve import DAY_POINTS, HOUR_S, MOST_POINTS, MOST_STEP_S, Curve, CurveKind
from core.model.scenario import DemandKind

_PER_SECOND = {Counts.PER_HOUR: HOUR_S, Counts.PER_MINUTE: 60.0, Counts.PER_SECOND: 1.0}
STEPS_S = (60.0, 300.0, 600.0, 900.0, 1800.0, HOUR_S)
"""Lengths of a step, up to an hour, that rows are put together into."""

_FULL_ENDS = 4
"""Steps from which the first and the last are left out where requests are counted one by one: both may be cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCurve:
    """What a table came to: the curve in the unit of its demand, and what that demand counts."""

    curve: Curve
    kind: DemandKind


@dataclass(frozen=True, slots=True)
class _Steps:
    """Mean demand of each step that has rows, the step's length, the highest single row, and steps without rows."""

    means: Numbers
    step_s: float
    highest: float
    missing: int


def read_curve(table: Table, reading: Reading) -> ReadCurve:
    """Return the demand of a table, step by step.

    A step is as long as the rows lie apart, a minute at least; a trace of too many of these is put together into longer
    ones, and single requests are counted by the hour: what was finer is told as `inside`. A step without any row is
    left out and counted, since nothing is known of it.

    Raises:
        RefusedFileError: "demand.not_a_number", "demand.no_time", "demand.hours_missing", "demand.hours_unclear",
            "demand.nothing", "demand.too_long".
    """
    is_day = clock_at(table, reading.time) is Clock.HOUR and reading.hour is None
    steps = (_of_hours if is_day else _of_dates)(table, reading)
    top = float(steps.means.max(initial=0.0))
    if top <= 0.0:
        raise _refused(table, "demand.nothing", t("Nothing is asked in any row"), t("Send a time with requests in it"))
    names = headers(table, [at for at in (reading.time, reading.hour, reading.value) if at is not None])
    curve = Curve(
        points=tuple(float(f"{value:.12g}") for value in steps.means),
        step_s=steps.step_s,
        kind=CurveKind.FILE,
        name=table.name,
        peak=float(f"{top:.12g}"),
        inside=max(steps.highest / top, 1.0) if steps.highest > top * (1.0 + 1e-9) else None,
        missing=steps.missing,
        said=", ".join(names),
    )
    return ReadCurve(curve=curve, kind=reading.counts.kind)


def _of_hours(table: Table, reading: Reading) -> _Steps:
    """Return a day by its hours, or days that follow each other hour by hour."""
    hours = np.array([_hour(table, reading, row) for row in range(len(table.rows))])
    if hours.max() >= DAY_POINTS and hours.min() >= 1.0:
        hours -= 1.0  # counted from 1 to 24
    places = hours.astype(int) % DAY_POINTS
    values = _values(table, reading)
    if len(places) > DAY_POINTS and np.array_equal(hours, places) and np.all(np.diff(places) % DAY_POINTS == 1):
        rates = _rates(values, reading.counts, HOUR_S)
        return _within(table, _Steps(rates, HOUR_S, float(rates.max()), 0))
    each = np.bincount(places, minlength=DAY_POINTS)
    if not each.all():
        lacking = ", ".join(str(hour) for hour in np.flatnonzero(each == 0))
        raise _refused(
            table,
            "demand.hours_missing",
            t("Nothing is said of these hours: {hours}", hours=lacking),
            t("Give a row for each of the 24 hours, with 0 where nothing is asked"),
        )
    if np.any(each != each[0]) or len({float(hour) for hour in hours}) < len(hours):
        raise _refused(
            table,
            "demand.hours_unclear",
            t("Some hours stand there more often than others, and nothing says which day they are of"),
            t("Give dates with the times, or one row for each hour of a day"),
        )
    step = HOUR_S / float(each[0])
    rates = _rates(values, reading.counts, step)
    order = np.argsort(hours)
    even = np.allclose(hours[order], np.arange(len(hours)) / each[0], atol=1e-6)
    if step >= STEPS_S[0] and even:
        return _Steps(rates[order], step, float(rates.max()), 0)
    means = np.bincount(places, weights=rates, minlength=DAY_POINTS) / each
    return _Steps(means, HOUR_S, float(rates.max()), 0)


def _of_dates(table: Table, reading: Reading) -> _Steps:
    moments = np.array([_moment(table, reading, row) for row in range(len(table.rows))])
    if reading.counts is Counts.EACH_ROW or reading.value is None:
        return _counted(table, moments)
    times, places = np.unique(moments, return_inverse=True)
    values: Numbers = np.bincount(places, weights=_values(table, reading)).astype(np.float64)
    # Rows that are missing lie in a few wide gaps: most are as far apart as the closer ones.
    apart = float(np.quantile(np.diff(times), 0.25, method="lower")) if len(times) > 1 else HOUR_S
    step = _step_of(apart, float(times[-1] - times[0]) + apart)
    if step > MOST_STEP_S:
        raise _refused(
            table,
            "demand.too_long",
            t("The rows lie more than a week apart"),
            t("Send the requests by hour or by day"),
        )
    rates = _rates(values, reading.counts, min(apart, step))
    bins = np.floor((times - np.floor(times[0] / step) * step) / step).astype(np.int64)
    rows = _binned(table, bins, rates)
    return _Steps(rows.means, float(step), float(rates.max()), rows.missing)


def _step_of(apart: float, whole: float) -> float:
    """Return the length of a step, seconds: that of the rows, the next longer one where there would be too many."""
    if apart > HOUR_S:
        return float(round(apart))
    own = round(apart)
    lengths = sorted({*STEPS_S, float(own)} if own >= STEPS_S[0] and HOUR_S % own == 0.0 else STEPS_S)
    # Steps begin at whole ones of the clock: the first and the last may be begun only.
    fits = (step for step in lengths if step >= apart - 0.5 and whole / step <= MOST_POINTS - 1)
    return next(fits, HOUR_S)


def _counted(table: Table, moments: Numbers) -> _Steps:
    """Return requests, one a row, by the hour, and by the minute for what is inside."""
    first = np.floor(moments.min() / HOUR_S) * HOUR_S
    bins = np.floor((moments - first) / HOUR_S).astype(np.int64)
    _not_too_long(table, int(bins.max()) + 1)
    means = np.bincount(bins) / HOUR_S
    minutes = np.unique(np.floor(moments / 60.0), return_counts=True)[1]
    if len(means) >= _FULL_ENDS:
        means = means[1:-1]
    return _Steps(means, HOUR_S, float(minutes.max()) / 60.0, 0)


def _binned(table: Table, bins: np.ndarray[tuple[int], np.dtype[np.int64]], rates: Numbers) -> _Steps:
    _not_too_long(table, int(bins.max()) + 1)
    each = np.bincount(bins)
    means = np.bincount(bins, weights=rates) / np.maximum(each, 1)
    return _Steps(means[each > 0], 0.0, 0.0, int(np.sum(each == 0)))


def _within(table: Table, steps: _Steps) -> _Steps:
    _not_too_long(table, len(steps.means))
    return steps


def _not_too_long(table: Table, steps: int) -> None:
    if steps > MOST_POINTS:
        raise _refused(
            table,
            "demand.too_long",
            t("The table covers {steps} hours, more than {limit}", steps=steps, limit=MOST_POINTS),
            t("Send a year at most"),
        )


def _rates(values: Numbers, counts: Counts, row_s: float) -> Numbers:
    """Return requests/s, or users or requests in flight as they are."""
    if counts in (Counts.USERS, Counts.IN_FLIGHT):
        return values
    return values / _PER_SECOND.get(counts, row_s)


def _values(table: Table, reading: Reading) -> Numbers:
    if reading.value is None:
        raise _refused(
            table,
            "demand.no_value",
            t("No column beside the time holds numbers"),
            t("Add a column with the requests of each hour"),
        )
    return np.array(numbers_of(table, reading.value))


def _hour(table: Table, reading: Reading, row: int) -> float:
    hour = hour_of(table.rows[row].cells[reading.time])
    if hour is None:
        raise _no_time(table, row, reading.time)
    return hour


def _moment(table: Table, reading: Reading, row: int) -> float:
    cells: Sequence[str] = table.rows[row].cells
    day = moment_of(cells[reading.time])
    hour = 0.0 if reading.hour is None else hour_of(cells[reading.hour])
    if day is None or hour is None:
        raise _no_time(table, row, reading.time if day is None else reading.hour or 0)
    return day + hour * HOUR_S


def _no_time(table: Table, row: int, column: int) -> RefusedFileError:
    cell = table.rows[row].cells[column].strip()[:40] or "–"
    return RefusedFileError(
        "demand.no_time",
        t('"{cell}" is no time', cell=cell),
        fix=t("Write hours from 0 to 23, or times such as 2026-11-30 09:00"),
        place=Place(table.name, table.rows[row].line, table.header[column] or None),
    )


def _refused(table: Table, code: str, what: Text, fix: Text) -> RefusedFileError:
    return RefusedFileError(code, what, fix=fix, place=Place(table.name))
