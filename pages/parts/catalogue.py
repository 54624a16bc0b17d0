"""Accelerators and published prices as the program knows them, each row with its source, folded on the Guide page."""

from __future__ import annotations

import streamlit as st

from core.catalogue.hardware import catalogue
from core.catalogue.prices import prices
from core.i18n import t
from core.present.prices_listed import UNRANKED, catalogue_frame, figures_frame, prices_frame
from pages.parts import keys, today
from pages.parts.speech import language, say
from pages.parts.table import table


def panel() -> None:
    """Draw both tables, and every figure of one accelerator with what other sources say."""
    with st.expander(say(t("Accelerators: what each has, and who says so")), icon=":material/memory:"):
        st.caption(say(UNRANKED))
        alt = t("Accelerators in the order of the table, which ranks nothing")
        table(catalogue_frame(language()), keys.CATALOGUE, alt, download=True)
        parts = {part.name: part for part in catalogue()}
        chosen = st.selectbox(say(t("Every figure of")), tuple(parts), key=keys.of(keys.CATALOGUE, "part"))
        part = parts[chosen]
        named = t("Figures of {name} with their sources", name=part.name)
        table(figures_frame(part, language()), keys.of(keys.CATALOGUE, "figures"), named, download=True)
    with st.expander(say(t("Published prices, with source and day")), icon=":material/list_alt:"):
        st.caption(
            say(
                t(
                    "Prices per accelerator and hour without tax, in the order of the table. Rows that disagree stand "
                    "side by side; check one with its provider before you sign"
                )
            )
        )
        alt = t("Published prices of accelerators")
        shown = prices_frame(prices(), today.day(), language())
        table(shown, keys.of(keys.CATALOGUE, "prices"), alt, download=True)
