"""Two people saved at once: the second sees both and chooses. No choice, and closing it, loses anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.change import Difference
from core.model.scenario import NAME_CHARS, Scenario
from core.present.diff import summary_text
from core.scenario_diff import scenario_difference
from pages.parts import compared, drafts, keys, saved, state
from pages.parts.errors import or_conflict, show_errors
from pages.parts.speech import heading, language, plain, say

if TYPE_CHECKING:
    from core.store.saved import Saved


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a person wanted to save; `own` as a scenario of its own instead of the next version."""

    name: str
    notes: str
    message: str
    tags: tuple[str, ...]
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A save that was refused because `newer` had come in between; `shown` while the choice is open."""

    wish: Wish
    newer: Saved
    shown: bool = True


def begin(wish: Wish, newer: Saved) -> None:
    """Remember what was to be saved and what came in between, and ask in the next run."""
    st.session_state[keys.CONFLICT] = Conflict(wish=wish, newer=newer)
    st.session_state[keys.SAVE_ROUND] = st.session_state.get(keys.SAVE_ROUND, 0) + 1
    st.rerun()


def ask(answers: Sequence[RunAnswer]) -> None:
    """Draw the choice, or after it was closed the reminder of it; nothing where there is no conflict."""
    held: Conflict | None = st.session_state.get(keys.CONFLICT)
    based = state.held().based
    if held is None:
        return
    if based is None or based.scenario_id != held.newer.id or based.version >= held.newer.version:
        st.session_state.pop(keys.CONFLICT)
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=keys.CONFLICT_LINE):
        st.markdown(f":orange-badge[:material/call_split: {say(t('not saved'))}] {_told(held.newer)}", width="stretch")
        st.button(say(t("Look at both")), key=keys.CONFLICT_OPEN, on_click=_show, args=(True,))
    if held.shown:
        title = say(t("There is a newer version"))
        st.dialog(title, width="large", icon=":material/call_split:", on_dismiss=_dismissed)(_both)(held, answers)


def _told(newer: Saved) -> str:
    based = state.held().based
    if not newer.author:
        return say(
            t(
                'Meanwhile "{name}" was saved as version {version} on {time} UTC; yours goes on from version {mine}',
                mine=based.version if based else newer.version,
                name=newer.name,
                version=newer.version,
                time=f"{newer.saved_at:%Y-%m-%d %H:%M}",
            )
        )
    return say(
        t(
            '{who} saved "{name}" as version {version} on {time} UTC; yours goes on from version {mine}',
            who=newer.author,
            mine=based.version if based else newer.version,
            name=newer.name,
            version=newer.version,
            time=f"{newer.saved_at:%Y-%m-%d %H:%M}",
        )
    )


def _show(shown: bool) -> None:  # noqa: FBT001 - an argument of a callback
    held: Conflict | None = st.session_state.get(keys.CONFLICT)
    if held:
        st.session_state[keys.CONFLICT] = replace(held, shown=shown)


def _dismissed() -> None:
    _show(False)


def _both(held: Conflict, answers: Sequence[RunAnswer]) -> None:
    """Draw the three ways to go on, and below them what either side changed, which may be long."""
    st.markdown(_told(held.newer))
    with show_errors():
        _, theirs = saved.version(held.newer.id, held.newer.version)
        mine = saved.scenario_of(held.wish.name, held.wish.notes, answers, state.ask())
        before = saved.base()
        _choices(held, mine, theirs)
        st.divider()
        left, right = st.columns(2, gap="medium")
        with left:
            heading(t("Theirs, version {version}", version=held.newer.version))
            _side(before, theirs, "theirs", held.newer.message)
        with right:
            heading(t("Yours"))
            _side(before, mine, "mine", held.wish.message)


def _side(before: Scenario | None, after: Scenario, key: str, message: str) -> None:
    if message:
        st.text(message)
    if before is None:
        st.caption(say(t("The version that both began with is no longer there")))
        return
    found = scenario_difference(before, after)
    st.caption(plain(summary_text(found, language())))
    compared.tables(Difference(inputs=found.inputs, answers=found.answers), keys.of(keys.COMPARED, key))


def _choices(held: Conflict, mine: Scenario, theirs: Scenario) -> None:
    if st.session_state.get(keys.CONFLICT) is not held:  # a dialog may run once more after it was answered
        return
    first, second, third = st.columns(3, gap="small")
    with first:
        if st.button(say(t("Save mine on top")), key=keys.CONFLICT_MINE, type="primary", width="stretch"):
            _on_top(held, mine)
        st.caption(say(t("Yours becomes the newest version; theirs stays in the history")))
    with second:
        if st.button(say(t("Keep theirs and open it")), key=keys.CONFLICT_THEIRS, width="stretch"):
            _keep_theirs(held, theirs)
        st.caption(say(t("Yours stays among your unsaved work")))
    with third:
        if st.button(say(t("Save mine as its own")), key=keys.CONFLICT_OWN, width="stretch"):
            _apart(held, mine)
        st.caption(say(t("A second scenario; theirs is not touched")))


def _on_top(held: Conflict, mine: Scenario) -> None:
    wish, newer = held.wish, held.newer
    outcome = or_conflict(
        lambda: saved.store().save(mine, newer.id, based_on=newer.version, message=wish.message, tags=wish.tags)
    )
    if isinstance(outcome, Exception):  # a third one was faster
        begin(wish, outcome.newer)
        return
    _done(outcome, mine)


def _apart(held: Conflict, mine: Scenario) -> None:
    name = say_name(mine.name)
    scenario = replace(mine, name=name)
    _done(saved.store().save(scenario, tags=held.wish.tags), scenario)


def say_name(name: str) -> str:
    """Return a name that tells an own scenario from the one that it came of."""
    own = t("{name} (mine)", name=name).render(language())
    return own if len(own) <= NAME_CHARS else name


def _keep_theirs(held: Conflict, theirs: Scenario) -> None:
    """Open theirs; what was in view stays a draft, and can be brought back by an undo too."""
    newer, mine = held.newer, state.held().draft
    st.session_state.pop(keys.CONFLICT, None)
    drafts.bring_back(mine)
    saved.reopen(theirs, saved.based_on(newer))
    st.toast(say(t("Version {version} is open; yours is among your unsaved work", version=newer.version)))
    st.rerun()


def _done(done: Saved, scenario: Scenario) -> None:
    st.session_state.pop(keys.CONFLICT, None)
    saved.go_on(done, scenario)
    st.toast(say(t('Saved as "{name}", version {version}', name=done.name, version=done.version)))
    st.rerun()
