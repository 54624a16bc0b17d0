"""A text that is longer than its column is refused in the same words on each database, whichever table it is for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import Boolean, Integer, LargeBinary, String
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.model.person import Person
from core.store.engine import told, writing
from core.store.schema import Base, UtcTime
from core.store.tables import HeadRow
from tests.databases import behind, only_on
from tests.store.store_build import a_scenario

KINDS = {mapper.class_.__tablename__: mapper for mapper in Base.registry.mappers}
SHORT = sorted(
    (name, mapper.get_property_by_column(column).key)
    for name, mapper in KINDS.items()
    for column in mapper.columns
    if isinstance(column.type, String) and column.type.length
)
VALUES = {UtcTime: datetime(2026, 1, 1, tzinfo=UTC), Boolean: True, Integer: 1, LargeBinary: b"", String: "x"}


def a_row(name):
    """A row with something in each column."""
    mapper = KINDS[name]
    values = {}
    for column in mapper.columns:
        kind = next(kind for kind in VALUES if isinstance(column.type, kind))
        values[mapper.get_property_by_column(column).key] = VALUES[kind]
    return mapper.class_(**values)


def added(engine, row):
    with told(), Session(writing(engine)) as session:
        session.add(row)
        session.flush()


def renamed(engine, scenario_id, name):
    with told(), Session(writing(engine)) as session:
        session.get(HeadRow, scenario_id).name = name
        session.commit()


def test_every_table_with_a_short_text_is_walked():
    assert {name for name, _ in SHORT} == set(Base.metadata.tables)
    assert ("scenario", "author_name") in SHORT
    assert ("original", "name") in SHORT


def test_each_short_text_is_refused_once_it_is_longer_than_its_column(store):
    engine = store._engine
    for name, key in SHORT:
        most = getattr(KINDS[name].columns, key).type.length
        row = a_row(name)
        setattr(row, key, "가" * (most + 1))
        with pytest.raises(StoreError) as refused:
            added(engine, row)
        assert refused.value.code == "store.too_long", (name, key)


def test_a_row_that_is_changed_is_measured_too(store):
    saved = store.save(a_scenario())
    with pytest.raises(StoreError) as refused:
        renamed(store._engine, saved.id, "n" * 121)
    assert refused.value.code == "store.too_long"
    assert store.list()[0].name == saved.name


@only_on("postgresql", "SQLite keeps a text of any length")
def test_past_the_rows_the_database_itself_is_told_right(store, url):
    store.save(a_scenario())
    with pytest.raises(StoreError) as refused, told(), behind(url) as run:
        run("UPDATE head SET name = :name", {"name": "n" * 121})
    assert refused.value.code == "store.too_long"


def test_a_person_who_cannot_be_kept_keeps_nothing_half(store):
    long = store.acting(Person(id="i" * 256, name="Kim"))
    with pytest.raises(StoreError) as refused:
        long.save(a_scenario())
    assert refused.value.code == "store.too_long"
    assert store.list() == ()
    assert store.audit.all() == ()
