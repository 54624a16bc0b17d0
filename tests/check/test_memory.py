"""Laws of the check that asks whether a level's requests fit into the KV cache."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.check.memory import check_memory
from core.model.finding import Severity
from core.model.run import Conditions, Run
from tests.check.run_build import run, stage

LOADS = (2, 4, 8, 16, 32)
INPUT, OUTPUT = 900.0, 101.0


def sweep(**conditions) -> Run:
    stages = tuple(replace(stage(load), input_tokens_mean=INPUT) for load in LOADS)
    return run(*stages, conditions=Conditions(model="m", **conditions))


def codes(found: Run) -> list[str]:
    return [finding.code for finding in check_memory(found)]


def test_nothing_is_said_where_the_cache_is_not_known_or_large():
    assert codes(sweep()) == []
    assert codes(sweep(kv_cache_tokens=32 * 1001)) == []


def test_a_level_whose_requests_cannot_fit_is_named_with_its_numbers():
    (found,) = check_memory(sweep(kv_cache_tokens=16 * 1001))
    assert (found.code, found.severity) == ("kv.full", Severity.WARNING)
    text = str(found.what)
    assert "At 32 requests" in text
    assert f"{32 * (INPUT + OUTPUT / 2):,.0f}" in text
    assert "16,016" in text


def test_requests_that_fit_on_average_only_are_a_remark():
    assert codes(sweep(kv_cache_tokens=31_000)) == ["kv.tight"]


def test_a_batch_limit_keeps_the_rest_out_of_the_cache():
    assert codes(sweep(kv_cache_tokens=16 * 1001, max_num_seqs=16)) == []


def test_every_replica_and_rank_has_a_cache_of_its_own():
    assert codes(sweep(kv_cache_tokens=8 * 1001)) == ["kv.full"]
    assert codes(sweep(kv_cache_tokens=8 * 1001, dp=2, replicas=2)) == []


def test_a_cached_prefix_is_held_once():
    full = sweep(kv_cache_tokens=16 * 1001)
    cached = replace(full, stages=tuple(replace(each, cache_hit_rate=0.9) for each in full.stages))
    assert codes(cached) == []


@given(st.integers(1, 200_000), st.integers(1, 200_000))
def test_more_room_never_adds_a_warning(one, other):
    small, large = sorted((one, other))
    if "kv.full" in codes(sweep(kv_cache_tokens=large)):
        assert "kv.full" in codes(sweep(kv_cache_tokens=small))
