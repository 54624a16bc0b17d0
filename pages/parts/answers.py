"""Answers of the runs in view. A run is fitted once; a moved target only reads its curves again."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.fit.fit import Fit, fit_run
from core.model.answer import NextMeasurement, RunAnswer, Sensitivity
from core.model.price import Price
from core.model.run import Run
from core.pipeline import answer_run, foreseen, sensitivity_of
from pages.parts import keys
from pages.parts.links import Ask

KEPT_FITS = 300
KEPT_ANSWERS = 1000
KEPT_S = 6 * 3600


def fit_of(run: Run) -> Fit:
    """Return the fit of a run, from the cache where the same levels were fitted before."""
    return _fit(_fingerprint(run), run)


def answers_of(runs: tuple[Run, ...], ask: Ask) -> tuple[RunAnswer, ...]:
    """Answer every run for one question, in the order of the runs."""
    question = repr((ask.targets, ask.price, ask.own_traffic, ask.workload))
    marks = {id(run): (run, _fingerprint(run)) for run in runs}
    st.session_state[keys.FINGERPRINTS] = marks
    return tuple(_answer(marks[id(run)][1], question, run, ask) for run in runs)


def worth_of(answer: RunAnswer, price: Price | None) -> tuple[Sensitivity, ...]:
    """Return what the limits of one answer decide: worked out for the run in view only, since it takes longer."""
    question = repr((tuple(each.target for each in answer.per_target), price, answer.capacity))
    return _worth(_fingerprint(answer.run), question, answer, price)


def foreseen_of(answer: RunAnswer) -> NextMeasurement | None:
    """Return the next measurement of one answer with the width expected after it, which takes some refits."""
    question = repr((tuple(each.target for each in answer.per_target), answer.capacity, answer.next_measurement))
    return _foreseen(_fingerprint(answer.run), question, answer)


@st.cache_resource(max_entries=KEPT_ANSWERS, ttl=KEPT_S, show_spinner=False)
def _foreseen(key: str, question: str, _answer: RunAnswer) -> NextMeasurement | None:  # noqa: ARG001 - part of the key
    return foreseen(_answer, _fit(key, _answer.run))


@st.cache_resource(max_entries=KEPT_ANSWERS, ttl=KEPT_S, show_spinner=False)
def _worth(
    key: str,
    question: str,  # noqa: ARG001 - part of the key
    _answer: RunAnswer,
    _price: Price | None,
) -> tuple[Sensitivity, ...]:
    return sensitivity_of(_answer, _fit(key, _answer.run), _price)


@st.cache_resource(max_entries=KEPT_FITS, ttl=KEPT_S, show_spinner=False)
def _fit(key: str, _run: Run) -> Fit:  # noqa: ARG001 - the key of the cache
    return fit_run(_run)


@st.cache_resource(max_entries=KEPT_ANSWERS, ttl=KEPT_S, show_spinner=False)
def _answer(key: str, question: str, _run: Run, _ask: Ask) -> RunAnswer:  # noqa: ARG001 - part of the key
    return answer_run(_run, _ask.targets, _ask.price, _fit(key, _run), traffic=_ask.own_traffic, workload=_ask.workload)


def _fingerprint(run: Run) -> str:
    """Return what tells two runs apart: all of it but the per-request records, whose files are hashed.

    That of the runs in view is kept while they are: a moved limit asks for it again and again.
    """
    kept: tuple[Run, str] | None = st.session_state.get(keys.FINGERPRINTS, {}).get(id(run))
    if kept and kept[0] is run:
        return kept[1]
    stages = [(stage.load, stage.excluded, stage.requests_good, stage.statistics) for stage in run.stages]
    said = (run.asked, run.gpu_busy, run.sizing, len(run.findings))
    known = (run.id, run.label, run.files, run.conditions, *said, stages)
    return hashlib.sha256(repr(known).encode()).hexdigest()
