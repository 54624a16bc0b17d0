"""A fleet as it is told: the sentence, what each caution adds, the charts, the ways to pay, the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.fleet.answer import FleetAnswer
from core.i18n import t
from core.model.price import Price
from core.present.dated import Dated, bill_marks
from core.present.fleet_charts import day_figure, growth_figure
from core.present.fleet_files import cautions_file, numbers_file, ways_file
from core.present.fleet_how import fleet_hows
from core.present.fleet_purchases import purchases_figure, purchases_text
from core.present.fleet_tables import (
    break_even_texts,
    cautions_table,
    fleet_table,
    pools_table,
    ways_table,
)
from core.present.fleet_waterfall import waterfall_figure
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts, token_gap
from pages.parts import charts, how, keys, table, today
from pages.parts.speech import heading, language, plain, say


def sentence(found: FleetAnswer) -> None:
    """Draw how many replicas and how much a month, large, and what goes with them."""
    said = fleet_words(found, language())
    if not said.told:
        st.subheader(plain(said.first), anchor=False)
        if said.fix:
            st.markdown(plain(said.fix))
        return
    st.title(plain(said.first), anchor=False, help=say(_TOOLTIP))
    st.subheader(plain(said.money or ""), anchor=False)
    st.markdown("  \n".join(plain(line) for line in said.lines))
    if said.caution:
        st.warning(plain(said.caution), icon=":material/science:")
    notices = stacked_texts(found, language())
    if notices:
        st.info("  \n".join(plain(text) for text in notices), icon=":material/layers:")


_TOOLTIP = t(
    "Copies of what was measured, planned with the safe number; the range comes from what one copy may carry and how "
    "long a request takes, each with nine chances in ten"
)


def support(found: FleetAnswer, think_s: float | None, price: Price | None) -> None:
    """Draw everything under the sentence; nothing where no fleet can be told. An old `price` is marked."""
    if found.untold:
        return
    dated = Dated(today=today.day(), price=price)
    marks = bill_marks([pool.answer for pool in found.pools], dated, language())
    with st.container(border=True):
        heading(t("From a full machine to this fleet: what a million output tokens cost"))
        figure = waterfall_figure(found, language(), ink=charts.ink())
        charts.draw(figure, keys.of(keys.FLEET_CHART, "waterfall"), token_gap(found), marks=marks)
    with st.container(border=True):
        heading(t("What each caution adds"))
        as_file = partial(cautions_file, found, language(), dated)
        table.words(cautions_table(found, language()), keys.of(keys.FLEET_TABLE, "cautions"), as_file)
        st.caption(
            say(
                t(
                    "Alone: beyond the demand over the estimate, which half the time is too few. Whole replicas are "
                    "counted: a caution that fits into a replica that is there anyway adds none here. On top: a step "
                    "of a stack, which the rows below may multiply; what dropping one caution saves is another number. "
                    "The chart above counts parts of a replica and rounds up once"
                )
            )
        )
    _day(found)
    _growth(found)
    _purchases(found, marks)
    _ways(found, dated)
    _numbers(found, think_s, dated)


def _day(found: FleetAnswer) -> None:
    with st.container(border=True):
        heading(t("Over the day"))
        figure = day_figure(found, language(), ink=charts.ink())
        absent = t("Choose how the demand moves, or send a file, to see fixed and autoscaled fleets side by side")
        charts.draw(figure, keys.of(keys.FLEET_CHART, "day"), absent)
        note = scaling_note(found, language())
        if note:
            st.caption(plain(note))


def _growth(found: FleetAnswer) -> None:
    figure = growth_figure(found, language(), ink=charts.ink())
    if figure is None:
        return
    with st.container(border=True):
        heading(t("As the demand grows"))
        charts.draw(figure, keys.of(keys.FLEET_CHART, "growth"), t("No growth is given"))


def _purchases(found: FleetAnswer, marks: Sequence[str]) -> None:
    """Draw the bill month by month, where the demand grows."""
    said = purchases_text(found, language())
    if said is None:
        return
    with st.container(border=True):
        heading(t("Bought as the demand grows, month by month"))
        st.markdown(plain(said))
        figure = purchases_figure(found, language(), ink=charts.ink())
        charts.draw(figure, keys.of(keys.FLEET_CHART, "purchases"), t("No growth is given"), marks=marks)


def _ways(found: FleetAnswer, dated: Dated) -> None:
    """Draw the ways to pay, where there is more than one."""
    if not found.ways:
        return
    with st.container(border=True):
        heading(t("Rent, reserve, own, or buy tokens"))
        as_file = partial(ways_file, found, language(), dated)
        table.words(ways_table(found, language(), dated), keys.of(keys.FLEET_TABLE, "ways"), as_file)
        for text in break_even_texts(found, language(), dated):
            st.markdown(f"- {plain(text)}")
        if len(found.ways) == 1:
            st.caption(say(t("Give the prices of other ways beside the chart to see where each pays")))


def _numbers(found: FleetAnswer, think_s: float | None, dated: Dated) -> None:
    with st.container(border=True):
        heading(t("The fleet in numbers"))
        if len(found.pools) > 1:
            table.words(pools_table(found, language()), keys.of(keys.FLEET_TABLE, "pools"))
        as_file = partial(numbers_file, found, language(), dated)
        table.words(fleet_table(found, language()), keys.of(keys.FLEET_TABLE, "numbers"), as_file)
        how.expander(partial(fleet_hows, found, think_s, language()), keys.of(keys.FLEET, "how"))
