"""The subcommand that compares runs under the same targets. Contract: docs/cli.md and docs/compare.md.

Exit codes: 0 one run leads; 1 none can be told to lead, or the runs may not be compared; 2 and 3 as everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
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

if TYPE_CHECKING:
    from core.model.run import Run
    from core.model.scenario import Demand
    from core.normalise.said import Said


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--slo", "slos", multiple=True, required=True, metavar="TARGET", help='Such as "ttft p99 <= 500ms".')
@money_options
@pause_option("Counts active users, not requests.")
@carried_options
@click.option("--fleet", "fleet_words", default="", metavar="WORDS", help="Cautions for the demand; see fleet.")
@click.option("--accept", multiple=True, metavar="CONDITION", help="May differ or be unknown; printed with multiples.")
@click.option("--quality", multiple=True, metavar="RUN=RESULT", help="Of a quality test, where precision differs.")
@run_options
@mapping_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def compare(  # noqa: PLR0913 - each is an option
    files: Sequence[Path],
    slos: Sequence[str],
    *,
    money: Money,
    think_time: float | None,
    demand: Demand | None,
    fleet_words: str,
    accept: Sequence[str],
    quality: Sequence[str],
    said: Said,
    as_json: bool,
) -> None:
    """Say which of the FILES' deployments leads within the same targets, and how sure that is."""
    from core.cli import FINE, NOT_MET, _load, _no_input, _or_usage, _print
    from core.compare.compare import Verdict
    from core.compare.quantity import Question
    from core.model.fleet_text import parse_fleet
    from core.model.target import parse_target
    from core.pipeline import compared
    from core.present.compare_console import compare_text
    from core.present.compare_document import compare_document

    targets = _or_usage(lambda: tuple(parse_target(text) for text in slos))
    accepted = _or_usage(lambda: accepted_fields(accept))
    cautions = _or_usage(lambda: parse_fleet(fleet_words).fleet)
    loaded = _load(files)
    if not loaded.runs:
        empty = Question()
        _no_input(compare_document(compared((), targets, empty), targets, loaded.refused), as_json=as_json)
    loaded = _or_usage(lambda: arranged_as(loaded, said))
    runs = _or_usage(lambda: with_quality(loaded.runs, quality))
    paid = _or_usage(lambda: price_of(money, runs))
    asked = Question(
        price=paid,
        demand=demand,
        think_s=think_time,
        fleet=cautions,
    )
    found = compared(runs, targets, asked, accepted)
    today = datetime.now(UTC).date()
    _print(compare_document(found, targets, loaded.refused, today) if as_json else compare_text(found, today))
    sys.exit(FINE if found.deciding.verdict is Verdict.LEADS else NOT_MET)


def with_quality(runs: Sequence[Run], said: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs with the results of a quality test that were said of them, "RUN=RESULT", by hand as on a page.

    Raises:
        UsageError: "compare.bad_quality": no such run, no result, or its file says another one.
    """
    from core.edits import Edits, edited
    from core.model.run_name import by_id

    results: dict[str, str] = {}
    for text in by_id(said, {run.id: run.label for run in runs}):
        name, _, result = (part.strip() for part in text.partition("="))
        run = next((run for run in runs if run.id == name), None)
        if run is None or not result or run.conditions.quality not in (None, result):
            raise UsageError(
                "compare.bad_quality",
                t("{text} gives no run a quality result that it lacks", text=text.strip()[:60]),
                fix=t("Write RUN=RESULT, RUN being one of: {names}", names=", ".join(run.id for run in runs)),
            )
        results[name] = result
    return tuple(
        edited(run, Edits(conditions={"quality": results[run.id]})) if run.id in results else run for run in runs
    )


def accepted_fields(names: Sequence[str]) -> tuple[str, ...]:
    """Return the conditions that names mean; one of the seven stands for all of it.

    Raises:
        UsageError: "compare.unknown_condition": no condition is called so.
    """
    from core.compare.conditions import FIELDS, fields_of

    found: list[str] = []
    for name in names:
        fields = fields_of(name.strip())
        if not fields:
            every = ", ".join((*(group.value for group in FIELDS), *(f for row in FIELDS.values() for f in row)))
            raise UsageError(
                "compare.unknown_condition",
                t("{name} is no condition of a comparison", name=name.strip()[:60]),
                fix=t("Use one of: {names}", names=every),
            )
        found += fields
    return tuple(dict.fromkeys(found))
