"""A table of a slide: its own columns and rows, in the largest letters with which it fits."""

from __future__ import annotations

from pptx.enum.text import MSO_ANCHOR
from pptx.slide import Slide
from pptx.util import Inches

from core.present.report.memo_parts import Table
from core.present.report.slides_page import Box, clean, describe, write
from core.present.report.slides_text import Line, breaks, high

_SIZES = (16, 14, 13, 12, 11, 10, 9, 8)
_BROKEN_FROM = 11
"""Letters below this are not worth an unbroken word."""
_ACROSS, _ALONG = 0.08, 0.05
"""Margins of a cell in inches: at each side, above and below."""


def add_table(slide: Slide, table: Table, box: Box) -> None:
    """Place a table; at the smallest letters rows share the height and cells are cut."""
    rows = (table.headers, *table.rows)
    share = box.width / sum(table.widths)
    widths = [each * share for each in table.widths]
    size, heights = _sized(rows, widths, box.height)
    frame = slide.shapes.add_table(len(rows), len(widths), *Box(box.left, box.top, box.width, sum(heights)).emu)
    describe(frame, table.title)
    drawn = frame.table
    for column, width in enumerate(widths):
        drawn.columns[column].width = Inches(width)
    for row, cells in enumerate(rows):
        drawn.rows[row].height = Inches(heights[row])
        for column, text in enumerate(cells):
            cell = drawn.cell(row, column)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            line = Line(text, bold=row == 0, colour="#ffffff" if row == 0 else None)
            room = (widths[column] - 2 * _ACROSS, heights[row] - 2 * _ALONG)
            write(cell.text_frame, [line], room, (size,), anchor=MSO_ANCHOR.MIDDLE)
            cell.margin_left = cell.margin_right = Inches(_ACROSS)
            cell.margin_top = cell.margin_bottom = Inches(_ALONG)
            if table.numeric[column]:
                cell.text_frame.paragraphs[0]._p.get_or_add_pPr().set("algn", "r")


def _sized(rows: tuple[tuple[str, ...], ...], widths: list[float], most: float) -> tuple[float, list[float]]:
    """Return the size of letters and the height of each row, inches: no word is broken where that can be."""
    lines = [[Line(clean(text), bold=row == 0) for text in cells] for row, cells in enumerate(rows)]
    rooms = [width - 2 * _ACROSS for width in widths]
    for size in _SIZES:
        heights = [
            max(high(line, room, size) for line, room in zip(row, rooms, strict=True)) + 2 * _ALONG for row in lines
        ]
        whole = not any(breaks(line, room, size) for row in lines for line, room in zip(row, rooms, strict=True))
        if sum(heights) <= most and (whole or size <= _BROKEN_FROM):
            return size, heights
    even = most / len(rows)
    return _SIZES[-1], [min(each, even) for each in heights]
