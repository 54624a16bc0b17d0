"""A fleet as JSON: the numbers of the screen, unrounded. Contract: docs/schemas/fleet.schema.json."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from core import VERSION
from core.catalogue.prices import age_in_days
from core.fit.edition import edition
from core.fit.method import METHOD
from core.fleet.answer import FleetAnswer, Pool, Purchases, Way, Whole
from core.fleet.inverse import Affordable, Promise
from core.model.answer import Interval
from core.model.demand_curve import HOUR_S
from core.model.price import Price
from core.model.refusal import Refusal
from core.present.dated import Dated
from core.present.documents import refusal_document
from core.present.fleet_marks import day_of, way_marks
from core.present.paid import paid_document

Json = dict[str, Any]


def fleet_document(
    found: Sequence[FleetAnswer],
    bought: Sequence[Affordable],
    refused: Sequence[Refusal] = (),
    price: Price | None = None,
    *,
    today: date | None = None,
) -> Json:
    """Return the fleets, and what the budget buys on each run.

    Args:
        found: one for each run as if it served everything; one alone where the mix is divided over runs.
        bought: empty where no budget is given.
        refused: files that were not used.
        price: what is paid for each run, with its day.
        today: tells how old that is; None does not.
    """
    return {
        "schema": "plimsoll.fleet/1",
        "generator": {"version": VERSION, "method": METHOD, "constants": edition()},
        "fleets": [_fleet(one, price, today) for one in found],
        "budget": [_affordable(one) for one in bought],
        "refused": [refusal_document(one) for one in refused],
    }


def _fleet(found: FleetAnswer, price: Price | None, today: date | None) -> Json:
    cost, over, growth, volume = found.effective, found.over_time, found.growth, found.volume
    return {
        "runs": [pool.answer.run.id for pool in found.pools],
        "demand": {"peak": found.demand.peak, "counted_in": found.demand.kind.value},
        "cannot_tell": found.untold.value if found.untold else None,
        "replicas": _whole(found.replicas),
        "accelerators": _whole(found.accelerators),
        "currency": found.currency,
        "cost_per_hour": _interval(found.hour),
        "cost_per_month": _interval(found.month),
        "pools": [_pool(pool) | paid_document(pool.answer, price, today) for pool in found.pools],
        "cautions": [
            {
                "caution": each.caution.value,
                "replicas_alone": each.alone,
                "replicas_stacked": each.stacked,
                "replicas_saved": each.saved,
                "per_month_alone": each.alone_month,
                "per_month_stacked": each.stacked_month,
                "per_month_saved": each.saved_month,
            }
            for each in found.added
        ],
        "cost_per_million_output": {
            "full_load": _interval(cost.full),
            "effective": _interval(cost.cost),
            "used": cost.used,
            "waterfall": [{"step": s.name, "cost": s.cost, "factor": s.factor} for s in cost.stages],
        }
        if cost
        else None,
        "headroom": _interval(growth.headroom) if growth else None,
        "exceeded_in_month": _whole(growth.month) if growth else None,
        "exceeded_answer": _exceeded(found),
        "growing": _growing(found.purchases) if found.purchases else None,
        "over_time": {
            "step_hours": over.step_s / HOUR_S,
            "inside_steps": found.curve.inside if found.curve else None,
            "missing_steps": found.curve.missing if found.curve else 0,
            "mean_replicas_autoscaled": _interval(over.mean_scaled),
            "mean_replicas_perfect": _interval(over.mean_needed),
            "per_month_autoscaled": _interval(over.month_scaled),
            "per_month_perfect": _interval(over.month_needed),
            "in_flight": [float(value) for value in over.in_flight],
            "fixed": over.fixed,
            "autoscaled": [float(value) for value in over.scaled],
            "perfect": [float(value) for value in over.needed],
        }
        if over
        else None,
        "month": {
            "requests": _interval(volume.requests),
            "input_tokens_per_request": volume.input_tokens,
            "output_tokens_per_request": volume.output_tokens,
            "cached_share": volume.cached,
        }
        if volume
        else None,
        "ways": [_way(way, found, price, today) for way in found.ways],
        "break_even": [
            {
                "against": each.name,
                "requests_per_month": _interval(each.volume),
                "cheaper_in_parts_from": each.first,
                "month": _whole(each.month) if each.month else None,
                "month_against_fixed": _whole(each.month_fixed) if each.month_fixed else None,
                "month_with_growth": _whole(each.grown) if each.grown else None,
                "share_of_hours": each.share,
                "requests_per_replica_month": _interval(each.each),
                "why": each.why or None,
            }
            for each in found.break_even
        ],
    }


def _way(way: Way, found: FleetAnswer, price: Price | None, today: date | None) -> Json:
    day = day_of(way.name, found.fleet) or None
    return {
        "way": way.name,
        "per_month": _interval(way.month),
        "reserved": way.base,
        "as_of": day,
        "age_days": age_in_days(day, today) if day and today else None,
        "marks": list(way_marks(way.name, found, Dated(today=today, price=price))),
    }


def _growing(bought: Purchases) -> Json:
    return {
        "months": len(bought.months),
        "cost": _interval(bought.total),
        "by_month": [
            {
                "month": row.month,
                "demand": row.demand,
                "replicas": _whole(row.replicas),
                "accelerators": _whole(row.accelerators),
                "cost_of_month": _interval(row.bill),
                "cost_so_far": _interval(row.so_far),
            }
            for row in bought.months
        ],
    }


def _pool(pool: Pool) -> Json:
    admission = pool.answer.admission
    return {
        "run": pool.answer.run.id,
        "kind": pool.answer.run.kind.value,
        "share": pool.share,
        "in_flight": _interval(pool.in_flight),
        "safe": pool.safe,
        "planned_share": pool.sure_share,
        "replicas": _whole(pool.replicas),
        "accelerators_each": pool.accelerators,
        "nodes": _whole(pool.nodes) if pool.nodes else None,
        "cost_per_hour_each": pool.each_hour,
        "admission_limit": admission.endpoint if admission else None,
        "cannot_tell": pool.untold.value if pool.untold else None,
    }


def _affordable(one: Affordable) -> Json:
    return {
        "run": one.answer.run.id,
        "cannot_tell": one.untold.value if one.untold else None,
        "replicas": _whole(one.replicas),
        "cost_per_month": _interval(one.month),
        "fits": one.fits,
        "fits_answer": _fits(one),
        "replicas_bought": one.bought,
        "demand_carried": one.demand,
        "promises": [
            {
                "target": f"{promise.target.metric.value} {promise.target.statistic}",
                "limit_now": promise.target.limit,
                "limit": promise.limit,
                "limit_answer": _limit(promise),
                "replicas": _whole(promise.replicas),
                "cost_per_month": _interval(promise.month),
                "tightest_measured": promise.end,
            }
            for promise in one.promises
        ],
    }


def _fits(one: Affordable) -> str:
    """Return what `fits` means: null is a budget inside the range of the bill, or a bill that is not known."""
    if one.month is None:
        return "unknown"
    return "cannot_tell" if one.fits is None else ("yes" if one.fits else "no")


def _limit(promise: Promise) -> str:
    """Return what `limit` means: null is none that the budget pays for, or one that cannot be told."""
    if promise.limit is not None:
        return "limit"
    return "cannot_tell" if promise.open else "none"


def _exceeded(found: FleetAnswer) -> str | None:
    """Return what the month means: null is one that never comes, or one that is not known."""
    if found.growth is None:
        return None
    if found.growth.month.count is not None:
        return "month"
    if found.growth.headroom.mid is None:
        return "cannot_tell"
    return "never" if found.fleet.growth > 0.0 else "no_growth"


def _whole(found: Whole) -> Json:
    return {"count": found.count, "fewest": found.fewest, "most": found.most}


def _interval(found: Interval | None) -> Json | None:
    return None if found is None else {"low": found.low, "mid": found.mid, "high": found.high, "level": found.level}
