"""The unit of a latency column that does not say it: settled by arithmetic, or refused.

Two identities hold on every row, whatever the tool: concurrency = request rate x mean e2e
(Little's law), and mean e2e = mean ttft + (output tokens - 1) x mean tpot. Seconds and
milliseconds differ by 1000, so an identity that holds within 10 % in one unit rules out the other.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from core.errors import Place
from core.i18n import t
from core.ingest.cells import cell_of
from core.ingest.columns import ASKED, DONE_RATE, MEASURED, Column
from core.ingest.decode import refusal
from core.ingest.header import TIME_UNITS, UNITS
from core.ingest.meaning import NEAR, find, numbers
from core.ingest.table import Table
from core.model.finding import Finding, Severity
from core.model.metric import Metric

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_CANDIDATES = ("s", "ms")
# A statistic of one metric lies within a factor of 10 of its mean; another unit would be 1000 away.
_SAME_METRIC = 10.0
_ROWS_THAT_FIT = 0.25

Numbers = list[float | None]


def with_units(table: Table, columns: tuple[Column, ...]) -> tuple[tuple[Column, ...], tuple[Finding, ...]]:
    """Return the columns with the unit of every latency; a column whose cells carry units keeps None.

    Raises:
        RefusedFileError: neither header nor cells nor arithmetic tell a unit; with the column named.
    """
    open_ones = [c for c in columns if is_undecided(table, c)]
    if not open_ones:
        return columns, ()
    units = _of_means(table, columns)
    units |= _of_others(table, columns, units)
    left = [c for c in open_ones if c.index not in units]
    if left:
        raise refusal(
            "ingest.unit_unknown",
            t('"{column}" says neither seconds nor milliseconds', column=left[0].header),
            table.name,
            t("Add ms or s to the header, such as {example}", example=f"{left[0].header}_ms"),
            line=table.line,
            field=left[0].header,
        )
    settled = tuple(replace(c, unit=units[c.index]) if c in open_ones else c for c in columns)
    return settled, tuple(_told(table, c) for c in settled if c.index in units)


def unit_of_cell(cell: str, mark: str) -> str | None:
    """Return the time unit that a cell carries, None where it carries none or another one."""
    unit = UNITS.get(cell_of(cell, mark).unit)
    return unit if unit in TIME_UNITS else None


def is_undecided(table: Table, column: Column) -> bool:
    """Return whether neither the header of a latency nor each of its cells says a unit of time."""
    if column.role != "latency" or column.metric is Metric.RTF or column.unit in TIME_UNITS:
        return False
    mark = table.decimal_marks[column.index]
    filled = [cell for cell in table.column(column.index) if any(sign.isdigit() for sign in cell)]
    return any(unit_of_cell(cell, mark) is None for cell in filled)


def _of_means(table: Table, columns: tuple[Column, ...]) -> dict[int, str]:
    """Units of the mean columns that an identity settles, by column index."""
    found: dict[int, str] = {}
    e2e = find(columns, "latency", Metric.E2E)
    if e2e and is_undecided(table, e2e):
        by_load = _nearest(numbers(table, e2e.index), _stay(table, columns))
        found |= {e2e.index: by_load} if by_load else {}
    # Each pass may settle what the next one needs.
    for _ in range(3):
        found |= _by_parts(table, columns, found)
    return found


def _stay(table: Table, columns: tuple[Column, ...]) -> Numbers:
    """Seconds that a request stays on every row, by Little's law."""
    load, rate = find(columns, ASKED) or find(columns, MEASURED), find(columns, DONE_RATE)
    if not load or not rate:
        return [None] * len(table.rows)
    scale = 60.0 if rate.unit == "/min" else 1.0
    pairs = zip(numbers(table, load.index), numbers(table, rate.index), strict=True)
    return [n / r * scale if n and r else None for n, r in pairs]


def _by_parts(table: Table, columns: tuple[Column, ...], found: dict[int, str]) -> dict[int, str]:
    """Settle a mean of ttft, tpot (or itl) or e2e by e2e = ttft + (n - 1) x tpot."""
    gap = find(columns, "latency", Metric.TPOT) or find(columns, "latency", Metric.ITL)
    ttft, e2e = find(columns, "latency", Metric.TTFT), find(columns, "latency", Metric.E2E)
    if not (gap and ttft and e2e):
        return {}
    parts = (ttft, gap, e2e)
    choices = [_choices(table, part, found) for part in parts]
    if all(len(choice) > 1 for choice in choices):
        return {}
    gaps = [n - 1.0 if n and n > 1.0 else None for n in _output_lengths(table, columns)]
    values = [numbers(table, part.index) for part in parts]
    fitting = [units for units in product(*choices) if _adds_up(values, gaps, units)]
    settled: dict[int, str] = {}
    for place, part in enumerate(parts):
        left = {units[place] for units in fitting}
        if len(choices[place]) > 1 and len(left) == 1:
            settled[part.index] = left.pop()
    return settled


def _output_lengths(table: Table, columns: tuple[Column, ...]) -> Numbers:
    """Output tokens per request on every row: as written, else output tokens/s over requests/s."""
    length = find(columns, "output_tokens_mean") or find(columns, "output_asked")
    if length:
        return numbers(table, length.index)
    tokens, rate = find(columns, "output_tok_s"), find(columns, DONE_RATE)
    if not tokens or not rate:
        return [None] * len(table.rows)
    scale = 60.0 if rate.unit == "/min" else 1.0
    pairs = zip(numbers(table, tokens.index), numbers(table, rate.index), strict=True)
    return [n / r * scale if n and r else None for n, r in pairs]


def _choices(table: Table, column: Column, found: dict[int, str]) -> tuple[str, ...]:
    if column.index in found:
        return (found[column.index],)
    return _CANDIDATES if is_undecided(table, column) or column.unit is None else (column.unit,)


def _adds_up(values: list[Numbers], gaps: Numbers, units: tuple[str, ...]) -> bool:
    """Whether each of ttft and e2e follows from the two others within 10 % in the middle row.

    Both ways round, because a ttft in the wrong unit hardly shows in a long e2e.
    """
    first, gap, whole = ([None if v is None else v * SECONDS[u] for v in c] for c, u in zip(values, units, strict=True))
    rows = [(f, g * n, w) for f, g, w, n in zip(first, gap, whole, gaps, strict=True) if f and g and w and n]
    if not rows:
        return False
    by_whole = sorted((f + g) / w for f, g, w in rows)[len(rows) // 2]
    by_first = sorted((w - g) / f for f, g, w in rows)[len(rows) // 2]
    return abs(by_whole - 1.0) <= NEAR and abs(by_first - 1.0) <= NEAR


def _of_others(table: Table, columns: tuple[Column, ...], units: dict[int, str]) -> dict[int, str]:
    """Units of percentiles, by the mean of the same metric."""
    found: dict[int, str] = {}
    for column in columns:
        if column.role != "latency" or column.index in units or not is_undecided(table, column):
            continue
        mean = _akin(columns, column, units)
        if mean is None:
            continue
        unit = units.get(mean.index, mean.unit)
        if unit in SECONDS:
            seconds = [None if v is None else v * SECONDS[unit] for v in numbers(table, mean.index)]
            near = _nearest(numbers(table, column.index), seconds, _SAME_METRIC)
            found |= {column.index: near} if near else {}
    return found


def _akin(columns: tuple[Column, ...], column: Column, units: dict[int, str]) -> Column | None:
    """Return the mean of the same metric whose unit is known; the means of itl and tpot stand for each other."""
    metrics = [column.metric]
    if column.metric in (Metric.TPOT, Metric.ITL):
        metrics += [Metric.TPOT, Metric.ITL]
    means = (find(columns, "latency", metric) for metric in metrics)
    return next((m for m in means if m and m is not column and (m.index in units or m.unit in SECONDS)), None)


def _nearest(values: Numbers, seconds: Numbers, factor: float = 1.0 + NEAR) -> str | None:
    """Return the unit in which `values` are `seconds`, None where neither fits.

    A quarter of the rows have to fit, and the middle row may not be far off: saturated and failed
    levels miss an identity without speaking for another unit.
    """
    ratios = sorted(v / s for v, s in zip(values, seconds, strict=True) if v and s)
    for unit in _CANDIDATES if ratios else ():
        fit = sum(1.0 / factor <= ratio * SECONDS[unit] <= factor for ratio in ratios)
        middle = ratios[len(ratios) // 2] * SECONDS[unit]
        if fit >= _ROWS_THAT_FIT * len(ratios) and 1.0 / _SAME_METRIC < middle < _SAME_METRIC:
            return unit
    return None


def _told(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.unit_by_arithmetic",
        severity=Severity.INFO,
        where=Place(table.name, table.line, column.header),
        what=t(
            '"{column}" names no unit; arithmetic with the other columns says {unit}',
            column=column.header,
            unit=column.unit or "",
        ),
    )
