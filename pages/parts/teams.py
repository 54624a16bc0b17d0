"""Teams on screen: their members, and for those who manage them the ways to change them."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.person import Role
from core.model.scenario import NAME_CHARS
from core.store.teams import Member, Team
from pages.parts import keys, saved
from pages.parts.errors import show_errors
from pages.parts.speech import plain, say, say_raw


def panel() -> None:
    """Draw the teams that a person may see, and the form for a new one."""
    teams = saved.store().people.teams.list()
    st.caption(say(t("A team gets a role in a scenario as one, and whoever is in it has that role")))
    _undo()
    if not teams:
        st.info(say(t("You are in no team yet. Make one, or ask to be taken into one")))
    for team in teams:
        _team(team)
    with st.form(keys.TEAM_FORM, clear_on_submit=True):
        name = st.text_input(say(t("Name of a new team")), key=keys.TEAM_NAME, max_chars=NAME_CHARS)
        wanted = st.form_submit_button(say(t("Make the team")), key=keys.TEAM_MAKE, icon=":material/group_add:")
    if wanted:
        with show_errors():
            saved.store().people.teams.make(name)
            st.rerun()


def _team(team: Team) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(team.name)}**", width="stretch")
            if team.changeable:
                _rename(team)
                st.button(
                    say(t("Delete the team")),
                    key=keys.of(keys.TEAM_DELETE, team.id),
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_delete,
                    args=(team,),
                )
        for member in team.members:
            _member(team, member)
        if team.changeable:
            _add(team)


def _member(team: Team, member: Member) -> None:
    manages = member.role is Role.OWNER
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(member.email, width="stretch")
        if not team.changeable:
            if manages:
                st.badge(say(t("Manages the team")))
            return
        key = keys.of(keys.MEMBER_MANAGES, team.id, member.email)
        st.session_state[key] = manages
        st.toggle(say(t("Manages the team")), key=key, on_change=_manage, args=(team, member, key))
        st.button(
            say(t("Remove")),
            key=keys.of(keys.MEMBER_DROP, team.id, member.email),
            icon=":material/close:",
            type="tertiary",
            on_click=_drop,
            args=(team, member),
        )


def _add(team: Team) -> None:
    with (
        st.form(keys.of(keys.MEMBER_FORM, team.id), clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        email = st.text_input(
            say(t("E-mail address of a new member")),
            key=keys.of(keys.MEMBER_EMAIL, team.id),
            placeholder="ana@example.com",
        )
        wanted = st.form_submit_button(
            say(t("Add")), key=keys.of(keys.MEMBER_ADD, team.id), icon=":material/person_add:"
        )
    if wanted:
        with show_errors():
            saved.store().people.teams.put(team.id, email)
            st.rerun()


def _rename(team: Team) -> None:
    with st.popover(say(t("Rename")), icon=":material/edit:", type="tertiary", width="content"):
        with st.form(keys.of(keys.TEAM_RENAME, team.id, "form"), border=False):
            name = st.text_input(
                say(t("Name")), team.name, key=keys.of(keys.TEAM_RENAME, team.id), max_chars=NAME_CHARS
            )
            wanted = st.form_submit_button(say(t("Rename")), key=keys.of(keys.TEAM_RENAME, team.id, "do"))
        if wanted:
            with show_errors():
                saved.store().people.teams.rename(team.id, name)
                st.rerun()


def _manage(team: Team, member: Member, key: str) -> None:
    with show_errors():
        role = Role.OWNER if st.session_state[key] else Role.VIEWER
        saved.store().people.teams.put(team.id, member.email, role)


def _drop(team: Team, member: Member) -> None:
    with show_errors():
        saved.store().people.teams.drop(team.id, member.email)
        st.toast(say(t("{name} is not in the team any more", name=member.email)), icon=":material/group_remove:")


def _delete(team: Team) -> None:
    with show_errors():
        saved.store().people.teams.delete(team.id)
        st.session_state[keys.TEAM_GONE] = team


def _undo() -> None:
    team: Team | None = st.session_state.get(keys.TEAM_GONE)
    if team is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.text(say_raw(t('The team "{name}" is deleted', name=team.name)), width="stretch")
        st.button(say(t("Undo")), key=keys.TEAM_UNDO, icon=":material/undo:", on_click=_bring_back, args=(team,))


def _bring_back(team: Team) -> None:
    with show_errors():
        saved.store().people.teams.undelete(team.id)
        st.session_state.pop(keys.TEAM_GONE, None)
