"""Shared view: the numbers of a saved scenario as they were saved, to read, to explore and to copy."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import keys, opening, snapshot, view
from pages.parts.frame import bar

bar(t("A shared view: you can read it and change nothing"))
token = st.query_params.get(keys.Q_SHARE, "")
shared = opening.opened(token)
view.start(token, shared.scenario)
snapshot.show(shared)
