"""What one replica of a fleet is paid with, how old that price is, and what is wrong with it."""

from __future__ import annotations

import streamlit as st

from core.fleet.answer import FleetAnswer
from core.i18n import t
from core.model.price import Price
from core.present.bill import paid_text
from core.price.findings import price_findings
from pages.parts import today
from pages.parts.doubts import listed
from pages.parts.speech import language, plain, say_raw


def panel(found: FleetAnswer, price: Price | None) -> None:
    """Say it beside the bill, for every pool of the fleet; nothing where no fleet can be told or nothing is paid."""
    if found.untold:
        return
    for pool in found.pools:
        paid = paid_text(pool.answer, price, language(), today=today.day())
        if not paid:
            continue
        run = pool.answer.run
        head = t("Paid for one replica") if len(found.pools) == 1 else t("Paid for one replica of {run}", run=run.label)
        st.caption(plain(f"{say_raw(head)}: {paid}"))
        listed(price_findings(run, price), run=run.label)
