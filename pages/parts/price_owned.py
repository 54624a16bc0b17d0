"""Hardware that is bought: what a person types about it, worked out to money per hour."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import Text, t
from core.model.owned import Owned
from core.model.price_bounds import MOST_KW, MOST_PUE, MOST_YEARS, wrong_owned
from core.present.numbers import money
from core.price.hourly import as_given
from core.price.terms import as_percent, owned_from
from pages.parts import keys, state
from pages.parts.links import Ask
from pages.parts.speech import language, plain, say, say_raw

PERCENT = 100.0
MOST_MONEY = 1e12

FIELDS: tuple[tuple[str, Text, float], ...] = (
    ("capex", t("Purchase"), MOST_MONEY),
    ("residual", t("Worth at the end"), MOST_MONEY),
    ("years", t("Years of use"), MOST_YEARS),
    ("interest", t("Interest a year, %"), PERCENT),
    ("power_kw", t("Power, kW"), MOST_KW),
    ("pue", t("PUE"), MOST_PUE),
    ("tariff", t("Price of a kWh"), MOST_MONEY),
    ("hosting", t("Hosting a year"), MOST_MONEY),
    ("licence", t("Licences a year"), MOST_MONEY),
    ("operations", t("Operations a year"), MOST_MONEY),
)

HELP: dict[str, Text] = {
    "capex": t("With host, network and installation; of one accelerator or of the whole deployment, as chosen below"),
    "power_kw": t("Of the machines without cooling; PUE adds that"),
    "pue": t("Power of the hall over that of the machines; 1 where cooling is in the power already"),
}

NAMES = {name: label for name, label, _ in FIELDS}


def editor(owned: Owned | None) -> None:
    """Draw the form; nothing changes until it is sent, since half of it means nothing."""
    st.caption(plain(owned_note(state.ask(), language())))
    with st.form(keys.of(keys.OWNED, "form"), border=False, enter_to_submit=True):
        typed: dict[str, float | None] = {}
        for first, second in zip(FIELDS[::2], FIELDS[1::2], strict=True):
            with st.container(horizontal=True, wrap=False, gap="small"):
                for name, label, most in (first, second):
                    typed[name] = _field(owned, name, label, most)
        sent = st.form_submit_button(say(t("Work out the cost per hour")), icon=":material/calculate:", width="stretch")
    if sent:
        _take(typed)
    wrong = st.session_state.get(keys.OWNED_WRONG)
    if wrong:
        st.error(say(t("{field} cannot be like this: check the form", field=say_raw(NAMES[wrong]))))


def owned_note(ask: Ask, spoken: str) -> str:
    """Return the currency of the fields and, while they are empty, what is counted in their place."""
    currency = ask.terms.exchange.quoted if ask.terms.exchange else ask.currency
    if ask.terms.owned:
        return t("Amounts in {currency}", currency=currency).render(spoken)
    if ask.price is None or ask.price.amount is None:
        said = t("Amounts in {currency}. Until this is filled in and sent, no cost is shown", currency=currency)
        return said.render(spoken)
    amount = money(as_given(ask.price), currency, spoken, digits=6)
    said = t(
        "Amounts in {currency}. Until this is filled in and sent, {amount} an hour, rented, is counted",
        currency=currency,
        amount=amount,
    )
    return said.render(spoken)


def _field(owned: Owned | None, name: str, label: Text, most: float) -> float | None:
    known = getattr(owned, name) if owned else None
    if known is not None and name == "interest":
        known = as_percent(known)
    return st.number_input(
        say(label),
        value=known,
        min_value=0.0,
        max_value=most,
        format="%g",
        key=keys.of(keys.OWNED, name),
        placeholder=say_raw(t("none")) if name not in ("capex", "years") else say_raw(t("needed")),
        help=say(HELP[name]) if name in HELP else None,
    )


def _take(typed: dict[str, float | None]) -> None:
    """Put what was typed into the session, where a cost follows from it."""
    found = owned_from(typed)
    st.session_state[keys.OWNED_WRONG] = next(wrong_owned(found), None)
    if st.session_state[keys.OWNED_WRONG] is None:
        ask = state.ask()
        state.set_ask(replace(ask, terms=replace(ask.terms, owned=found)))
    st.rerun()
