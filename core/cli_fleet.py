"""The subcommand that counts a fleet and its bill a month. Contract: docs/fleet.md.

Exit codes: 0 every fleet can be told and, with a budget, fits it; 1 any other answer; 2 and 3 as everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli_demand import carried_options, pause_option
from core.cli_mapping import mapping_option
from core.cli_price import Money, money_options, price_of
from core.cli_runs import arranged_as, run_options
from core.errors import UsageError
from core.i18n import t
from core.model.scenario import Demand

if TYPE_CHECKING:
    from core.fleet.answer import FleetAnswer
    from core.fleet.inverse import Affordable
    from core.model.fleet import Fleet
    from core.model.price import Price
    from core.model.run import Run
    from core.model.target import Target
    from core.model.traffic import Traffic
    from core.normalise.said import Said


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--slo", "slos", multiple=True, required=True, metavar="TARGET", help='Such as "ttft p99 <= 500ms".')
@carried_options
@click.option(
    "--day", metavar="FILE", help="Requests over time (CSV), or a preset such as office. Gives the demand too."
)
@click.option("--fleet", "fleet_words", default="", metavar="WORDS", help='Such as "growth=5% spares=1 ceiling=80%".')
@money_options
@pause_option("Pause of a user.")
@click.option("--traffic", multiple=True, metavar="TRAFFIC", help='Your own, such as "isl=2000 osl=400"; see plan.')
@run_options
@mapping_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def fleet(  # noqa: PLR0913 - each is an option
    files: Sequence[Path],
    slos: Sequence[str],
    *,
    demand: Demand | None,
    day: str | None,
    fleet_words: str,
    money: Money,
    think_time: float | None,
    traffic: Sequence[str],
    said: Said,
    as_json: bool,
) -> None:
    """Say how many copies of the FILES' deployments a demand needs, and what they cost a month."""
    from core.cli import FINE, NOT_MET, _load, _no_input, _or_usage, _print, _traffic
    from core.model.fleet_text import without_serve
    from core.model.target import parse_target
    from core.present.fleet_console import fleet_text
    from core.present.fleet_document import fleet_document

    targets = _or_usage(lambda: tuple(parse_target(text) for text in slos))
    own = _or_usage(lambda: _traffic(traffic, think_time))
    words, serving = without_serve(fleet_words)
    wanted, asked = _or_usage(lambda: _asked(demand, day, words))
    loaded = _load(files)
    if not loaded.runs:
        _no_input(fleet_document((), (), loaded.refused), as_json=as_json)
    loaded = _or_usage(lambda: arranged_as(loaded, said))
    asked = replace(asked, served_by=_or_usage(lambda: _served_by(serving, loaded.runs, own)))
    price = _or_usage(lambda: price_of(money, loaded.runs))
    told = _or_usage(lambda: _bought_already(asked, price, loaded.runs))
    if told:
        click.echo(told, err=True)
    found = _fleets(loaded.runs, targets, own, _Asked(wanted, think_time, asked, price))
    bought = _bought(loaded.runs, targets, own, _Asked(wanted, think_time, asked, price))
    today = datetime.now(UTC).date()
    if as_json:
        _print(fleet_document(found, bought, loaded.refused, price, today=today))
    else:
        _print(fleet_text(found, bought, price, today=today))
    fine = all(one.untold is None for one in found) and all(one.fits for one in bought)
    sys.exit(FINE if fine else NOT_MET)


def _served_by(named: str | None, runs: Sequence[Run], traffic: Traffic | None) -> tuple[str, ...]:
    """Return the run of each kind of request by its id, () where nothing is said of them.

    Raises:
        UsageError: "fleet.serve" for more runs than kinds, and those of `core.model.run_name.listed_by_id`.
    """
    from core.model.run_name import listed_by_id

    if named is None:
        return ()
    found = listed_by_id(named, {run.id: run.label for run in runs})
    kinds = len(traffic.profiles) if traffic else 0
    if len(found) > max(kinds, 1) or not any(found) or kinds < 2:
        raise UsageError(
            "fleet.serve",
            t("serve= names {runs} runs, and --traffic has {kinds} kinds of requests", runs=len(found), kinds=kinds),
            fix=t("Give --traffic once for each kind, with share=, and one run for each of them, in their order"),
        )
    return found


def _bought_already(fleet: Fleet, price: Price | None, runs: Sequence[Run]) -> str:
    """Return for which runs `own=` says nothing, since what they are paid with is bought already; "" for none.

    Raises:
        UsageError: "fleet.own_twice" where those are all.
    """
    from core.model.price import price_for

    paid = [(run, price_for(price, run.id)) for run in runs]
    owned = [run.label for run, one in paid if one and one.owned]
    if fleet.owned is None or not owned:
        return ""
    if len(owned) == len(runs):
        raise UsageError(
            "fleet.own_twice",
            t("own= in the fleet is another way to pay beside rent, and the price is of bought hardware already"),
            fix=t("Leave own= out of the fleet, or give a rented price such as 2.50/gpu-h"),
        )
    return str(
        t("own= in the fleet is not counted for {runs}: the price is of bought hardware already", runs=", ".join(owned))
    )


class _Asked:
    """What is asked of every run."""

    def __init__(self, demand: Demand, think_s: float | None, fleet: Fleet, price: Price | None) -> None:
        self.demand, self.think_s, self.fleet, self.price = demand, think_s, fleet, price


def _fleets(
    runs: Sequence[Run], targets: Sequence[Target], traffic: Traffic | None, asked: _Asked
) -> tuple[FleetAnswer, ...]:
    """Return one fleet for each run, or one over several where the kinds of a mix are divided between them."""
    from core.fleet.plan import fleet_of
    from core.fleet.serving import parts_of, serve
    from core.pipeline import answer_run

    by_id = {run.id: run for run in runs}
    divided = parts_of(traffic, asked.fleet.served_by, tuple(by_id), runs[0].id)
    every = [divided] if len(divided) > 1 else [parts_of(traffic, (), tuple(by_id), run.id) for run in runs]
    return tuple(
        fleet_of(
            serve(parts, lambda part: answer_run(by_id[part.run_id], targets, asked.price, traffic=part.traffic)),
            asked.demand,
            asked.think_s,
            asked.fleet,
            asked.price,
        )
        for parts in every
    )


def _bought(
    runs: Sequence[Run], targets: Sequence[Target], traffic: Traffic | None, asked: _Asked
) -> tuple[Affordable, ...]:
    """Return what the budget buys on each run, () without one."""
    from core.fit.fit import fit_run
    from core.fleet.inverse import Wanted, affordable
    from core.pipeline import answer_run, sensitivity_of

    if asked.fleet.budget is None or asked.price is None:
        return ()
    wanted = Wanted(
        demand=asked.demand, think_s=asked.think_s, fleet=replace(asked.fleet, curve=None), price=asked.price
    )
    found = []
    for run in runs:
        fit = fit_run(run)
        answer = answer_run(run, targets, asked.price, fit, traffic=traffic)
        found.append(affordable(answer, sensitivity_of(answer, fit, asked.price), fit, wanted))
    return tuple(found)


def _asked(demand: Demand | None, day: str | None, words: str) -> tuple[Demand, Fleet]:
    """Return the demand and the fleet; a file of requests over time brings its own peak where none is typed.

    Raises:
        UsageError: "fleet.no_demand", "fleet.unknown_day", those of the words and of the file.
    """
    from core.errors import RefusedFileError
    from core.fleet.days import day_of, day_presets
    from core.fleet.demand_table import demand_table, guessed
    from core.fleet.read_curve import read_curve
    from core.ingest.raw import Upload
    from core.model.fleet_text import parse_fleet

    typed = parse_fleet(words)
    name = typed.day if day is None else day
    curve = day_of(name) if name else None
    if curve is None and (name or day is not None):
        path = Path(name)
        if not name or not path.is_file():
            raise UsageError(
                "fleet.unknown_day",
                t('"{name}" is neither a file nor a known day', name=name[:80]),
                fix=t("Use a CSV file, or one of: {names}", names=", ".join(each.id for each in day_presets())),
            )
        try:
            table = demand_table(Upload(path.name, path.read_bytes()))
            read = read_curve(table, guessed(table))
        except RefusedFileError as error:
            raise UsageError(error.code, error.what, fix=error.fix, place=error.place) from error
        curve = read.curve
        demand = demand or Demand(peak=curve.peak or 1.0, kind=read.kind)
    if demand is None:
        raise UsageError(
            "fleet.no_demand",
            t("Nothing says how much the fleet has to carry"),
            fix=t("Give --demand 400-users, 12.5-req_s or 300-concurrency, or --day with a file of requests over time"),
        )
    return demand, replace(typed.fleet, curve=curve)
