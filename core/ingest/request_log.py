"""Requests as they are read, by level: columns of numbers, gaps between tokens, and counts.

However many there are, memory stays bounded: beyond `LIMITS.kept_requests` the columns lie on disk,
beyond `LIMITS.kept_gaps` the gaps are sketched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.raw import RawRequests, SpilledRequests
from core.ingest.spill import FLUSH, IntArray, Spill
from core.model.sketch import Sketch
from core.model.stage import FloatArray
from core.settings import LIMITS

COLUMNS = ("start", "ttft", "e2e", "tpot", "input_tokens", "output_tokens", "state")
GOOD, FAILED, CUT_OFF = 0.0, 1.0, 2.0


class RequestLog:
    """Everything that is kept of the requests of one file.

    Attributes:
        sent, good, cut_off: counts by level.
        has_tpot: whether any request gave its time per output token.
    """

    def __init__(self, name: str) -> None:
        self.sent = self.good = self.cut_off = np.zeros(0, dtype=np.int64)
        self.has_tpot = False
        self._sums = np.zeros((2, 0))
        self._name = name
        self._spill = Spill(len(COLUMNS), name)
        self._gaps: dict[int, list[FloatArray]] = {}
        self._sketches: dict[int, Sketch] = {}
        self._held = 0

    def add(self, groups: IntArray, columns: Mapping[str, FloatArray]) -> None:
        """Take in requests.

        Args:
            groups: number of the level of each, shape (n,).
            columns: an array of shape (n,) for each of `COLUMNS`, NaN where unknown; "tpot" may lack.

        Raises:
            RefusedFileError: more requests than are read, or the disk is full.
        """
        if self._spill.rows + groups.size > LIMITS.requests:
            raise refusal(
                "ingest.too_large",
                t("The file holds more than {limit} requests", limit=LIMITS.requests),
                self._name,
                t("Send one file per load level"),
            )
        tpot = columns.get("tpot")
        if tpot is not None and not self.has_tpot:
            self.has_tpot = bool(np.isfinite(tpot).any())
        self._count(groups, columns)
        self._spill.add(groups, [columns.get(name) for name in COLUMNS])

    def add_gaps(self, groups: IntArray, gaps: FloatArray) -> None:
        """Take in gaps between output tokens of good requests with the level of each, both of shape (m,)."""
        known = np.isfinite(gaps) & (gaps >= 0.0)
        groups, gaps = groups[known], gaps[known]
        for group in np.flatnonzero(np.bincount(groups)).tolist():
            self._gaps.setdefault(group, []).append(gaps[groups == group])
        self._held += gaps.size
        if self._held > LIMITS.kept_gaps:
            for group, parts in self._gaps.items():
                sketch = self._sketches.setdefault(group, Sketch())
                for part in parts:
                    sketch.add(part)
            self._gaps, self._held = {}, 0

    def means(self, group: int) -> tuple[float | None, float | None]:
        """Return mean e2e and ttft of the good requests of a level that have both, in the unit of the file."""
        e2e, ttft = self._sums[:, group]
        n = int(self.good[group])
        return (float(e2e) / n if n and e2e else None), (float(ttft) / n if n and ttft else None)

    def requests(self, group: int, unit: str) -> tuple[RawRequests | None, SpilledRequests | None]:
        """Return the requests of a level: in memory, or where they are too many a way to them on disk."""
        gaps, sketch = self._pooled(group)
        if self._spill.on_disk:
            return None, SpilledRequests(
                unit=unit,
                parts=partial(self._parts, group),
                has_tpot=self.has_tpot,
                close=self.close,
                gaps=gaps,
                sketch=sketch,
            )
        column = {name: self._spill.column(group, index) for index, name in enumerate(COLUMNS)}
        kept = RawRequests(
            unit=unit,
            good=column["state"] == GOOD,
            cut_off=column["state"] == CUT_OFF,
            start=column["start"],
            ttft=column["ttft"],
            e2e=column["e2e"],
            tpot=column["tpot"] if self.has_tpot else None,
            input_tokens=column["input_tokens"],
            output_tokens=column["output_tokens"],
            gaps=gaps,
            sketch=sketch,
        )
        return kept, None

    def close(self) -> None:
        """Forget everything that lies on disk."""
        self._spill.close()

    def _parts(self, group: int, names: Sequence[str]) -> Iterator[list[FloatArray]]:
        return self._spill.parts(group, [COLUMNS.index(name) for name in names])

    def _pooled(self, group: int) -> tuple[FloatArray, Sketch | None]:
        parts, sketch = self._gaps.get(group, []), self._sketches.get(group)
        if not self._sketches:
            return np.concatenate(parts) if parts else np.empty(0), None
        sketch = sketch or Sketch()
        for part in parts:
            sketch.add(part)
        self._gaps.pop(group, None)
        self._sketches[group] = sketch
        return np.empty(0), sketch if sketch.n else None

    def _count(self, groups: IntArray, columns: Mapping[str, FloatArray]) -> None:
        groups_n = max(self.sent.size, int(groups.max(initial=-1)) + 1)
        state = columns["state"]
        sent = cut_off = np.bincount(groups, minlength=groups_n)
        good = state == GOOD
        if every := bool(good.all()):
            cut_off = np.zeros_like(sent)
        else:
            cut_off = np.bincount(groups[state == CUT_OFF], minlength=groups_n)
        self.sent, self.cut_off = _sum(self.sent, sent), _sum(self.cut_off, cut_off)
        self.good = _sum(self.good, sent if every else np.bincount(groups, good, groups_n))
        sums = np.zeros((2, groups_n))
        sums[:, : self._sums.shape[1]] = self._sums
        for row, name in enumerate(("e2e", "ttft")):
            values = columns[name]
            counted = good & np.isfinite(values)
            sums[row] += np.bincount(groups, np.where(counted, values, 0.0), groups_n)
        self._sums = sums


def _sum(before: IntArray, more: IntArray) -> IntArray:
    found = more.astype(np.int64)
    found[: before.size] += before
    return found


def held_apart(requests: RawRequests) -> SpilledRequests:
    """Return requests that are in memory and too many to keep, as ones to be condensed."""
    ended = np.zeros(requests.good.size) if requests.cut_off is None else requests.cut_off
    state = np.where(requests.good, GOOD, np.where(ended, CUT_OFF, FAILED))
    column = {name: getattr(requests, name) for name in COLUMNS[:-1]} | {"state": state}

    def parts(names: Sequence[str]) -> Iterator[list[FloatArray]]:
        for start in range(0, state.size, FLUSH):
            yield [column[name][start : start + FLUSH] for name in names]

    return SpilledRequests(
        unit=requests.unit,
        parts=parts,
        has_tpot=requests.tpot is not None,
        close=column.clear,
        gaps=requests.gaps,
        sketch=requests.sketch,
    )
