"""Traps of GenAI-Perf's files, each by name."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import aiperf_csv, aiperf_json, genai_perf_csv, genai_perf_json
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

TABLE, FLAT, NESTED = (
    "genai_perf/csv_2025_with_telemetry",
    "genai_perf/json_flat_settings",
    "genai_perf/json_nested_settings",
)
NAME = "run-concurrency10/profile_export_genai_perf.csv"


def refused(name: str, data: bytes) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as error:
        read_file(Upload(name, data))
    return error.value


def table(change) -> Upload:
    return Upload(NAME, change(golden_bytes(TABLE).decode()).encode())


@pytest.mark.parametrize(
    ("data", "importer"),
    [
        (golden_bytes(TABLE), genai_perf_csv),
        (golden_bytes(FLAT), genai_perf_json),
        (golden_bytes(NESTED), genai_perf_json),
        (golden_bytes("aiperf/json_0_13"), aiperf_json),
        (golden_bytes("aiperf/csv_early_telemetry"), aiperf_csv),
    ],
)
def test_the_two_tools_of_one_maker_are_told_apart(data, importer):
    importers = (aiperf_csv, aiperf_json, genai_perf_csv, genai_perf_json)
    assert [one.LABEL for one in importers if one.match(Head("file", data[:65_536])) > 0.0] == [importer.LABEL]


def test_percentiles_counted_down_are_not_mixed_up():
    (level,) = read_file(table(lambda text: text)).levels
    found = readings_of(level)
    order = [found[f"ttft p{q}"][0] for q in (25, 50, 75, 90, 95, 99)]
    assert order == sorted(order)


@pytest.mark.parametrize("name", ["Output Token Throughput (per sec)", "Output Token Throughput (tokens/sec)"])
def test_units_by_age_are_read(name):
    (level,) = read_file(table(lambda text: text.replace("Output Token Throughput (per sec)", name))).levels
    assert level.output_tok_s == 262.5


def test_lengths_without_a_unit_are_lengths():
    (level,) = read_file(table(lambda text: text.replace("Length (tokens)", "Length"))).levels
    assert (level.input_tokens_mean, level.output_tokens_mean) == (3000.0, 175.0)


def test_its_word_itl_is_our_tpot_but_in_the_first_releases():
    assert read_file(table(lambda text: text)).calls == {Metric.TPOT: "ITL"}
    first = read_file(Upload("concurrency_1/a.csv", golden_bytes("genai_perf/csv_first_release_ns")))
    assert first.calls == {}
    assert {reading.metric for reading in first.levels[0].readings} == {Metric.TTFT, Metric.ITL, Metric.E2E}


def test_a_table_without_its_rate_is_cut_off():
    text = golden_bytes(TABLE).decode()
    cut = text[: text.index("Request Throughput")]
    assert refused(NAME, cut.encode()).code == "ingest.truncated"


def test_a_table_without_a_latency_is_refused():
    text = "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\nInput Sequence Length,1,1,1,1,1,1,1,1,1\r\n"
    assert refused(NAME, text.encode()).code == "ingest.no_levels"


def test_whole_latencies_as_first_tokens_are_found_where_nothing_says_streaming():
    def whole(document):
        document["time_to_first_token"] = document["request_latency"]
        del document["input_config"]["streaming"]

    (level,) = changed(FLAT, whole).levels
    assert codes_of(level) == ["ingest.not_measured", "ingest.not_measured"]
    assert {reading.metric for reading in level.readings} == {Metric.E2E}


def test_no_completed_request_gives_no_latency():
    (level,) = changed(NESTED, lambda document: document["request_count"].update(avg=0.0)).levels
    assert (level.readings, codes_of(level)) == ((), ["ingest.none_completed"])


def test_a_file_without_a_load_says_so_and_looks_at_the_folder():
    def without(document):
        del document["input_config"]["concurrency"]

    (level,) = changed(FLAT, without, name="model-concurrency8/profile_export_genai_perf.json").levels
    assert (level.asked_concurrency, codes_of(level)) == (8.0, ["ingest.from_file_name"])
    (level,) = changed(FLAT, without).levels
    assert (level.asked_concurrency, codes_of(level)) == (None, ["ingest.no_load"])


def test_addresses_and_headers_are_not_kept():
    def secret(document):
        document["input_config"] |= {"u": "http://secret.internal", "header": ["Authorization: Bearer hidden"]}

    raw = changed(FLAT, secret)
    assert "secret" not in repr(raw)
    assert "hidden" not in repr(raw)
    assert raw.levels[0].identity["endpoint"] != changed(FLAT, lambda d: None).levels[0].identity["endpoint"]


def test_the_summary_and_the_table_of_a_run_are_one_level():
    document = json.loads(golden_bytes(FLAT))
    names = {
        "time_to_first_token": "Time To First Token (ms)",
        "request_latency": "Request Latency (ms)",
        "inter_token_latency": "Inter Token Latency (ms)",
    }
    keys = ("avg", "min", "max", "p99", "p95", "p90", "p75", "p50", "p25")
    rows = [",".join((title, *(f'"{document[name][key]:,.2f}"' for key in keys))) for name, title in names.items()]
    rate = f"Metric,Value\r\nRequest Throughput (per sec),{document['request_throughput']['avg']:.2f}\r\n"
    text = "\r\n".join(["Metric,avg,min,max,p99,p95,p90,p75,p50,p25", *rows, "", rate])
    files = [
        read_file(Upload("c/concurrency100/p.csv", text.encode())),
        read_file(Upload("c/concurrency100/p.json", golden_bytes(FLAT))),
    ]
    (run,) = runs_of(files)
    assert [stage.replicates for stage in run.stages] == [1]


BESIDE = {
    "profile_export.json": b'{"service_kind": "openai", "experiments": [{"experiment": {"mode": "concurrency"}, '
    b'"requests": [{"timestamp": 1, "response_timestamps": [3, 5]}]}]}',
    "inputs.json": b'{"data": [{"payload": [{"messages": "a secret"}]}]}',
    "console.txt": "   NVIDIA GenAI-Perf | LLM Metrics\n┏━━┓\n".encode(),
    "profile_export_telemetry.csv": b"Metric,GPU,avg,min,max,p99\nGPU Power,gpu0,1,1,1,1\n",
    "analyze_export_genai_perf.csv": b"Config Name,Concurrency,p99 Time To First Token (ms)\nrun_config_3,32,184.43\n",
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_lies_beside_the_results_is_refused_with_the_file_to_send(name):
    found = refused(f"run/{name}", BESIDE[name])
    assert found.code == "ingest.by_product"
    assert "profile_export_genai_perf.json" in str(found.fix)
    assert "secret" not in str(found)
