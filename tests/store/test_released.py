"""Databases of every released schema open in this version, with every number that they held."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path

import pytest

from core.store.store import open_store
from tests.store.store_build import A_MAPPING, url_of

RELEASED = sorted(Path(__file__).with_name("released").glob("*.db.gz"))


@pytest.fixture(params=RELEASED, ids=lambda path: path.name)
def opened(request, tmp_path):
    """The stored database, migrated by being opened, and what was written down when it was made."""
    path = tmp_path / "plimsoll.db"
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    expected = json.loads(request.param.with_name(request.param.name.replace(".db.gz", ".json")).read_text("utf-8"))
    store = open_store(url_of(path))
    yield store, expected
    store.close()


def as_written(saved):
    return {"id": saved.id, "name": saved.name, "version": saved.version, "saved_at": saved.saved_at.isoformat()}


def test_there_is_a_database_of_every_schema():
    assert [path.name for path in RELEASED][:2] == ["v1.db.gz", "v2.db.gz"]


def test_every_version_is_listed_as_it_was(opened):
    store, expected = opened
    latest, other, first = expected["versions"]
    assert [as_written(saved) for saved in store.list()] == [latest, other]
    assert [as_written(saved) for saved in store.versions(first["id"])] == [latest, first]
    assert all(datetime.fromisoformat(one["saved_at"]).utcoffset() is not None for one in expected["versions"])


def test_every_number_is_the_one_that_was_saved(opened):
    """The numbers are those of `store_build`, written out here: that file may change, these may not."""
    store, expected = opened
    for one in expected["versions"]:
        scenario = store.load(one["id"], one["version"])[1]
        answer, level = scenario.answers[0], scenario.runs[0].stages[0]
        assert scenario.name == one["name"]
        assert (scenario.targets[0].limit, scenario.think_time_s) == (0.30000000000000004, 12.5)
        assert (scenario.price.amount, scenario.price.currency, scenario.price.accelerators) == (
            2.5,
            "KRW",
            (("r", 8),),
        )
        assert (answer.capacity.safe, answer.capacity.concurrency.mid, answer.capacity.concurrency.high) == (
            41,
            47.7,
            None,
        )
        assert answer.cost.per_million_output.low == 0.3333333333333333
        assert level.statistics["ttft"].quantiles == {0.5: 0.3333333333333333, 0.999: 9.094947017729282e-13}
        assert [repr(float(value)) for value in level.requests.ttft_s] == ["0.30000000000000004", "nan"]
        assert [repr(float(value)) for value in level.requests.e2e_s] == ["-0.0", "inf"]
        assert level.requests.good.tolist() == [True, False]
        assert str(scenario.runs[0].findings[0].what) == "2 requests at 8.0"


def test_a_link_of_then_opens_what_it_opened_then(opened):
    store, expected = opened
    shared = expected["shared"]
    opened = store.shares.open(shared["token"])
    saved, scenario = opened.saved, opened.scenario
    assert (saved.id, saved.version) == (shared["id"], shared["version"])
    assert scenario.name == "Launch in spring"


def test_a_database_of_then_can_be_saved_to(opened):
    store, expected = opened
    first = expected["versions"][2]
    kept = store.load(first["id"], 1)[1]
    assert store.save(kept, first["id"]).version == 3
    assert store.load(first["id"], 1)[1].name == first["name"]


def test_column_meanings_of_then_are_those_that_were_kept(opened):
    """The meanings are those of `store_build` when the database was made, written out here."""
    store, expected = opened
    kept = expected.get("mapping")
    found = store.mappings.list()
    assert [(each.id, each.mapping.name) for each in found] == ([(kept["id"], kept["name"])] if kept else [])
    for each in found:
        assert (each.mapping.headers, each.mapping.transposed, each.mapping.sheet) == (
            ("동접", "응답(99)", ""),
            True,
            "결과",
        )
        meanings = each.mapping.columns
        assert (meanings["동접"].role, meanings["#3"].role) == ("asked_concurrency", "ignored")
        latency = meanings["응답(99)"]
        assert (latency.role, latency.metric, latency.statistic, latency.unit) == ("latency", "ttft", "p99", "ms")


def test_a_database_of_then_keeps_column_meanings(opened):
    store, _ = opened
    before = len(store.mappings.list())
    store.mappings.keep(A_MAPPING)
    assert len(store.mappings.list()) == before + 1
