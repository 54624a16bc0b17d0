"""Keep a store and put it back: `backup FILE` and `restore FILE`."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from core.errors import PlimsollError
from core.i18n import t
from core.settings import data_home, database_url

if TYPE_CHECKING:
    from core.store.backup_form import Manifest

_USAGE, _NO_INPUT = 2, 3
_STREAM = "-"
_USAGE_CODES = frozenset({"backup.not_empty", "store.url", "store.blobs_setting", "store.driver_missing"})


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
def backup(file: str) -> None:
    """Write everything in the store to FILE, as it is now, also while the app runs; - is standard output."""
    from core.store.store import open_store

    try:
        backups = open_store(database_url()).backups
        done = backups.stream(sys.stdout.buffer) if file == _STREAM else backups.to(Path(file))
    except PlimsollError as error:
        if file == _STREAM:
            _drop_output()
        _failed(error)
    _told(str(t("Backed up: {rows} rows, {blobs} large tables", rows=_rows(done), blobs=_blobs(done))))


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Take the place of what the store holds, which is backed up first.")
def restore(file: Path, *, replace: bool) -> None:
    """Put the backup in FILE into the store: all of it, or nothing."""
    from core.store.store import open_store

    try:
        backups = open_store(database_url()).backups
        if replace and not backups.is_empty():
            before = _beside(file)
            backups.to(before)
            _told(str(t("What the store held is in {file}", file=str(before))))
        done = backups.restore(file, replace=replace)
    except PlimsollError as error:
        _failed(error)
    _told(str(t("Restored: {rows} rows, {blobs} large tables", rows=_rows(done), blobs=_blobs(done))))


def _beside(file: Path) -> Path:
    """Return where the old content goes: beside the backup, or to the data folder where that cannot be written."""
    name = f"{file.stem}.before-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.zip"
    return file.absolute().with_name(name) if _can_write(file.absolute().parent) else data_home() / name


def _can_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _rows(done: Manifest) -> int:
    return sum(member.rows or 0 for member in done.members.values())


def _blobs(done: Manifest) -> int:
    return sum(member.rows is None for member in done.members.values())


def _told(text: str) -> None:
    # Standard output may be the backup itself.
    click.echo(text, err=True)


def _drop_output() -> None:
    """Let what could not be written go, so that the end of the program does not try it again and fail without words."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: PlimsollError) -> NoReturn:
    click.echo(f"{error} [{error.code}]", err=True)
    sys.exit(_USAGE if error.code in _USAGE_CODES else _NO_INPUT)
