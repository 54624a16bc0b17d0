"""Shared view: the numbers of a saved scenario as they were saved, to read, to explore and to copy."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import keys, saved, snapshot, view
from pages.parts.frame import bar
from serve import counts

bar(t("A shared view: you can read it and change nothing"))
token = st.query_params.get(keys.Q_SHARE, "")
first = view.is_first(token)
shared = saved.store().shares.open(token, count=first)
if first:
    counts.share_opened()
view.start(token, shared.scenario)
snapshot.show(shared)
