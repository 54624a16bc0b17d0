"""What stops the deployment: the cause, what shows it, what fits it, and each target on its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.cause import Cause, Confidence
from core.present.causes import Told, as_percent, evidence_title, from_percent, sureness, sureness_text, told_of
from core.present.remedies import Remedy, profile_command
from core.present.stops import stops_texts, target_texts, targets_frame
from pages.parts import keys, state
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed
from pages.parts.table import boxed

COLOURS: dict[Confidence, Literal["green", "blue", "gray"]] = {
    Confidence.CLEAR: "green",
    Confidence.LIKELY: "blue",
    Confidence.CANNOT_TELL: "gray",
}
SHOWN = 3
"""Remedies in view at once; the rest is one click away."""


def panel(answer: RunAnswer) -> None:
    """Draw the cause first, then what shows it and what helps, then each target alone."""
    told = told_of(answer, language())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading(t("What stops it, and what helps"))
        sure, said = sureness(answer), sureness_text(answer, language())
        if sure and said:
            st.badge(plain(said), color=COLOURS[sure])
    if answer.cause is None or told is None:
        # A scenario that was saved before causes were told.
        for text in stops_texts(answer, language()):
            st.markdown(plain(text))
    else:
        st.markdown(plain(told.sentence))
        _evidence(answer.cause, told)
        _remedies(told.remedies)
        _profile(answer, answer.cause, told)
    _targets(answer)


def _evidence(cause: Cause, told: Told) -> None:
    if not told.evidence:
        return
    st.caption(plain(evidence_title(cause, language())))
    _bullets(told.evidence)


def _remedies(remedies: tuple[Remedy, ...]) -> None:
    if not remedies:
        return
    st.caption(say(t("What fits this cause. How much it brings is not in these files")))
    _bullets(_words(remedies[:SHOWN]))
    sources = list(dict.fromkeys(remedy.source for remedy in remedies if remedy.source))
    if len(remedies) > SHOWN or sources:
        rest = remedies[SHOWN:]
        title = t("{count} more, and sources", count=len(rest)) if rest else t("Sources")
        with st.expander(say(title)):
            _bullets(_words(rest))
            for source in sources:
                st.caption(plain(source))


def _profile(answer: RunAnswer, cause: Cause, told: Told) -> None:
    """Show how to tell bandwidth from launch overhead, and take the answer."""
    known = answer.run.gpu_busy
    if told.profile is None and known is None:
        return
    if told.profile:
        with st.expander(say(t("How to tell them apart: a profile")), icon=":material/troubleshoot:"):
            st.markdown(plain(told.profile))
            st.code(profile_command(cause, answer.run.conditions.engine), language="bash", wrap_lines=True)
    # A shared view shows an answer; only a run of this session can be told more.
    if not any(run.id == answer.run.id for run in state.runs()):
        return
    key = keys.of(keys.BUSY, answer.run.id)
    seed(key, as_percent(known))
    st.number_input(
        say(t("Accelerator busy, % of the time (from a profile)")),
        value=None,
        min_value=0.1,
        max_value=100.0,
        format="%g",
        key=key,
        placeholder=say_raw(t("not known")),
        on_change=_take_busy,
        args=(answer.run.id, key),
    )


def _take_busy(run_id: str, key: str) -> None:
    share = from_percent(st.session_state[key])
    state.set_edits(run_id, replace(state.edits_of(run_id), gpu_busy=share))


def _targets(answer: RunAnswer) -> None:
    """Draw the target that binds in words, and all of them as a table that wraps to the width there is."""
    st.caption(say(t("Target by target")))
    if answer.cause is not None:
        st.markdown(plain(" ".join(target_texts(answer, language()))))
    frame = targets_frame(answer, language())
    if len(frame):
        boxed(frame)


def _words(remedies: tuple[Remedy, ...]) -> tuple[str, ...]:
    return tuple(remedy.text.render(language()) for remedy in remedies)


def _bullets(texts: tuple[str, ...]) -> None:
    if texts:
        st.markdown("\n".join(f"- {plain(text)}" for text in texts))
