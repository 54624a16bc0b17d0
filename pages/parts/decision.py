"""What else decides: how much the service has to carry, and the person's own columns for each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.i18n import t
from core.letters import one_line
from core.model.run import Run
from core.model.scenario import COLUMNS, NAME_CHARS, DecisionColumn, Demand, DemandKind
from core.present.diff_words import DEMAND_KINDS
from core.present.own_columns import SUGGESTED, own_name
from pages.parts import keys, state
from pages.parts.drawer import drawer
from pages.parts.errors import show_errors
from pages.parts.number import optional_number
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed

MOST_DEMAND = 1e9
FIELD_PX = 220
MOST_FIELDS = 60
"""More fields than this are shown one column at a time."""


def editor(runs: tuple[Run, ...]) -> None:
    """Draw the demand and the columns, folded; both are saved with the scenario."""
    name, box = say(t("Demand and what else decides")), keys.of(keys.DECISION, "box")
    drawer(name, box, partial(_content, runs), icon=":material/rule:")


def _content(runs: tuple[Run, ...]) -> None:
    _demand(state.ask().demand)
    heading(t("Columns of your own"))
    st.caption(say(t("They stand beside the answers in every report, and no number depends on them")))
    _fields(runs, state.held().decision)
    _columns(state.held().decision)


def _demand(demand: Demand | None) -> None:
    kind = demand.kind if demand else st.session_state.get(keys.DEMAND_KIND) or DemandKind.CONCURRENCY
    seed(keys.DEMAND_KIND, kind)
    with st.container(gap="small"):
        optional_number(
            say(t("Demand at the peak")),
            demand.peak if demand else None,
            keys.DEMAND,
            most=MOST_DEMAND,
            take=_take_demand,
            hint=say_raw(t("not given")),
        )
        st.selectbox(
            say(t("Counted in")),
            tuple(DemandKind),
            format_func=lambda each: say(DEMAND_KINDS[each]),
            key=keys.DEMAND_KIND,
            on_change=_take_demand,
        )


def _take_demand() -> None:
    peak = st.session_state[keys.DEMAND]
    demand = Demand(peak=peak, kind=st.session_state[keys.DEMAND_KIND]) if peak else None
    state.set_ask(replace(state.ask(), demand=demand))


def _fields(runs: Sequence[Run], columns: tuple[DecisionColumn, ...]) -> None:
    """Draw each column with a field for every run.

    Fields, not the grid that can be typed into: while its cell opens, the grid drops letters (seen in Streamlit 1.67).
    """
    places = list(range(len(columns)))
    if len(runs) * len(columns) > MOST_FIELDS:
        places = [
            st.selectbox(
                say(t("Column")),
                places,
                format_func=lambda at: plain(own_name(columns[at].name, language())),
                key=keys.of(keys.DECISION, "chosen", len(columns)),
            )
        ]
    for at in places:
        column = columns[at]
        with st.container(border=True, gap="small"):
            with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
                st.markdown(f"**{plain(own_name(column.name, language()))}**", width="content")
                st.button(
                    say(t("Remove {name}", name=own_name(column.name, language()))),
                    key=keys.of(keys.DECISION, "remove", at),
                    icon=":material/close:",
                    type="tertiary",
                    on_click=_remove,
                    args=(column.name,),
                )
            with st.container(horizontal=True, vertical_alignment="bottom"):
                for run in runs:
                    _field(at, column, run)


def _field(at: int, column: DecisionColumn, run: Run) -> None:
    key = keys.of(keys.DECISION, "value", at, run.id)
    seed(key, column.values.get(run.id, ""))
    st.text_input(
        plain(run.label),
        key=key,
        max_chars=NAME_CHARS,
        placeholder=say_raw(t("not given")),
        width=FIELD_PX,
        on_change=_take,
        args=(key, column.name, run.id),
    )


def _take(key: str, name: str, run: str) -> None:
    """Keep what was typed; by name, since a column may be taken away by the click that ended the typing."""
    said = one_line(str(st.session_state[key] or ""))
    columns = state.held().decision
    _put(tuple(replace(c, values={**c.values, run: said}) if c.name == name else c for c in columns))


def _columns(columns: Sequence[DecisionColumn]) -> None:
    """Draw what adds a column."""
    known = {own_name(column.name, language()) for column in columns}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for text in SUGGESTED:
            name = say_raw(text)
            if name not in known and len(columns) < COLUMNS:
                st.button(
                    say(text),
                    key=keys.of(keys.DECISION_ADD, text.msgid),
                    icon=":material/add:",
                    type="tertiary",
                    on_click=_add,
                    args=(name,),
                )
    if len(columns) < COLUMNS:
        key = keys.of(keys.DECISION_ADD, "own", len(columns))  # an empty box after each column
        st.text_input(
            say(t("Another column")),
            key=key,
            max_chars=NAME_CHARS,
            placeholder=say_raw(t("Type a name and press Enter")),
            on_change=_add_typed,
            args=(key,),
        )


def _add_typed(key: str) -> None:
    _add(str(st.session_state[key]))


def _add(name: str) -> None:
    columns = state.held().decision
    if not one_line(name) or one_line(name) in {column.name for column in columns} or len(columns) >= COLUMNS:
        return
    with show_errors():
        _put((*columns, DecisionColumn(name=name)))


def _remove(name: str) -> None:
    """Take a column away; `undo` brings it back."""
    _put(tuple(column for column in state.held().decision if column.name != name))


def _put(columns: tuple[DecisionColumn, ...]) -> None:
    state.set_held(replace(state.held(), decision=columns))
