"""Entry of the app: the list of pages, the language, the frame around every page. No logic."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from core.i18n import t
from pages.parts import frame, gate, keys, memory, opening, state, view
from pages.parts.errors import show_errors
from pages.parts.speech import say
from serve import counts

ROOT = Path(__file__).resolve().parent
PAGES = ROOT / "pages"
BRAND = ROOT / "data" / "brand"

st.set_page_config(page_title="Plimsoll", page_icon=str(BRAND / "mark.png"), layout="wide")
who = gate.enter()
state.start(kept=not who.is_nobody)
listed: Literal["visible", "hidden"] = "hidden" if opening.unlisted() else "visible"
shared = st.Page(PAGES / "shared.py", title=say(t("Shared view")), visibility="hidden")
pages = [
    st.Page(PAGES / "plan.py", title=say(t("Plan")), icon=":material/sailing:", default=True),
    st.Page(PAGES / "data.py", title=say(t("Data")), icon=":material/fact_check:"),
    st.Page(PAGES / "compare.py", title=say(t("Compare")), icon=":material/compare_arrows:"),
    st.Page(PAGES / "fleet.py", title=say(t("Fleet")), icon=":material/dns:"),
    st.Page(PAGES / "scenarios.py", title=say(t("Scenarios")), icon=":material/inventory_2:", visibility=listed),
    st.Page(PAGES / "report.py", title=say(t("Report")), icon=":material/description:"),
    st.Page(PAGES / "guide.py", title=say(t("Guide")), icon=":material/menu_book:"),
]
# Its address answers in words of ours where nobody signs in; the menu names it where there are people.
named: Literal["visible", "hidden"] = "visible" if gate.asks() else "hidden"
pages.append(st.Page(PAGES / "people.py", title=say(t("People")), icon=":material/group:", visibility=named))
page = st.navigation(gate.pages_for(who, pages, shared), position="top")
if keys.Q_SHARE in st.query_params and page != shared:
    st.switch_page(shared, query_params=view.passed_on())
frame.logo(BRAND)
state.arrive(page.url_path)
with counts.script(), show_errors():
    page.run()
gate.write_address(who)
memory.set_aside()
