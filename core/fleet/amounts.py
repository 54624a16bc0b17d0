"""What was typed of a fleet's money, in the currency of the costs: one rule for every amount."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.fleet import Fleet
from core.model.price import Price
from core.price.hourly import exchange_factor, tax_factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """Money that was typed in the currency that the price is given in, as the costs are counted.

    All but the budget with the tax of the price, as the bill has it. None is unknown, or was not asked.

    Attributes:
        budget: a month; it is held against the bill as it is shown, so that no tax is put on it or taken off.
        reserved: per hour, for what the price is for. owned: what bought hardware comes to per hour, for the same.
        input, output, cached: of an API, for a million tokens.
    """

    budget: float | None = None
    reserved: float | None = None
    owned: float | None = None
    input: float | None = None
    output: float | None = None
    cached: float | None = None

    @property
    def lacking(self) -> tuple[str, ...]:
        """Return which prices of an API were not given of the two that it needs: "input", "output"."""
        return tuple(name for name in ("input", "output") if getattr(self, name) is None)


def amounts(fleet: Fleet, price: Price) -> Amounts:
    """Return the amounts of a fleet as the costs of a price are counted.

    >>> from core.model.price import Exchange
    >>> price = Price(amount=2.0, per_accelerator=True, currency="KRW", exchange=Exchange(quoted="USD", rate=1380.0))
    >>> found = amounts(Fleet(budget=1000.0, reserved=1.5), price)
    >>> found.budget, found.reserved, found.owned
    (1380000.0, 2070.0, None)
    """
    exchanged = exchange_factor(price)
    taxed = exchanged * tax_factor(price)

    def times(amount: float | None, factor: float = taxed) -> float | None:
        return None if amount is None else amount * factor

    api = fleet.api
    return Amounts(
        budget=times(fleet.budget, exchanged),
        reserved=times(fleet.reserved),
        owned=times(fleet.owned.per_hour if fleet.owned else None),
        input=times(api.input if api else None),
        output=times(api.output if api else None),
        cached=times(api.cached if api else None),
    )
