"""Which databases a test runs on: both, unless it is about one of them and says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from core.store.engine import connected, writing

DATABASES = ("sqlite", "postgresql")


def only_on(database: str, why: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is about one database.

    Args:
        database: one of DATABASES.
        why: what the other one does not have.
    """
    assert database in DATABASES
    assert why
    return pytest.mark.only_on(database, why)


def each_database(metafunc: pytest.Metafunc) -> None:
    """Let a test that asks for `database`, directly or by what it asks for, run on each."""
    if "database" not in metafunc.fixturenames:
        return
    marks = list(metafunc.definition.iter_markers("only_on"))
    metafunc.parametrize("database", [mark.args[0] for mark in marks] or DATABASES, indirect=True)


@contextmanager
def behind(url: str) -> Iterator[Any]:
    """Give a function that runs SQL in the database past the store, as a fault or an attacker would; committed."""
    engine = connected(url)
    try:
        with writing(engine).begin() as connection:

            def run(statement: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
                result = connection.execute(text(statement), values or {})
                return [tuple(row) for row in result] if result.returns_rows else []

            yield run
    finally:
        engine.dispose()
