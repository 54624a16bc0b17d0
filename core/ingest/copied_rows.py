"""Rows of one configuration that were filed under another: every figure is the same, the settings are not.

Collections of many configurations are put together by scripts that pick up what lies in a folder; a
left-over result then stands under a configuration that it is not of. No two measurements agree
in every digit, so equal figures under different settings prove the mistake.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

_FEWEST = 4
"""So many equal numbers are no chance; a row with fewer is not judged."""


@dataclass(frozen=True, slots=True)
class Filed:
    """One row: what it was filed under (settings and load), and its figures, None where one is missing."""

    under: tuple[object, ...]
    figures: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Copied:
    """A pair of rows with equal figures, by position.

    Attributes:
        row: the one that comes later, or the one that is proven to be filed wrongly.
        twin: the other one.
        proven: whether `row` is the wrong one: its level was measured another time too, and the
            twin is the only row of its own.
    """

    row: int
    twin: int
    proven: bool


def copied_rows(rows: Sequence[Filed]) -> tuple[Copied, ...]:
    """Return the rows that repeat every figure of a row with other settings or load.

    >>> a, b = Filed(("tp4", 48), (1.5, 2.5, 3.5, 4.5)), Filed(("tp8", 64), (1.5, 2.5, 3.5, 4.5))
    >>> copied_rows([a, b, Filed(("tp8", 64), (9.1, 9.2, 9.3, 9.4))])
    (Copied(row=1, twin=0, proven=True),)
    """
    same: dict[tuple[float | None, ...], list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        if sum(figure is not None and figure != 0.0 for figure in row.figures) >= _FEWEST:
            same[row.figures].append(position)
    filed = Counter(row.under for row in rows)
    return tuple(pair for group in same.values() for pair in _pairs(rows, group, filed))


def _pairs(rows: Sequence[Filed], group: Sequence[int], filed: Counter[tuple[object, ...]]) -> list[Copied]:
    inside = Counter(rows[position].under for position in group)
    if len(inside) < 2:
        return []
    alone = [under for under in inside if filed[under] == inside[under]]
    origin = next(p for p in group if rows[p].under == alone[0]) if len(alone) == 1 else group[0]
    others = [position for position in group if rows[position].under != rows[origin].under]
    return [Copied(position, origin, len(alone) == 1) for position in others]
