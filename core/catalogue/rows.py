"""Rows of the tables in data/: every one with its source and date."""

from __future__ import annotations

import csv
from pathlib import Path

from core.settings import DATA


def rows(*place: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a table below data/, in its order; an empty cell is "".

    Args:
        place: folders and file name below data/, such as "hardware", "figures.csv".
    """
    with Path(DATA, *place).open(encoding="utf-8", newline="") as table:
        return tuple(csv.DictReader(table))
