"""The lines of the cost sheet about the demand: copies at its peak, and what they cost a month."""

from __future__ import annotations

from collections.abc import Mapping

from core.fleet.answer import FleetAnswer
from core.fleet.plan import fleet_for
from core.fleet.pools import paid
from core.fleet.size import Caution, parts
from core.fleet.size import copies as copies_of
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.fleet import Fleet
from core.model.scenario import DemandKind, Scenario
from core.present.replicas import DEMANDS, carried, promised, replicas, request_s, requests_s
from core.present.report.workbook_formulas import Formulas
from core.present.report.workbook_ledger import MONEY, Cell, Ledger
from core.present.report.workbook_page import WHOLE
from core.price.formula import HOURS_PER_MONTH


def write_demand(
    ledger: Ledger, words: Formulas, answer: RunAnswer, scenario: Scenario, bill: Cell
) -> tuple[Cell | None, Mapping[str, Cell] | None]:
    """Write how many copies the demand needs, and their cost a month with its range; return the cells of both."""
    say, demand, think_s = ledger.book.say, scenario.demand, scenario.think_time_s
    if demand is None:
        return None, None
    ledger.ends(say(t("For the demand")))
    ledger.given(
        f"{words.run}_promised", t("Concurrent requests that one replica carries"), promised(answer), number=WHOLE
    )
    if demand.kind is not DemandKind.CONCURRENCY:
        whole = t("Mean time of a request at the safe number")
        ledger.given(f"{words.run}_request_s", whole, request_s(answer), unit="s")
    one = ledger.worked_out(
        t("Demand that one replica carries"),
        words.carried(demand.kind, rate_known=requests_s(answer) is not None),
        carried(answer, demand.kind, think_s),
        unit=say(DEMANDS[demand.kind]),
    )
    fleet = scenario.fleet or Fleet()
    found = fleet_for(answer, demand, think_s, fleet, scenario.price)
    if demand.kind is not DemandKind.CONCURRENCY:
        one = _planned(ledger, words, one, found, say(DEMANDS[demand.kind]))
    count = replicas(answer, demand, think_s)
    label = t("Replicas at the peak, without spares")
    copies = ledger.worked_out(label, words.replicas(one.here), count, unit="", number=WHOLE)
    billed = copies
    if not fleet.plain and count is not None:
        copies, billed = _fleet(ledger, words, one, fleet, found)
    return copies, _monthly(ledger, words, found, billed, bill)


def _planned(ledger: Ledger, words: Formulas, one: Cell, found: FleetAnswer, unit: str) -> Cell:
    """Write what one replica is planned with: the doubt about the rate is kept back."""
    share = found.pools[0].sure_share
    label = t("Share of that to plan with, so that it is enough nine times in ten")
    ledger.given(f"{words.run}_sure_share", label, share, number="0.0##%")
    value = one.value * share if isinstance(one.value, float | int) else None
    return ledger.worked_out(t("Demand that one replica is planned with"), words.sure(one.here), value, unit=unit)


def _monthly(ledger: Ledger, words: Formulas, found: FleetAnswer, billed: Cell, bill: Cell) -> Mapping[str, Cell]:
    """Write the bill of a month; the replicas at both ends of the range are typed, their bill follows the price."""
    (pool,) = found.pools
    ends = {"low": pool.replicas.fewest, "high": pool.replicas.most}
    counts = {end: None if count is None else paid(pool, count, found.fleet) for end, count in ends.items()}
    names = {
        "low": t("Replicas paid for, range from (type your own after a change)"),
        "high": t("Replicas paid for, range to (type your own after a change)"),
    }
    for end, label in names.items():
        ledger.given(f"{words.run}_paid_{end}", label, counts[end])
    counts["mid"] = float(billed.value) if isinstance(billed.value, float | int) else None
    cells = {"mid": billed.here} | {end: f"{words.run}_paid_{end}" for end in names}
    hour = bill.value if isinstance(bill.value, float | int) else None
    amounts = {
        end: None if count is None or hour is None else count * hour * HOURS_PER_MONTH for end, count in counts.items()
    }
    formulas = {end: words.monthly(cells[end]) for end in ("low", "mid", "high")}
    return ledger.worked_out_range(t("Cost per month"), formulas, amounts, unit=MONEY)


def _fleet(ledger: Ledger, words: Formulas, one: Cell, fleet: Fleet, found: FleetAnswer) -> tuple[Cell, Cell]:
    """Write the cautions of the fleet and the copies with them; return those, and those that are paid for."""
    (pool,) = found.pools
    given = ledger.given
    load = parts(1.0, fleet)
    given(f"{words.run}_load_factor", t("Room for growth, bursts and the ceiling, times the demand"), load)
    given(f"{words.run}_spares", t("Spare replicas"), fleet.spares, number=WHOLE)
    given(f"{words.run}_zones", t("Zones, one may be lost"), fleet.zones, number=WHOLE)
    given(f"{words.run}_out_share", t("Out of service, share of the time"), fleet.out_share, number="0.0##%")
    count = found.replicas.count or 0
    base = copies_of(pool.in_flight.mid or 0.0, pool.planned, fleet, _AT_WORK)
    label = t("Replicas at work at the peak")
    working = ledger.worked_out(label, words.at_work(one.here), base, unit="", number=WHOLE)
    label = t("Replicas with every caution")
    copies = ledger.worked_out(label, words.with_spares(working.here), count, unit="", number=WHOLE)
    if fleet.node is None or pool.accelerators is None:
        return copies, copies
    given(f"{words.run}_node", t("Accelerators per node"), fleet.node, number=WHOLE)
    label = t("Replicas paid for in whole nodes")
    return copies, ledger.worked_out(label, words.in_nodes(copies.here), paid(pool, count, fleet), unit="")


_AT_WORK = frozenset({Caution.SAFE, Caution.GROWTH, Caution.BURST, Caution.CEILING})
