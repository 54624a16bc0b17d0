"""The units of the times of requests: as the names state them, else settled by arithmetic, else refused.

Per request, tokens over seconds is the speed, end minus start is the whole time, and the whole time is
ttft + (tokens - 1) x tpot. Seconds and milliseconds differ by 1000, so that an identity that holds within
10 % in one of them rules out the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.latency_unit import SECONDS
from core.ingest.meaning import NEAR
from core.ingest.request_block import Block, Plan
from core.ingest.request_columns import TIMES, RequestColumn
from core.ingest.request_moments import seconds_of
from core.model.finding import Finding, Severity
from core.model.stage import FloatArray

_CANDIDATES = ("s", "ms")
_UNKNOWN = np.empty(0)


def units_of(plan: Plan, sample: Block, name: str) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Return the unit of every column of durations, by name, and what was settled by arithmetic.

    Raises:
        RefusedFileError: neither a name nor arithmetic tells a unit; with the column named.
    """
    times = [column for column in plan.columns if column.role in (*TIMES, "itl")]
    units = {column.name: column.unit for column in times if column.unit}
    if len(units) == len(times):
        return units, ()
    found = units | _settled(plan, sample, units)
    left = [column for column in times if column.name not in found]
    if left and not units and found:
        # Columns that state no unit share one: a tool that mixes them has to say so.
        found |= {column.name: next(iter(found.values())) for column in left}
    left = [column for column in times if column.name not in found]
    if left:
        raise refusal(
            "ingest.unit_unknown",
            t('"{column}" says neither seconds nor milliseconds', column=left[0].name),
            name,
            t("Add ms or s to the header, such as {example}", example=f"{left[0].name}_ms"),
            field=left[0].name,
        )
    return found, tuple(_told(name, column, found[column.name]) for column in times if column.name not in units)


def _settled(plan: Plan, sample: Block, units: Mapping[str, str]) -> dict[str, str]:
    """Return the units of whole times and of their parts that an identity settles."""
    by_role = {column.role: column for column in reversed(plan.columns)}
    found: dict[str, str] = {}
    whole = by_role.get("e2e")
    if whole and whole.name not in units:
        near = _of_whole(sample, whole, by_role)
        found |= {whole.name: near} if near else {}
    return found | _of_parts(sample, by_role, {**units, **found})


def _of_whole(sample: Block, whole: RequestColumn, by_role: Mapping[str, RequestColumn]) -> str | None:
    """Return the unit of the whole time, by its speed or by its ends."""
    stay = _numbers(sample, whole)
    tokens = _numbers(sample, by_role.get("output_tokens"))
    speed = _numbers(sample, by_role.get("speed"))
    if tokens.size and speed.size:
        near = _unit(stay, tokens / np.where(speed > 0.0, speed, np.nan))
        if near:
            return near
    start, end = (seconds_of(sample, by_role[role], None) if role in by_role else None for role in ("start", "end"))
    return _unit(stay, end - start) if start is not None and end is not None else None


def _of_parts(sample: Block, by_role: Mapping[str, RequestColumn], known: Mapping[str, str]) -> dict[str, str]:
    """Settle ttft, tpot (or a mean gap) and e2e by e2e = ttft + (n - 1) x tpot, where one of them is known."""
    gap = by_role.get("tpot") or by_role.get("itl")
    parts = [by_role.get("ttft"), gap, by_role.get("e2e")]
    tokens = _numbers(sample, by_role.get("output_tokens"))
    columns = [part for part in parts if part]
    values = [_numbers(sample, part) for part in columns]
    if len(columns) < 3 or not tokens.size or not all(value.size for value in values):
        return {}
    choices = [(known[part.name],) if part.name in known else _CANDIDATES for part in columns]
    if all(len(choice) > 1 for choice in choices):
        return {}
    steps = np.where(tokens > 1.0, tokens - 1.0, np.nan)
    fitting = [units for units in product(*choices) if _adds_up(values, steps, units)]
    left = [{units[place] for units in fitting} for place in range(3)]
    return {
        part.name: next(iter(left[place]))
        for place, part in enumerate(columns)
        if part.name not in known and len(left[place]) == 1
    }


def _adds_up(values: list[FloatArray], steps: FloatArray, units: tuple[str, ...]) -> bool:
    """Whether each of ttft and e2e follows from the two others within 10 % in the middle row."""
    first, gap, whole = (value * SECONDS[unit] for value, unit in zip(values, units, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ((first + gap * steps) / whole, (whole - gap * steps) / first)
    middles = [_middle(ratio) for ratio in ratios]
    return all(middle is not None and abs(middle - 1.0) <= NEAR for middle in middles)


def _unit(values: FloatArray, seconds: FloatArray) -> str | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = _middle(values / seconds)
    near = (unit for unit in _CANDIDATES if middle and abs(middle * SECONDS[unit] - 1.0) <= NEAR)
    return next(near, None)


def _middle(values: FloatArray) -> float | None:
    finite = values[np.isfinite(values) & (values > 0.0)]
    return float(np.median(finite)) if finite.size else None


def _numbers(sample: Block, column: RequestColumn | None) -> FloatArray:
    return sample.numbers.get(column.name, _UNKNOWN) if column else _UNKNOWN


def _told(name: str, column: RequestColumn, unit: str) -> Finding:
    return Finding(
        code="ingest.unit_by_arithmetic",
        severity=Severity.INFO,
        where=Place(name, None, column.name),
        what=t(
            '"{column}" names no unit; arithmetic with the other columns says {unit}', column=column.name, unit=unit
        ),
    )
