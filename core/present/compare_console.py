"""A comparison as text for a terminal: the sentence, the numbers, the seven conditions, what to do next."""

from __future__ import annotations

from datetime import date

import pandas as pd

from core.compare.compare import Comparison
from core.present.compare_notes import Typed, number_notes
from core.present.compare_table import matrix_table, numbers_table
from core.present.compare_words import accepted_text, headline, multiple_texts, next_step, why_text
from core.present.console import printable
from core.present.paid import paid_lines


def compare_text(found: Comparison, today: date | None = None) -> str:
    """Return a comparison as printed without --json; `today` tells an old price."""
    numbers = numbers_table(found)
    numbers.insert(1, "Id", [answer.run.id for answer in found.answers])
    upright = numbers.set_index(numbers.columns[0]).T.fillna("-")
    why = why_text(found, found.deciding)
    parts = [
        headline(found),
        *([str(why)] if why else []),
        *multiple_texts(found),
        accepted_text(found) or "",
        _table(upright.reset_index(names="")),
        "\n".join(printable(line) for line in number_notes(found, typed=Typed.FLAGS)),
        _table(matrix_table(found).fillna("-")),
        "\n".join(printable(line) for line in paid_lines(found.answers, found.question.price, today=today)),
        next_step(found, flags=True) or "",
    ]
    return "\n\n".join(printable(part) if "\n" not in part else part for part in parts if part)


def _table(frame: pd.DataFrame) -> str:
    cells = [[str(name) for name in frame.columns], *(list(map(str, row)) for row in frame.itertuples(index=False))]
    safe = [[printable(text) for text in row] for row in cells]
    widths = [max(len(row[i]) for row in safe) for i in range(len(safe[0]))]
    return "\n".join("  ".join(text.ljust(w) for text, w in zip(row, widths, strict=True)).rstrip() for row in safe)
