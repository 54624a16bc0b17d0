"""The choice of what the deployment is for, and the job of a batch."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.workload import MOST_REQUESTS, Job, Workload, WorkloadKind
from core.present.kinds import KINDS, LEADS
from pages.parts import keys, state
from pages.parts.speech import say, say_raw
from pages.parts.state import seed

HOUR = 3600.0
MOST_HOURS = 100_000.0
MOST_TOKENS = 1e7


def editor() -> None:
    """Draw the kinds and, for a batch, the job; both change the session."""
    kind = state.kind()
    seed(keys.WORKLOAD, kind)
    st.segmented_control(
        say(t("What it is for")),
        tuple(KINDS),
        format_func=lambda each: say(KINDS[each]),
        key=keys.WORKLOAD,
        required=True,
        help=say(LEADS[kind]),
        on_change=_choose,
        width="stretch",
    )
    if kind is WorkloadKind.VOICE:
        st.caption(say(LEADS[kind]))
    if kind is WorkloadKind.BATCH:
        _job((state.ask().workload or Workload(kind=kind)).job)


def _job(job: Job | None) -> None:
    hours = job.deadline_s / HOUR if job and job.deadline_s is not None else None
    _number(keys.JOB_REQUESTS, say(t("Requests of the job")), job.requests if job else None, MOST_REQUESTS)
    _number(keys.JOB_HOURS, say(t("Done within, hours")), hours, MOST_HOURS)
    if job is None:
        st.caption(say(t("With a number of requests the time and cost of the job are shown too")))
        return
    with st.expander(say(t("Lengths, where they differ from the run's")), icon=":material/straighten:"):
        _number(keys.JOB_INPUT, say(t("Input tokens of a request, mean")), job.input_tokens, MOST_TOKENS)
        _number(keys.JOB_OUTPUT, say(t("Output tokens of a request, mean")), job.output_tokens, MOST_TOKENS)


def _number(key: str, label: str, current: float | None, most: float) -> None:
    whole = key == keys.JOB_REQUESTS
    seed(key, current)
    st.number_input(
        label,
        value=None,
        min_value=1 if whole else 0.0,
        max_value=int(most) if whole else most,
        format="%d" if whole else "%g",
        key=key,
        placeholder=say_raw(t("none")) if key in (keys.JOB_REQUESTS, keys.JOB_HOURS) else say_raw(t("as in the run")),
        on_change=_take,
    )


def _choose() -> None:
    state.choose_kind(st.session_state[keys.WORKLOAD])


def _take() -> None:
    """Put the job as typed into the session; without requests there is no job."""
    requests = st.session_state[keys.JOB_REQUESTS]
    hours = st.session_state[keys.JOB_HOURS]
    job = None
    if requests:
        job = Job(
            requests=int(requests),
            input_tokens=st.session_state.get(keys.JOB_INPUT) or None,
            output_tokens=st.session_state.get(keys.JOB_OUTPUT) or None,
            deadline_s=hours * HOUR if hours else None,
        )
    state.set_ask(replace(state.ask(), workload=Workload(kind=WorkloadKind.BATCH, job=job)))
