"""What a budget buys: which promise on the run in view, and which of the runs it pays for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import t
from core.model.price import Price
from core.model.run import Run
from core.present.dated import Dated
from core.present.fleet_budget import budget_notes, budget_text, hardware_table, promise_texts
from core.present.fleet_files import hardware_file
from pages.parts import keys, table, today
from pages.parts.speech import heading, language, plain, say


def panel(found: Sequence[Affordable], viewed: Run, planned: FleetAnswer, budget: float, price: Price | None) -> None:
    """Draw what the budget buys on the run in view, then every run beside each other; an old price is marked."""
    currency, dated = planned.currency or "", Dated(today=today.day(), price=price)
    one = next(each for each in found if each.answer.run.id == viewed.id)
    with st.container(border=True):
        heading(t("This budget and this demand: which promise, which hardware"))
        st.markdown(plain(budget_text(one, planned.demand, budget, currency, language())))
        for text in promise_texts(one, currency, language()):
            st.markdown(f"- {plain(text)}")
        for text in budget_notes(planned, language()):
            st.caption(plain(text))
        if len(found) > 1:
            as_file = partial(hardware_file, found, currency, language(), dated)
            table.words(hardware_table(found, currency, language(), dated), keys.FLEET_BUDGET, as_file)
            st.caption(say(t("Different conditions stand side by side here; they are not a ranking")))
