"""The options of the command line that say what a deployment has to carry; every command reads them alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps

import click

from core.i18n import t
from core.model.demand_text import MOST_THINK_S
from core.model.scenario import DemandKind

KINDS = tuple(kind.value for kind in DemandKind)


def pause_option(told: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the option for the pause of a user, as `think_time`: up to a day, and a number as people write it."""
    return click.option(
        "--think-time", type=click.FloatRange(0.0, MOST_THINK_S), callback=_finite, metavar="SECONDS", help=told
    )


def _finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Refuse what Python reads as a number and people do not: nan."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(str(t("{value} is no number of seconds", value=str(value))))
    return value


def carried_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options about the demand at the peak; the command gets them as one `demand`, None where it is unsaid."""

    @click.option(
        "--demand",
        metavar="DEMAND",
        help='At the peak: 30-req_s, 200-users or 64-concurrency; "30 req/s" and "200 users" too.',
    )
    @click.option("--demand-kind", type=click.Choice(KINDS), help="What a --demand counts that is only a number.")
    @wraps(command)
    def with_demand(*args: object, demand: str | None, demand_kind: str | None, **others: object) -> None:
        from core.cli import _or_usage
        from core.model.demand_text import parse_demand

        read = None if demand is None else _or_usage(lambda: parse_demand(demand, demand_kind))
        command(*args, demand=read, **others)

    return with_demand
