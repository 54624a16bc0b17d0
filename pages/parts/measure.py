"""The one run that would narrow the answer most."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.answer import NextMeasurement, RunAnswer, Status, ToolCommand
from core.model.run import Run
from core.present.measure import TOOLS, engineer_request, next_text, version_text
from pages.parts import keys
from pages.parts.answers import foreseen_of
from pages.parts.speech import heading, language, plain, say


def next_measurement(answer: RunAnswer, *, saved: bool = False) -> None:
    """Show the next run to make, as a command to paste and as a request to send.

    What it should bring takes some refits: it is worked out while no target is moved, else on demand.
    A `saved` answer is shown as it was.
    """
    heading(t("What to measure next"))
    wanted = answer.next_measurement
    if wanted is None:
        enough = t("Nothing more is needed for these targets") if answer.per_target else t("Nothing more is needed")
        st.markdown(say(enough))
        return
    known = saved or _stands_still(answer)
    if known and not saved:
        wanted = foreseen_of(answer) or wanted
    _shown(answer, wanted, known=known)


def _stands_still(answer: RunAnswer) -> bool:
    """Return True unless the question has just been changed."""
    question = tuple(each.target for each in answer.per_target)
    before = st.session_state.get(keys.NEXT_BEFORE, question)
    st.session_state[keys.NEXT_BEFORE] = question
    return bool(before == question)


@st.fragment
def _shown(answer: RunAnswer, wanted: NextMeasurement, *, known: bool) -> None:
    """Show one measurement; the choice of a load generator draws this panel alone."""
    if not known and st.session_state.get(keys.NARROWS):
        wanted, known = foreseen_of(answer) or wanted, True
    asked = replace(answer, next_measurement=wanted)
    st.markdown(plain(next_text(asked, language())))
    if not known and answer.capacity.status is Status.WITHIN:
        st.button(say(t("How much would it narrow the range?")), key=keys.NARROWS, type="tertiary")
    _command(answer.run, wanted)
    with st.expander(say(t("A request to your engineer, to copy")), icon=":material/forward_to_inbox:"):
        st.code(engineer_request(asked, language()), language=None, wrap_lines=True)


def _command(run: Run, wanted: NextMeasurement) -> None:
    """Show the command of one load generator, at first of the one that made the files."""
    if not wanted.commands:
        if wanted.command:
            st.code(wanted.command, language=None, wrap_lines=True)
        return
    by_tool = {each.tool: each for each in wanted.commands}
    picked = st.selectbox(say(t("Load generator")), tuple(by_tool), format_func=_name, key=keys.of(keys.TOOL, run.id))
    _one(by_tool[picked])


def _one(command: ToolCommand) -> None:
    st.code(command.command, language=None, wrap_lines=True)
    st.caption(plain(version_text(command, language())))


def _name(tool: str) -> str:
    return TOOLS.get(tool, tool)
