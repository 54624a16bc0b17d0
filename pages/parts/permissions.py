"""Who may do what to one scenario: for its owners to see and to change."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.i18n import t
from core.model.email import email_of
from core.model.person import LOCAL, Role
from core.present.acts import ROLES
from core.store.people import Holder
from core.store.teams import Team
from pages.parts import keys, person, saved
from pages.parts.errors import show_errors
from pages.parts.speech import language, plain, say, say_raw


def permissions(scenario_id: str) -> None:
    """Draw the button that opens who may do what to a scenario; nothing where nobody has to sign in.

    It is for owners: the caller asks for it where the entry's role says so, the store where it does not.
    """
    if not person.asked():
        return
    opened = st.popover(
        say(t("People")),
        icon=":material/group:",
        key=keys.of(keys.RIGHTS, scenario_id),
        on_change="rerun",
        type="tertiary",
        width="content",
    )
    if opened.open:
        with opened, show_errors():
            _panel(scenario_id)


def _panel(scenario_id: str) -> None:
    store = saved.store()
    st.caption(say(t("Viewers read and comment, editors save and share, owners delete and say who may do what")))
    for holder in store.people.who(scenario_id):
        _line(scenario_id, holder)
    _undo(scenario_id)
    _form(scenario_id, _named(store.people.teams.list()))


def _line(scenario_id: str, holder: Holder) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None, width="stretch"):
            # Markdown would make a link of an address, and open a mail on it.
            if holder.email != _name(holder):
                st.markdown(f"**{plain(_name(holder))}**")
            if holder.email:
                st.text(holder.email)
            else:
                st.caption(plain(_about(holder)))
        key = keys.of(keys.RIGHTS_ROLE, scenario_id, holder.kind, holder.subject)
        # What a refused choice left in the widget is put right in every run.
        st.session_state[key] = holder.role
        st.selectbox(
            say(t("Role")),
            list(Role),
            format_func=_called,
            key=key,
            label_visibility="collapsed",
            width=130,
            on_change=_give_again,
            args=(scenario_id, holder, key),
        )
        st.button(
            say(t("Remove")),
            key=keys.of(keys.RIGHTS_TAKE, scenario_id, holder.kind, holder.subject),
            icon=":material/close:",
            type="tertiary",
            on_click=_take,
            args=(scenario_id, holder),
        )


def _name(holder: Holder) -> str:
    return say_raw(t("Saved before signing in")) if holder.subject == LOCAL.id else holder.name


def _about(holder: Holder) -> str:
    if holder.deleted:
        return say_raw(t("This team was deleted: it gives nobody a role"))
    if holder.kind == "team":
        return say_raw(t("Team"))
    if holder.subject == LOCAL.id:
        return say_raw(t("Only administrators see it until they give it to somebody"))
    return say_raw(t("No confirmed e-mail address"))


def _called(role: Role) -> str:
    return ROLES[role].render(language())


def _named(teams: tuple[Team, ...]) -> Mapping[str, Team]:
    """Return teams by what they are called, told apart where two are called the same."""
    names = [team.name for team in teams]
    return {team.name if names.count(team.name) == 1 else f"{team.name} ({team.id[:4]})": team for team in teams}


def _form(scenario_id: str, teams: Mapping[str, Team]) -> None:
    with st.form(keys.of(keys.RIGHTS_FORM, scenario_id), clear_on_submit=True, border=False):
        said = st.selectbox(
            say(t("E-mail address or team")),
            list(teams),
            index=None,
            accept_new_options=True,
            placeholder=say_raw(t("Write an address, or choose a team")),
            key=keys.of(keys.RIGHTS_TO, scenario_id),
        )
        role = st.selectbox(say(t("Role")), list(Role), format_func=_called, key=keys.of(keys.RIGHTS_NEW, scenario_id))
        asked = st.form_submit_button(say(t("Add")), key=keys.of(keys.RIGHTS_ADD, scenario_id), icon=":material/add:")
    if asked and said and role:
        with show_errors():
            kind, subject = ("team", teams[said].id) if said in teams else ("email", email_of(said) or said)
            saved.store().people.give(scenario_id, kind, subject, role)
            st.rerun()


def _give_again(scenario_id: str, holder: Holder, key: str) -> None:
    with show_errors():
        saved.store().people.give(scenario_id, holder.kind, holder.subject, st.session_state[key])


def _take(scenario_id: str, holder: Holder) -> None:
    with show_errors():
        saved.store().people.take(scenario_id, holder.kind, holder.subject)
        st.session_state[keys.RIGHTS_TAKEN] = (scenario_id, holder)


def _undo(scenario_id: str) -> None:
    where, holder = st.session_state.get(keys.RIGHTS_TAKEN, ("", None))
    if where != scenario_id or holder is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(t("{name} has no role any more", name=_name(holder))), width="stretch")
        st.button(
            say(t("Undo")),
            key=keys.of(keys.RIGHTS_UNDO, scenario_id),
            icon=":material/undo:",
            type="tertiary",
            on_click=_give_back,
            args=(scenario_id, holder),
        )


def _give_back(scenario_id: str, holder: Holder) -> None:
    with show_errors():
        saved.store().people.give(scenario_id, holder.kind, holder.subject, holder.role)
        st.session_state.pop(keys.RIGHTS_TAKEN, None)
