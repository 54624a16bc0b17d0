"""Electricity per token: from what an accelerator draws, as far as anybody says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.catalogue.hardware import Figure, Quantity, accelerator
from core.model.answer import Interval, LoadPoint
from core.model.price import Price, price_for
from core.model.run import Run
from core.price.count import accelerators
from core.price.formula import MILLION, over

JOULES_PER_KWH = 3.6e6
_WATTS = 1000.0


class PowerBasis(StrEnum):
    """What a power holds. Printed: never rename one."""

    GIVEN = "given"
    OWNED = "owned"
    ALL_IN = "all_in"
    CHIP = "chip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Power of one accelerator.

    Attributes:
        kw: kW. basis: typed by the person, that of machines that are bought with their cooling, modelled with host,
            network and cooling, or the chip's design power alone.
        figure: of data/hardware, None where the person typed it.
    """

    kw: float
    basis: PowerBasis
    figure: Figure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """Electricity at one load.

    Attributes:
        power: of one accelerator. accelerators: how many draw it.
        kwh_per_million_output: kWh for 10^6 output tokens; the numbers of J per token are 3.6 times these.
    """

    power: Power
    accelerators: int
    kwh_per_million_output: Interval


def powers(run: Run, price: Price | None) -> tuple[Power, ...]:
    """Return what is known of the power of a run's accelerator: what was typed, all-in, chip only; empty is unknown.

    Args:
        run: its accelerator is looked up in data/hardware; a name that several parts have tells nothing.
        price: may hold a power that the person typed.
    """
    found = []
    own = _of_owned(run, price)
    if price and price.power_kw:
        found.append(Power(kw=price.power_kw, basis=PowerBasis.GIVEN))
    elif own:
        found.append(Power(kw=own, basis=PowerBasis.OWNED))
    part = accelerator(run.conditions.accelerator or "")
    if part is None:
        return tuple(found)
    all_in, chip = part.used(Quantity.ALL_IN_POWER), part.used(Quantity.TDP)
    if all_in:
        found.append(Power(kw=all_in.value, basis=PowerBasis.ALL_IN, figure=all_in))
    if chip:
        found.append(Power(kw=chip.value / _WATTS, basis=PowerBasis.CHIP, figure=chip))
    return tuple(found)


def _of_owned(run: Run, price: Price | None) -> float | None:
    """Return what bought machines draw with their cooling, kW of one accelerator: the bill counts it anyway."""
    paid = price_for(price, run.id)
    if paid is None or paid.owned is None or not paid.owned.power_kw:
        return None
    drawn = paid.owned.power_kw * paid.owned.pue
    if paid.per_accelerator:
        return drawn
    count = accelerators(run, paid)
    return drawn / count if count else None


def energies(point: LoadPoint | None, run: Run, price: Price | None) -> tuple[Energy, ...]:
    """Return electricity per million output tokens at a load, one for each power that is known.

    Every accelerator of the deployment is taken to draw its power all the time: an upper bound where it idles.

    Args:
        point: throughput there.
        run: its accelerators are counted.
        price: the person's count and power, where there are any.
    """
    count = accelerators(run, price or Price(amount=1.0, per_accelerator=True))
    rate = point.output_tok_s if point else None
    if not count or rate is None or not rate.mid:
        return ()
    return tuple(
        Energy(
            power=power,
            accelerators=count,
            kwh_per_million_output=over(kwh(power.kw, count), rate),
        )
        for power in powers(run, price)
    )


def kwh(kw: float, count: int) -> float:
    """Return kWh per million tokens times tokens/s: kW of all accelerators x 10^6 / 3600.

    >>> round(kwh(0.7, 8) / 4000.0, 4)  # eight times 0.7 kW at 4,000 tokens/s
    0.3889
    """
    return kw * count * _WATTS * MILLION / JOULES_PER_KWH
