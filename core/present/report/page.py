"""The memo as one HTML file that needs nothing else: no request, no script, light and dark, one page when printed."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from core.i18n import t
from core.present.numbers import DASH, plain
from core.present.report.chart import Paper
from core.present.report.chart_svg import chart_svg, follows_theme
from core.present.report.logo import logo_of
from core.present.report.memo_conditions import halves
from core.present.report.memo_parts import Chart, Memo
from core.present.report.memo_widths import MAY_BREAK, SQUEEZED, in_column, width
from core.present.report.pdf import CHART_MM, PaperSize, fitted
from core.settings import DATA

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Styles stand in the file, pictures in addresses that hold them; nothing may be fetched, run or sent."""

NARROW = Paper(width=92.0, height=78.0, letters=7.4)
"""Of the chart on a telephone: drawn for it, so that its words are not made smaller."""

SPARE_MM, SPARE_TABLES_MM = 20.0, 32.0
"""Of the page of the PDF that has to be free: browsers set lines a little wider apart, with letters of their own;
the second where there are two tables, whose narrow cells add up."""

_SIZES = {PaperSize.A4: "A4", PaperSize.LETTER: "letter"}
_RANGE = re.compile(r"(\(\S{1,24}\))")
_OPEN = re.compile(r"<svg ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The table behind the chart, as words."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def memo_html(memo: Memo, paper: PaperSize = PaperSize.A4) -> str:
    """Return the memo as a page of its own, with the words that its PDF has.

    Raises:
        UsageError: "report.not_set" where it cannot be told what fits on one page.
    """
    spare = SPARE_TABLES_MM if len(memo.tables) > 1 else SPARE_MM
    short, room = fitted(memo, paper, spare_mm=spare, least_air=0.0)
    wide = narrow = Markup()
    if memo.chart:
        wide = _drawn(memo.chart, Paper(width=CHART_MM, height=room.chart_mm), "wide")
        narrow = _drawn(memo.chart, NARROW, "narrow")
    logo = logo_of(memo.brand)
    return _template().render(
        memo=short,
        paper=_SIZES[paper],
        policy=POLICY,
        accent=memo.brand.on_white,
        accent_dark=memo.brand.on_dark,
        logo=logo,
        logo_dark=logo_of(memo.brand, dark=True),
        logo_alt=logo.alt.render(memo.language),
        own_logo=memo.brand.logo is not None,
        wide=wide,
        narrow=narrow,
        halves=halves(short.conditions),
        numbers=_numbers(memo.chart.figure.table, memo.language) if memo.chart else None,
        numbers_title=t("Numbers of the chart").render(memo.language),
    )


def _drawn(chart: Chart, paper: Paper, name: str) -> Markup:
    """Return a chart as part of a page: its words take the colour of the page, its finding is told."""
    drawn = follows_theme(chart_svg(chart.figure.chart, paper, name=name))
    told = f'<svg class="{name}" role="img" aria-label="{html.escape(chart.figure.alt)}" '
    # Every word in it was escaped where it was drawn.
    return Markup(_OPEN.sub(lambda _: told, drawn, count=1))  # noqa: S704 - our own drawing


def _numbers(table: pd.DataFrame, language: str) -> Numbers:
    def cell(value: object) -> str:
        if isinstance(value, float | int) and not pd.isna(value):
            return plain(float(value), language, digits=4)
        return value if isinstance(value, str) else ""

    rows = tuple(tuple(cell(value) for value in row) for row in table.itertuples(index=False))
    return Numbers(headers=tuple(map(str, table.columns)), rows=rows)


def held(text: str) -> Markup:
    """Return text whose ranges in brackets are not torn where a line ends; everything else is escaped.

    >>> held("47 (36–53) <b>")
    Markup('47 <span class="held">(36–53)</span> &lt;b&gt;')
    """
    parts = _RANGE.split(text)
    kept = [Markup('<span class="held">{}</span>').format(part) if i % 2 else part for i, part in enumerate(parts)]
    return Markup("").join(kept)


def cell(text: str, share: int) -> Markup:
    """Return the words of a cell: they end their lines where those of the PDF do, and are copied as they were.

    >>> cell("WWWW", 6)
    Markup('W<wbr>W<wbr>W<wbr>W')
    """
    kept = [_whole(part, share) for part in in_column(text, share).split(MAY_BREAK)]
    return Markup("<wbr>").join(kept)


def _whole(text: str, share: int) -> Markup:
    """Return words whose ranges are not torn, but for one that its column does not hold: it is, behind its dash."""
    if any(SQUEEZED * width(word) > share for word in text.split() if DASH in word):
        return Markup("–<wbr>").join(text.split(DASH))
    return held(text)


@cache
def _template() -> Template:
    around = Environment(loader=FileSystemLoader(DATA / "report"), autoescape=True, undefined=StrictUndefined)
    around.filters |= {"held": held, "cell": cell}
    return around.get_template("memo.html.j2")
