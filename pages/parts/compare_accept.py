"""The seven conditions as a matrix, and what of them may stand: kept in the question, so that it is saved with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.compare.compare import Comparison
from core.compare.conditions import Group, Line, State
from core.i18n import t
from core.present.compare_names import GROUPS, STATES
from core.present.compare_table import conditions_table, matrix_in_view, open_table
from core.present.conditions import condition_name
from pages.parts import keys, state
from pages.parts.drawer import drawer
from pages.parts.speech import heading, language, say
from pages.parts.table import download_csv, plain_table, wrapped


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
    frame = matrix_in_view(found, language())
    plain_table(frame)
    download_csv(partial(conditions_table, found, language()), keys.MATRIX)
    for group in Group:
        if found.matrix.state(group) is not State.EQUAL and may_accept:
            _box(found, group)
    if any(line.state in (State.DIFFERENT, State.UNKNOWN) for line in found.matrix.lines):
        name = say(t("What each does, and the way out"))
        drawer(name, keys.of(keys.MATRIX, "open"), partial(_open, found), icon=":material/alt_route:")


def _open(found: Comparison) -> None:
    wrapped(open_table(found, language()))


def _box(found: Comparison, group: Group) -> None:
    """Let the person accept what differs or is unknown now; a difference that comes later is not covered."""
    lines = [line for line in found.matrix.of(group) if line.state in (State.DIFFERENT, State.UNKNOWN)]
    locked = group is Group.MODEL and found.matrix.quality_untold
    key = keys.of(keys.ACCEPT, group.value)
    st.session_state[key] = all(line.accepted for line in lines)
    st.checkbox(
        say(t("Let stand: {group} ({fields})", group=GROUPS[group], fields=_fields(lines))),
        help=say(t("What you let stand is printed with every ranking and every multiple, on screen and in files")),
        key=key,
        on_change=_take,
        args=(group, tuple(line.field for line in lines)),
    )
    if locked and found.matrix.unsaid:
        st.caption(
            say(
                t(
                    "Precision or verification may have changed, since not every run says it: say it on the Data page, "
                    "or type a quality result of each run. That cannot be accepted"
                )
            )
        )
    elif locked:
        st.caption(
            say(
                t(
                    "Precision or verification changed: the quality of the answers is unknown until a quality result "
                    "of each run is typed on the Data page. That cannot be accepted"
                )
            )
        )


def _fields(lines: Sequence[Line]) -> str:
    """Return what differs, then what is unknown, by name."""
    parts = []
    for held in (State.DIFFERENT, State.UNKNOWN):
        names = [condition_name(line.field, language()) for line in lines if line.state is held]
        if names:
            parts.append(f"{STATES[held].render(language())}: {', '.join(names)}")
    return "; ".join(parts)


def _take(group: Group, fields: tuple[str, ...]) -> None:
    ask = state.ask()
    others = tuple(name for name in ask.compared.accepted if name not in fields)
    accepted = (*others, *fields) if st.session_state[keys.of(keys.ACCEPT, group.value)] else others
    state.set_ask(replace(ask, compared=replace(ask.compared, accepted=accepted)))
