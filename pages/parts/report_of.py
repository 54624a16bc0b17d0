"""What the Report page sends: the saved version in view where nothing was changed since, else what is in view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.person import Role
from core.model.redaction import without_prices
from core.model.scenario import NAME_CHARS, Scenario
from core.present.report.memo_parts import SavedAs
from core.store.shares import Share
from pages.parts import branding, downloads, keys, saved, sharing, state, today
from pages.parts.downloads import Parcel
from pages.parts.speech import language, plain, say

PAPERS = {"a4": "A4", "us-letter": "US Letter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """The saved version in view."""

    scenario: Scenario
    saved: SavedAs
    links: tuple[Share, ...]


def editor(answers: Sequence[RunAnswer]) -> Parcel:
    """Draw what can be chosen for the documents, and return what they are made of."""
    version = _version()
    if version is None:
        st.caption(say(t("Not saved yet: the documents say so, and have no link. Save it first to put one on them")))
        base = saved.base()
        start = base.name if base else t("Capacity plan").render(language())
        typed = st.text_input(say(t("Title")), start, max_chars=NAME_CHARS, key=keys.REPORT_NAME)
        notes = base.notes if base else ""
        scenario = saved.scenario_of(typed if typed.strip() else start, notes, answers, state.ask())
        as_saved = SavedAs(read_on=today.day())
    else:
        scenario, as_saved = version.scenario, version.saved
        st.caption(say(t("Saved as {name}, version {version}", name=scenario.name, version=as_saved.version or 1)))
    words = downloads.language_choice(keys.REPORT_LANGUAGE)
    paper = st.radio(
        say(t("Paper")), list(PAPERS), format_func=PAPERS.__getitem__, horizontal=True, key=keys.REPORT_PAPER
    )
    hidden = scenario.price is not None and st.checkbox(say(t("Hide prices and costs")), key=keys.REPORT_HIDE)
    return Parcel(
        scenario=without_prices(scenario) if hidden else scenario,
        saved=as_saved,
        link=_link(version.links, hidden=hidden if scenario.price else None) if version else None,
        words=words,
        brand=branding.own(),
        paper=str(paper),
        prices_hidden=hidden,
    )


def _version() -> _Version | None:
    """Return the version that the session goes on from, None where there is none or something was changed."""
    based, base, changed = state.held().based, saved.base(), saved.unsaved()
    if based is None or base is None or changed is None or not changed.empty:
        return None
    entry, scenario = saved.version(based.scenario_id, based.version)
    may_link = saved.store().entry(based.scenario_id).role.covers(Role.EDITOR)
    links = sharing.live(based.scenario_id) if may_link else ()
    return _Version(
        scenario=scenario,
        saved=SavedAs(when=entry.saved_at, version=entry.version, read_on=today.day()),
        links=tuple(link for link in links if link.version == based.version),
    )


def _link(links: Sequence[Share], *, hidden: bool | None) -> str | None:
    """Draw the choice of the link that stands on the documents, and return it.

    By itself only one is chosen that shows what they show; `hidden` says whether they hide prices, None that there are
    none.
    """
    if not links:
        st.caption(
            say(
                t(
                    "There is no link to this version yet. Make one under Save and share at the top of this page, "
                    "and it stands on the memo"
                )
            )
        )
        return None
    names = {"": say(t("None"))} | {link.token: _name(link) for link in links}
    first = next((link.token for link in links if hidden is None or link.hide_prices is hidden), "")
    chosen = st.selectbox(
        say(t("Link on the documents")),
        list(names),
        list(names).index(first),
        format_func=names.__getitem__,
        # Another field for documents of the other kind: what was chosen for these is not carried over to those.
        key=keys.of(keys.REPORT_LINK, hidden),
    )
    if not first and not chosen:
        every = t("Every link to this version shows prices: none was chosen by itself")
        none = t("Every link to this version hides prices: none was chosen by itself")
        st.caption(say(every if hidden else none))
    return saved.link(chosen) if chosen else None


def _name(link: Share) -> str:
    """Return what tells a link apart, never its token."""
    made = f"{link.created_at:%Y-%m-%d}"
    hidden = say(t("prices hidden")) if link.hide_prices else say(t("with prices"))
    return " · ".join(part for part in (plain(link.label), hidden, made) if part)
