"""A change before and after: the preset that walks target, profile, layer changed, remeasured, verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.compare.measures import Measure
from core.compare.study import studied
from core.errors import UsageError
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.compared import Layer, Study
from core.present.compare_names import LAYERS
from core.present.run_labels import IN_COLUMN, cut_labels
from core.present.study import (
    changed_text,
    disturbing_text,
    evidence_table,
    origin_table,
    step_text,
    verdict_text,
    walk,
)
from pages.parts import keys, state
from pages.parts.errors import attempt
from pages.parts.links import Ask
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table


def panel(answers: Sequence[RunAnswer], ask: Ask) -> None:
    """Draw the study of two runs, where the person made one; else the way to it."""
    heading(t("Before and after a change"))
    if len(answers) < 2:
        st.caption(say(t("A change is judged on two runs: add the files of the other one")))
        return
    study = ask.compared.study
    if study is None:
        st.caption(say(t("Walks from the target over the profile and the layer changed to the verdict")))
        st.button(
            say(t("Study a change")),
            key=keys.STUDY,
            icon=":material/compare_arrows:",
            on_click=_begin,
            args=(answers[0].run.id, answers[1].run.id),
        )
        return
    before, after = _pair(answers, study)
    _choices(answers, study, before, after)
    found = studied(before, after, study, ask.price, ask.compared.accepted)
    st.markdown(f"**{plain(verdict_text(found, language()))}**")
    step = step_text(found, language())
    if step:
        st.markdown(f":material/flag: {plain(step)}")
    for number, (name, said) in enumerate(walk(found, language()), start=1):
        st.markdown(f"{number}. **{plain(name)}**: {plain(said)}")
    for note in (changed_text(found, language()), disturbing_text(found, language())):
        if note:
            st.caption(plain(note))
    alt = t("Measures before and after the change, with the change and its range")
    table(evidence_table(found, language()), keys.STUDY_TABLE, alt, download=True)
    table(origin_table(found, study, language()), keys.STUDY_ORIGIN, t("Day, measuring point and source of both runs"))
    if any(each.measure is Measure.KV_TRANSFER for each in found.evidence):
        st.caption(say(t("Throughput counts prefill and decode accelerators together; the network has to be the same")))


def _pair(answers: Sequence[RunAnswer], study: Study) -> tuple[RunAnswer, RunAnswer]:
    by_id = {answer.run.id: answer for answer in answers}
    before = by_id.get(study.before, answers[0])
    others = [answer for answer in answers if answer is not before]
    after = by_id.get(study.after, others[0])
    return before, after if after is not before else others[0]


def _choices(answers: Sequence[RunAnswer], study: Study, before: RunAnswer, after: RunAnswer) -> None:
    labels = cut_labels({answer.run.id: answer.run.label for answer in answers}, IN_COLUMN)
    state.seed(keys.STUDY_BEFORE, before.run.id)
    state.seed(keys.STUDY_AFTER, after.run.id)
    state.seed(keys.STUDY_LAYER, study.layer)
    columns = st.columns(3)
    for column, key, name in zip(
        columns, (keys.STUDY_BEFORE, keys.STUDY_AFTER), (t("Before"), t("After")), strict=False
    ):
        column.selectbox(say(name), tuple(labels), format_func=lambda run: plain(labels[run]), key=key, on_change=_take)
    columns[2].selectbox(
        say(t("What was changed")),
        tuple(Layer),
        format_func=lambda layer: say(LAYERS[layer]),
        key=keys.STUDY_LAYER,
        index=None,
        placeholder=say(t("not said")),
        on_change=_take,
    )
    title = t("Day of measuring, time to move the KV cache, requests of each worker")
    with st.expander(say(title), icon=":material/event:"):
        for answer in (before, after):
            _said(answer, study)
    st.button(say(t("End the study")), key=keys.of(keys.STUDY, "end"), type="tertiary", on_click=_end)


def _said(answer: RunAnswer, study: Study) -> None:
    run = answer.run
    day, transfer = keys.of(keys.STUDY_DAY, run.id), keys.of(keys.STUDY_TRANSFER, run.id)
    loads = keys.of(keys.STUDY_TRANSFER, run.id, "workers")
    state.seed(day, study.date(run.id) or "")
    state.seed(transfer, study.kv_transfer(run.id))
    state.seed(loads, dict(study.worker_loads).get(run.id, ""))
    left, middle, right = st.columns(3)
    left.text_input(
        say(t("Day of {run}", run=run.label)),
        key=day,
        placeholder=run.measured_on or "2026-11-30",
        help=say(t("Without one, the day that the files say")),
        on_change=_take_of,
        args=(run.id,),
    )
    middle.number_input(
        say(t("Seconds to move the KV cache of a request, {run}", run=run.label)),
        key=transfer,
        min_value=0.0,
        value=None,
        placeholder=say(t("unknown")),
        on_change=_take_of,
        args=(run.id,),
    )
    right.text_input(
        say(t("Requests of each worker, {run}", run=run.label)),
        key=loads,
        placeholder="120, 98, 110",
        on_change=_take_of,
        args=(run.id,),
    )


def _begin(before: str, after: str) -> None:
    _put(Study(before=before, after=after))


def _end() -> None:
    _put(None)


def _take() -> None:
    study = state.ask().compared.study or Study()
    chosen = st.session_state
    before, after = chosen[keys.STUDY_BEFORE], chosen[keys.STUDY_AFTER]
    if before == after:
        # One of both was chosen for the other's place: they change places.
        before, after = (study.after, after) if after == study.before else (before, study.before)
    _put(replace(study, before=before, after=after, layer=chosen[keys.STUDY_LAYER]))


def _take_of(run: str) -> None:
    study = state.ask().compared.study or Study()
    day, seconds = st.session_state[keys.of(keys.STUDY_DAY, run)], st.session_state[keys.of(keys.STUDY_TRANSFER, run)]
    dates = tuple(pair for pair in study.dates if pair[0] != run) + (((run, day),) if day.strip() else ())
    moved = tuple(pair for pair in study.kv_transfer_s if pair[0] != run)
    moved += ((run, float(seconds)),) if seconds is not None else ()
    typed = st.session_state[keys.of(keys.STUDY_TRANSFER, run, "workers")]
    loads = tuple(pair for pair in study.worker_loads if pair[0] != run) + (((run, typed),) if typed.strip() else ())
    done = attempt(lambda: replace(study, dates=dates, kv_transfer_s=moved, worker_loads=loads))
    if isinstance(done, UsageError):
        st.toast(say(t("{what}. {fix}", what=done.what, fix=done.fix)))
    elif isinstance(done, Study):
        _put(done)


def _put(study: Study | None) -> None:
    ask = state.ask()
    state.set_ask(replace(ask, compared=replace(ask.compared, study=study)))
