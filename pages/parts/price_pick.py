"""Picking a price from data/prices: by accelerator, provider, commitment and region, with its source and day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.catalogue.hardware import candidates
from core.catalogue.prices import ListPrice, prices
from core.i18n import Text, t
from core.model.price import RunPrice
from core.model.run import Run
from core.present.price_words import age_mark, certainty_text, commitment_text, offer_text
from core.present.run_labels import IN_COLUMN, cut_labels
from core.price.terms import listed_of
from pages.parts import keys, price_runs, state, today
from pages.parts.drawer import popup
from pages.parts.speech import language, plain, say, say_raw


def popover(runs: tuple[Run, ...], *, each: bool = False) -> None:
    """Draw the list of prices behind a button; a chosen row goes into the price with where it is from.

    Args:
        runs: that are in view.
        each: the row is for one of them, which is asked first.
    """
    icon = ":material/list_alt:"
    popup(say(t("Pick a price")), keys.PICK, partial(_panel, runs, each=each), kind="tertiary", icon=icon)


def _panel(runs: tuple[Run, ...], *, each: bool) -> None:
    run = _run(runs) if each else None
    found = _filtered((run,) if run else runs, run.id if run else "")
    if found is None:
        return
    if not found:
        st.caption(say(t("No row fits. The price can be typed instead")))
        return
    shown = language()
    row = st.selectbox(
        say(t("Offer")),
        found,
        format_func=lambda each: offer_text(each, shown),
        key=keys.of(keys.PICK, "row"),
        persist_state="session",
    )
    other = _other_currency(row) if run else None
    st.button(
        say(t("Use this price")),
        key=keys.of(keys.PICK, "use"),
        icon=":material/check:",
        type="primary",
        width="stretch",
        disabled=other is not None,
        on_click=_use,
        args=(row, run.id if run else None),
    )
    if other:
        st.caption(other)
    _told(row)
    st.caption(say(t("Published prices with their source and day. Check one with its provider before you sign")))
    st.caption(say(t("The whole list, and what each accelerator has, is at the end of the Guide page")))


def _run(runs: tuple[Run, ...]) -> Run:
    """Ask for which run the price is."""
    by_id = {run.id: run for run in runs}
    names = cut_labels({run.id: run.label for run in runs}, IN_COLUMN)
    key = keys.of(keys.PICK, "run")
    if st.session_state.get(key) not in by_id:
        st.session_state[key] = runs[0].id
    return by_id[
        st.selectbox(
            say(t("For the run")), list(by_id), format_func=names.__getitem__, key=key, persist_state="session"
        )
    ]


def _other_currency(row: ListPrice) -> str | None:
    """Return why a row cannot be the price of one run: all are given in one currency."""
    ask = state.ask()
    quoted = ask.terms.exchange.quoted if ask.terms.exchange else ask.currency
    alone = not ask.by_run and ask.amount is None
    if row.currency == quoted or alone:
        return None
    said = t(
        "This price is in {listed}, and the prices of the runs are given in {quoted}. Change their currency, and "
        "exchange all of them below",
        listed=row.currency,
        quoted=quoted,
    )
    return say(said)


def _filtered(runs: tuple[Run, ...], name_of: str) -> Sequence[ListPrice] | None:
    """Draw the choices, each among what the ones before leave; return the rows that fit all.

    None while nobody said for which accelerator: the first of the list would be taken for a suggestion.
    """
    shown = language()
    found: Sequence[ListPrice] = prices()
    own = {part.name for run in runs for part in candidates(run.conditions.accelerator or "")}
    cells = [cell for _ in range(2) for cell in st.columns(2, gap="small")]
    for cell, (name, label, of, words) in zip(cells, _CHOICES, strict=True):
        values = list(dict.fromkeys(of(row) for row in found))
        first = next((place for place, value in enumerate(values) if name == "accelerator" and value in own), None)
        chosen = cell.selectbox(
            say(label),
            values,
            index=first,
            format_func=lambda value, words=words: words(value, shown),
            key=keys.of(keys.PICK, name, *filter(None, (name_of,))),
            persist_state="session",
            placeholder=say_raw(t("choose one") if name == "accelerator" else t("any")),
        )
        if name == "accelerator" and chosen is None:
            st.caption(say(t("The files do not say which accelerator it was: choose one to see its prices")))
            return None
        found = [row for row in found if chosen is None or of(row) == chosen]
    return found


def _as_is(value: str, _language: str) -> str:
    return value or say_raw(t("not stated"))


_CHOICES: tuple[tuple[str, Text, Callable[[ListPrice], str], Callable[[str, str], str]], ...] = (
    ("accelerator", t("Accelerator"), lambda row: row.accelerator, _as_is),
    ("provider", t("Provider"), lambda row: row.provider, _as_is),
    ("commitment", t("Commitment"), lambda row: row.commitment, commitment_text),
    ("region", t("Region"), lambda row: row.region, _as_is),
)


def _told(row: ListPrice) -> None:
    mark = age_mark(row.as_of, today.day(), language())
    if mark:
        st.badge(plain(mark), icon=":material/schedule:", color="orange")
    said = (
        t("Day: {day}", day=row.as_of or say_raw(t("not stated"))),
        t("Certainty: {certainty}", certainty=certainty_text(row.certainty, language())),
        t("Source: {source}", source=row.source),
        *([t("Note: {note}", note=row.notes)] if row.notes else ()),
    )
    st.caption("  \n".join(say(line) for line in said))


def _use(row: ListPrice, run_id: str | None) -> None:
    """Take a row as the price, of one run or of all, and close the list."""
    st.session_state[keys.PICK] = False
    ask = state.ask()
    if run_id is not None:
        if not ask.by_run and ask.amount is None:
            state.set_ask(replace(ask, currency=row.currency, terms=replace(ask.terms, exchange=None)))
        before = dict(ask.by_run).get(run_id)
        discount = before.discount if before else None
        st.session_state[keys.of(keys.PRICE_WAY, run_id)] = price_runs.RENTED
        price_runs.put(run_id, RunPrice(amount=row.each, discount=discount, listed=listed_of(row)))
        return
    exchange = ask.terms.exchange
    if exchange and exchange.quoted != row.currency:
        exchange = None
    state.set_ask(
        replace(
            ask,
            amount=row.each,
            per_accelerator=True,
            currency=ask.currency if exchange else row.currency,
            terms=replace(ask.terms, listed=listed_of(row), owned=None, exchange=exchange, as_of=""),
        )
    )
