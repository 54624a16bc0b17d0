"""What a person says of a table's columns, on the command line: `mapping` proposes, `--mapping` puts it to use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from core.errors import RefusedFileError, UsageError
from core.ingest.mapping_check import mappings_from
from core.model.mapping import TableMapping, mappings_json

_USAGE, _NO_INPUT = 2, 3
_KEY = "core.mappings"


def mapping_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option that says what columns of tables are; `chosen_mappings` gives what its files hold."""
    return click.option(
        "--mapping",
        callback=_chosen,
        expose_value=False,
        multiple=True,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="What the columns of tables are, as `mapping` prints it; again for several kinds of tables.",
    )(command)


def chosen_mappings() -> tuple[TableMapping, ...]:
    """Return the mappings that the running command was given."""
    found = click.get_current_context().meta.get(_KEY, ())
    return found if isinstance(found, tuple) else ()


def _chosen(context: click.Context, _option: click.Parameter, paths: Sequence[Path]) -> None:
    try:
        context.meta[_KEY] = tuple(one for path in paths for one in mappings_from(path.read_bytes()))
    except UsageError as error:
        click.echo(f"{error} [{error.code}]", err=True)
        sys.exit(_USAGE)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--transposed", is_flag=True, help="Load levels are columns, metrics are rows.")
def mapping(file: Path, *, transposed: bool) -> None:
    """Print what the columns of FILE's tables seem to be, to be edited and passed back with --mapping.

    What is unclear is said on standard error.
    """
    from core.ingest.mapping import preview_of
    from core.ingest.raw import Upload
    from core.present.console import printable

    try:
        previews = preview_of(Upload(file.as_posix(), file.read_bytes()), transposed=transposed)
    except RefusedFileError as error:
        click.echo(printable(f"{error} [{error.code}]"), err=True)
        sys.exit(_NO_INPUT)
    names = [preview.sheet or preview.title or file.stem for preview in previews]
    click.echo(mappings_json([preview.mapping(name) for preview, name in zip(previews, names, strict=True)]).decode())
    for preview in previews:
        place = ", ".join(str(part) for part in (preview.file, preview.sheet, preview.line) if part)
        said = [column.unclear for column in preview.columns if column.unclear]
        if preview.problem and preview.problem.what not in said:
            said.append(preview.problem.what)
        for text in said:
            click.echo(printable(f"{place}: {text}"), err=True)
