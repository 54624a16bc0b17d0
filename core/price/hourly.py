"""What one hour of a deployment costs: the one place where a price becomes a bill."""

from __future__ import annotations

from core.model.price import Price, price_for
from core.model.run import Run
from core.price.count import accelerators


def per_hour(run: Run, price: Price) -> float | None:
    """Return money per hour of one deployment (one replica), in the price's currency.

    Ownership or the price as given, less the discount, with or without tax, exchanged, for every accelerator.

    Args:
        run: its accelerators are counted where the price is for one of them.
        price: from the person; a run's own goes before the common one.

    Returns:
        None where the run has no price, or where the count is needed and nobody said it.

    Sources:
        docs/cost.md, with the formulas and where they come from.

    >>> from core.model.price import Exchange, Tax
    >>> from core.model.run import Conditions, Kind
    >>> run = Run(
    ...     id="a", label="a", kind=Kind.MEASURED, format_id="", format_version=None, files=(), stages=(),
    ...     conditions=Conditions(accelerator_count=8),
    ... )
    >>> rented = Price(amount=2.0, per_accelerator=True, discount=0.25, tax=Tax(rate=0.1, counted=True))
    >>> round(per_hour(run, rented), 9)
    13.2
    """
    paid = price_for(price, run.id)
    if paid is None:
        return None
    each = of_one(paid)
    if not paid.per_accelerator:
        return each
    count = accelerators(run, paid)
    return each * count if count else None


def of_one(price: Price) -> float:
    """Return money per hour of what the price of one run (`price_for`) is for: one accelerator, or its deployment."""
    return as_given(price) * discount_factor(price) * tax_factor(price) * exchange_factor(price)


def as_given(price: Price) -> float:
    """Return money per hour before discount, tax and exchange, in the currency that it was given in.

    Raises:
        ValueError: a price that is no run's: `price_for` says which one a run has.
    """
    found = price.owned.per_hour if price.owned else price.amount
    if found is None:
        raise ValueError("a price without an amount is that of no run")
    return found


def discount_factor(price: Price) -> float:
    """Return what is left of the price after the discount; what is owned was bought at the price that was typed."""
    return 1.0 if price.owned else 1.0 - price.discount


def tax_factor(price: Price) -> float:
    """Return what tax does to the price: it may hold it, and the figures may have to."""
    tax = price.tax
    if tax is None or tax.quoted_with == tax.counted:
        return 1.0
    return 1.0 + tax.rate if tax.counted else 1.0 / (1.0 + tax.rate)


def exchange_factor(price: Price) -> float:
    """Return money of the price's currency for one of the currency that it was given in."""
    return price.exchange.rate if price.exchange else 1.0
