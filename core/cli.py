"""The command line: the same answers as the screens, for scripts. Contract: docs/cli.md.

Exit codes: 0 every answer is within or at_least and no deadline is missed or unsure; 1 any other answer;
2 the command was written wrongly; 3 no input could be used.
"""

from __future__ import annotations

import gc
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click

from core import VERSION
from core.cli_compare import compare
from core.cli_fleet import fleet
from core.cli_mapping import chosen_mappings, mapping, mapping_option
from core.cli_memory import memory
from core.cli_price import Money, money_options, price_of, prices
from core.cli_runs import arranged_as, run_options
from core.cli_store import backup, restore
from core.errors import PlimsollError, UsageError
from core.i18n import t
from core.ingest.raw import Upload
from core.model.answer import RunAnswer, Status
from core.model.workload import Verdict, Workload, WorkloadKind, workload_of

if TYPE_CHECKING:
    from core.model.run import Run
    from core.model.traffic import Traffic
    from core.normalise.said import Said
    from core.pipeline import Loaded

T = TypeVar("T")

FEW_BY_PRODUCTS = 3
"""Files without results that are each named on standard error; more are only counted."""

KINDS = tuple(kind.value for kind in WorkloadKind)

FINE, NOT_MET, USAGE, NO_INPUT = 0, 1, 2, 3

FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")


def _finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Refuse what Python reads as a number and people do not: nan and inf."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(str(t("{value} is no number of seconds", value=str(value))))
    return value


def workload_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say what the deployment is for; the command gets them as one `workload`."""

    @click.option("--workload", "kind", type=click.Choice(KINDS), help="What it is for; a batch leads with throughput.")
    @click.option("--job-requests", type=click.IntRange(min=1), metavar="N", help="Requests of a batch job.")
    @click.option("--deadline", metavar="TIME", help="In which the job has to be done, such as 4h or 90min.")
    @click.option("--job-input-tokens", type=float, metavar="N", help="Mean of the job, where not as in the run.")
    @click.option("--job-output-tokens", type=float, metavar="N", help="Mean of the job, where not as in the run.")
    @wraps(command)
    def with_workload(
        *args: object,
        kind: str | None,
        job_requests: int | None,
        deadline: str | None,
        job_input_tokens: float | None,
        job_output_tokens: float | None,
        **others: object,
    ) -> None:
        lengths = {"input_tokens": job_input_tokens, "output_tokens": job_output_tokens}
        asked = _or_usage(lambda: workload_of(kind, requests=job_requests, deadline=deadline, **lengths))
        command(*args, workload=asked, **others)

    return with_workload


class Demand(NamedTuple):
    """Pause of a user in seconds, and the service's own traffic; None is unknown."""

    think_s: float | None
    traffic: Traffic | None


def demand_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say what the service's users send; the command gets them as one `demand`."""

    @click.option(
        "--think-time",
        type=click.FloatRange(min=0),
        callback=_finite,
        metavar="SECONDS",
        help="Adds active users to the table.",
    )
    @click.option(
        "--traffic",
        multiple=True,
        metavar="TRAFFIC",
        help='Your own, such as "isl=2000 osl=400 arrivals=poisson hit=0.3"; again with share= for a mix.',
    )
    @wraps(command)
    def with_demand(*args: object, think_time: float | None, traffic: Sequence[str], **others: object) -> None:
        known = _or_usage(lambda: _traffic(traffic, think_time))
        command(*args, demand=Demand(think_time, known), **others)

    return with_demand


class Profiles(NamedTuple):
    """Shares of time that accelerators compute, and traces to read them from, as written."""

    shares: Sequence[str]
    traces: Sequence[str]


def profile_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that tell memory bandwidth from launch overhead; the command gets them as `profiles`."""

    @click.option("--gpu-busy", multiple=True, metavar="SHARE", help="From a profile, such as 0.62; or RUN=0.62.")
    @click.option("--profile", multiple=True, metavar="FILE", help="A trace to read that share from; or RUN=FILE.")
    @wraps(command)
    def with_profiles(*args: object, gpu_busy: Sequence[str], profile: Sequence[str], **others: object) -> None:
        command(*args, profiles=Profiles(gpu_busy, profile), **others)

    return with_profiles


@click.group()
@click.version_option(VERSION, prog_name="plimsoll")
def main() -> None:
    """How many concurrent requests a deployment carries within its targets, how sure that is, and the price."""


@main.command()
@FILES
@click.option("--slo", "slos", multiple=True, metavar="TARGET", help='Such as "ttft p99 <= 500ms"; a batch needs none.')
@money_options
@demand_options
@workload_options
@profile_options
@run_options
@mapping_option
@AS_JSON
def plan(
    files: Sequence[Path],
    slos: Sequence[str],
    *,
    money: Money,
    demand: Demand,
    workload: Workload | None,
    profiles: Profiles,
    said: Said,
    as_json: bool,
) -> None:
    """Say how many concurrent requests the FILES' deployments carry within every target."""
    from core.model.counted import counted_answers
    from core.model.target import parse_target
    from core.pipeline import plan as answer
    from core.present.console import plan_table
    from core.present.documents import plan_document
    from core.present.price_document import with_units

    if not slos and (workload is None or workload.kind is not WorkloadKind.BATCH):
        raise click.MissingParameter(param_hint="'--slo'", param_type="option")
    targets = _or_usage(lambda: tuple(parse_target(text) for text in slos))
    loaded = _load(files)
    if not loaded.runs:
        _no_input(plan_document((), targets, loaded.refused), as_json=as_json)
    loaded = _or_usage(lambda: arranged_as(loaded, said))
    price = _or_usage(lambda: price_of(money, loaded.runs))
    runs = _or_usage(lambda: _profiled(loaded.runs, profiles))
    answers = counted_answers(answer(runs, targets, price, workload=workload, traffic=demand.traffic), price)
    today = datetime.now(UTC).date()
    if as_json:
        document = plan_document(answers, targets, loaded.refused)
        _print(with_units(document, answers, price, demand.think_s, today=today))
    else:
        _print(plan_table(answers, demand.think_s, price, today=today))
    sys.exit(FINE if all(is_met(each) for each in answers) else NOT_MET)


@main.command(name="import")
@FILES
@run_options
@mapping_option
@AS_JSON
def import_(files: Sequence[Path], *, said: Said, as_json: bool) -> None:
    """Print what the FILES say, normalised, and what is wrong with them."""
    from core.present.console import import_table
    from core.present.documents import import_document

    loaded = _load(files)
    if not loaded.runs:
        _no_input(import_document((), loaded.refused), as_json=as_json)
    loaded = _or_usage(lambda: arranged_as(loaded, said))
    document = import_document(loaded.runs, loaded.refused, loaded.doubts)
    _print(document if as_json else import_table(loaded.runs, loaded.doubts))


main.add_command(mapping)
main.add_command(compare)
main.add_command(fleet)
main.add_command(memory)
main.add_command(prices)
main.add_command(backup)
main.add_command(restore)


@main.command()
@click.option("--constants", type=click.Path(path_type=Path, exists=True), help="Method constants instead of our own.")
def batch(constants: Path | None) -> None:
    """Answer JSON Lines from standard input, one sweep a line, one line of answers each, in order."""
    from core.batch import answer_line
    from core.fit.constants import read_constants
    from core.fit.edition import edition_of

    used = _or_usage(lambda: read_constants(constants)) if constants else None
    used_edition = edition_of(constants) if constants else None
    # Objects live for one line and hold no cycles: collecting garbage only costs time here.
    gc.disable()
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(answer_line(line, used, used_edition), allow_nan=False) + "\n")
            sys.stdout.flush()


def is_met(answer: RunAnswer) -> bool:
    """Return True where a number can be promised: within the targets, and for a batch its rate and deadline too."""
    told = (Status.WITHIN, Status.AT_LEAST)
    batch = answer.batch
    if batch is None:
        return (answer.for_traffic or answer).capacity.status in told
    deadline = batch.job.deadline if batch.job else None
    return batch.throughput.status in told and deadline in (None, Verdict.MET)


def _load(paths: Sequence[Path]) -> Loaded:
    """Read the files and say every refusal on standard error."""
    from core.ingest.byproduct import CODE as BY_PRODUCT
    from core.ingest.source import OnDisk
    from core.pipeline import load
    from core.present.console import printable

    loaded = load([OnDisk(name, file) for path in paths for file, name in _expand(path)], mappings=chosen_mappings())
    beside = [refusal for refusal in loaded.refused if refusal.code == BY_PRODUCT]
    quiet = len(beside) > FEW_BY_PRODUCTS
    for refusal in loaded.refused:
        if quiet and refusal.code == BY_PRODUCT:
            continue
        place = ", ".join(str(part) for part in (refusal.file, refusal.line, refusal.field) if part)
        click.echo(printable(f"{place}: {refusal.what}. {refusal.fix} [{refusal.code}]"), err=True)
    if quiet:
        count = t("{count} files hold no results of their own; --json lists them", count=len(beside))
        click.echo(f"{count} [{BY_PRODUCT}]", err=True)
    return loaded


def _no_input(document: dict[str, Any], *, as_json: bool) -> NoReturn:
    """Say that nothing is left to answer; a script still gets its document, with every refusal."""
    if as_json:
        _print(document)
    click.echo(str(t("No file could be used")), err=True)
    sys.exit(NO_INPUT)


def _expand(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the file, or every file of a folder, with the name that a folder upload would give it."""
    if not path.is_dir():
        yield path, path.as_posix()
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts):
            yield file, file.as_posix()


def _traffic(texts: Sequence[str], think_s: float | None) -> Traffic | None:
    """Return the service's own traffic, None where nothing is said of it; its users think as --think-time says."""
    from dataclasses import replace

    from core.model.traffic_text import parse_traffic

    if not texts:
        return None
    traffic = parse_traffic(texts)
    return replace(traffic, think_s=think_s) if traffic.think_s is None else traffic


def _profiled(runs: Sequence[Run], profiles: Profiles) -> tuple[Run, ...]:
    """Give the runs the share of time that their accelerators compute, typed in or read from a trace."""
    from dataclasses import replace

    from core.ingest.busy_share import busy_shares
    from core.model.run_name import by_id

    labels = {run.id: run.label for run in runs}
    named = (by_id(profiles.shares, labels), by_id(profiles.traces, labels))
    found = busy_shares(*named, list(labels), lambda name: Upload(name, Path(name).read_bytes()))
    return tuple(replace(run, gpu_busy=found.get(run.id, run.gpu_busy)) for run in runs)


def _or_usage(make: Callable[[], T]) -> T:
    try:
        return make()
    except UsageError as error:
        _usage(error)


def _usage(error: PlimsollError) -> NoReturn:
    click.echo(f"{error} [{error.code}]", err=True)
    sys.exit(USAGE)


def _print(document: dict[str, Any] | str) -> None:
    """Write JSON (a number is never NaN or Infinity) or text."""
    text = document if isinstance(document, str) else json.dumps(document, indent=1, allow_nan=False)
    click.echo(text)
