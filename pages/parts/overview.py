"""Several runs side by side, and the choice of the one that the page goes into."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.compare.compare import Comparison, Verdict
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.present.compare_words import accepted_text, headline
from core.present.comparison import ESTIMATE, RUN, SAFE, UNKNOWN, first_answered, runs_table, unknown_help
from core.present.run_labels import IN_BOX, cut_labels
from pages.parts import keys
from pages.parts.speech import language, plain, say, say_raw
from pages.parts.table import table

RUN_PX, SAFE_PX = 153, 132
"""With the estimate they fit a telephone; where there is room a column takes more."""

LETTER_PX, WIDE_LETTER_PX, PADDING_PX = 7, 13, 20
LINE_PX, ROW_PX, MOST_LINES = 20, 35, 4


def overview(
    answers: Sequence[RunAnswer],
    price: Price | None,
    decision: Sequence[DecisionColumn] = (),
    found: Comparison | None = None,
) -> None:
    """Show one row per run, with the person's own columns: the leader first where one may be named.

    Without a comparison, or where conditions differ or are unknown, no winner is named; a multiple never is.
    """
    ranked = found is not None and found.matrix.is_comparable and bool(found.deciding.chances)
    if found is not None and ranked:
        answers = leader_first(answers, found)
        st.markdown(f"**{plain(headline(found, language()))}**")
    frame = runs_table(answers, language(), price=price, decision=decision)
    widths = {say_raw(RUN): RUN_PX, say_raw(SAFE): SAFE_PX}
    ranges = say_raw(ESTIMATE)
    if ranges in frame:
        widths[ranges] = max(_width(text) for text in (ranges, *frame[ranges].dropna()))
    alt = t("Answers of {count} runs side by side", count=len(answers))
    helps = {say_raw(UNKNOWN): unknown_help(language())}
    table(frame, keys.OVERVIEW, alt, widths=widths, helps=helps, row_height=_row_height(tuple(frame[say_raw(RUN)])))
    if found is not None and ranked:
        stands = accepted_text(found, language())
        if stands:
            st.caption(plain(stands))
    else:
        st.caption(say(t("Different conditions stand side by side here; they are not a ranking")))


def leader_first(answers: Sequence[RunAnswer], found: Comparison) -> tuple[RunAnswer, ...]:
    """Return the answers with the run first that leads; in their own order where none does."""
    standing = found.deciding
    if standing.verdict is not Verdict.LEADS or standing.leader is None:
        return tuple(answers)
    first = found.answers[standing.leader].run.id
    return tuple(sorted(answers, key=lambda answer: answer.run.id != first))


def _row_height(names: Sequence[str]) -> int:
    """Return how high rows must be, in pixels, for the longest name of a run to be read to its end."""
    lines = -(-max(_width(name) - PADDING_PX for name in names) // (RUN_PX - PADDING_PX))
    return ROW_PX + LINE_PX * (min(lines, MOST_LINES) - 1)


def _width(text: str) -> int:
    """Return about how wide a text is in a cell, in pixels; Korean letters are wider than Latin ones."""
    return PADDING_PX + sum(WIDE_LETTER_PX if ord(letter) >= 0x1100 else LETTER_PX for letter in text)


def chosen(answers: Sequence[RunAnswer]) -> RunAnswer:
    """Let the person choose the run to go into, at first one with an answer; the choice survives a change of page."""
    run = chosen_run(tuple(answer.run for answer in answers), first_answered(answers).run)
    return next(answer for answer in answers if answer.run is run)


def chosen_run(runs: Sequence[Run], first: Run | None = None) -> Run:
    """Let the person choose one of the runs, where there are several; `first` stands until then."""
    if len(runs) == 1:
        return runs[0]
    by_id = {run.id: run for run in runs}
    names = cut_labels({run.id: run.label for run in runs}, IN_BOX)
    kept = st.session_state.get(keys.RUN)
    st.session_state[keys.RUN_PICK] = kept if kept in by_id else (first or runs[0]).id
    picked = st.selectbox(
        say(t("Run shown below")),
        tuple(by_id),
        format_func=names.__getitem__,
        key=keys.RUN_PICK,
        on_change=_keep,
    )
    return by_id[picked]


def _keep() -> None:
    st.session_state[keys.RUN] = st.session_state[keys.RUN_PICK]
