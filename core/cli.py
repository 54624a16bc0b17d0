"""The command line: the same answers as the screens, for scripts. Contract: docs/cli.md.

Exit codes: 0 every answer is within or at_least; 1 some answer is below or cannot_tell;
2 the command was written wrongly; 3 no input could be used.
"""

from __future__ import annotations

import gc
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from core import VERSION
from core.errors import PlimsollError, UsageError
from core.i18n import t
from core.ingest.raw import Upload
from core.model.answer import Refusal, Status

if TYPE_CHECKING:
    from core.model.price import Price
    from core.model.run import Run
    from core.pipeline import Loaded

T = TypeVar("T")

FINE, NOT_MET, USAGE, NO_INPUT = 0, 1, 2, 3

FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")


def _finite(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    """Refuse what Python reads as a number and people do not: nan and inf."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(str(t("{value} is no number of seconds", value=str(value))))
    return value


@click.group()
@click.version_option(VERSION, prog_name="plimsoll")
def main() -> None:
    """How many concurrent requests a deployment carries within its targets, how sure that is, and the price."""


@main.command()
@FILES
@click.option("--slo", "slos", multiple=True, required=True, metavar="TARGET", help='Such as "ttft p99 <= 500ms".')
@click.option("--price", "price_text", metavar="PRICE", help="Such as 2.50/gpu-h, or 20/h for the whole deployment.")
@click.option("--gpus", multiple=True, metavar="N", help="Accelerators; RUN=N where several runs differ.")
@click.option("--currency", default="USD", show_default=True, help="A label for the price.")
@click.option(
    "--think-time",
    type=click.FloatRange(min=0),
    callback=_finite,
    metavar="SECONDS",
    help="Adds active users to the table.",
)
@AS_JSON
def plan(
    files: Sequence[Path],
    slos: Sequence[str],
    price_text: str | None,
    gpus: Sequence[str],
    currency: str,
    think_time: float | None,
    *,
    as_json: bool,
) -> None:
    """Say how many concurrent requests the FILES' deployments carry within every target."""
    from core.model.target import parse_target
    from core.pipeline import plan as answer
    from core.present.console import plan_table
    from core.present.documents import plan_document

    targets = _or_usage(lambda: tuple(parse_target(text) for text in slos))
    loaded = _load(files)
    if not loaded.runs:
        _no_input(plan_document((), targets, loaded.refused), as_json=as_json)
    price = _or_usage(lambda: _price(price_text, gpus, currency, loaded.runs))
    answers = answer(loaded.runs, targets, price)
    _print(plan_document(answers, targets, loaded.refused) if as_json else plan_table(answers, think_time, price))
    met = all(each.capacity.status in (Status.WITHIN, Status.AT_LEAST) for each in answers)
    sys.exit(FINE if met else NOT_MET)


@main.command(name="import")
@FILES
@AS_JSON
def import_(files: Sequence[Path], *, as_json: bool) -> None:
    """Print what the FILES say, normalised, and what is wrong with them."""
    from core.present.console import import_table
    from core.present.documents import import_document

    loaded = _load(files)
    if not loaded.runs:
        _no_input(import_document((), loaded.refused), as_json=as_json)
    _print(import_document(loaded.runs, loaded.refused) if as_json else import_table(loaded.runs))


@main.command()
@click.option("--constants", type=click.Path(path_type=Path, exists=True), help="Method constants instead of our own.")
def batch(constants: Path | None) -> None:
    """Answer JSON Lines from standard input, one sweep a line, one line of answers each, in order."""
    from core.batch import answer_line
    from core.fit.constants import read_constants

    used = _or_usage(lambda: read_constants(constants)) if constants else None
    # Objects live for one line and hold no cycles: collecting garbage only costs time here.
    gc.disable()
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(answer_line(line, used), allow_nan=False) + "\n")
            sys.stdout.flush()


def _load(paths: Sequence[Path]) -> Loaded:
    """Read the files and say every refusal on standard error."""
    from dataclasses import replace

    from core.pipeline import load
    from core.present.console import printable

    uploads: list[Upload] = []
    unread: list[Refusal] = []
    for path in paths:
        for file, name in _expand(path):
            try:
                uploads.append(Upload(name, file.read_bytes()))
            except OSError as error:
                unread.append(
                    Refusal(
                        file=name,
                        code="ingest.unreadable",
                        what=t("The file cannot be read: {reason}", reason=error.strerror or type(error).__name__),
                        fix=t("Check the name and the permissions"),
                    )
                )
    loaded = load(uploads)
    loaded = replace(loaded, refused=(*unread, *loaded.refused))
    for refusal in loaded.refused:
        place = ", ".join(str(part) for part in (refusal.file, refusal.line, refusal.field) if part)
        click.echo(printable(f"{place}: {refusal.what}. {refusal.fix} [{refusal.code}]"), err=True)
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


def _price(text: str | None, gpus: Sequence[str], currency: str, runs: Sequence[Run]) -> Price | None:
    from core.price.parse import parse_price

    return parse_price(text, gpus, currency, [run.id for run in runs]) if text else None


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
