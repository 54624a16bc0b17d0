"""A scenario as a spreadsheet (XLSX) in which every amount is a live formula."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime

from xlsxwriter.workbook import Workbook

from core.i18n import t
from core.model.scenario import Scenario
from core.present.compare_scenario import comparison_of
from core.present.dated import Dated
from core.present.fleet_scenario import bought_of, fleets_of
from core.present.memory_lines import limits_for
from core.present.report.brand import ACCENT
from core.present.report.frames import CANDIDATE, has_candidates, shown
from core.present.report.memo_parts import SavedAs
from core.present.report.series import Fits, fits_of, latency_plot
from core.present.report.workbook_assumptions import write_assumptions
from core.present.report.workbook_chart import write_chart
from core.present.report.workbook_compare import write_compare
from core.present.report.workbook_cost import RunCells, write_cost
from core.present.report.workbook_fleet import write_fleet
from core.present.report.workbook_growth import has_growth, write_growth
from core.present.report.workbook_hours import has_hours, write_hours
from core.present.report.workbook_memory import write_memory
from core.present.report.workbook_page import Book, options
from core.present.report.workbook_summary import write_summary
from core.present.report.workbook_tables import write_conditions, write_findings, write_levels, write_targets


def workbook(
    scenario: Scenario,
    language: str = "en",
    *,
    saved: SavedAs | None = None,
    link: str | None = None,
    accent: str | None = None,
    fits: Fits | None = None,
    prices_hidden: bool = False,
) -> bytes:
    """Return the workbook of a scenario.

    Args:
        scenario: as it is shown; without a price the cost cells say "unknown" until somebody types one.
        language: of every word.
        saved: when, and as which version.
        link: to the scenario, as text.
        accent: "#rrggbb" of the heads of tables.
        fits: by run id, where they are kept; worked out otherwise.
        prices_hidden: say so where money would stand.
    """
    scenario, saved = shown(scenario), saved or SavedAs()
    out = io.BytesIO()
    file = Workbook(out, options(language))
    book = Book(file=file, language=language, accent=accent or ACCENT)
    fits = fits or fits_of(scenario)
    summary, cost, chart = (book.sheet(name) for name in (t("Summary"), t("Cost"), t("Chart")))
    cells = write_cost(book, cost, scenario, prices_hidden=prices_hidden)
    write_summary(book, summary, scenario, cells, prices_hidden=prices_hidden)
    write_chart(book, chart, latency_plot(scenario, fits, language))
    _asked(book, scenario, cells, fits, saved, prices_hidden=prices_hidden)
    runs = [answer.run for answer in scenario.answers]
    write_targets(book, book.sheet(t("Targets")), scenario)
    write_conditions(book, book.sheet(t("Conditions")), runs)
    write_levels(book, book.sheet(t("Levels")), runs)
    write_findings(book, book.sheet(t("Findings")), scenario)
    write_assumptions(book, book.sheet(t("Assumptions")), scenario, saved, link, prices_hidden=prices_hidden)
    _properties(book, scenario, saved)
    file.close()
    return out.getvalue()


def _asked(
    book: Book, scenario: Scenario, cells: Sequence[RunCells], fits: Fits, saved: SavedAs, *, prices_hidden: bool
) -> None:
    """Add the sheets of what only some scenarios ask: which one, how many, what memory allows."""
    by_run = {answer.run.id: each for answer, each in zip(scenario.answers, cells, strict=True)}
    found, fleets = comparison_of(scenario), fleets_of(scenario)
    if found:
        write_compare(book, book.sheet(t("Compare")), scenario, found, by_run, prices_hidden=prices_hidden)
    if fleets:
        bought, sheet = bought_of(scenario, fits), book.sheet(t("Fleet"))
        dated = Dated(today=saved.read_on, price=scenario.price)
        write_fleet(book, sheet, scenario, fleets, bought, by_run, dated=dated, prices_hidden=prices_hidden)
    if has_growth(fleets):
        write_growth(book, book.sheet(t("Growth")), fleets, by_run)
    if has_hours(fleets):
        currency = scenario.price.currency if scenario.price else ""
        write_hours(book, book.sheet(t("Over the day")), fleets, by_run, currency)
    if any(limits_for(answer) for answer in scenario.answers):
        write_memory(book, book.sheet(t("Memory")), scenario.answers)


def _properties(book: Book, scenario: Scenario, saved: SavedAs) -> None:
    """Say what the file is, for the list of files and for readers of screens."""
    candidate = book.say(CANDIDATE) if has_candidates(scenario) else ""
    when = (saved.when or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None, microsecond=0)
    book.file.set_properties(
        {
            "title": scenario.name,
            "subject": book.say(t("How many concurrent requests it carries, and at what cost")),
            "author": "Plimsoll",
            "comments": candidate,
            "status": candidate,
            "created": when,
        }
    )
    book.file.set_calc_mode("auto")
