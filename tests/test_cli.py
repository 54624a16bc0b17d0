"""The command line keeps its promises: schemas, exit codes, words on standard error."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import jsonschema
import pytest
from click.testing import CliRunner

from core.cli import main

GPT_OSS = "public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX/gpt-oss-120b_16gpu_1p1d"
MINIMAX = "public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX/minimax-m2.5_16gpu_1p1d"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)


def document(*arguments):
    done = run(*arguments, "--json")
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def samples(root):
    return sorted(p for p in (root / "data" / "samples").iterdir() if p.is_dir())


@pytest.fixture(scope="module")
def schema(root):
    return lambda name: json.loads((root / "docs" / "schemas" / f"{name}.schema.json").read_text())


@pytest.fixture(scope="module")
def gpt_oss(shared_data):
    return shared_data / GPT_OSS


def test_schemas_equal_the_contract(root, shared_data):
    for name in ("plan", "import"):
        ours = json.loads((root / "docs" / "schemas" / f"{name}.schema.json").read_text())
        contract = json.loads((shared_data.parent / "contracts" / f"{name}.schema.json").read_text())
        assert ours == contract


def test_plan_is_valid_against_its_schema(samples, schema):
    plan = document("plan", *samples, "--slo", "ttft p99 <= 500ms", "--slo", "tpot mean <= 40 ms", "--price", "20/h")
    jsonschema.validate(plan, schema("plan"))
    assert [run["id"] for run in plan["runs"]]


def test_import_is_valid_against_its_schema(samples, schema):
    jsonschema.validate(document("import", *samples), schema("import"))


def test_import_feeds_batch(samples):
    run_ = document("import", samples[0])["runs"][0]
    target = {"metric": "tpot", "statistic": "mean", "limit": 0.03}
    line = json.dumps({"id": "a", "stages": run_["stages"], "target_sets": [[target]]})
    done = run("batch", stdin=line + "\n")
    answer = json.loads(done.stdout)
    planned = document("plan", samples[0], "--slo", "tpot mean <= 0.03s")["runs"][0]
    assert answer["id"] == "a"
    assert answer["answers"][0]["safe_concurrency"] == planned["capacity"]["safe_concurrency"]


def test_batch_goes_on_after_a_malformed_line():
    stage = {"asked_concurrency": 1, "statistics": {"ttft": {"mean": 0.1}}}
    good = {"id": "good", "stages": [stage], "target_sets": [[{"metric": "ttft", "statistic": "mean", "limit": 1.0}]]}
    lines = ['{"id": "cut', json.dumps(good), '{"id": "x", "stages": 3}', json.dumps(good)]
    done = run("batch", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == [None, "good", "x", "good"]
    assert all({"code", "what", "fix"} <= a["error"].keys() for a in (answers[0], answers[2]))
    assert answers[1]["answers"] == answers[3]["answers"]


def test_real_files_give_an_estimate_with_its_range_and_a_cost(gpt_oss, schema):
    plan = document("plan", gpt_oss, "--slo", "tpot p99 <= 16ms", "--price", "2.5/gpu-h", "--gpus", "16")
    jsonschema.validate(plan, schema("plan"))
    answer = plan["runs"][0]
    capacity = answer["capacity"]
    assert capacity["status"] == "within"
    assert 140 <= capacity["concurrency"]["mid"] <= 205
    assert capacity["concurrency"]["low"] <= capacity["safe_concurrency"] <= capacity["concurrency"]["mid"]
    assert capacity["binding"]["metric"] == "tpot"
    assert answer["at_capacity"]["at"] == capacity["safe_concurrency"]
    # 40 an hour over the tokens of an hour at the safe number, worked out from the throughput beside it.
    tok_s = answer["at_capacity"]["output_tok_s"]["mid"]
    assert answer["cost"]["per_million_output"]["mid"] == pytest.approx(40e6 / 3600 / tok_s)


def test_a_tail_on_forty_requests_cannot_be_told(gpt_oss):
    capacity = document("plan", gpt_oss, "--slo", "ttft p99 <= 500ms")["runs"][0]["capacity"]
    assert capacity["status"] == "cannot_tell"
    assert capacity["reasons"]
    assert capacity["supported"]["binding"]["metric"] == "ttft"
    assert capacity["supported"]["status"] != "cannot_tell"


def test_the_next_measurement_can_be_pasted(gpt_oss):
    measure = document("plan", gpt_oss, "--slo", "ttft p99 <= 500ms")["runs"][0]["next_measurement"]
    assert measure["requests"] >= 100
    assert measure["command"].startswith("vllm bench serve")


def test_two_deployments_stand_side_by_side(gpt_oss, shared_data):
    plan = document("plan", gpt_oss, shared_data / MINIMAX, "--slo", "ttft p99 <= 1s")
    assert len(plan["runs"]) == 2
    assert 32 <= plan["runs"][1]["capacity"]["concurrency"]["mid"] <= 64


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--slo", "ttft p99 <= 500"], 2, "target.unit_missing"),
        (["--slo", "ttft p99 >= 500ms"], 2, "target.wrong_direction"),
        (["--slo", "warp p99 <= 500ms"], 2, "target.unknown_metric"),
        (["--slo", "ttft p100 <= 500ms"], 2, "target.unknown_statistic"),
        (["--slo", "ttft p99 <= 5s", "--price", "cheap"], 2, "price.unreadable"),
        (["--slo", "ttft mean <= 1us"], 1, ""),
        (["--slo", "ttft mean <= 1000s"], 0, ""),
    ],
)
def test_exit_codes(samples, arguments, code, words):
    done = run("plan", samples[0], *arguments, "--json")
    assert done.exit_code == code
    assert words in done.stderr


def test_nothing_usable_is_exit_code_three(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"mean_ttft_ms": 1')
    done = run("plan", broken, "--slo", "ttft p99 <= 1s")
    assert done.exit_code == 3
    assert "broken.json" in done.stderr


def test_a_bad_file_does_not_take_the_good_ones_with_it(samples, tmp_path):
    empty = tmp_path / "empty.json"
    empty.write_text("")
    plan = document("plan", empty, *samples[0].glob("*.json"), tmp_path / "absent.json", "--slo", "ttft mean <= 1s")
    assert plan["runs"]
    assert {(r["file"].rsplit("/", 1)[-1], r["code"]) for r in plan["refused"]} == {
        ("empty.json", "ingest.empty"),
        ("absent.json", "ingest.unreadable"),
    }
    assert all(r["fix"] for r in plan["refused"])


def test_the_table_says_the_same_safe_number_as_the_json(samples):
    arguments = ["plan", samples[0], "--slo", "tpot mean <= 30ms"]
    safe = document(*arguments)["runs"][0]["capacity"]["safe_concurrency"]
    assert f"{safe} concurrent requests" in run(*arguments).stdout


def test_it_runs_as_a_module(root):
    done = subprocess.run([sys.executable, "-m", "core", "--version"], cwd=root, capture_output=True, check=True)
    assert b"plimsoll" in done.stdout


@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
def test_a_think_time_is_a_number_of_seconds(samples, value):
    done = run("plan", samples[0], "--slo", "ttft p99 <= 500ms", "--think-time", value)
    assert done.exit_code == 2
    assert "--think-time" in done.stderr


def test_a_refusal_reaches_the_terminal_harmless(tmp_path):
    odd = tmp_path / "a\x1b[31m.json"
    odd.write_text("{")
    done = run("import", odd)
    assert done.exit_code == 3
    assert "\x1b" not in done.stderr
    assert "/a[31m.json, 1: The file ends" in done.stderr


def test_the_readme_quotes_what_its_own_command_prints(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    command = next(line for line in text.splitlines() if "core plan" in line)
    quoted = " ".join(line[2:] for line in text.splitlines() if line.startswith("> "))
    arguments = [root / a if a.startswith("data/") else a for a in shlex.split(command.partition(" plan ")[2])]
    done = run("plan", *arguments)
    assert quoted.split(" · ") == [line.strip() for line in done.stdout.splitlines()[1:5]]


def test_a_profile_tells_bandwidth_from_launch_overhead_and_goes_to_the_run_it_names(samples, tmp_path):
    targets = ("--slo", "ttft p99 <= 500ms")
    told = document("plan", samples[0], *targets, "--gpu-busy", "62%")["runs"][0]["cause"]
    assert told["gpu_busy"] == 0.62
    assert {"kind", "confidence", "at", "sentence", "evidence", "also_possible", "remedies", "profile"} <= told.keys()
    kernels = [{"ph": "X", "cat": "kernel", "ts": 10 * i, "dur": 5, "pid": 0} for i in range(100)]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"traceEvents": kernels}))
    read = document("plan", samples[0], *targets, "--profile", trace)["runs"][0]["cause"]
    assert read["gpu_busy"] == pytest.approx(500 / 995)
    unclear = run("plan", *samples, *targets, "--gpu-busy", "0.6")
    assert (unclear.exit_code, "profile.run_missing" in unclear.output) == (2, True)


def test_the_table_says_what_the_price_is_in_and_doubts_a_rate_the_wrong_way_round(root):
    asked = ("plan", root / "data" / "samples" / "vllm_cpu", "--slo", "ttft p99 <= 500ms", "--price", "4.10/h")
    won = run(*asked, "--currency", "KRW", "--terms", "exchange=USD:1380")
    assert "Paid: at $4.10 per hour for the whole deployment, at ₩1,380 for 1 USD · ₩5,660 per hour" in won.stdout
    assert "price.exchange_doubtful" not in won.stdout
    turned = run(*asked, "--currency", "USD", "--terms", "exchange=KRW:1380")
    assert "at $1,380 for 1 KRW" in turned.stdout
    assert "The rate of exchange says 1,380 USD for 1 KRW" in turned.stdout
    assert "[price.exchange_doubtful]" in turned.stdout
    assert "1 USD is 1380 of --currency" in " ".join(run("plan", "--help").stdout.split())


def test_an_old_price_is_marked_in_the_json_of_every_run(samples):
    asked = ("plan", samples[0], "--slo", "tpot mean <= 0.03s", "--price", "2.5/gpu-h")
    (old,) = document(*asked, "--terms", "as-of=2020-01-02")["runs"]
    assert [mark.split(":")[0] for mark in old["price_marks"]] == ["old price"]
    assert document(*asked)["runs"][0]["price_marks"] == []
