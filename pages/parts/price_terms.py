"""What goes with a price: discount, tax, another currency, how tokens are weighed, power."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.errors import PlimsollError, UsageError
from core.i18n import t
from core.model.price import Exchange, Tax
from core.model.price_bounds import MOST_KW, MOST_RATE
from core.model.run import Run
from core.present.price_words import terms_text
from core.price.energy import PowerBasis, powers
from core.price.terms import NO_TERMS, Terms, as_percent, from_percent
from pages.parts import keys, state
from pages.parts.drawer import drawer
from pages.parts.links import CURRENCY_CHARS
from pages.parts.number import optional_number, refuse, row, taken, tell_refused
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed

PERCENT = 100.0
MOST_DISCOUNT, MOST_TAX, MOST_RATIO = 99.9, 100.0, 1000.0


def editor(runs: tuple[Run, ...], *, each: bool = False) -> None:
    """Draw the terms, folded; what is in force stands in the name of the fold.

    Args:
        runs: that are in view.
        each: runs have prices of their own; what stands here then holds for all of them.
    """
    price = state.ask().price
    told = terms_text(replace(price, owned=None) if each else price, language()) if price else ()
    name = say(t("Discount, tax, currency, weights"))
    box, shown = keys.of(keys.TERMS, "box"), plain(", ".join(told))
    drawer(name, box, partial(_fields, runs, each=each), told=shown, icon=":material/percent:")


def _fields(runs: tuple[Run, ...], *, each: bool) -> None:
    terms = state.ask().terms
    with row():
        if each or terms.owned is None:
            _number("discount", say(t("Discount, %")), as_percent(terms.discount) or None, MOST_DISCOUNT)
        _number("tax", say(t("Tax, %")), as_percent(terms.tax.rate) if terms.tax else None, MOST_TAX)
    if terms.tax:
        _taxed(terms.tax)
    if not each and terms.listed is None and terms.owned is None:
        _dated(terms.as_of)
    _exchange(terms.exchange)
    _weights(terms)
    _power(runs, terms)


def _number(name: str, label: str, value: float | None, most: float, hint: str | None = None) -> None:
    key = keys.of(keys.TERMS, name)
    optional_number(label, value, key, most=float(most), take=_take, hint=say_raw(t("none")), tip=hint)


def _taxed(tax: Tax) -> None:
    for name, label, value in (
        ("quoted_with", say(t("The price as given holds the tax")), tax.quoted_with),
        ("counted", say(t("The costs shown hold the tax")), tax.counted),
    ):
        key = keys.of(keys.TERMS, name)
        seed(key, value)
        st.toggle(label, key=key, on_change=_take)


def _dated(as_of: str) -> None:
    """Draw the day of a price that the person typed: with it the price can be told to be old."""
    key = keys.of(keys.TERMS, "as_of")
    seed(key, _day(as_of))
    told = say(t("Of an offer or a list. With it the price is marked once it is old"))
    st.date_input(say(t("Day of the price (optional)")), value=None, key=key, help=told, on_change=_take_dated)


def _take_dated() -> None:
    day = st.session_state[keys.of(keys.TERMS, "as_of")]
    ask = state.ask()
    state.set_ask(replace(ask, terms=replace(ask.terms, as_of=day.isoformat() if isinstance(day, date) else "")))


def _day(text: str) -> date | None:
    """Return an ISO day for a field; a month or a year alone is none."""
    return date.fromisoformat(text) if len(text) == _WHOLE_DAY else None


def _exchange(exchange: Exchange | None) -> None:
    """Draw the rate of exchange; half of it means nothing, and waits in the session."""
    heading(t("Costs in another currency"))
    waits = _waits(exchange)
    into, day = keys.of(keys.TERMS, "into"), keys.of(keys.TERMS, "day")
    seed(into, waits.into)
    seed(day, waits.day)
    with row():
        st.text_input(
            say(t("Currency of the costs")),
            max_chars=CURRENCY_CHARS,
            key=into,
            placeholder="KRW",
            on_change=_take_exchange,
        )
        optional_number(
            say(t("Rate")),
            waits.rate,
            keys.of(keys.TERMS, "rate"),
            most=MOST_RATE,
            least=None,
            take=_take_exchange,
            hint="1380",
            tip=say(t("Money of that currency for one of the price's currency")),
        )
    tell_refused(into)
    st.date_input(say(t("Day of the rate")), value=None, key=day, on_change=_take_exchange)
    if exchange:
        st.button(
            say(t("Without exchange")),
            key=keys.of(keys.TERMS, "drop"),
            type="tertiary",
            icon=":material/close:",
            on_click=_drop_exchange,
        )
    elif waits.into or waits.rate:
        st.caption(say(t("Costs are exchanged once currency and rate are there")))


class _Waits(NamedTuple):
    """What was said of a rate of exchange."""

    into: str
    rate: float | None
    day: date | None


def _waits(exchange: Exchange | None) -> _Waits:
    """Return what is in force, else what was typed of a rate so far."""
    if exchange is None:
        return st.session_state.get(keys.EXCHANGE_DRAFT) or _Waits("", None, None)
    return _Waits(state.ask().currency, exchange.rate, _day(exchange.as_of))


_WHOLE_DAY = len("2026-11-30")


def _weights(terms: Terms) -> None:
    heading(t("How tokens are weighed"))
    with row():
        ratio = t(
            "How many input tokens cost as much as one output token. 4 is a convention of Google's GKE inference "
            "quickstart, not a measurement"
        )
        _number("ratio", say(t("Input : output")), terms.output_weight, MOST_RATIO, say(ratio))
        cached = t("What a cached input token costs, as a share of another input token. 0: nothing extra")
        _number("cached", say(t("Cached, %")), as_percent(terms.cached_weight), PERCENT, say(cached))


def _power(runs: tuple[Run, ...], terms: Terms) -> None:
    known = [power for run in runs[:1] for power in powers(run, None) if power.basis is PowerBasis.ALL_IN]
    told = t("All-in, with host, network and cooling. Electricity per token is worked out from it")
    if known:
        told = t(
            "All-in, with host, network and cooling. Electricity per token is worked out from it; the catalogue has "
            "{kw} kW for this accelerator, modelled",
            kw=known[0].kw,
        )
    _number("power", say(t("Power of one accelerator, kW")), terms.power_kw, MOST_KW, say(told))


def _take() -> None:
    """Put every number of the fold into the session; one that is empty is as usual."""
    said = {name: st.session_state.get(keys.of(keys.TERMS, name)) for name in _NAMES}
    terms = state.ask().terms
    tax = None
    if said["tax"]:
        tax = Tax(rate=from_percent(said["tax"]), quoted_with=bool(said["quoted_with"]), counted=bool(said["counted"]))
        if terms.tax is None:
            tax = replace(tax, counted=True)
    changed = replace(
        terms,
        tax=tax,
        discount=from_percent(said["discount"] or 0.0),
        output_weight=said["ratio"] or NO_TERMS.output_weight,
        cached_weight=from_percent(said["cached"] or 0.0),
        power_kw=said["power"] or None,
    )
    state.set_ask(replace(state.ask(), terms=changed))


_NAMES = ("discount", "tax", "quoted_with", "counted", "ratio", "cached", "power")


def _take_exchange() -> None:
    """Take the rate once the currency is there too; what cannot be is said, and left as it was."""
    ask, key = state.ask(), keys.of(keys.TERMS, "into")
    typed, rate, day = (st.session_state[keys.of(keys.TERMS, name)] for name in ("into", "rate", "day"))
    into = str(typed).strip().upper()
    quoted = ask.terms.exchange.quoted if ask.terms.exchange else ask.currency
    wrong = _wrong_currency(into, quoted, needed=ask.terms.exchange is not None and rate is not None)
    if wrong:
        refuse(key, say(t("Currency of the costs")), wrong)
        return
    taken()
    if rate and into:
        st.session_state[keys.EXCHANGE_DRAFT] = None
        exchange = Exchange(quoted=quoted, rate=rate, as_of=day.isoformat() if isinstance(day, date) else "")
        state.set_ask(replace(ask, currency=into, terms=replace(ask.terms, exchange=exchange)))
    elif ask.terms.exchange:
        _drop_exchange()
    else:
        st.session_state[keys.EXCHANGE_DRAFT] = _Waits(into, rate, day if isinstance(day, date) else None)


def _wrong_currency(into: str, quoted: str, *, needed: bool) -> PlimsollError | None:
    """Return why costs cannot be in a currency, None where they can."""
    if into == quoted:
        fix = t(
            "The price is in {currency} already: give another currency, or leave both fields empty", currency=quoted
        )
    elif (needed or into) and not into.isalpha():
        fix = t("Give a currency in three letters, such as KRW")
    else:
        return None
    return UsageError("field.out_of_range", t('"{said}" cannot be taken', said=into), fix=fix)


def _drop_exchange() -> None:
    ask = state.ask()
    if ask.terms.exchange:
        currency = ask.terms.exchange.quoted
        state.set_ask(replace(ask, currency=currency, terms=replace(ask.terms, exchange=None)))
