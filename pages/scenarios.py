"""Scenarios: where is what we decided?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import keys, scenario_list, scenario_one, unsaved
from pages.parts.errors import show_errors
from pages.parts.frame import bar

bar(t("Where is what we decided?"))
wanted = st.query_params.get(keys.Q_SCENARIO, "")
if wanted:
    with show_errors():
        scenario_one.draw(wanted)
else:
    with show_errors():
        unsaved.draw()
        scenario_list.draw()
