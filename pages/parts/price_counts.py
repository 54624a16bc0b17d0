"""How many accelerators are paid for: of one run, or of both its pools where prefill and decode are apart."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from core.i18n import Text, t
from core.model.run import Run
from core.normalise.suggest import suggestions
from core.price.count import has_pools, recorded_pools
from pages.parts import keys, state
from pages.parts.links import Ask
from pages.parts.number import optional_number, row
from pages.parts.speech import say, say_raw

MOST_COUNT = 1_000_000
PREFILL, DECODE = "prefill", "decode"


def editor(run: Run, ask: Ask) -> None:
    """Draw the count of a run's accelerators, prefilled from the file and open to change."""
    if has_pools(run):
        _pools(run, ask)
    else:
        _count(run, dict(ask.counts).get(run.id))


def _count(run: Run, given: int | None) -> None:
    key = keys.of(keys.PRICE_COUNT, run.id)
    known = run.conditions.accelerator_count
    optional_number(
        _name(t("Accelerators of {run}", run=run.label), t("Accelerators")),
        given or known,
        key,
        most=MOST_COUNT,
        least=1,
        take=partial(_take_count, run.id, known),
        hint=say_raw(t("unknown: no cost")),
        tip=say(t("The file says {count}", count=known)) if known else say(t("The file does not say how many")),
    )
    likely = None if known or given else suggestions(run).get("accelerator_count")
    if likely:
        st.button(
            say(t("Take {count}: {why}", count=likely.value, why=likely.why)),
            key=keys.of(keys.PRICE_COUNT, run.id, "likely"),
            icon=":material/check:",
            type="tertiary",
            on_click=_use_count,
            args=(run.id, int(likely.value)),
        )
    if known and given and given != known:
        said = t("The file says {own}: every cost of {run} counts {count}", own=known, run=run.label, count=given)
        st.warning(say(said), icon=":material/difference:")


def _pools(run: Run, ask: Ask) -> None:
    """Draw both pools; the file's numbers stand there until the person confirms or changes them."""
    told = {name: (prefill, decode) for name, prefill, decode in ask.terms.pools}
    known = recorded_pools(run) or (run.conditions.prefill_accelerators, run.conditions.decode_accelerators)
    shown = told.get(run.id, known)
    if len(state.runs()) > 1:
        st.caption(say(t("Accelerators of {run}", run=run.label)))
    with row():
        for pool, label, value in ((PREFILL, t("For prefill"), shown[0]), (DECODE, t("For decode"), shown[1])):
            key, take = keys.of(keys.PRICE_COUNT, run.id, pool), partial(_take_pools, run.id)
            optional_number(say(label), value, key, most=MOST_COUNT, least=1, take=take, hint=say_raw(t("unknown")))
    if run.id in told:
        st.caption(say(t("Confirmed: both pools are on the bill")))
    else:
        st.button(
            say(t("These numbers are right")),
            key=keys.of(keys.PRICE_COUNT, run.id, "confirm"),
            icon=":material/check:",
            type="tertiary",
            on_click=_take_pools,
            args=(run.id,),
            disabled=None in shown,
            help=say(t("The file may count one pool only. The bill needs the accelerators of both")),
        )


def _name(named: Text, alone: Text) -> str:
    return say(named if len(state.runs()) > 1 else alone)


def _take_count(run_id: str, known: int | None) -> None:
    count = st.session_state[keys.of(keys.PRICE_COUNT, run_id)]
    _use_count(run_id, int(count) if count and count != known else None)


def _use_count(run_id: str, count: int | None) -> None:
    others = tuple(pair for pair in state.ask().counts if pair[0] != run_id)
    said = ((run_id, count),) if count else ()
    state.set_ask(replace(state.ask(), counts=(*others, *said)))


def _take_pools(run_id: str) -> None:
    """Take both numbers once both are there; one alone says nothing of the bill."""
    prefill, decode = (st.session_state[keys.of(keys.PRICE_COUNT, run_id, pool)] for pool in (PREFILL, DECODE))
    ask = state.ask()
    others = tuple(each for each in ask.terms.pools if each[0] != run_id)
    said = ((run_id, int(prefill), int(decode)),) if prefill and decode else ()
    state.set_ask(replace(ask, terms=replace(ask.terms, pools=(*others, *said))))
