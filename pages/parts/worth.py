"""What the limits decide: capacity against one of them, and what a looser one is worth."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer, Sensitivity
from core.model.price import Price
from core.present.dated import with_marks
from core.present.names import target_text
from core.present.sensitivity import sensitivity_figure
from core.present.worth import relaxed_table, to_show, worth_texts
from pages.parts import charts, keys
from pages.parts.drawer import drawer
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import download_csv, table


def panel(answer: RunAnswer, found: tuple[Sensitivity, ...], price: Price | None) -> None:
    """Draw the sentence first, then the curve of one target, then the numbers; their file says that `price` is old."""
    heading(t("What a looser limit is worth"))
    one = _choice(answer, found)
    st.markdown(plain(" ".join(worth_texts(answer, found, one, language()))))
    figure = sensitivity_figure(answer, one, language(), ink=charts.ink())
    charts.draw(figure, keys.SENSITIVITY, t("No level tells what this target allows"))
    if any(each.relaxed for each in found):
        name = say(t("Every target relaxed by 10, 20 and 50 per cent"))
        drawer(name, keys.of(keys.RELAXED, "box"), partial(_relaxed, answer, found, price), icon=":material/table:")


def _relaxed(answer: RunAnswer, found: tuple[Sensitivity, ...], price: Price | None) -> None:
    frame = relaxed_table(answer, found, language())
    table(frame, keys.RELAXED, t("What each target is worth when relaxed"))
    marks = charts.marks_of([answer], price) if answer.cost else ()
    download_csv(with_marks(frame, [marks] * len(frame), language()), keys.RELAXED)


def _choice(answer: RunAnswer, found: tuple[Sensitivity, ...]) -> Sensitivity:
    """Let the person choose a target where there are several; the one worth relaxing first comes first."""
    first = to_show(answer, found)
    if len(found) < 2:
        return first
    names = [target_text(one.target, language()) for one in found]
    kept = st.session_state.get(keys.WORTH)
    st.session_state[keys.WORTH_PICK] = kept if kept in names else names[found.index(first)]
    chosen = st.segmented_control(
        say(t("Limit that moves")),
        names,
        format_func=plain,
        key=keys.WORTH_PICK,
        required=True,
        label_visibility="collapsed",
        on_change=_keep,
    )
    return found[names.index(chosen)] if chosen in names else first


def _keep() -> None:
    st.session_state[keys.WORTH] = st.session_state[keys.WORTH_PICK]
