"""What a comparison says: one sentence, its doubt, the multiples with what is accepted, and what to do next."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.compare.compare import Comparison, Verdict
from core.compare.quantity import Quantity
from core.i18n import t
from core.present.compare_how import compare_hows
from core.present.compare_names import QUANTITIES
from core.present.compare_notes import Typed, number_notes
from core.present.compare_table import numbers_table, whole_csv
from core.present.compare_words import accepted_text, headline, multiple_texts, next_step, standing_text, why_text
from core.present.pareto_chart import pareto_notes
from pages.parts import how, keys, today
from pages.parts.drawer import drawer
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import download_csv, plain_table, table

FEW, MOST_IN_VIEW = 5, 20
"""Runs that stand as columns of words; runs whose rows are all in view."""


def sentence(found: Comparison) -> None:
    """Draw the sentence that the page begins with, and what goes with it."""
    st.subheader(plain(headline(found, language())), anchor=False)
    why = why_text(found, found.deciding)
    if why is not None:
        st.markdown(say(why))
    wanted = next_step(found, language())
    if wanted:
        st.markdown(f":material/flag: {plain(wanted)}")
    if found.has_simulated:
        st.caption(say(t("A simulated run is a candidate until a benchmark confirms it")))


def multiples(found: Comparison) -> None:
    """Draw the multiples, each of a named quantity, with what is accepted; nothing where none may be said."""
    if not found.matrix.is_comparable or len(found.answers) < 2:
        return
    if found.multiples:
        heading(t("How many times"))
    for quantity in Quantity:
        said = multiple_texts(found, language(), of=(quantity,))
        if said:
            st.markdown("\n".join(f"* {plain(text)}" for text in said))
    stands = accepted_text(found, language())
    if stands:
        st.caption(plain(stands))
    if not found.multiples:
        return
    st.caption(
        say(
            t(
                "Capacity, money, speed of one user and throughput of the system are different multiples: "
                "none follows from another. In brackets: 90% range"
            )
        )
    )
    st.caption(
        say(
            t(
                "How: the number of one row over that of the other; the range is that of the same quotient over 4,096 "
                "draws, in which doubt that both runs share moves both"
            )
        )
    )


def numbers(found: Comparison, *, typed: Typed = Typed.PAGES) -> None:
    """Draw the runs side by side, in the order of the files, and below them why which number is unknown.

    Args:
        found: what is shown.
        typed: nowhere in a view that is read only.
    """
    frame = numbers_table(found, language())
    upright = frame.set_index(frame.columns[0]).T.rename_axis("").reset_index()
    if len(frame) <= FEW and upright.columns.is_unique:
        plain_table(upright)
    else:
        alt = t("{count} runs under the same targets, one row each", count=len(found.answers))
        table(frame, keys.COMPARE_TABLE, alt, whole=len(frame) <= MOST_IN_VIEW)
    download_csv(partial(whole_csv, found, language(), typed=typed, today=today.day()), keys.COMPARE_TABLE)
    for note in number_notes(found, language(), typed=typed):
        st.caption(plain(note))
    name = say(t("How each number is worked out"))
    drawer(name, keys.of(keys.COMPARE_TABLE, "how"), partial(_hows, found), icon=":material/function:")


def _hows(found: Comparison) -> None:
    how.listed(compare_hows(found, language()))


def each_quantity(found: Comparison) -> None:
    """Draw, folded, who leads in each quantity; they need not agree."""
    asked = [s for s in found.standings if s.verdict in (Verdict.LEADS, Verdict.CANNOT_TELL)]
    if len(asked) < 2:
        return
    with st.expander(say(t("Who leads in what")), icon=":material/leaderboard:"):
        for standing in asked:
            said = plain(standing_text(found, standing, language()))
            st.markdown(f"* **{say(QUANTITIES[standing.quantity])}**: {said}")


def left_out(found: Comparison, *, cost: bool) -> None:
    """Say under a trade-off chart which runs it has no point of, and why it draws no frontier."""
    for note in pareto_notes(found, cost=cost, language=language()):
        st.caption(plain(note))
