"""How sure is this tool? The published figures, what they rest on and where it fails."""

from __future__ import annotations

import streamlit as st

from core.fit.edition import edition
from core.fit.method import METHOD
from core.i18n import Text, t
from core.present.accuracy import (
    GROUPS,
    accuracy,
    cell_table,
    meanings,
    method_table,
    set_text,
    set_title,
    versions_text,
    weaknesses,
)
from pages.parts import keys
from pages.parts.drawer import drawer
from pages.parts.speech import language, plain, say
from pages.parts.table import draw_table

ALL, EVERY = "all", "every"


def panel() -> None:
    """Draw the panel, closed until somebody asks."""
    drawer(say(t("How sure is this tool?")), keys.of(keys.SURE, "box"), content, icon=":material/verified:")
    st.caption(plain(versions_text(METHOD, edition(), language())))


def content() -> None:
    """Draw the tables of every set, what they mean, and where the method is weak."""
    found = accuracy()
    if found is None:
        st.markdown(say(t("The published figures did not come with this copy of Plimsoll")))
        return
    st.markdown(say(t("Questions whose answers are known were put to this tool and to simpler methods")))
    names = {ALL: t("methods"), EVERY: t("all methods"), **GROUPS}
    chosen = st.segmented_control(
        say(t("Compare by")),
        list(names),
        default=ALL,
        format_func=lambda name: say(names[name]),
        key=keys.SURE,
        required=True,
    )
    for one in found.sets:
        st.markdown(f"**{plain(set_title(one, language()))}**")
        st.caption(plain(set_text(one, language())))
        frame = (
            method_table(one, language(), every=chosen == EVERY)
            if chosen in (ALL, EVERY, None)
            else cell_table(one, chosen, language())
        )
        draw_table(frame, keys.of(keys.SURE, one.name), set_text(one, language()))
    _list(t("How to read it"), meanings(language()))
    _list(t("Where it fails"), weaknesses(found, language()))
    st.caption(say(t("In full, with the commands that made it: docs/method.md and benchmarks/accuracy/results.md")))


def _list(title: Text, lines: tuple[str, ...]) -> None:
    st.markdown(f"**{say(title)}**")
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
