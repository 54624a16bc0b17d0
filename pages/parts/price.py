"""The editor of the price, the count of accelerators per run, and the think time of a user."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.run import Run
from pages.parts import keys, state
from pages.parts.links import CURRENCY_CHARS
from pages.parts.speech import heading, say, say_raw
from pages.parts.state import seed

MOST_MONEY, MOST_COUNT, MOST_THINK_S = 1e9, 1_000_000, 86_400.0
EACH, WHOLE = "each", "whole"


def editor(runs: tuple[Run, ...]) -> None:
    """Draw the price and change it in the session; every field may stay empty."""
    ask = state.ask()
    heading(t("Price"))
    with st.container(horizontal=True, wrap=False, gap="small"):
        _amount(ask.amount)
        _currency(ask.currency)
    _per(per_accelerator=ask.per_accelerator)
    if ask.amount is None:
        st.caption(say(t("Without a price no cost is shown")))
    elif ask.per_accelerator:
        for run in runs:
            _count(run, dict(ask.counts).get(run.id))


def think_editor() -> None:
    """Draw the think time, which turns requests in flight into people."""
    seed(keys.THINK, state.ask().think_s)
    st.number_input(
        say(t("Think time of a user, seconds (optional)")),
        value=None,
        min_value=0.0,
        max_value=MOST_THINK_S,
        format="%g",
        key=keys.THINK,
        placeholder=say_raw(t("not given")),
        help=say(
            t(
                "How long a person reads and types between an answer and the next request. "
                "With it the safe number is also given as active users (N = X × (R + Z))"
            )
        ),
        on_change=_take_think,
    )


def _amount(current: float | None) -> None:
    seed(keys.PRICE_AMOUNT, current)
    st.number_input(
        say(t("Price per hour")),
        value=None,
        min_value=0.0,
        max_value=MOST_MONEY,
        format="%g",
        key=keys.PRICE_AMOUNT,
        placeholder=say_raw(t("none")),
        on_change=_take,
    )


def _currency(current: str) -> None:
    seed(keys.PRICE_CURRENCY, current)
    st.text_input(say(t("Currency")), key=keys.PRICE_CURRENCY, max_chars=CURRENCY_CHARS, on_change=_take, width=88)


def _per(*, per_accelerator: bool) -> None:
    seed(keys.PRICE_PER, EACH if per_accelerator else WHOLE)
    names = {EACH: say(t("per accelerator")), WHOLE: say(t("whole deployment"))}
    st.segmented_control(
        say(t("The price is for")),
        (EACH, WHOLE),
        format_func=names.__getitem__,
        key=keys.PRICE_PER,
        required=True,
        label_visibility="collapsed",
        on_change=_take,
        width="stretch",
    )


def _count(run: Run, given: int | None) -> None:
    key = keys.of(keys.PRICE_COUNT, run.id)
    known = run.conditions.accelerator_count
    seed(key, given or known)
    st.number_input(
        say(t("Accelerators of {run}", run=run.label)) if len(state.runs()) > 1 else say(t("Accelerators")),
        value=None,
        min_value=1,
        max_value=MOST_COUNT,
        key=key,
        placeholder=say_raw(t("unknown: no cost")),
        help=say(t("The file says {count}", count=known)) if known else say(t("The file does not say how many")),
        on_change=_take_count,
        args=(run.id, known),
    )


def _take() -> None:
    currency = str(st.session_state[keys.PRICE_CURRENCY]).strip().upper()
    state.set_ask(
        replace(
            state.ask(),
            amount=st.session_state[keys.PRICE_AMOUNT] or None,
            currency=currency if currency.isalpha() else state.ask().currency,
            per_accelerator=st.session_state[keys.PRICE_PER] != WHOLE,
        )
    )


def _take_count(run_id: str, known: int | None) -> None:
    count = st.session_state[keys.of(keys.PRICE_COUNT, run_id)]
    others = tuple(pair for pair in state.ask().counts if pair[0] != run_id)
    said = ((run_id, int(count)),) if count and count != known else ()
    state.set_ask(replace(state.ask(), counts=(*others, *said)))


def _take_think() -> None:
    state.set_ask(replace(state.ask(), think_s=st.session_state[keys.THINK]))
