"""What a probe is told of a database."""

from __future__ import annotations

import pytest

from core.errors import StoreError
from core.store.readiness import Probe, Readiness
from core.store.store import open_store
from tests.databases import behind


def test_a_database_without_tables_is_behind_and_then_ready(bare_url):
    probe = Probe(bare_url)
    try:
        assert probe.ask() is Readiness.BEHIND
        open_store(bare_url).close()
        assert probe.ask() is Readiness.READY
    finally:
        probe.close()


def test_one_that_a_newer_version_has_changed_is_told_apart(url):
    open_store(url).close()
    with behind(url) as run:
        run("UPDATE alembic_version SET version_num = '9999'")
    probe = Probe(url)
    try:
        assert probe.ask() is Readiness.NEWER
    finally:
        probe.close()


def test_one_that_is_not_there_is_unreachable():
    probe = Probe("postgresql://plimsoll:secret-password@127.0.0.1:9/none")
    try:
        assert probe.ask() is Readiness.UNREACHABLE
    finally:
        probe.close()


def test_asking_changes_nothing(url):
    open_store(url).close()
    probe = Probe(url)
    try:
        with behind(url) as run:
            before = run("SELECT version_num FROM alembic_version")
        assert {probe.ask() for _ in range(3)} == {Readiness.READY}
        with behind(url) as run:
            assert run("SELECT version_num FROM alembic_version") == before
    finally:
        probe.close()


def test_a_wrong_address_is_an_error_with_words():
    with pytest.raises(StoreError) as refused:
        Probe("mysql://nowhere/x")
    assert refused.value.code == "store.url"
