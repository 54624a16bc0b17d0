"""What a reader of a shared view looks at, kept in the session and said in its address."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.canvas import is_wide
from core.present.comparison import first_answered
from pages.parts import keys
from pages.parts.links import Row
from pages.parts.view_links import NAMES, View, from_params, to_params


class Looking(NamedTuple):
    """Which link this session reads, and the parameters that bring back what is in view."""

    token: str
    params: dict[str, list[str]]


def start(token: str, scenario: Scenario) -> None:
    """Let the controls show what the address says, when a link is opened; do nothing while it stays open."""
    opened = looking()
    if opened and opened.token == token:
        return
    params = _params()
    view = from_params(params, scenario.targets)
    st.session_state[keys.VIEW] = Looking(token, params)
    st.session_state[keys.RUN] = view.run
    st.session_state[keys.CHART] = view.shown
    st.session_state[keys.TRIED] = view.tried
    if view.log is not None and scenario.answers:
        by_id = {answer.run.id: answer.run for answer in scenario.answers}
        run = by_id.get(view.run or "") or first_answered(scenario.answers).run
        st.session_state[keys.of(keys.CHART_SCALE, run.id)] = view.log


def keep(token: str, scenario: Scenario, answer: RunAnswer) -> None:
    """Remember what is in view, for its address; what stands there at first is left out."""
    runs = {each.run.id for each in scenario.answers}
    run = st.session_state.get(keys.RUN)
    wide = is_wide(answer.levels)
    log = st.session_state.get(keys.of(keys.CHART_SCALE, answer.run.id), wide)
    view = View(
        run=run if len(runs) > 1 and run in runs else None,
        shown=st.session_state.get(keys.CHART),
        log=log if log is not wide else None,
        tried=tried(),
    )
    st.session_state[keys.VIEW] = Looking(token, to_params(view))


def tried() -> tuple[Row, ...] | None:
    """Return the limits that are tried in place of the saved ones, None where none are."""
    rows: tuple[Row, ...] | None = st.session_state.get(keys.TRIED)
    return rows


def address(token: str) -> dict[str, list[str]]:
    """Return the parameters of the view that is open under a link; those that stand there where it did not open."""
    opened = looking()
    return opened.params if opened and opened.token == token else _params()


def looking() -> Looking | None:
    """Return the view that this session opened by a link, None where it came by none."""
    opened: Looking | None = st.session_state.get(keys.VIEW)
    return opened


def passed_on() -> dict[str, list[str]]:
    """Return what an address has to keep where a link was opened at another page than its own."""
    kept = (keys.Q_SHARE, keys.Q_LANGUAGE, *NAMES)
    return {name: st.query_params.get_all(name) for name in kept if name in st.query_params}


def _params() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in NAMES if name in st.query_params}
