"""The memo's tables: one row for each run, then the person's own columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.compare.quantity import is_of_one_load
from core.fleet.answer import FleetAnswer
from core.fleet.plan import fleet_for
from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.price import price_for
from core.model.scenario import Scenario
from core.present.batch import batch_columns, batch_cost
from core.present.bill import PER_HOUR, basis_cell, shown_cost
from core.present.comparison import ESTIMATE, RUN, SAFE, estimate_cell
from core.present.demand import UNTOLD, replicas_header
from core.present.headline import cost_text, headline
from core.present.names import SEPARATOR, hardware_text
from core.present.report.frames import KIND, decided, kind_cell
from core.present.report.memo_cells import month_column, replicas_text
from core.present.report.memo_parts import Table
from core.present.report.memo_sentence import numbered
from core.present.report.memo_widths import shares
from core.present.status import status_of
from core.present.stopped import stop_cell
from core.present.traffic import for_traffic_view

OWN_BESIDE = 3
"""The person's own columns that fit beside ours; more of them get a table of their own."""
ROWS = 10
LABEL_CHARS, OWN_CHARS, HEADER_CHARS = 90, 60, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrow:
    """What a table may hold: rows, and columns of a table of the person's own; letters of names and of their words."""

    rows: int
    columns: int
    chars: int
    label_chars: int


Column = tuple[Text | str, list[str], bool]
"""Title, cells, and whether they are numbers."""


def tables(scenario: Scenario, language: str, where: str, *, prices_hidden: bool) -> tuple[Table, ...]:
    """Return the table of the runs and, where there are many, that of the person's own columns."""
    answers = scenario.answers[:ROWS]
    label: Column = (RUN, [_label(answer, place, scenario) for place, answer in enumerate(answers, start=1)], False)
    own = _own(scenario, len(answers), language)
    beside = own if len(own) <= OWN_BESIDE else []
    columns = [label, *_ours(answers, scenario, language, prices_hidden=prices_hidden), *beside]
    left = len(scenario.answers) - len(answers)
    first = _table(t("The runs side by side"), columns, language, own=len(beside))
    first = replace(first, left=left, more=_more(0, left, language, where))
    if beside or not own:
        return (first,)
    return (first, replace(_table(t("Your own columns"), [label, *own], language, own=len(own)), apart=True))


def narrowed(table: Table, room: Narrow, language: str, where: str) -> Table:
    """Return a table that takes no more than some rows, with names and the person's own words cut.

    Of a table of their own some columns are left off too; whatever is left off is counted.
    """
    left = len(table.headers) - 1 - room.columns if table.apart else 0
    # One column that is left off would take the line that says so; a row takes no less than that line.
    kept = len(table.headers) if left <= 0 else room.columns + 1
    ours = 1 if table.apart else len(table.headers) - table.own
    headers = (*table.headers[:ours], *(clipped(head, room.chars) for head in table.headers[ours:kept]))
    rows = tuple(
        (clipped(row[0], room.label_chars), *row[1:ours], *(clipped(cell, room.chars) for cell in row[ours:kept]))
        for row in table.rows[: room.rows]
    )
    hidden = table.left + len(table.rows) - len(rows)
    return replace(
        table,
        headers=headers,
        rows=rows,
        numeric=table.numeric[:kept],
        widths=shares([headers, *rows]),
        more=_more(max(left, 0), hidden, language, where),
        left=hidden,
    )


def clipped(text: str, most: int) -> str:
    """Return text cut at a number of letters, with a sign that it was.

    >>> clipped("a long name", 6), clipped("short", 6)
    ('a lon…', 'short')
    """
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _ours(answers: Sequence[RunAnswer], scenario: Scenario, language: str, *, prices_hidden: bool) -> list[Column]:
    counts = dict(scenario.price.accelerators) if scenario.price else {}

    def cells(of: Callable[[RunAnswer], str | None]) -> list[str]:
        return [of(answer) or t("not known").render(language) for answer in answers]

    def hardware(answer: RunAnswer) -> str:
        return hardware_text(answer.run, counts.get(answer.run.id), language)

    columns: list[Column] = [(t("Hardware"), cells(hardware), False)]
    if any(answer.batch for answer in answers):
        columns += [
            (name, cells_of(said, language), False) for name, said in batch_columns(answers, language) if any(said)
        ]
    if any(answer.per_target for answer in answers):
        columns += [
            (SAFE, cells(lambda answer: _safe(answer, language)), True),
            (ESTIMATE, cells(lambda answer: estimate_cell(_view(answer).capacity, language)), False),
            (t("Stopped by"), cells(lambda answer: stop_cell(_view(answer), language)), False),
        ]
    if scenario.price and not prices_hidden:
        title = t("Cost per million output tokens (range)")
        columns.append((title, cells(lambda answer: _cost(answer, scenario, language)), False))
        if scenario.price.by_run:
            columns.append((PER_HOUR, cells(lambda answer: basis_cell(answer.run, scenario.price, language)), False))
    columns.append((KIND, cells(lambda answer: kind_cell(answer.run, language)), False))
    demand = scenario.demand
    if demand and any(answer.per_target for answer in answers):
        price = None if prices_hidden else scenario.price
        fleets = [fleet_for(answer, demand, scenario.think_time_s, scenario.fleet, price) for answer in answers]
        columns.append((replicas_header(demand, language), [_replicas(found, language) for found in fleets], False))
        if price:
            title, months = month_column(fleets, language)
            columns.append((title, cells_of(months, language), False))
    return columns


def _replicas(found: FleetAnswer, language: str) -> str:
    """Return the copies that a demand needs, or why there is no number."""
    if found.untold:
        return t("cannot tell: {why}", why=UNTOLD[found.untold].render(language)).render(language)
    return replicas_text(found.replicas, language)


def cells_of(said: Sequence[str | None], language: str) -> list[str]:
    """Return cells with what is unknown said as such."""
    return [cell or t("not known").render(language) for cell in said]


def _own(scenario: Scenario, count: int, language: str) -> list[Column]:
    """Return the person's own columns; where nothing was said of a run its cell is empty."""
    return [
        (clipped(name, HEADER_CHARS), [clipped(cell or "", OWN_CHARS) for cell in cells[:count]], False)
        for name, cells in decided(scenario, language)
    ]


def _label(answer: RunAnswer, place: int, scenario: Scenario) -> str:
    return clipped(numbered(answer.run.label, place if len(scenario.answers) > 1 else None), LABEL_CHARS)


def _view(answer: RunAnswer) -> RunAnswer:
    """Return the answer that leads: for the service's own traffic where that is known."""
    return for_traffic_view(answer)


def _safe(answer: RunAnswer, language: str) -> str:
    """Return the number of the sentence; of a batch that of its targets, whose load it may not pass."""
    said = headline(replace(_view(answer), batch=None), language).number
    return status_of(_view(answer).capacity).render(language) if said == "?" else said


def _cost(answer: RunAnswer, scenario: Scenario, language: str) -> str:
    """Return the cost at the number beside it; that of other requests than the service's own does not stand there."""
    if answer.cost and answer.batch is None and not is_of_one_load(answer):
        return t("known of the traffic as measured only").render(language)
    cost = answer.batch.cost if answer.batch else answer.cost
    shown = shown_cost(cost.per_million_output, cost, language) if cost else None
    if shown or answer.batch is None:
        return shown or cost_text(answer, scenario.price, language)
    return batch_cost(answer.batch, price_for(scenario.price, answer.run.id), language)


def _table(title: Text, columns: Sequence[Column], language: str, *, own: int) -> Table:
    headers = tuple(name if isinstance(name, str) else name.render(language) for name, _, _ in columns)
    rows = tuple(zip(*(cells for _, cells, _ in columns), strict=True))
    return Table(
        title=title.render(language),
        headers=headers,
        rows=rows,
        numeric=tuple(numeric for _, _, numeric in columns),
        widths=shares([headers, *rows]),
        own=own,
    )


def _more(columns: int, runs: int, language: str, where: str) -> str | None:
    """Return what was left off and where it stands, None where nothing was."""
    one, several = t("1 more run: {where}", where=where), t("{count} more runs: {where}", count=runs, where=where)
    column = t("1 more column of your own: {where}", where=where)
    many = t("{count} more columns of your own: {where}", count=columns, where=where)
    said = [
        (one if runs == 1 else several) if runs else None,
        (column if columns == 1 else many) if columns else None,
    ]
    return SEPARATOR.join(text.render(language) for text in said if text) or None
