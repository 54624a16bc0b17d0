"""The seven conditions as a matrix, and what of them may stand: kept in the question, so that it is saved with it."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.compare.compare import Comparison
from core.compare.conditions import Group, State
from core.i18n import t
from core.present.compare_names import GROUPS, STATES
from core.present.compare_table import conditions_table, matrix_table
from pages.parts import keys, state
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table, wrapped

ICONS = {State.EQUAL: ":material/check:", State.DIFFERENT: ":material/difference:", State.UNKNOWN: ":material/help:"}


def matrix(found: Comparison, *, may_accept: bool = True) -> None:
    """Draw the seven conditions, each with what differs, what that does, and the box that lets it stand.

    Args:
        found: what is shown.
        may_accept: False in a view that is read only.
    """
    heading(t("Conditions"))
    st.caption(
        say(
            t(
                "A multiple or a ranking is said only where all seven match, or where you accept what does not. "
                "Unknown is not equal"
            )
        )
    )
    table(matrix_table(found, language()), keys.MATRIX, t("The seven conditions of a comparison"), download=True)
    for group in Group:
        held = found.matrix.state(group)
        if held is State.EQUAL:
            continue
        title = t("{group}: {state}", group=GROUPS[group], state=STATES[held])
        with st.expander(say(title), icon=ICONS[held], expanded=False):
            if may_accept:
                _box(found, group)
            wrapped(_shown(found, group))


def _shown(found: Comparison, group: Group) -> pd.DataFrame:
    frame = conditions_table(found, language(), group=group)
    kept = [line.state in (State.DIFFERENT, State.UNKNOWN) for line in found.matrix.of(group)]
    frame = frame[kept]
    frame.insert(0, plain(say(t("Group"))), say(GROUPS[group]))
    return frame


def _box(found: Comparison, group: Group) -> None:
    """Let the person accept what differs or is unknown now; a difference that comes later is not covered."""
    lines = [line for line in found.matrix.of(group) if line.state in (State.DIFFERENT, State.UNKNOWN)]
    locked = group is Group.MODEL and found.matrix.quality_untold
    key = keys.of(keys.ACCEPT, group.value)
    st.session_state[key] = all(line.accepted for line in lines)
    st.checkbox(
        say(t("Accept this: it may stand, and is printed with every multiple")),
        key=key,
        on_change=_take,
        args=(group, tuple(line.field for line in lines)),
    )
    if locked:
        st.caption(
            say(
                t(
                    "Precision or verification changed: the quality of the answers is unknown until a quality result "
                    "of each run is typed on the Data page. That cannot be accepted"
                )
            )
        )


def _take(group: Group, fields: tuple[str, ...]) -> None:
    ask = state.ask()
    others = tuple(name for name in ask.compared.accepted if name not in fields)
    accepted = (*others, *fields) if st.session_state[keys.of(keys.ACCEPT, group.value)] else others
    state.set_ask(replace(ask, compared=replace(ask.compared, accepted=accepted)))
