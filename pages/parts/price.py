"""The editor of the price: rented or owned, picked or typed, with what goes with it; and the think time of a user."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import UsageError
from core.i18n import t
from core.model.demand_text import MOST_THINK_S
from core.model.owned import Owned
from core.model.run import Run
from core.present.price_words import listed_text, offered_text, price_marks, quoted_in
from pages.parts import keys, price_counts, price_owned, price_pick, price_runs, price_terms, state, today
from pages.parts.either import either
from pages.parts.links import CURRENCY_CHARS, Ask
from pages.parts.number import optional_number, refuse, row, taken, tell_refused
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed

MOST_MONEY = 1e9
EACH, WHOLE = "each", "whole"
RENTED, OWNED = "rented", "owned"


def editor(runs: tuple[Run, ...]) -> None:
    """Draw the price and change it in the session; every field may stay empty."""
    ask = state.ask()
    each = price_runs.is_each()
    owned = ask.terms.owned is not None or st.session_state.get(keys.PRICE_WAY) == OWNED
    owned = not each and (owned or price_runs.kept("owned", ask.amount))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        heading(t("Price"))
        if not owned:
            price_pick.popover(runs, each=each)
    price_runs.choice(runs)
    if each:
        _each(runs)
    else:
        _common(runs, ask, owned=owned)
    price_terms.editor(runs, each=each)


def _each(runs: tuple[Run, ...]) -> None:
    """Draw the price of every run."""
    with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="bottom"):
        st.caption(say(t("Price per hour of each run")))
        _currency()
    tell_refused(keys.PRICE_CURRENCY)
    price_runs.rows(runs)
    if state.ask().price is None:
        st.caption(say(t("Without a price no cost is shown")))
    _exchanged()


def _common(runs: tuple[Run, ...], ask: Ask, *, owned: bool) -> None:
    """Draw the price that holds for every run."""
    _way(OWNED if owned else RENTED)
    if owned:
        price_owned.editor(lambda: state.ask().terms.owned, price_owned.owned_note(ask, language()), _take_owned)
    else:
        with row():
            _amount(ask.amount)
            _currency()
        tell_refused(keys.PRICE_CURRENCY)
    _per(per_accelerator=ask.per_accelerator)
    if ask.price is None:
        st.caption(say(t("Without a price no cost is shown")))
    elif ask.per_accelerator:
        for run in runs:
            price_counts.editor(run, ask)
    _provenance()
    _exchanged()


def think_editor() -> None:
    """Draw the think time, which turns requests in flight into people."""
    tip = t(
        "How long a person reads and types between an answer and the next request. "
        "With it the safe number is also given as active users (N = X × (R + Z))"
    )
    optional_number(
        say(t("Think time of a user, seconds (optional)")),
        state.ask().think_s,
        keys.THINK,
        most=MOST_THINK_S,
        take=_take_think,
        hint=say_raw(t("not given")),
        tip=say(tip),
    )


def _way(current: str) -> None:
    names = {RENTED: t("rented"), OWNED: t("owned")}
    either(t("The hardware is"), names, keys.PRICE_WAY, current, _take_way)


def _amount(current: float | None) -> None:
    label, none = say(t("Price per hour")), say_raw(t("none"))
    optional_number(label, current, keys.PRICE_AMOUNT, most=float(MOST_MONEY), least=None, take=_take_amount, hint=none)


def _currency() -> None:
    ask = state.ask()
    seed(keys.PRICE_CURRENCY, ask.terms.exchange.quoted if ask.terms.exchange else ask.currency)
    label = say(t("Currency"))
    st.text_input(label, key=keys.PRICE_CURRENCY, max_chars=CURRENCY_CHARS, on_change=take_currency, width=88)


def _per(*, per_accelerator: bool) -> None:
    names = {EACH: t("per accelerator"), WHOLE: t("whole deployment")}
    either(t("The price is for"), names, keys.PRICE_PER, EACH if per_accelerator else WHOLE, _take_per)


def _provenance() -> None:
    """Say where a picked price is from, and what is to be minded about the price in use."""
    price = state.ask().price
    if price is None:
        return
    if price.listed and not price.owned:
        st.caption(plain(offered_text(price.listed, language())), help=plain(listed_text(price.listed, language())))
        for run in state.runs():
            price_runs.doubts(run)
    for mark in price_marks(price, today.day(), language()):
        st.badge(plain(mark), icon=":material/schedule:", color="orange")


def _exchanged() -> None:
    """Say what costs are in where the price is in another currency, and that an amount was not converted."""
    price = state.ask().price
    read_as = st.session_state.get(keys.PRICE_READ_AS)
    if price and read_as == quoted_in(price):
        said = t(
            "The amount stands as it was and is now read in {currency}. A rate below converts costs", currency=read_as
        )
        st.caption(say(said))
    if price and price.exchange:
        said = t("Costs are in {currency}, the price is in {quoted}", currency=price.currency, quoted=quoted_in(price))
        st.caption(say(said))


def _take_way() -> None:
    ask = state.ask()
    price_runs.keep("owned", ask.amount, chosen=st.session_state[keys.PRICE_WAY] == OWNED)
    if st.session_state[keys.PRICE_WAY] == RENTED:
        state.set_ask(replace(ask, terms=replace(ask.terms, owned=None)))


def _take_owned(owned: Owned) -> None:
    ask = state.ask()
    state.set_ask(replace(ask, terms=replace(ask.terms, owned=owned)))


def _take_amount() -> None:
    """Take an amount; one that is no longer that of the picked row is the person's own."""
    ask = state.ask()
    amount = st.session_state[keys.PRICE_AMOUNT]
    listed = ask.terms.listed
    st.session_state[keys.PRICE_READ_AS] = None
    kept = listed if listed and amount == listed.amount else None
    state.set_ask(replace(ask, amount=amount, terms=replace(ask.terms, listed=kept)))


def take_currency() -> None:
    """Take the currency of the price; with a rate of exchange that of the costs stays."""
    said = str(st.session_state[keys.PRICE_CURRENCY]).strip().upper()
    ask = state.ask()
    if not said.isalpha():
        wrong = UsageError(
            "field.out_of_range",
            t('"{said}" cannot be taken', said=said),
            fix=t("Give a currency in three letters, such as KRW"),
        )
        refuse(keys.PRICE_CURRENCY, say(t("Currency")), wrong)
        return
    taken()
    exchange, listed = ask.terms.exchange, ask.terms.listed
    before = exchange.quoted if exchange else ask.currency
    st.session_state[keys.PRICE_READ_AS] = said if said != before and (ask.amount or ask.by_run) else None
    kept = listed if listed and listed.currency == said else None
    ask = replace(ask, by_run=tuple((run, own.kept_in(said)) for run, own in ask.by_run))
    if exchange:
        state.set_ask(replace(ask, terms=replace(ask.terms, exchange=replace(exchange, quoted=said), listed=kept)))
    else:
        state.set_ask(replace(ask, currency=said, terms=replace(ask.terms, listed=kept)))


def _take_per() -> None:
    state.set_ask(replace(state.ask(), per_accelerator=st.session_state[keys.PRICE_PER] != WHOLE))


def _take_think() -> None:
    state.set_ask(replace(state.ask(), think_s=st.session_state[keys.THINK]))
