"""Hardware that is bought: what a person types about it, worked out to money per hour.

Half of it means nothing: until purchase and years are there, what was typed waits in the session.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.errors import UsageError
from core.i18n import Text, t
from core.model.owned import Owned
from core.model.price import price_for
from core.model.price_bounds import MOST_KW, MOST_PUE, MOST_YEARS, OWNED_FIELDS, beyond, wrong_owned
from core.present.numbers import money
from core.present.price_words import quoted_in
from core.price.hourly import as_given
from core.price.terms import as_percent, owned_from
from pages.parts import keys, number
from pages.parts.links import Ask
from pages.parts.speech import plain, say, say_raw

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


NEEDED = ("capex", "years")
_LEAST: dict[str, float | None] = {"capex": None, "years": None, "pue": 1.0}


def editor(now: Callable[[], Owned | None], note: str, take: Callable[[Owned], None], which: str = "") -> None:
    """Draw the fields of what is bought.

    Args:
        now: returns what the session holds, None until enough is known.
        note: the currency of the amounts, and what is counted meanwhile.
        take: keeps what the fields come to.
        which: id of the run whose hardware it is, "" for that of every run.
    """
    st.caption(plain(note))
    said = _so_far(now(), which)
    for pair in zip(FIELDS[::2], FIELDS[1::2], strict=True):
        with number.row():
            for name, label, most in pair:
                number.optional_number(
                    say(label),
                    said.get(name),
                    _key(which, name),
                    most=most,
                    least=_LEAST.get(name, 0.0),
                    take=partial(_take, name, which, now, take),
                    hint=say_raw(t("needed") if name in NEEDED else t("none")),
                    tip=say(HELP[name]) if name in HELP else None,
                )


def owned_note(ask: Ask, spoken: str, run_id: str = "") -> str:
    """Return the currency of the fields and, while they are empty, what is counted in their place.

    Args:
        ask: with the prices.
        spoken: language.
        run_id: of the run whose hardware it is, "" for that of every run.
    """
    currency = ask.terms.exchange.quoted if ask.terms.exchange else ask.currency
    paid = price_for(ask.price, run_id)
    if paid and paid.owned:
        if paid.owned.lacks_tariff:
            said = t(
                "Amounts in {currency}. Without electricity: the price of a kWh is not given, so that every cost is at "
                "least this",
                currency=currency,
            )
            return said.render(spoken)
        return t("Amounts in {currency}", currency=currency).render(spoken)
    if paid is None or paid.amount is None:
        said = t(
            "Amounts in {currency}. Until purchase and years of use are filled in, no cost is shown", currency=currency
        )
        return said.render(spoken)
    amount = money(as_given(paid), quoted_in(paid), spoken, digits=6)
    said = t(
        "Amounts in {currency}. Until purchase and years of use are filled in, {amount} an hour, rented, is counted",
        currency=currency,
        amount=amount,
    )
    return said.render(spoken)


def _said(owned: Owned) -> dict[str, float | None]:
    """Return what the fields show: interest in per cent, and nothing where nothing was said."""
    values = {name: getattr(owned, name) or None for name in OWNED_FIELDS}
    return {**values, "interest": as_percent(owned.interest) or None}


def _so_far(owned: Owned | None, which: str) -> dict[str, float | None]:
    """Return what is held, else what was typed of it so far."""
    typed: dict[str, float | None] = st.session_state.get(_draft(which)) or {}
    return typed if owned is None else _said(owned)


def _key(which: str, name: str) -> str:
    return keys.of(keys.OWNED, *filter(None, (which,)), name)


def _draft(which: str) -> str:
    return keys.of(keys.OWNED_DRAFT, *filter(None, (which,)))


def _take(name: str, which: str, now: Callable[[], Owned | None], take: Callable[[Owned], None]) -> None:
    """Put what was typed into the session, where a cost follows from it; what cannot be is said, and left as it was."""
    # Several fields may have changed at once: each goes on from what the one before it made of the session.
    key, label, owned = _key(which, name), say(NAMES[name]), now()
    typed: float | None = st.session_state[key]
    said = {**_so_far(owned, which), name: typed}
    if owned and typed is None and name in NEEDED:
        fix = t("Give a number, or choose that the hardware is rented")
        number.refuse(key, label, UsageError("field.out_of_range", t("Without it owned hardware has no cost"), fix=fix))
        return
    if not all(said.get(each) for each in NEEDED):
        st.session_state[_draft(which)] = said
        return
    found = owned_from(said)
    wrong = next(wrong_owned(found), None)
    if wrong:
        number.refuse(key, "", beyond(wrong, f"{said.get(wrong) or 0.0:,.12g}"))
        return
    st.session_state[_draft(which)] = None
    take(found)
