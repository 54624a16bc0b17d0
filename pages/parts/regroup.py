"""Which levels are one run: what is doubtful is asked, and a person may merge, split, rename and leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.edits import Piece, pieces_of
from core.i18n import t
from core.model.run import Run
from core.model.stage import Stage
from core.normalise.doubts import GroupingDoubt, chosen
from core.normalise.partings import Parting, Way
from core.normalise.regrouping import Act, Regrouping, Step, renamed
from core.present.changes import BY, changes_of
from core.present.grouping import alike, asked_of, question, reading_table, reading_title, why
from core.present.numbers import concurrency
from core.present.run_labels import IN_BOX, cut_labels
from pages.parts import keys, state
from pages.parts.speech import language, plain, say, say_raw

ASKED_AT_ONCE = 2
"""Questions in view; the others are one click away."""

LONGEST_NAME, LONGEST_REASON = 90, 160


def questions() -> None:
    """Ask what is doubtful, each reading beside the other, with one click to choose."""
    open_ones = [same for same in alike(state.held().doubts) if not all(doubt.settled for doubt in same)]
    for same in open_ones[:ASKED_AT_ONCE]:
        _question(same)
    if len(open_ones) > ASKED_AT_ONCE:
        rest = open_ones[ASKED_AT_ONCE:]
        more = t("1 more question about runs") if len(rest) == 1 else t("{n} more questions about runs", n=len(rest))
        with st.expander(say(more), icon=":material/help:"):
            for same in rest:
                _question(same)


def actions(run: Run) -> None:
    """Offer what can be done with one run, a click each."""
    from_files = state.has_files(run.id)
    with st.container(horizontal=True):
        with st.popover(say(t("Rename")), icon=":material/edit:"):
            _rename(run)
        if from_files:
            others = [each for each in state.runs() if _fits(run, each)]
            if others:
                with st.popover(say(t("Put together")), icon=":material/call_merge:"):
                    _merge(run, others)
            with st.popover(say(t("Split")), icon=":material/call_split:"):
                _split(run)
        with st.popover(say(t("Leave out")), icon=":material/block:"):
            _leave_out(run)


def changes() -> None:
    """List what was changed by hand, each with the way to take it back alone."""
    held = state.held()
    found = changes_of(held.decided, held.shown, held.members, held.doubts, language())
    if not found:
        return
    title = t("1 change by hand") if len(found) == 1 else t("{count} changes by hand", count=len(found))
    with st.expander(say(title), icon=":material/edit_note:", expanded=True):
        for i, change in enumerate(found):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(plain(change.text), width="content")
                st.button(
                    say(t("Take back")),
                    key=keys.of(keys.TAKE_BACK, i),
                    type="tertiary",
                    icon=":material/undo:",
                    on_click=state.decide,
                    args=(change.without,),
                )


def _question(same: Sequence[GroupingDoubt]) -> None:
    doubt = same[0]
    with st.container(border=True):
        st.markdown(f":material/help: **{plain(question(doubt, language()))}**")
        asked = (why(doubt, language(), same), asked_of(same, state.held().doubts, language()))
        st.caption(" ".join(plain(text) for text in asked if text))
        for i, column in enumerate(st.columns(len(doubt.readings), gap="medium")):
            with column:
                taken = doubt.chosen == i
                badge = f" :gray-badge[{say(t('as it is read now'))}]" if taken else ""
                st.markdown(f"**{plain(reading_title(doubt, i, language()))}**{badge}")
                st.button(
                    say(t("Keep it so") if taken else t("Read it so")),
                    key=keys.of(keys.READING, doubt.id, i),
                    icon=":material/check:",
                    on_click=_choose,
                    args=(tuple(same), i),
                )
                frame = reading_table(same, i, language()).map(plain).rename(columns=plain)
                st.table(frame.set_index(frame.columns[0]))


def _choose(same: tuple[GroupingDoubt, ...], reading: int) -> None:
    decided = state.held().decided
    for doubt in same:
        decided = chosen(decided, doubt, reading)
    state.decide(decided)


def _rename(run: Run) -> None:
    with st.form(keys.of(keys.RENAME, run.id), border=False):
        name = st.text_input(
            say(t("Name of the run")), value=run.label, max_chars=LONGEST_NAME, key=keys.of(keys.RENAME_TO, run.id)
        )
        wanted = st.form_submit_button(say(t("Rename")), key=keys.of(keys.RENAME, run.id, "go"))
    if wanted and name.strip() != run.label:
        state.decide(renamed(state.held().decided, state.levels_of(run.id), name))
        st.rerun()


def _merge(run: Run, others: Sequence[Run]) -> None:
    labels = {each.id: each.label for each in others}
    names = cut_labels(labels, IN_BOX)
    with st.form(keys.of(keys.MERGE, run.id), border=False):
        picked = st.multiselect(
            say(t("Make one run of this one and")),
            tuple(labels),
            format_func=names.__getitem__,
            key=keys.of(keys.MERGE_WITH, run.id),
            placeholder=say_raw(t("Choose runs")),
        )
        wanted = st.form_submit_button(say(t("Put together")), key=keys.of(keys.MERGE, run.id, "go"))
    if wanted and picked:
        levels = {key for each in (run.id, *picked) for key in state.levels_of(each)}
        of = (run.label, *(labels[each] for each in picked))
        _add(Step(act=Act.MERGE, levels=tuple(sorted(levels)), of=of))


def _split(run: Run) -> None:
    ways = state.held().ways.get(run.id, ())
    if ways:
        with st.form(keys.of(keys.SPLIT, run.id), border=False):
            way = st.radio(say(t("Split this run")), ways, format_func=_way_text, key=keys.of(keys.SPLIT_BY, run.id))
            wanted = st.form_submit_button(say(t("Split")), key=keys.of(keys.SPLIT, run.id, "go"))
        if wanted and way is not None:
            _add(Step(act=Act.SPLIT, levels=state.levels_of(run.id), by=way.by, setting=way.setting))
    if len(run.stages) > 1:
        _take_apart(run)
    elif not ways:
        st.caption(say(t("A run of one level cannot be split")))


def _take_apart(run: Run) -> None:
    members = state.held().members[run.id]
    with st.form(keys.of(keys.APART, run.id), border=False):
        picked = st.multiselect(
            say(t("Or make a run of its own of these levels")),
            range(len(run.stages)),
            format_func=lambda i: stage_text(run.stages[i]),
            key=keys.of(keys.APART_LEVELS, run.id),
            placeholder=say_raw(t("Choose levels")),
        )
        wanted = st.form_submit_button(say(t("Take apart")), key=keys.of(keys.APART, run.id, "go"))
    if wanted and 0 < len(picked) < len(run.stages):
        levels = sorted(key for i in picked for key in members[i])
        _add(Step(act=Act.SPLIT, levels=tuple(levels), by=Parting.CHOSEN))


def _leave_out(run: Run) -> None:
    pieces = {piece.name: piece for piece in pieces_of(run, state.held().members[run.id])}
    with st.form(keys.of(keys.EXCLUDE, run.id), border=False, clear_on_submit=True):
        what = st.selectbox(
            say(t("What to leave out")),
            tuple(pieces),
            format_func=lambda name: _piece_text(run, pieces[name]),
            key=keys.of(keys.EXCLUDE_LEVEL, run.id),
            index=None,
            placeholder=say_raw(t("A level, a file or the whole run")),
        )
        why_so = st.text_input(
            say(t("Reason")),
            key=keys.of(keys.EXCLUDE_WHY, run.id),
            max_chars=LONGEST_REASON,
            help=say(t("It is kept and shown wherever the answer is")),
        )
        wanted = st.form_submit_button(say(t("Leave out")), key=keys.of(keys.EXCLUDE, run.id, "go"))
    if wanted and what is not None and why_so.strip():
        state.keep_out(pieces[what].keys, why_so)
        st.rerun()
    if wanted:
        st.caption(say(t("Choose what to leave out and give a reason: both are shown with the answer")))


def _piece_text(run: Run, piece: Piece) -> str:
    if piece.stage is not None:
        return say_raw(t("Level {level}", level=stage_text(run.stages[piece.stage])))
    return say_raw(t("All levels of {file}", file=piece.file) if piece.file else t("The whole run"))


def stage_text(stage: Stage) -> str:
    """Return a level by its load, with its file where it was kept out or measured apart."""
    load = "?" if stage.load is None else concurrency(stage.load, language(), decimals=1)
    return f"{load} ({stage.where.file})" if stage.where.file else load


def _way_text(way: Way) -> str:
    how = t("by {setting}", setting=way.setting.replace("_", " ")) if way.setting else BY[way.by]
    return say(t("{how}: {count} runs", how=how, count=way.parts))


def _fits(run: Run, other: Run) -> bool:
    return other.id != run.id and other.kind is run.kind and state.has_files(other.id)


def _add(step: Step) -> None:
    decided: Regrouping = state.held().decided
    state.decide(replace(decided, steps=(*decided.steps, step)))
    st.rerun()
