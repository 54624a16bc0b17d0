"""Traps of vLLM's result files (formats.md 0 and 1), each of them met on purpose."""

import csv
import json
import math

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.formats import vllm_bench
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from tests.ingest.bench_files import DETAILS, SGLANG, VLLM, codes, levels_of, readings, uploaded


def without(*keys: str) -> dict:
    return {key: value for key, value in VLLM.items() if key not in keys}


def test_a_summary_is_read_in_its_own_units():
    (level,) = levels_of(VLLM)
    assert readings(level) == {
        "ttft_mean": (150.0, "ms"), "ttft_p50": (150.0, "ms"), "ttft_p99": (199.0, "ms"), "tpot_mean": (50.0, "ms"),
        "tpot_p99": (60.0, "ms"), "itl_mean": (50.0, "ms"), "itl_p99": (70.0, "ms"),
    }  # fmt: skip
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (3, 2, 1)
    assert (level.input_tokens_mean, level.output_tokens_mean) == (10.0, 3.0)
    assert (level.request_rate, level.output_tok_s, level.total_tok_s, level.duration_s) == (1.0, 3.0, 13.0, 2.0)


def test_details_are_in_seconds_and_failed_requests_have_no_times():
    (level,) = levels_of(VLLM | DETAILS)
    requests = level.requests
    assert requests.unit == "s"
    assert requests.good.tolist() == [True, False, True]
    np.testing.assert_allclose(requests.ttft, [0.1, np.nan, 0.2])
    np.testing.assert_allclose(requests.e2e, [0.2, np.nan, 0.3])  # ttft + sum(itls)
    np.testing.assert_allclose(requests.output_tokens, [3, np.nan, 3])
    np.testing.assert_allclose(np.sort(requests.gaps), [0.03, 0.04, 0.06, 0.07])
    assert np.isnan(requests.start).all()


def test_the_tools_own_latencies_win_over_the_sum_of_gaps():
    (level,) = levels_of(VLLM | DETAILS | {"latencies": [0.5, 0.0, 0.6], "start_times": [7.0, 7.5, 8.0]})
    np.testing.assert_allclose(level.requests.e2e, [0.5, np.nan, 0.6])
    np.testing.assert_allclose(level.requests.start, [7.0, 7.5, 8.0])


def test_prompts_and_answers_are_not_kept():
    raw = read_file(uploaded(VLLM | DETAILS | {"prompts": ["a question"]}))
    kept = repr(raw) + "".join(repr(getattr(raw.levels[0].requests, name)) for name in ("good", "ttft", "gaps"))
    assert "answer" not in kept.replace("the answers came", "")
    assert "question" not in kept


def test_a_summary_and_the_details_of_one_run_have_one_key():
    (summary,), (detailed,) = levels_of(VLLM), levels_of(VLLM | DETAILS, name="details.json")
    assert summary.run_key == detailed.run_key == "20261129-120000|org/model|2|2.000000"


def test_an_infinite_rate_is_a_closed_loop():
    for spelling in ("inf", "Infinity", math.inf):
        (level,) = levels_of(VLLM | {"request_rate": spelling})
        assert (level.asked_concurrency, level.asked_rate) == (2.0, None)
        assert level.conditions["arrival"] == "closed loop"


def test_a_finite_rate_is_open_loop_even_below_a_ceiling():
    (level,) = levels_of(VLLM | {"request_rate": 5, "max_concurrency": 16})
    assert (level.asked_concurrency, level.asked_rate) == (16.0, 5.0)
    assert level.conditions["arrival"] == "poisson"


def test_a_level_from_the_name_is_used_only_where_the_file_is_silent():
    (level,) = levels_of(VLLM, name="conc64.json")
    assert (level.asked_concurrency, codes(level)) == (2.0, [])
    (level,) = levels_of(VLLM | {"max_concurrency": None}, name="conc64.json")
    assert (level.asked_concurrency, codes(level)) == (64.0, ["ingest.from_file_name"])
    (level,) = levels_of(without("max_concurrency", "request_rate"), name="rate5.json")
    assert (level.asked_rate, codes(level)) == (5.0, ["ingest.from_file_name"])
    (level,) = levels_of(VLLM | {"max_concurrency": None}, name="rate5.json")
    assert (level.asked_rate, codes(level)) == (None, ["ingest.no_load"])


def test_the_name_of_a_file_with_several_runs_names_none_of_them():
    levels = levels_of(*[VLLM | {"max_concurrency": None, "duration": d} for d in (1.0, 2.0)], name="conc64.jsonl")
    assert [(level.asked_concurrency, codes(level)) for level in levels] == [(None, ["ingest.no_load"])] * 2


def test_failures_of_old_files_are_what_was_sent_and_not_completed():
    (level,) = levels_of(without("failed"))
    assert level.requests_failed == 1
    (level,) = levels_of(without("failed") | {"completed": 4})
    assert (level.requests_failed, codes(level)) == (None, ["ingest.counts_disagree"])


def test_no_completed_request_means_no_statistics():
    zeros = {key: 0.0 if key.endswith("_ms") else value for key, value in VLLM.items()}
    (level,) = levels_of(zeros | {"completed": 0, "failed": 3, "total_input_tokens": 0, "total_output_tokens": 0})
    assert (level.readings, level.requests_good, level.requests_failed) == ((), 0, 3)
    assert level.output_tokens_mean is None
    assert codes(level) == ["ingest.none_completed"]


def test_all_failed_with_details_keeps_the_records_as_failed():
    failed = {"input_lens": [9], "output_lens": [0], "ttfts": [0.0], "itls": [[]], "errors": ["refused"]}
    (level,) = levels_of(VLLM | failed | {"completed": 0, "failed": 1, "num_prompts": 1})
    assert level.requests.good.tolist() == [False]
    assert np.isnan(level.requests.ttft).all()


def test_zero_gaps_mean_the_answer_came_in_one_piece():
    (level,) = levels_of(VLLM | {"mean_itl_ms": 0.0, "p99_itl_ms": 0.0, "mean_tpot_ms": 0.002})
    assert set(readings(level)) == {"ttft_mean", "ttft_p50", "ttft_p99"}
    assert codes(level) == ["ingest.not_measured"] * 2


def test_a_single_zero_among_the_figures_is_a_value():
    (level,) = levels_of(VLLM | {"median_itl_ms": 0.0})
    assert readings(level)["itl_p50"] == (0.0, "ms")
    assert codes(level) == []


def test_any_percentile_is_read_and_none_is_invented():
    odd = {"p99.9_ttft_ms": 1.0, "p75_ttft_ms": 2.0, "p0_ttft_ms": 3.0, "p100_ttft_ms": 4.0, "p999_ttft_ms": 5.0,
           "max_itl_ms": 6.0, "p50_ttft_ms": 7.0, "steady_mean_ttft_ms": 8.0}  # fmt: skip
    (level,) = levels_of(VLLM | odd)
    found = readings(level)
    assert (found["ttft_p99.9"], found["ttft_p75"]) == ((1.0, "ms"), (2.0, "ms"))
    assert found["ttft_p50"] == (150.0, "ms")  # the median stands first
    assert {value for value, _ in found.values()}.isdisjoint({3.0, 4.0, 5.0, 6.0, 7.0, 8.0})


def test_statistics_without_ms_are_seconds():
    seconds = {key.removesuffix("_ms"): value for key, value in VLLM.items()}
    raw = read_file(uploaded(seconds | {"input_throughput": 10.0, "total_token_throughput": None}))
    assert raw.format_version == "seconds"
    assert readings(raw.levels[0])["ttft_p99"] == (199.0, "s")
    assert raw.levels[0].total_tok_s == 13.0


def test_the_speech_factor_of_the_whole_run_is_not_ours():
    (level,) = levels_of(VLLM | {"rtfx": 31.5})
    assert codes(level) == ["ingest.system_rtfx"]
    assert not any(key.startswith("rtf") for key in readings(level))
    (level,) = levels_of(VLLM | {"rtfx": 0.0})
    assert codes(level) == []


def test_added_metadata_tells_configurations_apart_but_dates_do_not():
    added = {
        "timestamp": "2025-05-12_00-03-23,model",
        "gpu": "H100",
        "tensor_parallel_size": "8",
        "block": "16",
        "seed": "1",
    }
    (level,) = levels_of(VLLM | added)
    assert level.conditions["accelerator"] == "H100"
    assert level.conditions["tp"] == 8
    assert level.identity == {"backend": "openai", "block": "16"}


def test_a_number_that_a_newer_version_adds_is_no_setting():
    (level,) = levels_of(VLLM | {"peak_something": 17.5, "spec_decode_acceptance_length": 2.75})
    assert level.identity == {"backend": "openai"}
    assert level.acceptance_length == 2.75


def test_swept_settings_stand_behind_the_run_number():
    swept = {
        "run_number": 0,
        "_benchmark_name": "c2",
        "max-num-seqs": 8,
        "block-size": 32,
        "max-concurrency": 2,
        "seed": 0,
    }
    (level,) = levels_of([VLLM | swept])
    assert level.identity == {"backend": "openai", "block-size": 32}
    assert level.max_num_seqs == 8.0
    assert level.place.field == "[0]"


def test_the_same_file_is_read_zipped_with_windows_ends_and_a_mark():
    plain = levels_of(VLLM)[0]
    zipped = levels_of(VLLM, name="result.json.gz")[0]
    windows = json.dumps(VLLM, indent=1).replace("\n", "\r\n").encode("utf-8-sig")
    marked = read_file(Upload("result.json", windows)).levels[0]
    assert plain.readings == zipped.readings == marked.readings


BAD = {
    "text": {"mean_ttft_ms": "fast"},
    "list": {"mean_ttft_ms": [1]},
    "truth": {"completed": True},
    "fraction": {"completed": 1.5},
    "rate": {"request_rate": "soon"},
    "lengths": DETAILS | {"errors": [""]},
    "gap list": DETAILS | {"itls": [1, 2, 3]},
    "gap text": DETAILS | {"itls": [["a"], [], []]},
    "time text": DETAILS | {"ttfts": [0.1, "x", 0.2]},
    "no list": DETAILS | {"output_lens": 3},
}


@pytest.mark.parametrize("bent", BAD.values(), ids=BAD)
def test_a_damaged_field_is_refused_with_its_place(bent):
    with pytest.raises(RefusedFileError) as refused:
        levels_of(VLLM | bent)
    assert refused.value.place.file == "result.json"
    assert refused.value.place.field in bent


def test_a_number_beyond_what_a_double_holds_is_read_as_an_infinite_one():
    (huge,), (infinite,) = (levels_of(VLLM | DETAILS | {"ttfts": [v, 0.0, 0.1]}) for v in (10**400, math.inf))
    assert [finding.code for finding in huge.findings] == ["ingest.counts_disagree"]
    assert huge.findings == infinite.findings
    assert huge.requests.good.tolist() == infinite.requests.good.tolist() == [False, False, True]


@pytest.mark.parametrize("value", [-5.0, math.nan, math.inf, -math.inf])
def test_an_impossible_number_is_unknown_with_a_finding(value):
    (level,) = levels_of(VLLM | {"p99_ttft_ms": value, "output_throughput": value})
    assert "ttft_p99" not in readings(level)
    assert level.output_tok_s is None
    assert codes(level)
    assert set(codes(level)) <= {"ingest.negative", "ingest.not_finite"}
    assert {finding.where.field for finding in level.findings} == {"p99_ttft_ms", "output_throughput"}


@pytest.mark.parametrize("content", [{}, [], [[]], [1], [VLLM, {}], "text", None, 5, [VLLM, None]])
def test_anything_but_runs_is_refused(content):
    with pytest.raises(RefusedFileError) as refused:
        vllm_bench.read(uploaded(content))
    assert refused.value.place.file == "result.json"


def test_a_cut_off_last_line_is_refused_with_its_number():
    whole = uploaded(VLLM, VLLM, name="all.jsonl")
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("all.jsonl", whole.data[:-10]))
    assert (refused.value.code, refused.value.place.line) == ("ingest.truncated", 2)


def test_records_without_any_time_are_not_used():
    (level,) = levels_of(VLLM | DETAILS | {"ttfts": [0.0, 0.0, 0.0]})
    assert level.requests is None
    assert codes(level) == ["ingest.counts_disagree"]


def test_names_alone_or_keys_of_nested_objects_do_not_match():
    for head in (
        b"",
        b"{",
        b"\xff\xfe\x00",
        json.dumps({"native": VLLM}).encode(),
        json.dumps(SGLANG).encode(),
        b"[" * 70_000,
    ):
        assert vllm_bench.match(Head("vllm_bench.json", head)) == 0.0
    assert vllm_bench.match(Head("x", json.dumps(VLLM).encode()[:600])) == 1.0


COLUMNS = ("ttft_mean", "ttft_p50", "ttft_p99", "tpot_mean", "itl_mean", "itl_p50", "itl_p99", "e2e_mean", "e2e_p99")


def test_every_sweep_agrees_with_an_independent_reader(shared_data):
    tools = shared_data / "generated" / "tools"
    with (tools / "summary.tsv").open(encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["tool"].startswith("vllm-bench")]
    assert len(rows) == 128
    for row in rows:
        folder = tools / row["tool"] / row["sweep"]
        path = next(p for p in (folder / row["point"], folder / f"{row['point']}.gz") if p.exists())
        (level,) = read_file(Upload(path.name, path.read_bytes())).levels
        found = readings(level)
        assert str(level.asked_concurrency or "") == (f"{float(row['conc'])}" if row["conc"] else ""), path
        assert (level.asked_rate or math.inf) == float(row["rate"]), path
        assert (level.requests_good, level.requests_failed) == (float(row["ok"]), float(row["failed"])), path
        ours, theirs = [found[key] for key in COLUMNS], [row[key] for key in COLUMNS]
        assert [value for value, _ in ours] == pytest.approx([float(text) for text in theirs], abs=5.1e-4), path
        assert {unit for _, unit in ours} == {"ms"}
        rates = [level.request_rate, level.output_tok_s, level.duration_s]
        assert rates == pytest.approx([float(row[key]) for key in ("req_s", "out_tok_s", "duration_s")], abs=5.1e-4), (
            path
        )


def test_records_give_the_means_of_their_own_summary(shared_data):
    """ms against seconds, failures left out, gaps pooled: all of it shows in the means."""
    folder = shared_data / "generated" / "tools" / "vllm-bench-0.32.0"
    seen = 0
    for path in [*folder.glob("closed_mns8_detailed/*"), *folder.glob("faults_emulator_mns16/*")]:
        (level,) = read_file(Upload(path.name, path.read_bytes())).levels
        found, requests = readings(level), level.requests
        assert int(requests.good.sum()) == level.requests_good, path
        assert 1e3 * np.nanmean(requests.ttft) == pytest.approx(found["ttft_mean"][0]), path
        assert 1e3 * np.nanmean(requests.e2e) == pytest.approx(found["e2e_mean"][0]), path
        assert 1e3 * np.quantile(requests.gaps, 0.99) == pytest.approx(found["itl_p99"][0]), path
        seen += 1
    assert seen == 9


def test_pools_in_the_name_say_that_prefill_runs_apart():
    (level,) = levels_of(VLLM, name="conc_8_gpus_16_ctx_4_gen_12.json")
    assert level.conditions["serving_mode"] == "disaggregated"
    assert level.conditions["decode_accelerators"] == 12
    (level,) = levels_of(VLLM, name="conc_8_gpus_16.json")
    assert "serving_mode" not in level.conditions
