"""A price for each run: a row with its amount and what that is for; a row left empty pays the common price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from core.i18n import t
from core.model.finding import Severity
from core.model.owned import Owned
from core.model.price import RunPrice, own_price, price_for
from core.model.run import Run
from core.present.hourly_how import hourly_hows
from core.present.numbers import money
from core.present.price_words import listed_text, offered_text, price_marks, quoted_in, terms_text
from core.price.findings import HARDWARE, price_findings
from core.price.hourly import as_given
from pages.parts import how, keys, price_counts, price_owned, state, today
from pages.parts.either import either
from pages.parts.number import optional_number
from pages.parts.price_owned import owned_note
from pages.parts.speech import language, plain, say, say_raw

MOST_MONEY = 1e9
ONE, EACH_RUN = "one", "each_run"
EACH, WHOLE = "each", "whole"
RENTED, OWNED = "rented", "owned"


def is_each() -> bool:
    """Return True where runs in view have prices of their own, or the person is about to type them."""
    runs = state.runs()
    chosen = len(runs) > 1 and (st.session_state.get(keys.PRICE_FOR) == EACH_RUN or kept("each", state.ask().amount))
    return chosen or any(run.id in dict(state.ask().by_run) for run in runs)


def keep(what: str, amount: float | None, *, chosen: bool) -> None:
    """Remember a choice that no price follows from yet: its field does not outlive a change of page.

    It holds as long as the amount beside it stays, so that another scenario's price is shown as what it is.
    """
    st.session_state[keys.of(keys.PRICE_KEPT, what)] = (amount,) if chosen else None


def kept(what: str, amount: float | None) -> bool:
    """Return True where a choice was made, and the amount is the one that it was made beside."""
    return bool(st.session_state.get(keys.of(keys.PRICE_KEPT, what)) == (amount,))


def choice(runs: tuple[Run, ...]) -> None:
    """Draw whether one price holds for every run; nothing where there is one run."""
    if len(runs) < 2 and not is_each():
        return
    names = {ONE: t("One price for all"), EACH_RUN: t("A price for each run")}
    current = EACH_RUN if is_each() else ONE
    either(t("Which runs a price is for"), names, keys.PRICE_FOR, current, _take_choice, (runs,))


def rows(runs: tuple[Run, ...]) -> None:
    """Draw a row for each run: amount, what it is for, where it is from, and the accelerators that are paid for."""
    for run in runs:
        ask = state.ask()
        own = dict(ask.by_run).get(run.id)
        paid = price_for(ask.price, run.id)
        st.markdown(f"**{plain(run.label)}**")
        if _way(run.id, own):
            take = partial(_take_owned, run.id)
            price_owned.editor(partial(_owned, run.id), owned_note(ask, language(), run.id), take, run.id)
        else:
            _amount(run, own)
        if own:
            _per(run.id, per_accelerator=own.per_accelerator)
            _told(run.id)
            doubts(run)
        if paid and paid.per_accelerator:
            price_counts.editor(run, ask)
        hows = hourly_hows(run, ask.price, language()) if own and own.owned and ask.price else ()
        if hows:
            how.expander(partial(tuple, hows), keys.of(keys.OWNED, run.id, "how"))


def doubts(run: Run) -> None:
    """Ask whether the price is that of the run's hardware, where it was picked for an accelerator that nobody named."""
    for finding in price_findings(run, state.ask().price):
        if finding.code in HARDWARE:
            icon = ":material/help:" if finding.severity is Severity.INFO else ":material/warning:"
            st.caption(f"{icon} {say(finding.what)}. {say(finding.fix)}" if finding.fix else say(finding.what))


def put(run_id: str, price: RunPrice | None) -> None:
    """Put the price of one run into the session; None takes it away."""
    ask = state.ask()
    others = {run: own for run, own in ask.by_run if run != run_id}
    order = [run.id for run in state.runs()]
    found = others | ({run_id: price} if price else {})
    ranked = sorted(found.items(), key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order))
    state.set_ask(replace(ask, by_run=tuple(ranked)))


def _way(run_id: str, own: RunPrice | None) -> bool:
    """Draw whether the hardware of a run is rented or bought; True where it is bought."""
    key = keys.of(keys.PRICE_WAY, run_id)
    owned = bool(own and own.owned) or st.session_state.get(key) == OWNED or kept(run_id, own.amount if own else None)
    names = {RENTED: t("rented"), OWNED: t("owned")}
    either(t("The hardware is"), names, key, OWNED if owned else RENTED, _take_way, (run_id,))
    return owned


def _amount(run: Run, own: RunPrice | None) -> None:
    """Draw the amount on a line of its own: beside what it is for, the column cuts it to a digit or two."""
    optional_number(
        say(t("Price per hour")),
        own.amount if own else None,
        keys.of(keys.PRICE_AMOUNT, run.id),
        most=MOST_MONEY,
        least=None,
        take=partial(_take_amount, run.id),
        hint=_empty(run.id),
    )


def _empty(run_id: str) -> str:
    """Return what a run without its own price pays."""
    price = state.ask().price
    common = price_for(replace(price, by_run=()), run_id) if price else None
    if common is None:
        return say_raw(t("none: no cost"))
    return say_raw(t("{amount}, as all", amount=money(as_given(common), quoted_in(common), language(), digits=6)))


def _per(run_id: str, *, per_accelerator: bool) -> None:
    key = keys.of(keys.PRICE_PER, run_id)
    # A list would go on showing its choice in the language before, where another one is chosen.
    names = {EACH: t("per accelerator"), WHOLE: t("whole deployment")}
    either(t("The price is for"), names, key, EACH if per_accelerator else WHOLE, _take_per, (run_id,))


def _told(run_id: str) -> None:
    """Say where the price of a run is from, and what is to be minded about it."""
    price = price_for(state.ask().price, run_id)
    if price is None:
        return
    if price.owned:
        st.caption(plain(", ".join(terms_text(replace(price, tax=None, exchange=None), language()))))
    elif price.listed:
        st.caption(plain(offered_text(price.listed, language())), help=plain(listed_text(price.listed, language())))
    for mark in price_marks(replace(price, exchange=None), today.day(), language()):
        st.badge(plain(mark), icon=":material/schedule:", color="orange")


def _take_choice(runs: tuple[Run, ...]) -> None:
    """Give every run its price as a start: the one it had before, else the common one; or put them aside again."""
    ask = state.ask()
    keep("each", ask.amount, chosen=st.session_state[keys.PRICE_FOR] == EACH_RUN)
    if st.session_state[keys.PRICE_FOR] == ONE:
        st.session_state[keys.PRICE_ASIDE] = dict(ask.by_run)
        state.set_ask(replace(ask, by_run=()))
        return
    aside: Mapping[str, RunPrice] = st.session_state.get(keys.PRICE_ASIDE) or {}
    common = own_price(ask.price)
    found = ((run.id, aside.get(run.id) or common) for run in runs)
    state.set_ask(replace(ask, by_run=tuple((run, price) for run, price in found if price)))


def _take_way(run_id: str) -> None:
    """Rent the hardware of a run again, at the price that it had before it was bought; owning it takes fields first."""
    own = dict(state.ask().by_run).get(run_id)
    way = st.session_state[keys.of(keys.PRICE_WAY, run_id)]
    keep(run_id, own.amount if own else None, chosen=way == OWNED)
    if way == RENTED and own and own.owned:
        put(run_id, st.session_state.get(keys.of(keys.PRICE_ASIDE, run_id)))


def _owned(run_id: str) -> Owned | None:
    own = dict(state.ask().by_run).get(run_id)
    return own.owned if own else None


def _take_owned(run_id: str, owned: Owned) -> None:
    """Take what a run's hardware costs to own; the rent that it paid is kept aside."""
    ask = state.ask()
    own = dict(ask.by_run).get(run_id)
    if own and not own.owned:
        st.session_state[keys.of(keys.PRICE_ASIDE, run_id)] = own
    each = own.per_accelerator if own else ask.per_accelerator
    put(run_id, RunPrice(amount=owned.per_hour, per_accelerator=each, owned=owned))


def _take_amount(run_id: str) -> None:
    """Take an amount; one that is no longer that of the picked row, or of what is owned, is the person's own."""
    amount, ask = st.session_state[keys.of(keys.PRICE_AMOUNT, run_id)], state.ask()
    if not amount:
        put(run_id, None)
        return
    own = dict(ask.by_run).get(run_id) or RunPrice(amount=amount, per_accelerator=ask.per_accelerator)
    listed = own.listed if own.listed and amount == own.listed.amount else None
    put(run_id, replace(own, amount=amount, listed=listed, owned=None))


def _take_per(run_id: str) -> None:
    own = dict(state.ask().by_run).get(run_id)
    if own:
        put(run_id, replace(own, per_accelerator=st.session_state[keys.of(keys.PRICE_PER, run_id)] != WHOLE))
