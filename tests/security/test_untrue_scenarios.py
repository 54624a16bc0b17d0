"""Stored scenarios that are well typed and cannot be true: each is refused in words, and the others still open."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings

from core.model.codec import encode
from core.model.scenario import Scenario
from core.model.sound import MOST_CHARS, MOST_LEVELS, untrue
from core.normalise.runs import runs_of
from core.store.store import open_store
from tests.databases import behind
from tests.laws import test_hostile_levels
from tests.present.report.report_build import sample_scenario

ANSWER = ("value", "answers", 0)
CAPACITY = (*ANSWER, "capacity")
STAGE = ("value", "runs", 0, "stages", 0)
NAN, INF = {"$float": "nan"}, {"$float": "inf"}

LIES = {
    "a negative safe number": ((*CAPACITY, "safe"), -5),
    "an endless safe number": ((*CAPACITY, "safe"), 2**63 - 1),
    "a safe number above its range": ((*CAPACITY, "safe"), 1_000_000),
    "a range that is no number": ((*CAPACITY, "concurrency", "mid"), NAN),
    "a range without end": ((*CAPACITY, "concurrency", "high"), INF),
    "a range that ends before it begins": ((*CAPACITY, "concurrency", "low"), 1e9),
    "a range of more than everything": ((*CAPACITY, "concurrency", "level"), 90.0),
    "more doubt than there is": ((*CAPACITY, "doubt", "noise"), 7.5),
    "a load below nothing": ((*STAGE, "asked_concurrency"), -8.0),
    "a negative count": ((*STAGE, "requests_good"), -640),
    "a rate below nothing": ((*STAGE, "output_tok_s"), -1.0),
    "a rate without end": ((*STAGE, "output_tok_s"), INF),
    "more memory than there is": ((*STAGE, "memory_used_fraction"), 85.0),
    "a percentile of no share": ((*STAGE, "statistics", "ttft", "quantiles"), {"99.0": 1.0}),
    "an id of another": (("value", "runs", 0, "id"), "somebody-elses"),
    "an answer's run that is not there": ((*ANSWER, "run", "id"), "nobody"),
    "an id that is none": (("value", "runs", 0, "id"), "\n"),
    "a name as long as a book": (("value", "runs", 0, "label"), "x" * 1_000_000),
    "a finding as long as a book": (("value", "runs", 0, "format_version"), "x" * (MOST_CHARS + 1)),
    "a million levels": ((*ANSWER, "levels"), [1.0] * 1_000_000),
    "a price below nothing": (("value", "price", "amount"), -2.5),
    "a price without an amount": (("value", "price", "amount"), None),
    "a run's price below nothing": (
        ("value", "price", "by_run"),
        [["x", {"amount": -1.0, "per_accelerator": True, "discount": None, "owned": None, "listed": None}]],
    ),
    "a count of accelerators below nothing": (("value", "price", "accelerators"), [["x", -4]]),
    "money below nothing": ((*ANSWER, "cost", "per_hour"), -1.0),
    "a busy share of a hundred": (("value", "runs", 0, "gpu_busy"), 97.0),
    "a method as long as a book": (("value", "method_version"), "m" * 10_000),
}
"""By name: where in what is stored, and what stands there instead."""


def small():
    """The samples, as small as they are still answered."""
    known = sample_scenario()
    return replace(known, answers=tuple(replace(each, sensitivity=()) for each in known.answers))


def put(document, path, value):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


def told_otherwise(url, scenario_id, *changes):
    """Write something else in the place of what was saved, with the hash that belongs to it."""
    document = json.loads(encode(small()))
    for path, value in changes:
        put(document, path, value)
    document["tagged"] = True
    payload = zlib.compress(json.dumps(document).encode())
    values = {"id": scenario_id, "payload": payload, "sha256": hashlib.sha256(payload).hexdigest()}
    with behind(url) as run:
        run("UPDATE scenario SET payload = :payload, payload_sha256 = :sha256 WHERE id = :id", values)


@pytest.fixture
def kept(tmp_path):
    """A store with a scenario that will lie and one that will not, and their address."""
    url = f"sqlite:///{tmp_path / 'plimsoll.db'}"
    store = open_store(url)
    yield store, url, store.save(replace(small(), name="Lying")), store.save(replace(small(), name="Honest"))
    store.close()


def test_each_lie_is_refused_in_words_and_the_others_open(kept):
    store, url, lying, honest = kept
    token = store.shares.make(lying.id).token
    for name, lie in LIES.items():
        told_otherwise(url, lying.id, lie)
        calls = (lambda: store.load(lying.id), lambda: store.shares.open(token), lambda: store.duplicate(lying.id))
        for call in calls:
            with pytest.raises(Exception, match=r"cannot be true|cannot be read") as refused:
                call()
            assert refused.value.code in ("store.damaged", "store.unreadable"), name
            assert len(str(refused.value)) < 1_000
        assert store.load(honest.id)[1].name == "Honest"
        assert len(store.list()) == 2


@settings(max_examples=60, deadline=None)
@given(test_hostile_levels.files())
def test_whatever_importers_let_through_can_be_saved(file):
    """Nobody loses work to a rule: what is read from any file keeps every rule that is asked when it is opened."""
    runs = runs_of([file])
    known = Scenario(
        name="n", runs=tuple(runs), targets=(), price=None, answers=(), method_version="1", app_version="1"
    )
    assert untrue(known) is None


def test_the_samples_and_their_answers_keep_every_rule():
    assert untrue(sample_scenario()) is None
    many = replace(small(), runs=small().runs * (MOST_LEVELS // 10))
    assert untrue(many) is not None
