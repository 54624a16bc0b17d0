"""Traps of SGLang's result files (formats.md 2), each of them met on purpose."""

import json
import math

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.formats import sglang_bench
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from tests.ingest.bench_files import DETAILS, SGLANG, VLLM, codes, levels_of, readings, uploaded

INFO = {
    "model_path": "org/m",
    "tp_size": 4,
    "dp_size": 1,
    "version": "0.5.5",
    "random_seed": 7,
    "max_running_requests": 64,
}


def sglang(name: str = "out.jsonl", **bent):
    return levels_of(SGLANG | bent, name=name)[0]


def test_every_line_is_a_level_with_its_line():
    levels = levels_of(*[SGLANG | {"max_concurrency": c} for c in (4, 8, 4)], name="out.jsonl")
    assert [(level.asked_concurrency, level.place.line) for level in levels] == [(4, 1), (8, 2), (4, 3)]


def test_blank_lines_are_no_levels_but_count_as_lines():
    text = "\r\n\r\n".join(json.dumps(SGLANG) for _ in range(2)) + "\r\n\r\n"
    assert [level.place.line for level in read_file(Upload("out.jsonl", text.encode())).levels] == [1, 3]


def test_concurrency_is_the_measured_one():
    level = sglang(max_concurrency=32, concurrency=28.4)
    assert (level.asked_concurrency, level.measured_concurrency) == (32.0, 28.4)


def test_failures_are_unknown_not_zero():
    level = sglang()
    assert (level.requests_good, level.requests_failed, level.requests_sent) == (10, None, None)


def test_details_tell_the_failures():
    level = sglang(completed=2, **DETAILS)
    assert (level.requests_sent, level.requests_failed) == (3, 1)
    np.testing.assert_allclose(level.requests.e2e, [0.2, np.nan, 0.3])


def test_a_bare_infinity_is_a_closed_loop_and_a_number_an_open_one():
    assert "Infinity" in json.dumps(SGLANG)
    closed, opened = sglang(), sglang(request_rate=4.0)
    assert (closed.asked_rate, closed.conditions["arrival"]) == (None, "closed loop")
    assert (opened.asked_rate, opened.conditions["arrival"]) == (4.0, "poisson")


def test_a_trace_states_no_load():
    level = sglang(request_rate="trace", max_concurrency=None)
    assert (level.asked_rate, level.asked_concurrency, level.conditions["arrival"]) == (None, None, "trace")
    assert level.measured_concurrency == 7.1


def test_an_old_file_takes_its_level_from_the_name():
    level = sglang(name="sglang_conc16.jsonl", max_concurrency=None)
    assert (level.asked_concurrency, codes(level)) == (16.0, ["ingest.from_file_name"])


def test_statistics_have_sglangs_names():
    found = readings(sglang(p95_itl_ms=40.0, max_itl_ms=400.0))
    assert (found["e2e_mean"], found["itl_p95"]) == ((900.0, "ms"), (40.0, "ms"))
    assert "e2e_p99" not in found
    assert 400.0 not in [value for value, _ in found.values()]


def test_server_settings_become_conditions():
    conditions = sglang(server_info=INFO).conditions
    assert {key: conditions[key] for key in ("model", "tp", "dp", "engine", "engine_version", "max_num_seqs")} == {
        "model": "org/m", "tp": 4, "dp": 1, "engine": "SGLang", "engine_version": "0.5.5", "max_num_seqs": 64,
    }  # fmt: skip
    assert "speculation" not in conditions  # the key is absent, so nobody knows


def test_seeds_of_the_server_are_no_identity():
    assert sglang(server_info=INFO | {"random_seed": 8}).identity == sglang(server_info=INFO).identity


@pytest.mark.parametrize("info", [None, [], "x", 5, {"decode": []}, {"internal_states": [None]}, {"prefill": None}])
def test_a_server_info_of_any_shape_does_no_harm(info):
    level = sglang(server_info=info, backend="sglang-oai")
    assert level.conditions.get("model") is None
    assert level.identity == {"backend": "sglang-oai"}


def test_models_of_one_file_are_told_apart():
    levels = levels_of(
        *[SGLANG | {"server_info": INFO | {"model_path": m}} for m in ("a/one", "b/two")], name="o.jsonl"
    )
    assert [level.conditions["model"] for level in levels] == ["a/one", "b/two"]


def test_acceptance_length_and_its_absence():
    assert sglang(accept_length=2.9).acceptance_length == 2.9
    assert sglang().acceptance_length is None


def test_the_engine_behind_another_backend_is_unknown():
    assert "engine" not in sglang(backend="vllm").conditions
    assert sglang().conditions["engine"] == "SGLang"


def test_a_cut_off_last_line_is_refused_with_its_number():
    data = uploaded(SGLANG, SGLANG).data
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("out.jsonl", data[:-5]))
    assert (refused.value.code, refused.value.place.line) == ("ingest.truncated", 2)


def test_a_strange_line_in_the_middle_is_refused_with_its_number():
    for strange in ({}, {"other": 1}):
        with pytest.raises(RefusedFileError) as refused:
            levels_of(SGLANG, strange, SGLANG, name="out.jsonl")
        assert (refused.value.code, refused.value.place.line) == ("ingest.missing_field", 2)
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("out.jsonl", json.dumps(SGLANG).encode() + b"\nnoise\n"))
    assert refused.value.place.line == 2


@pytest.mark.parametrize(
    ("key", "value"), [("mean_ttft_ms", "fast"), ("completed", "ten"), ("concurrency", [1]), ("request_rate", "soon")]
)
def test_a_damaged_field_is_refused_with_its_place(key, value):
    with pytest.raises(RefusedFileError) as refused:
        levels_of(SGLANG, SGLANG | {key: value}, name="out.jsonl")
    assert (refused.value.place.line, refused.value.place.field) == (2, key)


@pytest.mark.parametrize("value", [-5.0, math.nan])
def test_an_impossible_number_is_unknown_with_a_finding(value):
    level = sglang(duration=value)
    assert (level.duration_s, level.run_key) == (None, None)
    assert [finding.where.field for finding in level.findings] == ["duration"]


def test_nothing_else_matches():
    for head in (b"", b"{", json.dumps(VLLM).encode(), json.dumps({"native": SGLANG}).encode(), b'{"concurrency": 8}'):
        assert sglang_bench.match(Head("sglang.jsonl", head)) == 0.0


def test_the_servers_memory_is_a_condition_and_splits_nothing():
    def run(conc, capacity):
        memory = {"weight": 15.08, "kvcache": 56.5, "token_capacity": capacity}
        info = INFO | {"internal_states": [{"memory_usage": memory}]}
        return SGLANG | {"max_concurrency": conc, "duration": 2.0 + conc, "server_info": info}

    raw = read_file(uploaded(run(4, 464_517), run(8, 464_500), name="o.jsonl"))
    (found,) = runs_of([raw])
    known = found.conditions
    assert (known.kv_cache_tokens, known.kv_cache_gib, known.weights_gib) == (464_500, 56.5, 15.08)


def test_a_server_info_longer_than_the_head_is_still_recognised():
    long = SGLANG | {"server_info": {f"setting_{i}": "x" * 50 for i in range(2000)}}
    assert sglang_bench.match(Head("o.jsonl", json.dumps(long).encode()[:65_536])) == 1.0
