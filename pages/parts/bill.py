"""What the price comes to, per million tokens, for one run."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.present.bill import bill_notes, bill_table, paid_text
from pages.parts import keys
from pages.parts.speech import language, plain
from pages.parts.table import table


def figures(answer: RunAnswer, price: Price | None) -> None:
    """Draw the ways to divide the bill and how to read them; nothing where there is no cost."""
    if answer.cost is None or price is None:
        return
    alt = t("Cost per million tokens of {run} at its safe number", run=answer.run.label)
    table(bill_table(answer.cost, language()), keys.BILL, alt)
    for note in bill_notes(answer, price, language()):
        st.caption(plain(note))


def paid(answer: RunAnswer, price: Price | None) -> None:
    """Say what was paid for, beside a cost that is shown without the editor of the price."""
    said = paid_text(answer, price, language())
    if said:
        st.caption(plain(said))
