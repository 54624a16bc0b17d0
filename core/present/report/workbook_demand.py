"""The lines of the cost sheet about the demand: copies at its peak, and what they cost a month."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import Demand, DemandKind
from core.present.replicas import DEMANDS, carried, promised, replicas, request_s, requests_s
from core.present.report.workbook_formulas import Formulas
from core.present.report.workbook_ledger import MONEY, Cell, Ledger
from core.present.report.workbook_page import WHOLE
from core.price.formula import HOURS_PER_MONTH


def write_demand(
    ledger: Ledger, words: Formulas, answer: RunAnswer, demand: Demand, think_s: float | None, bill: Cell
) -> tuple[Cell, Cell]:
    """Write how many copies the demand needs and their cost a month; return both cells."""
    say = ledger.book.say
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
    count = replicas(answer, demand, think_s)
    label = t("Replicas at the peak, without spares")
    copies = ledger.worked_out(label, words.replicas(one.here), count, unit="", number=WHOLE)
    monthly = ledger.worked_out(
        t("Cost per month"),
        words.monthly(copies.here),
        count * bill.value * HOURS_PER_MONTH if count and isinstance(bill.value, float) else None,
        unit=MONEY,
    )
    return copies, monthly
