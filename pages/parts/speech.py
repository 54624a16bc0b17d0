"""The language in use, and text that Streamlit must not read as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import streamlit as st

from core.i18n import LANGUAGES, Text, best_language, t
from core.letters import seen
from pages.parts import keys

NAMES: Mapping[str, str] = {"en": "English", "ko": "한국어"}
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~$:&^]|(?:(?<=^\d)|(?<=^\d\d)|(?<=^\d\d\d))[.)]|^[-+])")
_AFTER_A_WORD = re.compile(r"(?<!\S)([^\s:]*)\\:(?= )")
"""The colon of "Load: unknown": a space behind it and none before it in its word, so that it neither opens a name nor
ends one. Labels are read aloud as they are written, and an escape would be heard."""

JOINER = "\u2060"
"""Keeps together or apart what a program would part or join, and is not to be seen."""
_ADDRESS = re.compile(r"(https?:(?=//)|www(?=\.))", re.IGNORECASE)
"""Where Markdown sees the address of a page by itself: it looks after the escapes are gone (GFM, 6.9)."""


def language() -> str:
    """Return the language of this session."""
    return str(st.session_state.get(keys.LANGUAGE, "en"))


def start_language(asked: str) -> None:
    """Choose the language of a new session: the address says so, else the browser."""
    st.session_state[keys.LANGUAGE] = asked if asked in LANGUAGES else browser_language()


def browser_language() -> str:
    """Return the shipped language nearest to what the browser asks for."""
    return best_language(st.context.locale)


def say(text: Text) -> str:
    """Return our own sentence in the language in use, safe to show as Markdown.

    Values inside it (file names, model names) come from strangers, so every sign that
    Markdown would act upon is escaped.
    """
    return plain(text.render(language()))


def say_raw(text: Text) -> str:
    """Return the sentence for places that show text as it is (st.text, st.code, alt text, table cells)."""
    return text.render(language())


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    r"""Return text that Markdown shows letter by letter: no link, emoji or formula, nothing unseen.

    >>> print(plain("![x](a/b.png)"))
    !\[x\](a/b.png)
    """
    quiet = _ACTIVE.sub(r"\\\1", _ADDRESS.sub(rf"\1{JOINER}", " ".join(seen(text).split())))
    return _AFTER_A_WORD.sub(r"\1:", quiet)


def heading(text: Text) -> None:
    """Draw the heading of a panel: a real one, so that whoever listens to the page can walk from one to the next."""
    st.markdown(f"#### {say(text)}")


def language_switch() -> None:
    """Draw the switch between the shipped languages."""
    key = keys.LANGUAGE_PICK
    st.session_state[key] = language()
    st.segmented_control(
        say(t("Language")),
        LANGUAGES,
        format_func=lambda code: NAMES[code],
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=_switched,
    )


def _switched() -> None:
    st.session_state[keys.LANGUAGE] = st.session_state[keys.LANGUAGE_PICK]
