"""The written form: tolerant of more, strict about type, small where things repeat."""

from __future__ import annotations

import base64
import tracemalloc
import zlib
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from core.errors import StoreError
from core.model.codec import decode, encode
from core.model.price import Price
from core.model.run import Run
from core.model.target import Target, parse_target
from tests.price.price_build import requests, run, stage

PRICE = Price(amount=2.5, per_accelerator=True, accelerators=(("a", 8),))


def rewritten(value, change):
    """What `encode` gives, with one change to the JSON inside."""
    document = msgspec.json.decode(encode(value))
    change(document)
    return msgspec.json.encode(document)


def test_keys_of_a_newer_version_are_skipped():
    def add(document):
        document["colour"] = "blue"
        document["value"]["haggled"] = {"share": 0.1}

    assert decode(rewritten(PRICE, add), Price) == PRICE


def test_a_field_that_an_older_version_did_not_have_gets_its_default():
    assert decode(rewritten(PRICE, lambda d: d["value"].pop("cached_weight")), Price) == PRICE


@pytest.mark.parametrize("wrong", ["eight", [1], True, {"$float": "nan"}])
def test_a_wrong_type_is_an_error_with_a_code(wrong):
    with pytest.raises(StoreError) as refused:
        decode(rewritten(PRICE, lambda d: d["value"].update(amount=wrong)), Price)
    assert refused.value.code == "store.unreadable"
    assert "amount" in str(refused.value.what)


def test_a_value_that_the_model_refuses_is_an_error_with_a_code():
    with pytest.raises(StoreError) as refused:
        decode(rewritten(parse_target("ttft p99 <= 1s"), lambda d: d["value"].update(limit=-1.0)), Target)
    assert refused.value.code == "store.unreadable"


def test_a_form_of_a_newer_version_is_named_as_such():
    with pytest.raises(StoreError) as refused:
        decode(rewritten(PRICE, lambda d: d.update(format=3)), Price)
    assert refused.value.code == "store.newer_schema"


def test_the_same_array_is_written_once():
    level = stage(8.0, requests(np.random.default_rng(1).random(2000), np.full(2000, 7)))
    once, twice = encode(run(level)), encode((run(level), run(level, replace(level, replicates=2))))
    assert len(twice) < len(once) + 6000


def test_arrays_read_back_cannot_be_changed_in_place():
    back = decode(encode(run(stage(8.0, requests([0.5], [7])))), Run)
    with pytest.raises(ValueError, match="read-only"):
        back.stages[0].requests.ttft_s[0] = 0.0


@pytest.mark.parametrize(
    "change",
    [
        {"n": 10**12},
        {"n": 2},
        {"n": -1},
        {"zlib": "!"},
        {"zlib": "QUJD"},
        {"zlib": None},
    ],
)
def test_a_damaged_array_is_an_error_with_a_code(change):
    def damage(document):
        for entry in document["arrays"].values():
            entry.update(change)

    with pytest.raises(StoreError) as refused:
        decode(rewritten(run(stage(8.0, requests([0.5], [7]))), damage), Run)
    assert refused.value.code == "store.unreadable"


def test_a_bomb_is_not_unpacked_beyond_its_length():
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()

    def damage(document):
        for entry in document["arrays"].values():
            entry["zlib"] = bomb

    written = rewritten(run(stage(8.0, requests([0.5], [7]))), damage)
    tracemalloc.start()
    with pytest.raises(StoreError):
        decode(written, Run)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize("value", [object(), {"a": {1, 2}, "b": object()}, "half \ud800"])
def test_what_cannot_be_written_says_so(value):
    with pytest.raises(StoreError) as refused:
        encode(value)
    assert refused.value.code == "store.unwritable"
