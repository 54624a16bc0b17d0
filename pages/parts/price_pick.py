"""Picking a price from data/prices: by accelerator, provider, commitment and region, with its source and day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from core.catalogue.hardware import candidates
from core.catalogue.prices import ListPrice, prices
from core.i18n import Text, t
from core.model.run import Run
from core.present.price_words import age_mark, certainty_text, commitment_text, offer_text
from core.price.terms import listed_of
from pages.parts import keys, state, today
from pages.parts.speech import language, plain, say, say_raw


def popover(runs: tuple[Run, ...]) -> None:
    """Draw the list of prices behind a button; a chosen row goes into the price with where it is from."""
    with st.popover(say(t("Pick a price")), key=keys.PICK, type="tertiary", icon=":material/list_alt:"):
        st.caption(say(t("Published prices with their source and day. Check one with its provider before you sign")))
        found = _filtered(runs)
        if not found:
            st.caption(say(t("No row fits. The price can be typed instead")))
            return
        shown = language()
        row = st.selectbox(
            say(t("Offer")),
            found,
            format_func=lambda each: offer_text(each, shown),
            key=keys.of(keys.PICK, "row"),
        )
        _told(row)
        st.caption(say(t("The whole list, and what each accelerator has, is at the end of the Guide page")))
        st.button(
            say(t("Use this price")),
            key=keys.of(keys.PICK, "use"),
            icon=":material/check:",
            type="primary",
            width="stretch",
            on_click=_use,
            args=(row,),
        )


def _filtered(runs: tuple[Run, ...]) -> Sequence[ListPrice]:
    """Draw the choices, each among what the ones before leave, and return the rows that fit all."""
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
            key=keys.of(keys.PICK, name),
            placeholder=say_raw(t("any")),
        )
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


def _use(row: ListPrice) -> None:
    ask = state.ask()
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
