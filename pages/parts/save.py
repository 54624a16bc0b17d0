"""Saving what is in view: as a scenario of its own, or as the next version of the one that was opened."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from core.errors import PlimsollError, StoreError
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.person import Role
from core.model.scenario import NAME_CHARS, NOTES_CHARS, Scenario
from core.scenario_diff import scenario_difference
from pages.parts import conflict, keys, person, saved, sharing, standing, state, tagging
from pages.parts.conflict import Wish
from pages.parts.drafts import Based
from pages.parts.errors import attempt, or_conflict, show_errors
from pages.parts.speech import heading, say

MESSAGE_CHARS = 500
NEXT, OWN = "next", "own"


class Kept(NamedTuple):
    """What this session saved last; `new` is False where it had been saved already."""

    id: str
    name: str
    version: int
    new: bool = True


@dataclass(frozen=True, slots=True)
class _Seeded:
    """For which version the form was filled; None before anything was opened or saved."""

    based: Based | None


def popover(answers: Sequence[RunAnswer]) -> None:
    """Draw the button that opens the form; where everything is saved, sending it comes first."""
    based = state.held().based
    _seed(based)
    # A popover of another key starts closed: one left open would lie on top of the choice between two versions.
    key = keys.of(keys.SAVE_OPEN, st.session_state.get(keys.SAVE_ROUND, 0))
    with (
        st.container(key=keys.SAVE_OPEN, width="content"),
        st.popover(say(t("Save and share")), icon=":material/bookmark_add:", key=key),
    ):
        if based is None or saved.base() is None or not _may_go_on(based):
            standing.changes()
            _ask(based, answers)
        elif _all_saved():
            _send(based)
            # Another version, another key: what was unfolded for the version before is folded again.
            again = keys.of(keys.SAVED, "again", based.version)
            with st.expander(say(t("Save again, or as a copy")), icon=":material/bookmark_add:", key=again):
                _ask(based, answers)
        else:
            standing.changes()
            _ask(based, answers)
            send = t("Send version {version} as a link", version=based.version)  # what was changed is not in it
            with (
                st.expander(say(send), icon=":material/link:", key=keys.of(keys.SAVED, "link")),
                show_errors(),
            ):
                sharing.panel(based.scenario_id, based.version)


def _ask(based: Based | None, answers: Sequence[RunAnswer]) -> None:
    """Draw the form, and save where that was asked for."""
    wish = _form(based)
    if wish:
        with show_errors():
            _save(wish, answers)
    last = _last(based) if based else None
    if last and not last.new and _all_saved():
        said = t('Nothing has changed since version {version} of "{name}"', name=last.name, version=last.version)
        st.info(say(said), icon=":material/check:")


def _seed(based: Based | None) -> None:
    """Fill the form with what is known of the version that the session goes on from, whenever that is another one."""
    if st.session_state.get(keys.SAVE_SEEDED) == _Seeded(based):
        return
    first = keys.SAVE_SEEDED not in st.session_state and based is None
    st.session_state[keys.SAVE_SEEDED] = _Seeded(based)
    if first:
        return
    name, notes = (based.name if based else ""), ""
    tags: tuple[str, ...] = ()
    found = saved.base()
    if based and found:
        notes = found.notes
        with suppress(StoreError):
            entry = saved.store().entry(based.scenario_id)
            name, tags = entry.name, entry.tags
    st.session_state[keys.SAVE_NAME] = name
    st.session_state[keys.SAVE_NOTES] = notes
    st.session_state[keys.SAVE_TAGS] = list(tags)
    st.session_state[keys.SAVE_AS] = NEXT if based is None or _may_go_on(based) else OWN
    st.session_state[keys.SAVE_MESSAGE] = ""


def _form(based: Based | None) -> Wish | None:
    """Draw the form and return what was asked for, None until it was."""
    given_up = False
    with st.form(keys.of(keys.SAVE, "form"), border=False):
        own = based is None or not _may_go_on(based)
        if based and own:
            given_up = st.session_state.get(keys.SAVE_AS) == NEXT
            said = t("You may not save versions of {name}; what you save is a scenario of your own", name=based.name)
            st.caption(say(said))
        elif based:
            own = _as(based) == OWN
        name = st.text_input(say(t("Name")), key=keys.SAVE_NAME, max_chars=NAME_CHARS, persist_state="session")
        message = ""
        if based:
            message = st.text_input(
                say(t("What changed (optional)")),
                key=keys.SAVE_MESSAGE,
                max_chars=MESSAGE_CHARS,
                persist_state="session",
            )
        tags = tagging.picker(keys.SAVE_TAGS, st.session_state.get(keys.SAVE_TAGS, ()))
        notes = st.text_area(
            say(t("Notes (optional)")), key=keys.SAVE_NOTES, max_chars=NOTES_CHARS, persist_state="session"
        )
        wanted = st.form_submit_button(say(t("Save")), key=keys.SAVE, type="primary")
    if given_up:
        # It may have been asked for as the next version: nothing is saved as something else unasked.
        st.session_state[keys.SAVE_AS] = OWN
        if wanted:
            st.warning(say(t("Nothing was saved. Save again to keep yours as a scenario of your own")))
            return None
    return Wish(name=name, notes=notes, message=message, tags=tuple(tags), own=own) if wanted else None


def _may_go_on(based: Based) -> bool:
    """Return True where this person may save the next version of what was opened, as far as is known."""
    if not person.asked():
        return True
    found = attempt(lambda: saved.store().entry(based.scenario_id))
    if isinstance(found, PlimsollError):
        return found.code != "store.not_found"
    return found.role.covers(Role.EDITOR)


def _as(based: Based) -> str:
    names = {
        NEXT: say(t("Next version of {name}", name=based.name)),
        OWN: say(t("A scenario of its own")),
    }
    return str(
        st.radio(
            say(t("Save as")),
            (NEXT, OWN),
            format_func=names.__getitem__,
            key=keys.SAVE_AS,
            label_visibility="collapsed",
            persist_state="session",
        )
    )


def _save(wish: Wish, answers: Sequence[RunAnswer]) -> None:
    """Save; where somebody saved in between, that is said and nothing is saved."""
    store, held = saved.store(), state.held()
    based = held.based
    scenario = saved.scenario_of(wish.name, wish.notes, answers, state.ask())
    if based is None or wish.own:
        done = store.save(scenario, tags=wish.tags, copied=held.copied if held.opened else None)
    elif _nothing_new(scenario):
        store.tag(based.scenario_id, wish.tags)
        _finish(Kept(based.scenario_id, based.name, based.version, new=False))
        return
    else:
        outcome = or_conflict(
            lambda: store.save(
                scenario, based.scenario_id, based_on=based.version, message=wish.message, tags=wish.tags
            )
        )
        if isinstance(outcome, Exception):
            conflict.begin(wish, outcome.newer)
            return
        done = outcome
    saved.go_on(done, scenario)
    _finish(Kept(done.id, done.name, done.version))


def _nothing_new(scenario: Scenario) -> bool:
    """Return True where the version that the session goes on from says the very same: a second click saves nothing."""
    before = saved.base()
    return before is not None and scenario_difference(before, scenario).empty


def _finish(kept: Kept) -> None:
    st.session_state[keys.SAVED] = kept
    st.rerun()


def _all_saved() -> bool:
    since = saved.unsaved()
    return since is not None and since.empty


def _send(based: Based) -> None:
    """Say that everything is saved, and lead with what comes next: a link to it."""
    last = _last(based)
    if last and last.new:
        said = t('Saved as "{name}", version {version}', name=last.name, version=last.version)
        st.success(say(said), icon=":material/check:")
    else:
        standing.changes()
    heading(t("Send it as a link"))
    with show_errors():
        sharing.panel(based.scenario_id, based.version)


def _last(based: Based) -> Kept | None:
    """Return what this session saved last, where that is what it goes on from."""
    last: Kept | None = st.session_state.get(keys.SAVED)
    return last if last and (last.id, last.version) == (based.scenario_id, based.version) else None
