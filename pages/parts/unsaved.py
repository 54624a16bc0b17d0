"""Unsaved work of this person: what the server kept of it, to go on with or to put aside."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.i18n import Text, t
from core.present.names import target_text
from core.present.numbers import plain as plain_number
from core.store.draft_list import DraftEntry
from pages.parts import drafts, keys, links, saved, state
from pages.parts.errors import show_errors
from pages.parts.speech import language, plain, say

MOST = 10


class Gone(NamedTuple):
    """The unsaved work that was put aside last."""

    id: str
    name: str


def draw() -> None:
    """Draw the list of unsaved work but for what is in view; nothing where there is none."""
    found = saved.store().drafts.mine(besides=state.held().draft)
    gone: Gone | None = st.session_state.get(keys.DRAFT_GONE)
    if not found and gone is None:
        return
    title = t("Unsaved work ({count})", count=len(found))
    with st.expander(say(title), icon=":material/edit_note:", key=keys.of(keys.DRAFT_CONTINUE, "box")):
        if gone:
            _undo(gone)
        for each in found[:MOST]:
            _line(each)
        if len(found) > MOST:
            st.caption(say(t("and {count} more", count=len(found) - MOST)))


def _line(each: DraftEntry) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None, width="stretch"):
            st.markdown(plain(name_of(each)))
            st.caption(plain(_said(each)))
        if st.button(say(t("Continue")), key=keys.of(keys.DRAFT_CONTINUE, each.id), icon=":material/edit:"):
            drafts.continue_(each.id)
        st.button(
            say(t("Discard")),
            key=keys.of(keys.DRAFT_DISCARD, each.id),
            icon=":material/delete:",
            type="tertiary",
            on_click=_discard,
            args=(each.id, name_of(each)),
        )


def name_of(each: DraftEntry) -> str:
    """Return what unsaved work is of: its runs, else its files."""
    names, count = (each.runs, each.run_count) if each.runs else (each.files, each.file_count)
    more = [t("and {count} more", count=count - len(names)).render(language())] if count > len(names) else []
    return ", ".join([*names, *more]) or t("Files without results").render(language())


def _said(each: DraftEntry) -> str:
    when = t("changed on {time} UTC", time=f"{each.saved_at:%Y-%m-%d %H:%M}")
    parts: list[Text] = [when]
    if each.based_on_name:
        parts.append(t("from {name}, version {number}", name=each.based_on_name, number=each.based_on_version or 1))
    return " · ".join(filter(None, (*(part.render(language()) for part in parts), _asked(each))))


def _asked(each: DraftEntry) -> str:
    """Return what is asked in it: what tells apart work on the same files."""
    asked = links.from_params({name: list(values) for name, values in each.question.items()}, links.Ask())
    told = [target_text(target, language()) for target in asked.targets]
    if asked.amount is not None:
        price = plain_number(asked.amount, language(), digits=6)
        per = t("{price} {currency} per accelerator and hour", price=price, currency=asked.currency)
        whole = t("{price} {currency} per hour", price=price, currency=asked.currency)
        told.append((per if asked.per_accelerator else whole).render(language()))
    if asked.by_run:
        told.append(t("own prices of {count} runs", count=len(asked.by_run)).render(language()))
    return ", ".join(told)


def _discard(name: str, what: str) -> None:
    with show_errors():
        drafts.discard(name)
        st.session_state[keys.DRAFT_GONE] = Gone(name, what)


def _undo(gone: Gone) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(t("Discarded: {name}", name=gone.name)), width="content")
        st.button(
            say(t("Undo")),
            key=keys.DRAFT_UNDO,
            icon=":material/undo:",
            type="tertiary",
            on_click=_bring_back,
            args=(gone.id,),
        )


def _bring_back(name: str) -> None:
    with show_errors():
        drafts.bring_back(name)
        st.session_state.pop(keys.DRAFT_GONE, None)
