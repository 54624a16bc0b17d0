"""What else the same demand could cost: reserved, bought, somebody's API; and the budget."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.digits import as_typed
from core.errors import UsageError
from core.i18n import Text, t
from core.model.fleet import ApiPrice, Fleet
from core.model.owned import Owned
from core.model.price import PaidFor, any_owned, paid_for
from core.model.price_bounds import MOST_KW, MOST_PUE, MOST_YEARS
from pages.parts import fleet_fields, fleet_state, keys, state
from pages.parts.fleet_fields import PERCENT
from pages.parts.number import row
from pages.parts.speech import heading, say, say_raw

MOST_MONEY = 1e12
FIRST_YEARS = 4.0

_PAID_FOR = {
    PaidFor.EACH: t("Amounts and power are for one accelerator, as the price"),
    PaidFor.WHOLE: t("Amounts and power are for one whole deployment, as the price"),
    PaidFor.MIXED: t("Amounts and power are for what the price of each run is for: one accelerator, or its deployment"),
}


def editor() -> None:
    """Draw the prices of the other ways, folded, and the budget; every amount is in the currency of the price."""
    fleet, none = fleet_state.fleet(), say_raw(t("none"))
    with st.expander(
        say(t("Other ways to pay, and a budget")), icon=":material/payments:", key=keys.of(keys.FLEET, "ways")
    ):
        _currency()
        fleet_fields.number(
            "budget",
            t("Budget a month"),
            fleet.budget,
            lambda now, typed: replace(now, budget=typed),
            most=MOST_MONEY,
            least=None,
            hint=none,
            tip=say(t("Then the page says which promise it pays for, and on which run")),
        )
        fleet_fields.number(
            "reserved",
            t("Reserved price per hour"),
            fleet.reserved,
            lambda now, typed: replace(now, reserved=typed),
            most=MOST_MONEY,
            least=None,
            hint=none,
            tip=say(
                t("For what the price is for: one accelerator, or the whole deployment. Paid every hour, used or not")
            ),
        )
        _dated("reserved_as_of", fleet, given=fleet.reserved is not None)
        heading(t("Somebody's API, a million tokens"))
        _currency()
        _api(fleet)
        _dated("api_as_of", fleet, given=fleet.api is not None)
        heading(t("Bought hardware"))
        _owned(fleet)
        _dated("owned_as_of", fleet, given=fleet.owned is not None)


def _dated(name: str, fleet: Fleet, *, given: bool) -> None:
    """Draw the day of a price that is given: with it the price can be told to be old."""
    if given:
        fleet_fields.day(
            name,
            t("Day of the price (optional)"),
            getattr(fleet, name),
            lambda now, typed: replace(now, **{name: typed}),  # type: ignore[arg-type]  # a field by its name
            tip=say(t("Of an offer or a list. With it the price is marked once it is old")),
        )


def _currency() -> None:
    """Say in which currency the next amounts are typed: that of the price, whatever costs are shown in."""
    ask = state.ask()
    exchange = ask.terms.exchange
    said = t("In {currency}, as the price", currency=ask.currency)
    if exchange:
        said = t(
            "In {quoted}, as the price; exchanged into {currency} with it",
            quoted=exchange.quoted,
            currency=ask.currency,
        )
    st.caption(say(said))


def _api(fleet: Fleet) -> None:
    api, none = fleet.api, say_raw(t("none"))
    with row():
        for name, label, value in (
            ("input", t("Input"), api.input if api else None),
            ("output", t("Output"), api.output if api else None),
            ("cached", t("Cached input"), api.cached if api else None),
        ):
            fleet_fields.number(
                f"api_{name}",
                label,
                value,
                lambda now, typed, name=name: _with_api(now, name, typed),  # type: ignore[misc]  # a default binds it
                most=MOST_MONEY,
                hint=none,
            )


def _with_api(fleet: Fleet, name: str, typed: float | None) -> Fleet:
    """Return the fleet with one price of the API; a price that is left empty is unknown, without any is no API."""
    known = fleet.api
    prices = {part: getattr(known, part) if known else None for part in ("input", "output", "cached")} | {name: typed}
    if known is None and name == "cached" and typed is not None:
        raise _too_early(typed, t("Give the price of input or of output first"))
    is_none = all(price is None for price in prices.values())
    return replace(
        fleet,
        api=None if is_none else ApiPrice(input=prices["input"], output=prices["output"], cached=prices["cached"]),
    )


def _too_early(typed: float | None, fix: Text) -> UsageError:
    return UsageError("field.out_of_range", t('"{said}" cannot be taken', said=as_typed(typed or 0.0)), fix=fix)


def _owned(fleet: Fleet) -> None:
    """Draw what hardware costs to buy; without its price and years there is none."""
    owned, none, price = fleet.owned or fleet_state.kept_owned(), say_raw(t("none")), state.ask().price
    _currency()
    st.caption(say(_PAID_FOR[paid_for(price)]))
    if fleet.owned and any_owned(price):
        st.caption(say(t("Not counted for a run whose price is that of bought hardware already")))
    for pair in zip(_OWNED[::2], _OWNED[1::2], strict=True):
        with row():
            for name, label, most in pair:
                scale = PERCENT if name == "interest" else 1.0
                is_there = owned if name != "capex" else fleet.owned
                value = getattr(owned, name) * scale if owned and is_there else None
                fleet_fields.number(
                    f"own_{name}",
                    label,
                    value or None,
                    lambda now, typed, name=name, scale=scale: _with_owned(now, name, typed, scale),  # type: ignore[misc]  # as above
                    most=most,
                    least=_LEAST.get(name, 0.0),
                    hint=none,
                )


_OWNED = (
    ("capex", t("Purchase"), MOST_MONEY),
    ("years", t("Years of use"), MOST_YEARS),
    ("residual", t("Worth at the end"), MOST_MONEY),
    ("interest", t("Interest a year, %"), PERCENT),
    ("power_kw", t("Power, kW"), MOST_KW),
    ("tariff", t("Money per kWh"), MOST_MONEY),
    ("pue", t("PUE"), MOST_PUE),
    ("operations", t("Running costs a year"), MOST_MONEY),
)
"""Fields of owned hardware with the largest number of each."""
_LEAST: dict[str, float | None] = {"capex": None, "years": None, "pue": 1.0}


def _with_owned(fleet: Fleet, name: str, typed: float | None, scale: float) -> Fleet:
    known = fleet.owned
    kept = fleet_state.kept_owned()
    if name == "capex" and not typed:
        # What else was typed stays in its fields: only the price is gone.
        fleet_state.keep_owned(known or kept)
        return replace(fleet, owned=None)
    if name == "capex":
        # Four years until somebody says: nothing is bought without a price.
        return replace(fleet, owned=replace(known or kept or Owned(capex=1.0, years=FIRST_YEARS), capex=typed or 0.0))
    least = {"years": FIRST_YEARS, "pue": 1.0}
    value = least.get(name, 0.0) if typed is None else typed / scale
    if known is not None:
        return replace(fleet, owned=replace(known, **{name: value}))
    if kept is None:
        raise _too_early(typed, t("Give the price of purchase first"))
    fleet_state.keep_owned(replace(kept, **{name: value}))
    return fleet
