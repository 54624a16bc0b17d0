"""What memory allows as plain text for a terminal, in English."""

from __future__ import annotations

import pandas as pd

from core.limits.told import Limits
from core.present.console import printable
from core.present.memory_tables import floors_table, log_table, parts_table, room_table
from core.present.memory_words import copies_text, gap_texts, lead


def memory_table(limits: Limits) -> str:
    """Return the sentence, the parts of memory, what they allow, floors, the log beside them, what is unknown."""
    memory = limits.memory
    lines = [lead(memory)]
    said = copies_text(memory)
    if said:
        lines.append(said)
    tables = (parts_table(memory), room_table(memory), floors_table(limits), log_table(limits))
    for frame in tables:
        if frame is not None and len(frame):
            lines += ["", *_rows(frame)]
    unknown = gap_texts(memory.unknown)
    if unknown:
        lines += ["", *unknown]
    return "\n".join(printable(line) for line in lines)


def _rows(frame: pd.DataFrame) -> list[str]:
    rows = [list(frame.columns), *frame.to_numpy().tolist()]
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(frame.columns))]
    return ["  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
