"""What else decides: how much the service has to carry, and the person's own columns for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from core.i18n import Text, t
from core.letters import one_line
from core.model.run import Run
from core.model.scenario import COLUMNS, NAME_CHARS, DecisionColumn, Demand, DemandKind
from core.present.diff_words import DEMAND_KINDS
from pages.parts import keys, state
from pages.parts.errors import show_errors
from pages.parts.speech import JOINER, heading, plain, say, say_raw
from pages.parts.state import seed
from pages.parts.table import inert

MOST_DEMAND = 1e9

SUGGESTED: tuple[Text, ...] = (t("Lead time"), t("Rack power"), t("Vendor"))


def editor(runs: tuple[Run, ...]) -> None:
    """Draw the demand and the columns, folded; both are saved with the scenario."""
    with st.expander(say(t("Demand and what else decides")), icon=":material/rule:", key=keys.of(keys.DECISION, "box")):
        _demand(state.ask().demand)
        heading(t("Columns of your own"))
        st.caption(say(t("They stand beside the answers in every report, and no number depends on them")))
        _table(runs, state.held().decision)
        _columns(state.held().decision)


def _demand(demand: Demand | None) -> None:
    kind = demand.kind if demand else st.session_state.get(keys.DEMAND_KIND) or DemandKind.CONCURRENCY
    seed(keys.DEMAND, demand.peak if demand else None)
    seed(keys.DEMAND_KIND, kind)
    with st.container(gap="small"):
        st.number_input(
            say(t("Demand at the peak")),
            value=None,
            min_value=0.0,
            max_value=MOST_DEMAND,
            format="%g",
            key=keys.DEMAND,
            placeholder=say_raw(t("not given")),
            on_change=_take_demand,
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


def _table(runs: Sequence[Run], columns: Sequence[DecisionColumn]) -> None:
    """Draw one row for each run. What was typed is taken by a callback and never fed back into the table drawn."""
    if not columns:
        return
    name = say_raw(t("Run"))
    cells: dict[str, list[str]] = {name: [run.label for run in runs]}
    cells |= {str(at): [column.values.get(run.id, "") for run in runs] for at, column in enumerate(columns)}  # noqa: PD011 - a mapping of ours
    shown = {
        str(at): st.column_config.TextColumn(plain(column.name), max_chars=NAME_CHARS)
        for at, column in enumerate(columns)
    }
    # A new table for each state of the columns: the editor then holds nothing but what has just been typed.
    turn = st.session_state.get(keys.DECISION_ROUND, 0)
    key = keys.of(keys.DECISION, turn)
    st.data_editor(
        inert(pd.DataFrame({column: pd.Series(values, dtype="str") for column, values in cells.items()})),
        key=key,
        hide_index=True,
        disabled=[name],
        column_config=shown,
        on_change=_take_cells,
        args=(key, tuple(run.id for run in runs)),
        num_rows="fixed",
    )


def _take_cells(key: str, run_ids: tuple[str, ...]) -> None:
    edited: Mapping[str, Mapping[str, Any]] = st.session_state[key]["edited_rows"]
    columns = list(state.held().decision)
    for row, changes in edited.items():
        for at, value in changes.items():
            column = columns[int(at)]
            said = one_line(str(value or "").removeprefix(JOINER))
            said_before = dict(column.values)
            columns[int(at)] = replace(column, values={**said_before, run_ids[int(row)]: said})
    _put(tuple(columns))


def _columns(columns: Sequence[DecisionColumn]) -> None:
    """Draw what adds a column and what takes one away; `undo` brings it back."""
    known = {column.name for column in columns}
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
        turn = st.session_state.get(keys.DECISION_ROUND, 0)
        key = keys.of(keys.DECISION_ADD, "own", turn)
        st.text_input(
            say(t("Another column")),
            key=key,
            max_chars=NAME_CHARS,
            placeholder=say_raw(t("Type a name and press Enter")),
            on_change=_add_typed,
            args=(key,),
        )
    with st.container(horizontal=True):
        for at, column in enumerate(columns):
            st.button(
                say(t("Remove {name}", name=column.name)),
                key=keys.of(keys.DECISION, "remove", at),
                icon=":material/close:",
                type="tertiary",
                on_click=_remove,
                args=(at,),
            )


def _add_typed(key: str) -> None:
    _add(str(st.session_state[key]))


def _add(name: str) -> None:
    columns = state.held().decision
    if not one_line(name) or one_line(name) in {column.name for column in columns} or len(columns) >= COLUMNS:
        return
    with show_errors():
        _put((*columns, DecisionColumn(name=name)))


def _remove(at: int) -> None:
    _put(tuple(column for number, column in enumerate(state.held().decision) if number != at))


def _put(columns: tuple[DecisionColumn, ...]) -> None:
    st.session_state[keys.DECISION_ROUND] = st.session_state.get(keys.DECISION_ROUND, 0) + 1
    state.set_held(replace(state.held(), decision=columns))
