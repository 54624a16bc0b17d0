"""What a server's log gives to the results beside it, what is never taken from it, and what it is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.formats import engine_log, vllm_bench_console
from core.ingest.log_lines import lines_with
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.run import Run
from core.normalise.runs import runs_of
from tests.ingest.bench_files import VLLM
from tests.ingest.golden_files import codes_of, golden_bytes

V1 = golden_bytes("engine_log/vllm_v1").decode()
PRINTED = golden_bytes("vllm_bench_console/current_closed_loop").decode()


def read(text: str, name: str = "sweep/server.log"):
    return read_file(Upload(name, text.encode()))


def results(folder: str, **changes) -> list:
    runs = (VLLM | {"max_concurrency": c, "model_id": "org/model-70b", "duration": 2.0 + c} | changes for c in (2, 4))
    return [read_file(Upload(f"{folder}/conc{run['max_concurrency']}.json", json.dumps(run).encode())) for run in runs]


def only(runs) -> Run:
    (run,) = runs
    return run


def test_a_log_gives_its_conditions_to_the_results_in_its_folder():
    run = only(runs_of([read(V1), *results("sweep")]))
    known = run.conditions
    assert (known.engine, known.engine_version, known.tp, known.precision) == ("vLLM", "0.11.0", 4, "fp8")
    assert (known.kv_cache_tokens, known.kv_cache_gib, known.weights_gib, known.max_model_len) == (
        1_317_040, 50.2, 16.9542, 8192,
    )  # fmt: skip
    assert {"engine_log.kv_use", "ingest.from_beside"} <= {finding.code for finding in run.findings}


def test_restarts_that_measure_a_slightly_different_cache_stay_one_run():
    again = V1.replace("1,317,040", "1,316,992").replace("50.20 GiB", "50.19 GiB")
    first, second = results("sweep/a"), results("sweep/b", duration=9.0)
    run = only(runs_of([read(V1, "sweep/a/server.log"), first[0], read(again, "sweep/b/server.log"), second[1]]))
    assert run.conditions.kv_cache_tokens == 1_316_992


def test_servers_with_different_settings_are_two_runs():
    other = V1.replace("tensor_parallel_size=4", "tensor_parallel_size=8")
    runs = runs_of([read(V1, "a/server.log"), *results("a"), read(other, "b/server.log"), *results("b", duration=9.0)])
    assert sorted(run.conditions.tp for run in runs) == [4, 8]


def test_keys_hosts_and_arguments_are_not_kept():
    kept = repr(read(V1)) + repr(read(golden_bytes("engine_log/sglang_speculative").decode()))
    for secret in ("sk-never-keep", "10.0.0.1", "api_key", "30000"):
        assert secret not in kept


def test_a_last_line_without_an_end_is_refused_with_its_number():
    cut = V1[: V1.index("max_seq_len=8192") + len("max_seq_len=81")]
    with pytest.raises(RefusedFileError) as caught:
        read(cut)
    assert (caught.value.code, caught.value.place.line) == ("ingest.truncated", 6)


def test_a_log_without_its_start_is_refused_in_words():
    with pytest.raises(RefusedFileError) as caught:
        read(V1[V1.index("(APIServer pid=41) INFO 03-01 10:05:00") :])
    assert caught.value.code == "engine_log.no_start"
    assert "start" in str(caught.value.what)


def test_a_page_or_a_table_that_quotes_a_log_is_not_one():
    assert engine_log.match(Head("notes.md", V1.encode())) == 0.0
    assert engine_log.match(Head("x.log", V1.encode())) == 0.9


def test_a_benchmarks_own_start_is_not_a_server():
    client = "INFO 03-01 10:00:00 [__init__.py:216] Automatically detected platform cuda.\n" + PRINTED
    head = Head("bench.log", client.encode())
    assert (engine_log.match(head), vllm_bench_console.match(head)) == (0.0, 0.95)


def test_one_terminal_with_server_and_result_gives_both():
    (level,) = read(V1 + PRINTED).levels
    assert (level.conditions["tp"], level.conditions["kv_cache_tokens"]) == (4, 1_317_040)
    assert (level.asked_concurrency, level.conditions["tool"]) == (4.0, "vLLM bench serve")


def test_a_cache_that_is_nearly_full_is_a_warning_and_one_that_is_not_is_none():
    (calm,) = read(V1).findings
    (full,) = read(V1.replace("usage: 83.2%", "usage: 97.0%")).findings
    assert (calm.code, calm.severity.value) == ("engine_log.kv_use", "info")
    assert full.severity.value == "warning"
    assert "64" in str(full.what)
    assert "97" in str(full.what)
    assert full.where.line == V1[: V1.index("83.2%")].count("\n") + 1


def test_coloured_lines_and_windows_line_ends_are_seen_through():
    coloured = "".join(f"\x1b[32m{line}\x1b[0m\r\n" for line in V1.splitlines())
    assert read(coloured).about == read(V1).about


def test_ranks_with_caches_of_their_own_are_told_by_the_smallest():
    ranks = V1.replace(
        "(EngineCore_DP0 pid=50) INFO 03-01 10:01:11 [kv_cache_utils.py:1087] GPU KV cache size: 1,317,040 tokens\n",
        "(EngineCore_DP0 pid=50) INFO x GPU KV cache size: 1,317,040 tokens\n"
        "(EngineCore_DP1 pid=51) INFO x GPU KV cache size: 1,310,000 tokens\n",
    )
    assert read(ranks).about["kv_cache_tokens"] == 1_310_000


def test_a_log_of_two_starts_says_what_stays_unknown():
    raw = read(golden_bytes("engine_log/two_starts").decode())
    assert codes_of(raw) == ["engine_log.several_starts"]
    assert "tp" in str(raw.findings[0].what)


def test_a_drafting_server_names_its_method_and_its_draft_model():
    drafting = "SpeculativeConfig(method='eagle3', model='org/draft', num_spec_tokens=3)"
    about = read(V1.replace("speculative_config=None", f"speculative_config={drafting}")).about
    assert (about["speculation"], about["proposer"], about["model"]) == ("eagle3", "org/draft", "org/model-70b")


def test_a_version_alone_is_enough_and_nothing_else_is_made_up():
    raw = read("INFO 03-01 10:00:01 [api_server.py:1] vLLM API server version 0.11.0\n")
    assert raw.about == {"engine": "vLLM", "engine_version": "0.11.0"}


@pytest.mark.parametrize(
    "line", ["GPU KV cache size: , tokens", "# GPU blocks: 0, # CPU blocks: 5", "Model loading took . GiB"]
)
def test_a_figure_that_is_none_is_left_out(line):
    version = "vLLM API server version 0.11.0"
    raw = read(f"{version}\n{line}\nMaximum concurrency for 4096 tokens per request: 1.00x\n")
    assert set(raw.about) == {"engine", "engine_version"}


@given(st.text(alphabet="ab\n", max_size=60), st.lists(st.sampled_from(["a", "ab", "bb", "ba"]), max_size=3))
def test_the_lines_that_are_looked_at_are_all_that_hold_a_mark(text, marks):
    whole = text.splitlines(keepends=True)
    assert lines_with(text, marks) == "".join(line for line in whole if any(mark in line for mark in marks))
