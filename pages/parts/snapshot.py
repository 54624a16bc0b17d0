"""A saved scenario as it was saved: its numbers are shown, not computed again, unless a reader tries other limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.compare.compare import Comparison
from core.fit.method import METHOD
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.compare_notes import hidden_note
from core.present.compare_scenario import comparison_of
from core.present.report.memo_parts import SavedAs
from core.store.saved import Saved
from core.store.shares import Shared
from pages.parts import (
    assumed,
    bill,
    branding,
    charts,
    downloads,
    fork,
    own_answer,
    saved,
    snapshot_asked,
    today,
    trying,
    view,
)
from pages.parts.answers import fit_of, worth_of
from pages.parts.downloads import Parcel
from pages.parts.overview import chosen, overview
from pages.parts.sentence import sentence
from pages.parts.speech import heading, plain, say
from pages.parts.support import support

WIDE = (3, 1.05)


def show(shared: Shared) -> None:
    """Draw a scenario for reading: what can be done is to look at it another way, and to make an own copy."""
    scenario, hidden = shared.scenario, shared.share.hide_prices
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.badge(say(t("Shared view")), icon=":material/visibility:")
            st.subheader(plain(scenario.name), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            _documents(shared)
            fork.button(shared)
    fork.sign_in_first()
    if not scenario.answers:
        st.info(say(t("No run was saved with this scenario")))
        return
    answers = trying.answered(scenario)
    seen = replace(trying.asked(scenario), answers=answers)
    compared = comparison_of(seen)
    left, right = st.columns(WIDE, gap="medium")
    with left:
        answer = _answers(answers, scenario, compared, hidden=hidden)
    with right:
        _beside(answer, scenario, hidden=hidden)
    explored = view.tried() is not None
    found = worth_of(answer, scenario.price) if explored else answer.sensitivity
    support(answer, fit_of(answer.run), found, scenario.price, saved=not explored)
    snapshot_asked.compared(compared, seen, hidden=hidden)
    snapshot_asked.fleet(answer, seen, hidden=hidden)
    assumed.decision(scenario)
    if not explored:
        written(shared.saved, scenario)
    view.keep(shared.share.token, scenario, answer)


def _documents(shared: Shared) -> None:
    """Offer what the link shows as documents; prices that it hides are in none of them."""
    if shared.scenario.answers:
        downloads.popover(
            Parcel(
                scenario=shared.scenario,
                saved=SavedAs(when=shared.saved.saved_at, version=shared.saved.version, read_on=today.day()),
                link=saved.link(shared.share.token),
                brand=branding.own(),
                prices_hidden=shared.share.hide_prices,
            ),
            exploring=view.tried() is not None,
        )


def _answers(
    answers: Sequence[RunAnswer], scenario: Scenario, compared: Comparison | None, *, hidden: bool
) -> RunAnswer:
    """Draw what leads, and return the answer that the rest of the page goes into."""
    if len(answers) > 1:
        overview(answers, scenario.price, scenario.decision, compared)
        note = hidden_note(compared) if hidden and compared else None
        if note is not None:
            st.caption(say(note))
    answer = chosen(answers)
    trying.note(scenario, answer)
    sentence(answer, scenario.price, scenario.think_time_s, scenario.demand, fleet=scenario.fleet, prices_hidden=hidden)
    with st.container(border=True):
        charts.leading(answer, fit_of(answer.run), tuple(each.target for each in answer.per_target))
    own_answer.panel(answer)
    if not hidden:
        bill.figures(answer, scenario.price, scenario.think_time_s)
    if scenario.notes:
        with st.container(border=True):
            heading(t("Notes"))
            st.text(scenario.notes)
    return answer


def _beside(answer: RunAnswer, scenario: Scenario, *, hidden: bool) -> None:
    if scenario.targets:
        with st.container(border=True):
            trying.editor(scenario)
    with st.container(border=True):
        assumed.panel(trying.asked(scenario), answer.run, prices_hidden=hidden)


def written(entry: Saved, scenario: Scenario) -> None:
    """Say when the numbers are from, and where a curve beside them is not."""
    known = (scenario.method_version, scenario.constants_version)
    st.caption(
        say(
            t(
                "Numbers as saved on {date} by Plimsoll {version}, method {method}",
                date=f"{entry.saved_at:%Y-%m-%d}",
                version=scenario.app_version,
                method=" · ".join(part for part in known if part),
            )
        )
    )
    if scenario.method_version != METHOD:
        st.caption(
            say(
                t("The curves of the charts are drawn with method {method}; the numbers are those saved", method=METHOD)
            )
        )
