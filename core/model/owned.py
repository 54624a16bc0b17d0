"""Hardware that is bought instead of rented, as the person says it."""

from __future__ import annotations

from dataclasses import dataclass

HOURS_PER_YEAR = 8760.0
"""Of a year of 365 days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """What bought hardware costs over its life: of one accelerator or of the whole deployment, as the price is.

    Attributes:
        capex: price of purchase with host and network, money. residual: what it is worth at the end.
        interest: a year, 0.08 is 8 %. years: of use, > 0.
        power_kw: drawn by the machines without cooling, kW. pue: power of the hall over that of the machines, >= 1.
        tariff: money per kWh.
        hosting, licence, operations: money a year.

    A part at 0 was not given, and nothing is counted for it: `lacks_tariff` says where that is seen to be too little.
    """

    capex: float
    years: float
    residual: float = 0.0
    interest: float = 0.0
    power_kw: float = 0.0
    pue: float = 1.0
    tariff: float = 0.0
    hosting: float = 0.0
    licence: float = 0.0
    operations: float = 0.0

    @property
    def recovery(self) -> float:
        """Return the share of the purchase that every year has to bring back (capital recovery factor).

        r (1 + r)^n / ((1 + r)^n - 1), and 1 / n without interest.
        """
        grown: float = (1.0 + self.interest) ** self.years
        # Below this the formula divides two differences that rounding has eaten; the limit is 1 / n.
        return 1.0 / self.years if self.interest < _NO_INTEREST else self.interest * grown / (grown - 1.0)

    @property
    def capital_per_year(self) -> float:
        """Return money a year for the purchase: what it is worth at the end is worth less today."""
        worth_now: float = self.residual / (1.0 + self.interest) ** self.years
        return self.recovery * (self.capex - worth_now)

    @property
    def energy_per_hour(self) -> float:
        """Return money an hour for electricity, with that of the cooling."""
        return self.power_kw * self.pue * self.tariff

    @property
    def lacks_tariff(self) -> bool:
        """Return True where power is drawn at a price that nobody gave: the money is without electricity, a floor."""
        return self.power_kw > 0.0 and not self.tariff

    @property
    def per_hour(self) -> float:
        """Return money an hour, used or idle, before tax and exchange."""
        yearly = self.capital_per_year + self.hosting + self.licence + self.operations
        return yearly / HOURS_PER_YEAR + self.energy_per_hour


_NO_INTEREST = 1e-9
