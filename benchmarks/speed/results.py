"""The results as text, section by section; a section that was not measured again is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.speed.measure import Row

HEAD = """# Speed

`make bench` or `PYTHONPATH=. python benchmarks/speed/run.py`; with the names of sections, only these are measured:
{sections}.

The machine has two shared cores, so CPU time counts, the least of several repeats, and beside it the multiple of a
yardstick measured just before: sorting a million doubles with NumPy. A line without a budget only explains. MB are
10^6 bytes. An upload through the browser is limited to 200 MB: `reading` is of as many requests as fit. `requests` is
of files of 2 million rows on disk, `most` of 20 million, as the command line and the watched folder read them; `most`
takes 6 GB of temporary files and half an hour. Simulating is not measured yet.
"""
_COLUMNS = ("what", "measured", "unit", "× yardstick", "budget", "", "note")
_SECTION = re.compile(r"^## (\S+)\n\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def table(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table."""
    lines = [_line(_COLUMNS), "| --- | ---: | --- | ---: | ---: | --- | --- |", *(_line(_cells(row)) for row in rows)]
    return "\n".join(lines) + "\n"


def sections_of(text: str) -> dict[str, str]:
    """Return the body of every section by its name.

    >>> sections_of("# Speed\\n\\n## a\\n\\none\\n\\n## b\\n\\ntwo\\n")
    {'a': 'one\\n', 'b': 'two\\n'}
    """
    return {name: body.strip() + "\n" for name, body in _SECTION.findall(text)}


def write(path: Path, measured: Mapping[str, str], names: Sequence[str]) -> str:
    """Write the file with new sections in place of the old; return the text."""
    kept = sections_of(path.read_text(encoding="utf-8")) if path.exists() else {}
    bodies = {**kept, **measured}
    head = HEAD.format(sections=", ".join(f"`{name}`" for name in names))
    text = "\n".join([head, *(f"## {name}\n\n{bodies[name]}" for name in names if name in bodies)])
    path.write_text(text, encoding="utf-8")
    return text


def _cells(row: Row) -> tuple[str, ...]:
    within = "" if row.budget is None else "within" if row.value <= row.budget else "**over**"
    multiple = "" if row.multiple is None else f"{row.multiple:.2f}"
    budget = "" if row.budget is None else f"{row.budget:g}"
    return row.what, _number(row.value), row.unit, multiple, budget, within, row.note


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.1f}" if abs(value) >= 10.0 else f"{value:.2f}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
