"""Rows of requests to load levels: which rows belong together, in one unit, with what was noticed on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.latency_unit import SECONDS
from core.ingest.raw import Scalar
from core.ingest.request_block import Block, Plan
from core.ingest.request_columns import OUTCOMES, TIMES, RequestColumn
from core.ingest.request_log import FAILED, GOOD, RequestLog
from core.ingest.request_moments import beginning_or_end, seconds_of, unit_of
from core.ingest.request_outcome import is_warm_up, states_of
from core.ingest.request_units import units_of
from core.ingest.spill import IntArray
from core.model.finding import Finding
from core.model.stage import FloatArray
from core.settings import LIMITS

Key = tuple[tuple[str, Scalar], ...]
_SMALL = 4_096
_ONCE = frozenset({*TIMES, "concurrency", "rate", "input_tokens", "output_tokens"})


class Rows(Protocol):
    """A table of requests, however it is written."""

    plan: Plan
    sample: Block
    not_finite: Counter[str]

    def blocks(self) -> Iterator[Block]:
        """Yield every row.

        Raises:
            RefusedFileError: a row that cannot be read; with its place.
        """
        ...


class Levels:
    """The requests of one file by load and settings.

    Attributes:
        keys: load and settings of each level, by its number in `log`.
        unit: of every time in `log`.
        warm_up, zeros: requests that were left out, and times of exactly zero by column.
        findings: what was settled on the way.
        open_time: a column of points in time that may be the beginning or the end, None where there is none.
    """

    def __init__(self, rows: Rows, name: str) -> None:
        """Look at the columns.

        Raises:
            RefusedFileError: no latency, two columns of one meaning, or a latency in an unknown unit.
        """
        self._rows, self._name = rows, name
        _check(rows.plan, name)
        self._units, told = units_of(rows.plan, rows.sample, name)
        self.findings: list[Finding] = list(told)
        shared = set(self._units.values())
        self.unit = shared.pop() if len(shared) == 1 else "s"
        self.log = RequestLog(name)
        self.keys: list[Key] = []
        self.warm_up = 0
        self.zeros: Counter[str] = Counter()
        self.open_time: str | None = None
        self._known: dict[Key, int] = {}
        self._seen: dict[str, FloatArray] = {}
        self._alphabet: tuple[tuple[str, tuple[Scalar, ...]], ...] = ()
        self._by_code: dict[int, int] = {}
        self._moment = self._moment_of()
        self._first: float | None = None

    def read(self) -> None:
        """Read every row into `log`.

        Raises:
            RefusedFileError: as the rows raise it, or more levels than are read; nothing is left on disk then.
        """
        try:
            for block in self._rows.blocks():
                self._add(block)
        except BaseException:
            self.log.close()
            raise

    def column(self, role: str, kind: str = "number") -> RequestColumn | None:
        """Return the column of a role that is read as some kind."""
        plan = self._rows.plan
        return next((c for c in plan.columns if c.role == role and plan.kinds[c.name] == kind), None)

    def _add(self, block: Block) -> None:
        if not block.rows:
            return
        plan = self._rows.plan
        values = {role: self._times(block, role) for role in TIMES}
        start, end = self._moments(block)
        if start is not None and end is not None:
            values["e2e"] = np.where(np.isnan(values["e2e"]), (end - start) / SECONDS[self.unit], values["e2e"])
        if start is None and end is not None:
            start = end - values["e2e"] * SECONDS[self.unit]
        states = states_of(block, [column for column in plan.columns if column.role in OUTCOMES])
        gaps = self._gaps(block)
        lacking = ~np.isfinite(values["e2e"])
        if lacking.any():
            lacking &= ~np.isfinite(values["ttft"])
            if gaps:
                lacking &= gaps[0] == 0
            states[lacking & (states == GOOD)] = FAILED
        tokens = {role: self._numbers(block, role) for role in ("input_tokens", "output_tokens")}
        groups = self._groups(block)
        found = {**values, **tokens, "start": self._since_first(start, block.rows), "state": states}
        if not self.column("tpot") and not self.column("itl"):
            del found["tpot"]
        kept = self._kept(block)
        self.log.add(
            groups if kept is None else groups[kept],
            found if kept is None else {name: value[kept] for name, value in found.items()},
        )
        if gaps:
            good = states == GOOD
            used = np.repeat(good if kept is None else kept & good, gaps[0])
            self.log.add_gaps(np.repeat(groups, gaps[0])[used], gaps[1][used])

    def _kept(self, block: Block) -> npt.NDArray[np.bool_] | None:
        """Return which rows are of no warm-up, None where all are."""
        phases = [column for column in self._rows.plan.columns if column.role == "phase"]
        warm = is_warm_up(block, phases) != 0.0 if phases else np.zeros(0, dtype=np.bool_)
        if not warm.any():
            return None
        self.warm_up += int(warm.sum())
        return ~warm

    def _times(self, block: Block, role: str) -> FloatArray:
        """Return durations in the common unit; one of exactly zero was not measured."""
        column = self.column(role) or (self.column("itl") if role == "tpot" else None)
        values = block.numbers.get(column.name) if column else None
        if column is None or values is None:
            return np.full(block.rows, np.nan)
        zero = values == 0.0
        if zero.any():
            self.zeros[column.name] += int(zero.sum())
            values = np.where(zero, np.nan, values)
        factor = self._factor(column)
        return values if factor == 1.0 else values * factor

    def _factor(self, column: RequestColumn) -> float:
        unit = self._units.get(column.name) or column.unit or self.unit
        return 1.0 if unit == self.unit else SECONDS[unit] / SECONDS[self.unit]

    def _numbers(self, block: Block, role: str) -> FloatArray:
        column = self.column(role)
        found = block.numbers.get(column.name) if column else None
        return np.full(block.rows, np.nan) if found is None else found

    def _gaps(self, block: Block) -> tuple[IntArray, FloatArray] | None:
        column = self.column("itl", "gaps")
        found = block.gaps.get(column.name) if column else None
        if column is None or found is None:
            return None
        return found.counts, found.values * self._factor(column)

    def _moment_of(self) -> str | None:
        """Return what a column called "timestamp" is, where no other says when requests began."""
        plan, sample = self._rows.plan, self._rows.sample
        roles = {column.role: column for column in plan.columns}
        if "time" not in roles or "start" in roles:
            return None
        at = seconds_of(sample, roles["time"], None)
        stay = self._times(sample, "e2e") * SECONDS[self.unit]
        self.zeros.clear()
        told = beginning_or_end(at, stay) if at is not None else None
        if told is None:
            self.open_time = roles["time"].name
        return told

    def _moments(self, block: Block) -> tuple[FloatArray | None, FloatArray | None]:
        """Return when requests began and ended, seconds on one clock; None where no column tells."""
        found: dict[str, FloatArray | None] = {}
        for column in self._rows.plan.columns:
            role = self._moment if column.role == "time" else column.role
            if role in ("start", "end") and found.get(role) is None:
                found[role] = seconds_of(block, self._clock(column), self.unit)
        return found.get("start"), found.get("end")

    def _clock(self, column: RequestColumn) -> RequestColumn:
        """Return a column of points in time with its unit as the first rows tell it, for all rows alike."""
        values = self._rows.sample.numbers.get(column.name)
        return column if values is None else replace(column, unit=unit_of(values, column), settled=True)

    def _since_first(self, start: FloatArray | None, rows: int) -> FloatArray:
        """Return starts counted from the first one seen: dates need more digits than a difference has."""
        if start is None:
            return np.full(rows, np.nan)
        if self._first is None:
            finite = start[np.isfinite(start)]
            self._first = float(finite[0]) if finite.size else None
        # It is this method's own array by now: a second one would have to be filled from the system's memory.
        since = start - (self._first or 0.0)
        since /= SECONDS[self.unit]
        return since

    def _groups(self, block: Block) -> IntArray:
        """Return the number of the level of each row."""
        parts: list[tuple[str, IntArray, list[Scalar]]] = []
        for column in self._rows.plan.columns:
            name = _key_of(column)
            if name and column.name in block.numbers:
                loads, inverse = self._loads(column.name, block.numbers[column.name])
                parts.append((name, inverse, [None if np.isnan(load) else float(load) for load in loads]))
            elif name and column.name in block.labels:
                labels = block.labels[column.name]
                parts.append((name, labels.codes, list(labels.values)))
        codes = parts[0][1] if parts else np.zeros(block.rows, dtype=np.int64)
        for _, part, values in parts[1:]:
            codes = codes * len(values) + part
        known = tuple((name, tuple(values)) for name, _, values in parts)
        if known != self._alphabet:
            self._alphabet, self._by_code = known, {}
        new = set(np.flatnonzero(np.bincount(codes)).tolist()) - self._by_code.keys()
        for row in sorted(int(np.argmax(codes == code)) for code in new):
            key = tuple((name, values[part[row]]) for name, part, values in parts)
            self._by_code[int(codes[row])] = self._number(key)
        table = np.zeros(max(self._by_code) + 1, dtype=np.int64)
        table[list(self._by_code)] = list(self._by_code.values())
        return table[codes]

    def _loads(self, name: str, values: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the distinct loads of a column so far, and which of them each row has; sorting all is slow."""
        seen = self._seen.get(name, np.empty(0))
        at = _places(seen, values)
        if at is None or not ((seen[at] == values) | (np.isnan(seen[at]) & np.isnan(values))).all():
            seen = self._seen[name] = np.unique(np.concatenate([seen, values]))
            at = np.searchsorted(seen, values)
        return seen, at

    def _number(self, key: Key) -> int:
        number = self._known.get(key)
        if number is None:
            if len(self.keys) == LIMITS.levels:
                raise refusal(
                    "ingest.too_large",
                    t("The file holds more than {limit} load levels", limit=LIMITS.levels),
                    self._name,
                    t("Check the columns with the load: they should hold what was asked for, not what was measured"),
                )
            number = self._known[key] = len(self.keys)
            self.keys.append(key)
        return number


def _places(seen: FloatArray, values: FloatArray) -> IntArray | None:
    """Return where in `seen`, which is in order, each value is if it is there at all; None where nothing was seen."""
    if not seen.size:
        return None
    small = seen[0] >= 0.0 and seen[-1] < _SMALL and values.min() >= 0.0 and values.max() < _SMALL
    # Most loads are small whole numbers: a table of all of them is quicker than searching.
    if small and (seen == np.floor(seen)).all():
        table = np.minimum(np.searchsorted(seen, np.arange(_SMALL)), seen.size - 1)
        return table[values.astype(np.int64)]
    return np.minimum(np.searchsorted(seen, values), seen.size - 1)


def _key_of(column: RequestColumn) -> str | None:
    """Return by which name a column tells levels apart, None where it does not."""
    if column.role in ("concurrency", "rate") or column.role.startswith("conditions."):
        return column.role
    return f"setting.{column.name}" if column.role == "setting" else None


def _check(plan: Plan, name: str) -> None:
    """Refuse a table without a latency, or with two columns of one meaning."""
    roles = Counter(column.role for column in plan.columns if plan.kinds[column.name] == "number")
    twice = next((role for role, count in roles.items() if count > 1 and role in _ONCE), None)
    if twice:
        one, other = [column.name for column in plan.columns if column.role == twice][:2]
        raise refusal(
            "ingest.same_meaning",
            t('The columns "{one}" and "{other}" mean the same', one=one, other=other),
            name,
            t("Keep one of them, or rename the one that means something else"),
            field=other,
        )
    every = {column.role for column in plan.columns}
    if not (every & {*TIMES, "itl"} or {"start", "end"} <= every):
        raise _no_latency(plan, name)


def _no_latency(plan: Plan, name: str) -> RefusedFileError:
    known = ", ".join(column.name for column in plan.columns)[:300] or "-"
    lack = t("no column with a latency such as ttft_ms or e2e_ms")
    return refusal(
        "ingest.no_latency_column",
        t("The table has {lack}; recognised were: {columns}", lack=lack, columns=known),
        name,
        t("Add that column, or check the spelling of its header"),
    )
