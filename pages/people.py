"""People: who works together, and what was done?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import keys, person, teams, trail
from pages.parts.errors import show_errors
from pages.parts.frame import bar
from pages.parts.speech import say

bar(t("Who works together, and what was done?"))
if person.asked():
    left, right = st.tabs([say(t("Teams")), say(t("Audit trail"))], key=keys.PEOPLE_TABS, on_change="rerun")
    if left.open:
        with left, show_errors():
            teams.panel()
    if right.open:
        with right, show_errors():
            trail.panel()
else:
    st.info(
        say(
            t(
                "Nobody has to sign in here: whoever reaches this server may do everything. "
                "Teams, roles and the audit trail are shown once sign-in is turned on; docs/people.md says how"
            )
        )
    )
    st.page_link("pages/plan.py", label=say(t("Go to the Plan page")), icon=":material/arrow_forward:")
