"""One saved scenario: its numbers as they were saved, its versions, and what others may do with it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.i18n import Text, t
from core.model.person import Role
from core.model.scenario import NAME_CHARS, Scenario
from core.present.report.memo_parts import SavedAs
from core.store.saved import Entry, Saved
from pages.parts import (
    branding,
    comments,
    downloads,
    keys,
    originals,
    permissions,
    saved,
    scenario_acts,
    scenario_list,
    scenario_versions,
    sharing,
    state,
    tagging,
    today,
    version_view,
)
from pages.parts.downloads import Parcel
from pages.parts.errors import show_errors
from pages.parts.speech import plain, say

NUMBERS, VERSIONS, LINKS, COMMENTS = "numbers", "versions", "links", "comments"
_PARTS: Mapping[str, Text] = {
    NUMBERS: t("Numbers as saved"),
    VERSIONS: t("Versions"),
    LINKS: t("Links"),
    COMMENTS: t("Comments"),
}
_ICONS = {NUMBERS: "sailing", VERSIONS: "history", LINKS: "link", COMMENTS: "chat"}


def draw(scenario_id: str) -> None:
    """Draw one scenario: the version that the address names, else the newest."""
    st.button(
        say(t("All scenarios")),
        key=keys.SCENARIO_BACK,
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=scenario_acts.leave,
    )
    entry = saved.store().entry(scenario_id)
    version = _asked(entry)
    found: tuple[Saved, Scenario] | None = None
    with show_errors():
        found = saved.version(entry.id, version)
    _head(entry, found)
    part = _part()
    _place(entry, version, part)
    with show_errors():
        _draw_part(part, entry, version, found)


def _draw_part(part: str, entry: Entry, version: int, found: tuple[Saved, Scenario] | None) -> None:
    match part:
        case "versions":
            scenario_versions.draw(entry, version)
        case "links":
            sharing.panel(entry.id, version)
        case "comments":
            comments.panel(entry.id, version)
        case _:
            if found:
                if st.session_state.get(keys.ANEW) == (entry.id, version):
                    version_view.anew(found[1])
                version_view.draw(*found)
                if entry.role.covers(Role.EDITOR):
                    originals.panel(found[0])


def _asked(entry: Entry) -> int:
    number = st.query_params.get(keys.Q_VERSION, "")
    known = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= entry.latest
    return int(number) if known else entry.latest


def _place(entry: Entry, version: int, part: str) -> None:
    state.place(
        {
            keys.Q_SCENARIO: [entry.id],
            keys.Q_VERSION: [str(version)] if version != entry.latest else [],
            keys.Q_TAB: [part] if part != NUMBERS else [],
        }
    )


def _head(entry: Entry, found: tuple[Saved, Scenario] | None) -> None:
    """Draw what the scenario is called, which version this is, and what can be done with it."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            st.subheader(plain(entry.name), anchor=False, width="content")
            scenario_list.badges(entry)
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            if found:
                _go_on(*found)
                _documents(*found)
            if entry.role.covers(Role.EDITOR):
                _rename(entry)
            if entry.role.covers(Role.OWNER):
                permissions.permissions(entry.id)
            scenario_acts.menu(entry)
    st.caption(plain(scenario_list.meta(entry)))
    if found and found[0].version != entry.latest:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            number, newest = found[0].version, entry.latest
            said = t(
                "This is version {number}, as saved on {time} UTC; version {newest} is the newest",
                number=number,
                time=f"{found[0].saved_at:%Y-%m-%d %H:%M}",
                newest=newest,
            )
            st.markdown(say(said), width="stretch")
            st.button(
                say(t("Show the newest")),
                key=keys.of(keys.VERSION_OPEN, "newest"),
                on_click=scenario_acts.open_,
                args=(entry.id,),
            )


def _documents(done: Saved, scenario: Scenario) -> None:
    """Offer this version as documents; a link stands on them where the Report page puts one."""
    if scenario.answers:
        as_saved = SavedAs(when=done.saved_at, version=done.version, read_on=today.day())
        downloads.popover(Parcel(scenario=scenario, saved=as_saved, link=None, brand=branding.own()))


def _go_on(done: Saved, scenario: Scenario) -> None:
    if st.button(say(t("Go on from here")), key=keys.GO_ON, icon=":material/edit:", type="primary"):
        saved.reopen(scenario, saved.based_on(done))
        st.switch_page("pages/plan.py")
    here = (done.id, done.version)
    shown = st.session_state.get(keys.ANEW) == here
    st.button(
        say(t("Hide today's numbers")) if shown else say(t("Answer anew")),
        key=keys.ANSWER_ANEW,
        icon=":material/calculate:",
        help=say(t("Shows what today's method answers beside what was saved; nothing is changed")),
        on_click=_turn,
        args=(None if shown else here,),
    )


def _turn(shown: tuple[str, int] | None) -> None:
    st.session_state[keys.ANEW] = shown
    st.query_params.pop(keys.Q_TAB, None)
    st.session_state[keys.SCENARIO_PART] = NUMBERS


def _rename(entry: Entry) -> None:
    with (
        st.popover(
            say(t("Name and tags")), icon=":material/sell:", key=keys.of(keys.SCENARIO_EDIT, "open"), type="tertiary"
        ),
        st.form(keys.of(keys.SCENARIO_EDIT, entry.id), border=False),
    ):
        name = st.text_input(
            say(t("Name")), value=entry.name, key=keys.of(keys.SCENARIO_NAME, entry.id), max_chars=NAME_CHARS
        )
        key = keys.of(keys.SCENARIO_TAGS, entry.id)
        st.session_state.setdefault(key, list(entry.tags))
        tags = tagging.picker(key, (*entry.tags, *st.session_state[key]))
        if st.form_submit_button(say(t("Save")), key=keys.of(keys.SCENARIO_EDIT, "go"), type="primary"):
            with show_errors():
                store = saved.store()
                if name != entry.name:
                    store.rename(entry.id, name)
                if tuple(tags) != entry.tags:
                    store.tag(entry.id, tags)
                st.rerun()


def _part() -> str:
    """Let the person choose what to see of the scenario; the address says it too."""
    asked = st.query_params.get(keys.Q_TAB, "")
    if keys.SCENARIO_PART not in st.session_state:
        st.session_state[keys.SCENARIO_PART] = asked if asked in _PARTS else NUMBERS
    return str(
        st.segmented_control(
            say(t("What to see")),
            tuple(_PARTS),
            format_func=lambda each: f":material/{_ICONS[each]}: {say(_PARTS[each])}",
            key=keys.SCENARIO_PART,
            required=True,
            label_visibility="collapsed",
        )
    )
