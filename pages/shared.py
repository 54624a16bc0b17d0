"""Shared view: the numbers of a saved scenario as they were saved, to read, to explore and to copy."""

from __future__ import annotations

import streamlit as st

from core.errors import PlimsollError
from core.i18n import t
from pages.parts import frame, keys, opening, snapshot, view
from pages.parts.errors import attempt

frame.enter()
token = st.query_params.get(keys.Q_SHARE, "")
shared = attempt(lambda: opening.opened(token))
if isinstance(shared, PlimsollError):
    frame.bar(t("A link to a shared view"))
    raise shared
frame.bar(t("A shared view: you can read it and change nothing"))
view.start(token, shared.scenario)
snapshot.show(shared)
