"""Simulators and planners: all is simulated, nothing is asked that only came out, and no definition is taken over."""

import json
import re

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.formats import blis
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.ingest.registry import IMPORTERS
from core.model.metric import Metric
from core.model.run import Kind
from core.normalise.runs import runs_of
from tests.ingest.golden_files import GOLDEN, changed, codes_of, golden_bytes, readings_of

SIMULATED = ("aiconfigurator", "aisimulate", "blis", "llm_d_planner", "llmservingsim", "splitwise_sim", "vidur")
CASES = sorted(path.parent for name in SIMULATED for path in GOLDEN.glob(f"{name}/*/expected.json"))


def uploaded(case, name=None):
    path = next((GOLDEN / case).glob("input.*"))
    return Upload(name or f"run/{path.name}", path.read_bytes())


def read(case, name=None):
    return read_file(uploaded(case, name))


def by_request(level, name):
    return getattr(level.requests, name)


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_simulator_is_never_taken_for_a_measurement(case):
    raw = read(case.relative_to(GOLDEN))
    assert raw.kind is Kind.SIMULATED
    assert "simulated.candidate" in codes_of(raw) or not raw.levels


def test_every_importer_of_a_simulator_is_held_to_that():
    measured = {"llmservingsim_bench"}
    named = {i.FORMAT_ID for i in IMPORTERS if "sim" in i.FORMAT_ID or "planner" in i.FORMAT_ID} - measured
    assert named <= set(SIMULATED)


@pytest.mark.parametrize(
    ("case", "measured"), [("llmservingsim_bench/requests", True), ("llmservingsim/by_hand", False)]
)
def test_llmservingsim_and_its_measured_side_never_share_a_run(case, measured):
    raw = read(case)
    assert (raw.kind is Kind.MEASURED) is measured
    runs = runs_of([read("llmservingsim_bench/requests", "x/r.jsonl"), read("llmservingsim/by_hand", "x/sim.csv")])
    assert sorted(run.kind.value for run in runs) == ["measured", "simulated"]


def test_llmservingsim_counts_in_nanoseconds_and_pools_every_gap():
    raw = read("llmservingsim/by_hand")
    (stage,) = runs_of([raw])[0].stages
    assert stage.statistics[Metric.ITL].mean == pytest.approx(0.01875)
    assert stage.statistics[Metric.TTFT].mean == pytest.approx((0.208728797 + 0.1 + 0.05) / 3)
    # One answer of one token: no gap, so no TPOT of zero.
    assert stage.statistics[Metric.TPOT].mean == pytest.approx((0.02 + 0.015) / 2)


@pytest.mark.parametrize("cell", ['"[1, 2"', '"[1, x]"', "12", '"{}"'])
def test_a_damaged_list_of_gaps_is_refused_with_its_line_and_column(cell):
    text = golden_bytes("llmservingsim/by_hand").decode().replace('"[15000000]"', cell)
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("sim.csv", text.encode()))
    assert refused.value.code == "ingest.not_a_number"
    assert (refused.value.place.line, refused.value.place.field) == (3, "ITL")


def test_the_settings_of_a_bench_speak_for_the_requests_beside_them_only():
    beside = [
        read("llmservingsim_bench/requests", "GPU/vllm/requests.jsonl"),
        read("llmservingsim_bench/settings", "GPU/vllm/meta.json"),
    ]
    (run,) = runs_of(beside)
    known = run.conditions
    assert (known.model, known.engine, known.engine_version) == ("org/Tiny-8B", "vLLM", "0.19.0")
    # Four of the machine's eight accelerators; "auto" says nothing of the cache.
    assert (known.accelerator_count, known.tp, known.dp, known.kv_precision) == (4, 2, 2, None)
    elsewhere = runs_of([read("llmservingsim_bench/requests", "other/requests.jsonl"), beside[1]])
    assert [r.conditions.model for r in elsewhere if r.stages] == [None]
    assert "tiny-sps10" not in repr(beside[1])


def test_stamps_of_an_engine_that_went_backwards_are_a_finding():
    lines = (
        golden_bytes("llmservingsim_bench/requests")
        .decode()
        .replace('"first_token_ts": 100.25', '"first_token_ts": 99.0')
    )
    (run,) = runs_of([read_file(Upload("requests.jsonl", lines.encode()))])
    assert {finding.code for finding in run.findings} - {"ingest.no_load"}


def test_vidurs_rows_are_put_into_the_order_of_arrival():
    (level,) = read("vidur/upstream").levels
    assert by_request(level, "start").tolist() == [0.0, 2.0, 0.5, 3.0]


def test_vidurs_time_per_token_is_not_taken_over():
    """(e2e - TTFT) / all tokens is shorter than over the gaps between them."""
    (run,) = runs_of([read("vidur/upstream")])
    tpot = run.stages[0].statistics[Metric.TPOT].mean
    assert tpot == pytest.approx((1.5 / 3 + 0.8 / 4 + 2.0 / 10) / 3)
    assert tpot > (1.5 / 4 + 0.8 / 5 + 2.0 / 11) / 3


def test_vidurs_settings_speak_for_its_requests():
    (run,) = runs_of([read("vidur/upstream", "out/request_metrics.csv"), read("vidur/settings", "out/config.json")])
    known = run.conditions
    assert (known.accelerator, known.accelerator_count, known.replicas) == ("a100", 16, 2)
    assert (known.tp, known.pp, known.max_num_seqs) == (4, 2, 128)


def test_an_unfinished_request_of_vidur_is_cut_off_and_not_fast():
    (run,) = runs_of([read("vidur/upstream")])
    stage = run.stages[0]
    assert (stage.requests_sent, stage.requests_good, stage.requests_failed, stage.requests_cut_off) == (4, 3, 0, 1)
    assert stage.statistics[Metric.E2E].n == 3


def test_a_run_of_blis_keeps_its_pooled_gaps_beside_its_requests():
    (run,) = runs_of([read("blis/run_with_requests", "runs/qps0.5.json")])
    statistics = run.stages[0].statistics
    assert statistics[Metric.ITL].quantiles[0.99] == pytest.approx(0.064)
    assert statistics[Metric.TTFT].quantiles[0.5] == pytest.approx(0.2)
    assert statistics[Metric.TPOT].mean == pytest.approx((900 + 1800 + 2700) / 3 / 99 / 1000)


def test_what_came_out_of_blis_is_not_what_was_asked():
    level = read("blis/run_with_requests", "runs/out.json").levels[0]
    assert (level.asked_rate, level.asked_concurrency, level.request_rate) == (None, None, 0.25)
    assert "ingest.no_load" in codes_of(level)


def test_an_entry_that_is_no_request_refuses_the_whole_file():
    def damage(document):
        document["requests"][1] = "lost"

    with pytest.raises(RefusedFileError) as refused:
        changed("blis/run_with_requests", damage)
    assert refused.value.code == "ingest.missing_field"
    assert refused.value.place.field == "requests[1]"


def test_a_command_line_is_not_kept():
    assert "--secret" not in repr(read("blis/leaderboard_record"))
    assert "hidden" not in repr(read("aisimulate/recommendation_json"))


def test_report_and_requests_of_aisimulate_are_one_execution():
    folder = "sweep/concurrency_8"
    (run,) = runs_of(
        [
            read("aisimulate/prediction", f"{folder}/prediction.json"),
            read("aisimulate/requests", f"{folder}/requests.jsonl"),
        ]
    )
    (stage,) = run.stages
    assert (stage.asked_concurrency, run.conditions.accelerator_count) == (8.0, 2)
    # The report's gaps of every request stay beside what its requests give.
    assert stage.statistics[Metric.ITL].quantiles[0.99] == pytest.approx(0.080)
    assert stage.statistics[Metric.TPOT].mean == pytest.approx(0.0125)


def test_aisimulate_calls_the_mean_gap_of_a_request_itl():
    assert read("aisimulate/requests").calls == {Metric.TPOT: "ITL"}


def test_how_long_the_simulator_ran_is_no_latency():
    before, after = (changed("aisimulate/prediction", lambda d, ms=ms: d.update(wall_time_ms=ms)) for ms in (1.0, 9e9))
    assert before.levels[0].readings == after.levels[0].readings
    assert before.levels[0].duration_s == after.levels[0].duration_s


def test_a_search_of_aisimulate_says_the_same_as_json_and_as_table():
    one, other = (read(f"aisimulate/recommendation_{kind}") for kind in ("json", "csv"))
    plain = [
        [(x.asked_concurrency, x.asked_rate, readings_of(x), dict(x.conditions), x.run_key) for x in raw.levels]
        for raw in (one, other)
    ]
    assert plain[0] == plain[1]
    # Both in one drop are still one level of each candidate.
    assert [len(run.stages) for run in runs_of([one, other])] == [1, 1]


def test_a_search_without_numbers_is_refused():
    def empty(document):
        for candidate in document["candidates"]:
            candidate["metrics"] = {}

    with pytest.raises(RefusedFileError) as refused:
        changed("aisimulate/recommendation_json", empty)
    assert refused.value.code == "ingest.no_levels"


def test_a_cell_that_is_no_json_is_refused_with_its_line():
    text = golden_bytes("aisimulate/recommendation_csv").decode().replace('"{""completed', '"{completed', 1)
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("recommendation.csv", text.encode()))
    assert (refused.value.code, refused.value.place.line) == ("ingest.not_json", 2)


def test_splitwise_without_stamps_has_no_place_but_in_a_named_folder():
    (placed,) = runs_of([read("splitwise_sim/detailed", "c8/detailed/0.csv")])
    assert placed.stages[0].excluded is None
    (nowhere,) = runs_of([read("splitwise_sim/detailed", "out/detailed/0.csv")])
    assert nowhere.stages[0].excluded == "load.unknown"
    assert np.isnan(by_request(read("splitwise_sim/detailed").levels[0], "start")).all()


def test_what_a_planners_file_says_of_itself_is_shown():
    (told,) = [f for f in read("llm_d_planner/synthetic").findings if f.code == "simulated.made_up"]
    assert "Synthetic benchmark data for development and testing" in str(told.what)
    (told,) = [f for f in read("llm_d_planner/interpolated").findings if f.code == "simulated.made_up"]
    assert "scaling_interpolation_v2" in str(told.what)
    silent = changed("llm_d_planner/synthetic", lambda document: document.pop("_metadata"))
    assert silent.kind is Kind.SIMULATED
    assert "simulated.made_up" in codes_of(silent)


def test_a_planners_reached_rate_is_not_an_asked_one(shared_data):
    folder = shared_data / "public" / "capacity_planner_tables" / "llm-d-incubation__llm-d-planner"
    for path in sorted(folder.glob("data__*.json")):
        for level in read_file(Upload(path.name, path.read_bytes())).levels:
            assert (level.asked_rate, level.asked_concurrency, level.output_tok_s) == (None, None, None)
            assert level.request_rate


@pytest.mark.parametrize("name", ["prediction.json", "a/b/report.json"])
def test_a_whole_number_of_accelerators_or_none(name):
    document = json.loads(golden_bytes("aisimulate/prediction"))
    for hours, count in ((0.0011111, 2), (0.0009, None), (0, None), (1e300, None)):
        raw = read_file(Upload(name, json.dumps({**document, "gpu_hours": hours}).encode()))
        assert raw.levels[0].conditions.get("accelerator_count") == count


@pytest.mark.parametrize(
    "case", [*CASES, GOLDEN / "llmservingsim_bench/requests"], ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_an_absurd_number_anywhere_ends_neither_in_a_crash_nor_in_a_nan(case):
    source = uploaded(case.relative_to(GOLDEN))
    for number in sorted(set(re.findall(rb"(?<![\w.\"])\d+(?:\.\d+)?(?![\w.])", source.data)))[:8]:
        for absurd in (b"1e308", b"-1"):
            damaged = re.sub(rb"(?<![\w.\"])" + re.escape(number) + rb"(?![\w.])", absurd, source.data)
            try:
                runs = runs_of([read_file(Upload(source.name, damaged))])
            except RefusedFileError as refused:
                told = refused
                assert_named(told)
                continue
            for stage in (stage for run in runs for stage in run.stages):
                values = [stage.load, stage.achieved_rate, *(x.mean for x in stage.statistics.values())]
                assert all(value is None or np.isfinite(value) for value in values)


def assert_named(refused):
    assert refused.place.file
    assert str(refused.fix)


@pytest.mark.parametrize("case", ["aisimulate/requests", "llmservingsim_bench/requests"])
@pytest.mark.parametrize("line", ["[1, 2]", '{"uuid": "x"}', "12"])
def test_a_line_that_is_no_record_refuses_the_whole_file(case, line):
    first, *rest = golden_bytes(case).decode().splitlines(keepends=True)
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("requests.jsonl", "".join([first, line + "\n", *rest]).encode()))
    assert (refused.value.code, refused.value.place.line) == ("ingest.not_a_record", 2)


def test_a_list_without_a_run_is_refused():
    with pytest.raises(RefusedFileError) as refused:
        blis.read(Upload("tests.json", b'{"tests": []}'))
    assert refused.value.code == "ingest.no_levels"


def test_numbers_as_spreadsheets_write_them_are_numbers_of_requests_too():
    text = (
        golden_bytes("vidur/stamps")
        .decode()
        .replace("0.03607", "N/A")
        .replace(",100,8,0.0202006", ',"1,100",8,0.0202006')
    )
    (level,) = read_file(Upload("request_metrics.csv", text.encode())).levels
    assert by_request(level, "good").tolist() == [False, True]
    assert by_request(level, "input_tokens").tolist() == [100.0, 1100.0]
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("request_metrics.csv", text.replace("N/A", "soon").encode()))
    assert (refused.value.code, refused.value.place.line) == ("ingest.not_a_number", 2)
    assert refused.value.place.field == "request_e2e_time"
