"""What memory allows: from a model's config.json, beside what was measured."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import PlimsollError
from core.i18n import t
from core.ingest.raw import Upload
from core.limits.architecture import read_architecture
from core.limits.told import Limits, limits_of, reached
from core.model.answer import RunAnswer
from core.model.run import Run
from core.model.sizing import Sizing
from core.present.memory_figure import memory_figure
from core.present.memory_tables import floors_table, log_table, room_table
from core.present.memory_words import (
    beside,
    copies_text,
    impossible,
    lead,
    others,
    parting_text,
    reached_texts,
    unvouched,
)
from pages.parts import allows_settings, charts, keys, state
from pages.parts import sizing as sizing_kept
from pages.parts.errors import attempt, tell
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table

TITLE = t("What memory allows")
FILES = ("json",)


def panel(answer: RunAnswer) -> None:
    """Draw what memory allows for a run: folded where no model is given, nothing where none can be."""
    run = answer.run
    own = any(run.id == each.id for each in state.runs())
    sizing = run.sizing or Sizing()
    found = limits_of(sizing, run.conditions, answer.capacity.safe)
    if found is None:
        if own:
            with st.expander(say(TITLE), icon=":material/memory:", key=keys.of(keys.ALLOWS, run.id, "closed")):
                _ask(run)
        return
    with st.container(border=True, key=keys.of(keys.ALLOWS, run.id)):
        heading(TITLE)
        if own:
            allows_settings.first(run, found)
        _told(answer, found)
        if own:
            allows_settings.others(run, found)
            key = keys.of(keys.ALLOWS, run.id, "another")
            with st.expander(say(t("Another model")), icon=":material/upload_file:", key=key):
                _ask(run)


def _told(answer: RunAnswer, found: Limits) -> None:
    """Draw the sentence, the bar, what it allows, the floors, the log, and what is unknown."""
    memory, shown = found.memory, language()
    for why in unvouched(memory, shown):
        st.warning(plain(why), icon=":material/rule:")
    st.markdown(f"**{plain(lead(memory, shown))}**")
    for text in (beside(memory, answer, shown), copies_text(memory, shown)):
        if text:
            st.markdown(plain(text))
    for text in impossible(found, [each.target for each in answer.per_target], shown):
        st.warning(plain(text), icon=":material/block:")
    key = keys.of(keys.ALLOWS, answer.run.id, "bar")
    charts.draw(memory_figure(memory, shown, ink=charts.ink()), key, t("The parts of its memory cannot be told"))
    told_under = {"floors": reached_texts(reached(answer.run), shown)}
    parting = parting_text(found.compared, shown)
    frames = (
        (room_table(memory, shown), "room", t("What the memory of {run} allows", run=answer.run.label)),
        (floors_table(found, shown), "floors", t("What {run} cannot be faster than", run=answer.run.label)),
        (log_table(found, shown), "log", t("What was reckoned beside the log of the engine")),
    )
    for frame, name, alt in frames:
        if frame is not None and len(frame):
            table(frame, keys.of(keys.ALLOWS, answer.run.id, name), alt, download=name == "room")
        for text in told_under.get(name, ()):
            st.markdown(plain(text))
    if parting:
        st.warning(plain(parting), icon=":material/rule:")
    for text in others(memory, shown):
        st.caption(plain(text))
    st.caption(say(t("Reckoned from sizes and data sheets, not measured; in the bar hatched parts are reckoned")))


def _ask(run: Run) -> None:
    """Take the file that describes the model."""
    st.markdown(
        say(
            t(
                "Drop the config.json that lies beside the model's weights: it tells how much memory weights and cache "
                "take, how many requests that leaves room for, and what no deployment can be faster than"
            )
        )
    )
    rounds = st.session_state.get(keys.of(keys.ALLOWS_ROUND, run.id), 0)
    key = keys.of(keys.ALLOWS_DROP, run.id, rounds)
    st.file_uploader(
        say(t("config.json of the model")),
        type=FILES,
        key=key,
        on_change=_take,
        args=(run.id, run.conditions.model, key),
    )
    problem: PlimsollError | None = st.session_state.get(keys.of(keys.ALLOWS_PROBLEM, run.id))
    if problem is not None:
        tell(problem)


def _take(run_id: str, model: str | None, key: str) -> None:
    """Read the file; runs of the same model that have none yet get it too."""
    dropped = st.session_state.get(key)
    if dropped is None:
        return
    read = attempt(lambda: read_architecture(Upload(dropped.name, dropped.getvalue())))
    failed = isinstance(read, PlimsollError)
    st.session_state[keys.of(keys.ALLOWS_PROBLEM, run_id)] = read if failed else None
    if isinstance(read, PlimsollError):
        return
    round_key = keys.of(keys.ALLOWS_ROUND, run_id)
    st.session_state[round_key] = st.session_state.get(round_key, 0) + 1
    without = [each for each in state.runs() if each.sizing is None or each.sizing.architecture is None]
    alike = {run_id, *(each.id for each in without if model and each.conditions.model == model)}
    sizing_kept.keep({each: replace(sizing_kept.of(each), architecture=read) for each in alike})
