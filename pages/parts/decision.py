"""What else decides: how much the service has to carry, and the person's own columns for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The table in view: what it was drawn from, and what it came to with what has been typed since."""

    turn: int
    drawn: tuple[DecisionColumn, ...]
    typed: tuple[DecisionColumn, ...]
    runs: tuple[str, ...]

    @property
    def key(self) -> str:
        return keys.of(keys.DECISION, self.turn)


def _sheet(runs: Sequence[Run], columns: tuple[DecisionColumn, ...]) -> _Sheet:
    """Return the table in view; another one where the columns or the runs are not those that it came to.

    While somebody types, the table stays the same, so that the place in it is not lost after each cell.
    """
    ids = tuple(run.id for run in runs)
    known: _Sheet | None = st.session_state.get(keys.DECISION_SHEET)
    if known is None or known.key not in st.session_state or (known.typed, known.runs) != (columns, ids):
        known = _Sheet(known.turn + 1 if known else 0, columns, columns, ids)
        st.session_state[keys.DECISION_SHEET] = known
    return known


def _table(runs: Sequence[Run], columns: tuple[DecisionColumn, ...]) -> None:
    """Draw one row for each run. What was typed is taken by a callback and never fed back into the table drawn."""
    if not columns:
        return
    sheet = _sheet(runs, columns)
    name = say_raw(t("Run"))
    cells: dict[str, list[str]] = {name: [run.label for run in runs]}
    cells |= {
        str(at): [column.values.get(run.id, "") for run in runs]  # noqa: PD011 - a mapping of ours
        for at, column in enumerate(sheet.drawn)
    }
    shown = {
        str(at): st.column_config.TextColumn(plain(column.name), max_chars=NAME_CHARS)
        for at, column in enumerate(sheet.drawn)
    }
    st.data_editor(
        inert(pd.DataFrame({column: pd.Series(values, dtype="str") for column, values in cells.items()})),
        key=sheet.key,
        hide_index=True,
        disabled=[name],
        column_config=shown,
        on_change=_take_cells,
        args=(sheet,),
        num_rows="fixed",
    )


def _take_cells(sheet: _Sheet) -> None:
    edited: Mapping[str, Mapping[str, Any]] = st.session_state[sheet.key]["edited_rows"]
    columns = list(sheet.drawn)
    for row, changes in edited.items():
        for at, value in changes.items():
            column = columns[int(at)]
            said = one_line(str(value or "").removeprefix(JOINER))
            columns[int(at)] = replace(column, values={**dict(column.values), sheet.runs[int(row)]: said})
    _put(tuple(columns))
    st.session_state[keys.DECISION_SHEET] = replace(sheet, typed=state.held().decision)


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
        key = keys.of(keys.DECISION_ADD, "own", len(columns))  # an empty box after each column
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
    state.set_held(replace(state.held(), decision=columns))
