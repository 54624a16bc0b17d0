"""Price, every unit of cost and electricity as JSON, beside the answers of `plan`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from core.model.answer import Interval, RunAnswer
from core.model.price import Price
from core.present.dated import Dated, bill_marks
from core.price.energy import energies
from core.price.units import UnitCost, jobs_per_accelerator_hour, unit_costs

Json = dict[str, Any]


def with_units(
    document: Json,
    answers: Sequence[RunAnswer],
    price: Price | None,
    think_s: float | None,
    *,
    today: date | None = None,
) -> Json:
    """Return the document of `plan` with the price, and for every run its costs by unit and its electricity.

    Args:
        document: of `plan_document`, its runs in the order of the answers.
        answers: as they were answered.
        price: as it was given.
        think_s: pause of a user, seconds.
        today: tells which prices are old; None does not.
    """
    dated = Dated(today=today, price=price)
    runs = [
        {
            **run,
            "unit_costs": _units(answer, price, think_s),
            "energy": _energy(answer, price),
            "price_marks": list(bill_marks([answer], dated)),
            **_jobs(answer, price),
        }
        for run, answer in zip(document["runs"], answers, strict=True)
    ]
    return {**document, "runs": runs, "price": price_document(price)}


def price_document(price: Price | None) -> Json | None:
    """Return the price as it was given, with where it was picked from and what was done to it."""
    if price is None:
        return None
    document: Json = asdict(price)
    document["accelerators"] = dict(price.accelerators)
    document["by_run"] = {run: asdict(own) for run, own in price.by_run}
    document["pools"] = {run: {"prefill": prefill, "decode": decode} for run, prefill, decode in price.pools}
    return document


def _units(answer: RunAnswer, price: Price | None, think_s: float | None) -> list[Json]:
    return [_unit(found, price) for found in unit_costs(answer, price, think_s)]


def _unit(found: UnitCost, price: Price | None) -> Json:
    return {
        "per": found.unit.value,
        "currency": price.currency if price else None,
        "amount": _interval(found.amount),
        "unknown": found.gap.value if found.gap else None,
    }


def _jobs(answer: RunAnswer, price: Price | None) -> Json:
    return {"jobs_per_accelerator_hour": _interval(jobs_per_accelerator_hour(answer, price))}


def _energy(answer: RunAnswer, price: Price | None) -> list[Json]:
    point = answer.batch.throughput.point if answer.batch else answer.at_capacity
    return [
        {
            "power_kw": found.power.kw,
            "power_is": found.power.basis.value,
            "accelerators": found.accelerators,
            "kwh_per_million_output_tokens": _interval(found.kwh_per_million_output),
            "source": found.power.figure.source if found.power.figure else None,
            "as_of": found.power.figure.as_of if found.power.figure else None,
        }
        for found in energies(point, answer.run, price)
    ]


def _interval(found: Interval | None) -> Json | None:
    return asdict(found) if found else None
