"""Tables in Markdown: rows between pipes below a line of dashes, among prose, headings and code."""

from __future__ import annotations

import re
from itertools import pairwise

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.grid import Grid
from core.ingest.table import Row

_DASHES = r"\s*(?::?-{2,}:?|:-:?|-:)\s*"
_RULE = re.compile(rf"\|?{_DASHES}(?:\|{_DASHES})*\|?")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_CELL_END = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# Underscores inside a word are part of it: ttft_p99_ms.
_EMPHASIS = re.compile(r"(\*\*|\*|`+|(?<!\w)__?)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def is_markdown(text: str) -> bool:
    """Return whether a text holds a Markdown table: a row of pipes above a line of dashes and pipes."""
    lines = text.splitlines()
    return any(_is_rule(line) and "|" in above for above, line in pairwise(lines))


def markdown_grids(text: str, name: str) -> tuple[Grid, ...]:
    """Return each table with the headings above it as its title.

    Raises:
        RefusedFileError: "ingest.truncated" where the text ends in the middle of a row.
    """
    lines = text.splitlines()
    complete = text.endswith(("\n", "\r"))
    grids: list[Grid] = []
    headings: list[tuple[int, str]] = []
    fenced = False
    position = 0
    while position < len(lines):
        line = lines[position]
        if _FENCE.match(line):
            fenced = not fenced
        heading = _HEADING.fullmatch(line) if not fenced else None
        if heading:
            depth = len(heading[1])
            headings = [one for one in headings if one[0] < depth] + [(depth, _clean(heading[2]))]
        below = lines[position + 1] if position + 1 < len(lines) else ""
        # Rows between pipes are a table too where its line of dashes is damaged: nothing is passed over in silence.
        if "|" in line and (_is_rule(below) or (_is_row(line) and _is_row(below))):
            end = position + 1
            while end < len(lines) and "|" in lines[end] and lines[end].strip():
                end += 1
            title = " > ".join(text for _, text in headings)
            grids.append(
                _grid(lines[position:end], position + 1, name, title, is_end=end == len(lines) and not complete)
            )
            position = end
            continue
        if not fenced and line.lstrip().startswith("|") and not any(map(str.strip, lines[position + 1 :])):
            raise _cut_off(name, position + 1)
        position += 1
    return tuple(grids)


def _grid(lines: list[str], first: int, name: str, title: str, *, is_end: bool) -> Grid:
    """One table: its header, the line of dashes, its rows."""
    closed = lines[0].rstrip().endswith("|")
    rows = []
    for offset, line in enumerate(lines):
        if offset == 1 and _is_rule(line):
            continue
        if closed and not line.rstrip().endswith("|"):
            raise _cut_off(name, first + offset)
        rows.append(Row(first + offset, tuple(_clean(cell) for cell in _split(line))))
    return Grid(name=name, rows=tuple(rows), title=title[-300:], complete=closed or not is_end)


def _cut_off(name: str, line: int) -> RefusedFileError:
    what = t("The table ends in the middle")
    return refusal("ingest.truncated", what, name, t("Send the file again: it may be cut off there"), line=line)


def _is_rule(line: str) -> bool:
    return "|" in line and bool(_RULE.fullmatch(line.strip()))


def _is_row(line: str) -> bool:
    bare = line.strip()
    return bare.startswith("|") and bare.endswith("|") and len(bare) > 2


def _split(line: str) -> list[str]:
    bare = line.strip()
    bare = bare[1:] if bare.startswith("|") else bare
    cells = _CELL_END.split(bare)
    return cells[:-1] if bare.endswith("|") and len(cells) > 1 else cells


def _clean(cell: str) -> str:
    """A cell or heading without links, emphasis, code marks and escapes."""
    text = _BREAK.sub(" ", _LINK.sub(r"\1", cell)).strip()
    for _ in range(3):
        text = _EMPHASIS.sub(r"\2", text)
    return text.replace("\\|", "|").replace("\\*", "*").replace("&nbsp;", " ").strip()
