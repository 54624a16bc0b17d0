"""A table of a slide: its own columns and rows, in the largest letters with which it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pptx.enum.text import MSO_ANCHOR
from pptx.slide import Slide
from pptx.util import Inches

from core.present.report.memo_parts import Table
from core.present.report.slides_page import Box, clean, describe, write
from core.present.report.slides_text import Line, breaks, high

_SIZES = (16, 14, 13, 12, 11, 10, 9, 8)
_BROKEN_FROM = 11
"""Letters below this are not worth an unbroken word."""
_SPLIT, _FEWEST = 10, 2
"""Letters of a table that is divided over slides; rows from which it can be."""
_ACROSS, _ALONG = 0.08, 0.05
"""Margins of a cell in inches: at each side, above and below."""


def add_table(slide: Slide, table: Table, box: Box) -> None:
    """Place a table; where even the smallest letters do not fit its cells are cut, the tall ones first."""
    rows, widths = (table.headers, *table.rows), _widths(table, box)
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


def parts(table: Table, box: Box) -> tuple[Table, ...]:
    """Return a table in as many as have to be, one below the other: each fits its slide, with the same head."""
    widths = _widths(table, box)
    rows = (table.headers, *table.rows)
    if sum(_heights(rows, widths, _SIZES[-1])) <= box.height or len(table.rows) < _FEWEST:
        return (table,)
    head, *heights = _heights(rows, widths, _SPLIT)
    pages: list[list[tuple[str, ...]]] = [[]]
    room = box.height - head
    for row, tall in zip(table.rows, heights, strict=True):
        if pages[-1] and tall > room:
            pages.append([])
            room = box.height - head
        pages[-1].append(row)
        room -= tall
    return tuple(replace(table, rows=tuple(page)) for page in pages)


def _widths(table: Table, box: Box) -> list[float]:
    share = box.width / sum(table.widths)
    return [each * share for each in table.widths]


def _sized(rows: Sequence[Sequence[str]], widths: list[float], most: float) -> tuple[float, list[float]]:
    """Return the size of letters and the height of each row, inches: no word is broken where that can be."""
    for size in _SIZES:
        heights = _heights(rows, widths, size)
        whole = not any(
            breaks(Line(clean(text), bold=row == 0), width - 2 * _ACROSS, size)
            for row, cells in enumerate(rows)
            for text, width in zip(cells, widths, strict=True)
        )
        if sum(heights) <= most and (whole or size <= _BROKEN_FROM):
            return size, heights
    return _SIZES[-1], _within(_heights(rows, widths, _SIZES[-1]), most)


def _heights(rows: Sequence[Sequence[str]], widths: Sequence[float], size: float) -> list[float]:
    """Return how high each row stands at a size, inches; the first one is the head."""
    return [
        max(
            high(Line(clean(text), bold=row == 0), width - 2 * _ACROSS, size)
            for text, width in zip(cells, widths, strict=True)
        )
        + 2 * _ALONG
        for row, cells in enumerate(rows)
    ]


def _within(heights: Sequence[float], most: float) -> list[float]:
    """Return heights that share the room: a low row keeps its own, the tall ones divide what is left.

    >>> _within([1.0, 5.0, 9.0], 9.0)
    [1.0, 4.0, 4.0]
    """
    found, left = list(heights), most
    order = sorted(range(len(found)), key=lambda place: found[place])
    for rest, place in enumerate(order):
        found[place] = min(found[place], left / (len(order) - rest))
        left -= found[place]
    return found
