"""The memo's tables: one row for each run, then the person's own columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.batch import batch_columns, batch_cost
from core.present.bill import shown_cost
from core.present.comparison import ESTIMATE, RUN, SAFE, estimate_cell, stop_cell
from core.present.headline import cost_text, headline
from core.present.names import hardware_text
from core.present.report.frames import KIND, decided, kind_cell, replicas_header
from core.present.report.memo_parts import Table
from core.present.report.memo_sentence import demand_cell, numbered
from core.present.report.memo_widths import shares
from core.present.status import STATUS
from core.present.traffic import for_traffic_view

OWN_BESIDE = 3
"""The person's own columns that fit beside ours; more of them get a table of their own."""
ROWS = 10
LABEL_CHARS, OWN_CHARS, HEADER_CHARS = 90, 60, 40

Column = tuple[Text | str, list[str], bool]
"""Title, cells, and whether they are numbers."""


def tables(scenario: Scenario, language: str, where: str, *, prices_hidden: bool) -> tuple[Table, ...]:
    """Return the table of the runs and, where there are many, that of the person's own columns."""
    answers = scenario.answers[:ROWS]
    label: Column = (RUN, [_label(answer, place, scenario) for place, answer in enumerate(answers, start=1)], False)
    own = _own(scenario, len(answers))
    beside = own if len(own) <= OWN_BESIDE else []
    columns = [label, *_ours(answers, scenario, language, prices_hidden=prices_hidden), *beside]
    more_rows = _more_runs(len(scenario.answers) - len(answers), where)
    first = _table(t("The runs side by side"), columns, more_rows, language)
    if beside or not own:
        return (first,)
    return (first, _table(t("Your own columns"), [label, *own], None, language, own=True))


def narrowed(table: Table, columns: int, chars: int, label_chars: int, language: str, where: str) -> Table:
    """Return a table with its names, and the cells of the person's own columns, cut to a number of letters.

    Of a table of their own at most `columns` are kept; how many are left off is said.
    """
    rows = tuple((clipped(row[0], label_chars), *row[1:]) for row in table.rows)
    headers = table.headers
    if not table.own:
        return replace(table, rows=rows, widths=shares([headers, *rows]))
    left = len(headers) - 1 - columns
    # One that is left off would take the line that says so.
    kept = len(headers) if left <= 0 else columns + 1
    headers = headers[:kept]
    rows = tuple((row[0], *(clipped(cell, chars) for cell in row[1:kept])) for row in rows)
    more = _more_columns(left, where).render(language) if left > 0 else None
    return replace(
        table, headers=headers, rows=rows, numeric=table.numeric[:kept], widths=shares([headers, *rows]), more=more
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
    columns.append((KIND, cells(lambda answer: kind_cell(answer.run, language)), False))
    demand = scenario.demand
    if demand and any(answer.per_target for answer in answers):
        replicas = cells(lambda answer: demand_cell(answer, demand, scenario.think_time_s, language))
        columns.append((replicas_header(demand, language), replicas, False))
    return columns


def cells_of(said: Sequence[str | None], language: str) -> list[str]:
    """Return cells with what is unknown said as such."""
    return [cell or t("not known").render(language) for cell in said]


def _own(scenario: Scenario, count: int) -> list[Column]:
    """Return the person's own columns; where nothing was said of a run its cell is empty."""
    return [
        (clipped(column.name, HEADER_CHARS), [clipped(cell or "", OWN_CHARS) for cell in cells[:count]], False)
        for column, cells in decided(scenario)
    ]


def _label(answer: RunAnswer, place: int, scenario: Scenario) -> str:
    return clipped(numbered(answer.run.label, place if len(scenario.answers) > 1 else None), LABEL_CHARS)


def _view(answer: RunAnswer) -> RunAnswer:
    """Return the answer that leads: for the service's own traffic where that is known."""
    return for_traffic_view(answer)


def _safe(answer: RunAnswer, language: str) -> str:
    """Return the number of the sentence; of a batch that of its targets, whose load it may not pass."""
    said = headline(replace(_view(answer), batch=None), language).number
    return STATUS[_view(answer).capacity.status].render(language) if said == "?" else said


def _cost(answer: RunAnswer, scenario: Scenario, language: str) -> str:
    cost = answer.batch.cost if answer.batch else answer.cost
    shown = shown_cost(cost.per_million_output, cost, language) if cost else None
    if shown or answer.batch is None:
        return shown or cost_text(answer, scenario.price, language)
    return batch_cost(answer.batch, scenario.price, language)


def _table(title: Text, columns: Sequence[Column], more: Text | None, language: str, *, own: bool = False) -> Table:
    headers = tuple(name if isinstance(name, str) else name.render(language) for name, _, _ in columns)
    rows = tuple(zip(*(cells for _, cells, _ in columns), strict=True))
    return Table(
        title=title.render(language),
        headers=headers,
        rows=rows,
        numeric=tuple(numeric for _, _, numeric in columns),
        widths=shares([headers, *rows]),
        more=more.render(language) if more else None,
        own=own,
    )


def _more_runs(count: int, where: str) -> Text | None:
    if count <= 0:
        return None
    return (
        t("1 more run: {where}", where=where)
        if count == 1
        else t("{count} more runs: {where}", count=count, where=where)
    )


def _more_columns(count: int, where: str) -> Text:
    if count == 1:
        return t("1 more column of your own: {where}", where=where)
    return t("{count} more columns of your own: {where}", count=count, where=where)
