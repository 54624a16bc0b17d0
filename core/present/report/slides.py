"""A scenario as a short deck (PPTX) with charts and tables that can be edited."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

from core.i18n import t
from core.model.scenario import Scenario
from core.present.dated import Dated
from core.present.report.brand import ACCENT, Brand
from core.present.report.frames import CANDIDATE, has_candidates, shown
from core.present.report.memo import memo_of
from core.present.report.memo_parts import Memo, SavedAs, Saying, Section, Table
from core.present.report.memo_table import clipped
from core.present.report.series import Fits, Plot, cost_plot, fits_of, latency_plot, throughput_plot
from core.present.report.slides_asked import compare_slides, fleet_slides, spread
from core.present.report.slides_charts import add_chart
from core.present.report.slides_page import (
    ACROSS,
    AMBER,
    BOTTOM,
    LEFT,
    QUIET,
    TOP,
    Box,
    clean,
    logo,
    new_deck,
    page,
    say,
)
from core.present.report.slides_table import add_table
from core.present.report.slides_text import Line, fitted

_GAP, _CHART = 0.4, 4.3
_LABEL_CHARS = 40
"""Of a run's name before its sentence: a long one would push what it costs off the slide; the table has more of it."""
_SAID = (18, 16, 15, 14, 13, 12, 11, 10)
"""Sizes in points for what is said of the runs."""


@dataclass(frozen=True, kw_only=True)
class _Talk:
    """The deck with what every slide needs."""

    deck: Deck
    memo: Memo
    badge: str | None

    def page(self, title: str) -> Slide:
        """Add a slide."""
        foot = " · ".join(part for part in (self.memo.title, self.memo.when, *self.memo.footer) if part)
        return page(self.deck, title, self.memo.brand, foot=foot, badge=self.badge)


def slides(
    scenario: Scenario,
    language: str = "en",
    *,
    saved: SavedAs | None = None,
    link: str | None = None,
    accent: str | None = None,
    logo: bytes | None = None,
    fits: Fits | None = None,
    prices_hidden: bool = False,
) -> bytes:
    """Return the deck of a scenario: decision, latency, throughput and cost, the table, what it rests on.

    Args:
        scenario: as it is shown, one run or more; without a price no money is in it.
        language: of every word.
        saved: when, and as which version.
        link: to the scenario, as text.
        accent: "#rrggbb".
        logo: PNG as `core.present.report.brand.own_logo` wrote it.
        fits: by run id, where they are kept; worked out otherwise.
        prices_hidden: say so where money would stand.
    """
    scenario, fits = shown(scenario), fits or fits_of(scenario)
    brand = Brand(logo=logo, accent=accent or ACCENT)
    memo = memo_of(
        scenario, fits, language, saved=saved or SavedAs(), link=link, brand=brand, prices_hidden=prices_hidden
    )
    badge = CANDIDATE.render(language) if has_candidates(scenario) else None
    talk = _Talk(deck=new_deck(brand), memo=memo, badge=badge)
    _first(talk)
    latency = latency_plot(scenario, fits, language)
    if latency:
        _charts(talk, t("Latency against load").render(language), [latency], language)
    others = [plot for plot in (throughput_plot(scenario, fits, language), cost_plot(scenario, fits, language)) if plot]
    if others:
        _charts(talk, " · ".join(plot.name for plot in others), others, language)
    for table in memo.tables:
        _table(talk, table)
    compare_slides(talk.page, scenario, language, prices_hidden=prices_hidden)
    dated = Dated(today=saved.read_on if saved else None, price=scenario.price)
    fleet_slides(talk.page, scenario, fits, language, dated=dated, prices_hidden=prices_hidden)
    _last(talk, link)
    properties = talk.deck.core_properties
    properties.title, properties.author, properties.subject = clean(scenario.name), "Plimsoll", memo.kind
    properties.comments = badge or ""
    out = io.BytesIO()
    talk.deck.save(out)
    return out.getvalue()


def _first(talk: _Talk) -> None:
    """Say the decision: one block for each run."""
    memo = talk.memo
    slide = talk.page(memo.title)
    say(
        slide,
        [Line(" · ".join((memo.kind, *memo.asked)), colour=QUIET)],
        Box(LEFT, TOP, ACROSS - 3.0, 0.55),
        (14, 12, 11),
    )
    logo(slide, memo.brand, Box(LEFT + ACROSS - 2.6, TOP, 2.6, 0.55))
    top, bottom = TOP + 0.75, BOTTOM - 0.75
    each = (bottom - top) / max(len(memo.sayings), 1)
    blocks = [list(_saying(saying)) for saying in memo.sayings]
    # One size for all: a run whose name is short is not worth more.
    size = min((fitted(block, ACROSS, each - 0.15, _SAID).size for block in blocks), default=_SAID[0])
    for place, block in enumerate(blocks):
        say(slide, block, Box(LEFT, top + place * each, ACROSS, each - 0.15), (size,))
    tail = [Line(text, colour=QUIET) for text in (memo.more_runs, memo.reading) if text]
    if tail:
        say(slide, tail, Box(LEFT, BOTTOM - 0.65, ACROSS, 0.65), (13, 12, 11, 10))


def _saying(saying: Saying) -> Iterator[Line]:
    """Yield what is said of one run, the number first."""
    label = f"{clipped(saying.label, _LABEL_CHARS)}: " if saying.label else ""
    yield Line(f"{label}{saying.first}", 1.35 if saying.told else 1.1, bold=True)
    if saying.candidate:
        yield Line(saying.candidate, bold=True, colour=AMBER)
    for text in saying.lines:
        yield Line(text)
    if saying.fleet:
        yield Line(saying.fleet, bold=True)
    for text in saying.small:
        yield Line(text, 0.85, colour=QUIET)


def _charts(talk: _Talk, title: str, plots: Sequence[Plot], language: str) -> None:
    """Place one chart over the whole slide, or two beside each other, with what each says below it."""
    slide = talk.page(title)
    width = (ACROSS - _GAP * (len(plots) - 1)) / len(plots)
    for place, plot in enumerate(plots):
        left = LEFT + place * (width + _GAP)
        add_chart(slide, plot, Box(left, TOP, width, _CHART), language, letters=13 if len(plots) == 1 else 11)
        left_off = t("{count} more runs are not drawn.", count=plot.left_off).render(language) if plot.left_off else ""
        said = f"{left_off} {plot.alt}".strip()
        say(
            slide,
            [Line(said, colour=QUIET)],
            Box(left, TOP + _CHART + 0.1, width, BOTTOM - TOP - _CHART - 0.1),
            (13, 12, 11, 10, 9),
        )


def _table(talk: _Talk, table: Table) -> None:
    """Place a table, and below it what was left off."""
    slide = talk.page(table.title)
    add_table(slide, table, Box(LEFT, TOP, ACROSS, BOTTOM - TOP - 0.4))
    if table.more:
        say(slide, [Line(table.more, colour=QUIET)], Box(LEFT, BOTTOM - 0.3, ACROSS, 0.3), (12, 11, 10))


def _last(talk: _Talk, link: str | None) -> None:
    """Say what the numbers rest on and what could change them, beside each other."""
    memo = talk.memo
    slide = talk.page(f"{memo.assumptions.title} · {memo.changes.title}")
    width, tall = (ACROSS - _GAP) / 2, BOTTOM - TOP - 0.45
    for place, section in enumerate((memo.assumptions, memo.changes)):
        _section(talk, slide, section, Box(LEFT + place * (width + _GAP), TOP, width, tall))
    if link:
        say(
            slide, [Line(f"{memo.link_label}: {link}", colour=QUIET)], Box(LEFT, BOTTOM - 0.3, ACROSS, 0.3), (12, 10, 8)
        )


def _section(talk: _Talk, slide: Slide, section: Section, box: Box) -> None:
    """Write one list; what does not fit is counted, with where it stands."""
    memo = talk.memo
    say(slide, [Line(section.title, bold=True)], Box(box.left, box.top, box.width, 0.4), (18, 16))
    lines = [Line(text, bullet=True) for text in section.lines]
    body = Box(box.left, box.top + 0.5, box.width, box.height - 0.85)
    done = say(slide, lines, body, (14, 13, 12)) if lines else None
    if section.must and done and len(section.lines) - done.left <= section.must:
        # What could change the answer is told whole, on a slide of its own where it has to be.
        spread(talk.page, section.title, lines[: section.must])
    if done and done.left:
        said = t("{count} more: {where}", count=done.left, where=memo.where).render(memo.language)
        last = Box(box.left, box.top + box.height - 0.3, box.width, 0.3)
        say(slide, [Line(said, colour=QUIET)], last, (11, 10))
