"""The made-up large files are read like the tools' own, and say what was put into them."""

import json

import msgspec
import numpy as np
import pytest

from benchmarks.speed.reading_task import decode_document, decode_lines, read
from benchmarks.speed.records import aiperf_lines, vllm_document
from core.model.metric import Metric

KILOBYTE = 1_000


@pytest.mark.parametrize("gaps", [0, 5])
def test_equal_seeds_make_equal_bytes_and_others_do_not(gaps):
    assert aiperf_lines(20 * KILOBYTE, gaps=gaps) == aiperf_lines(20 * KILOBYTE, gaps=gaps)
    assert aiperf_lines(20 * KILOBYTE, gaps=gaps) != aiperf_lines(20 * KILOBYTE, gaps=gaps, seed=7)


@pytest.mark.parametrize("size", [3 * KILOBYTE, 100 * KILOBYTE, 2_000 * KILOBYTE])
def test_as_many_whole_records_are_made_as_fit(size):
    data = aiperf_lines(size, gaps=0)
    longest = max(len(line) + 1 for line in data.splitlines())
    assert size - longest < len(data) <= size
    assert all(json.loads(line)["metrics"] for line in data.splitlines())


def test_a_record_without_gap_lists_holds_only_what_is_read():
    record = json.loads(aiperf_lines(KILOBYTE, gaps=0).splitlines()[0])
    assert set(record) == {"metadata", "metrics"}
    assert "inter_chunk_latency" not in record["metrics"]
    full = json.loads(aiperf_lines(9 * KILOBYTE, gaps=30).splitlines()[0])
    assert len(full["metrics"]["inter_chunk_latency"]["value"]) == 30
    assert record["metrics"].keys() < full["metrics"].keys()


def test_made_up_aiperf_records_become_a_stage_with_the_percentiles_of_their_numbers():
    data = aiperf_lines(300 * KILOBYTE, gaps=30)
    metrics = [json.loads(line)["metrics"] for line in data.splitlines()]
    stage = read("records_c64.jsonl", data)
    assert stage.requests_good == len(metrics) > 50
    for metric, name in ((Metric.TTFT, "time_to_first_token"), (Metric.TPOT, "inter_token_latency")):
        values = sorted(each[name]["value"] / 1e3 for each in metrics)
        assert stage.value(metric, "p90") == pytest.approx(between(values, 0.9), rel=1e-12)


def test_made_up_vllm_lists_agree_with_the_summary_beside_them():
    data = vllm_document(300, gaps=12)
    document = json.loads(data)
    stage = read("detailed.json", data)
    assert stage.requests_good == 300
    assert stage.value(Metric.TTFT, "p99") == pytest.approx(document["p99_ttft_ms"] / 1e3, rel=1e-9)
    assert stage.value(Metric.ITL, "p50") == pytest.approx(np.median(document["itls"]), rel=1e-9)


@pytest.mark.parametrize(
    "name",
    ["time_to_first_token", "request_latency", "inter_token_latency", "inter_chunk_latency", "output_sequence_length"],
)
def test_the_yardstick_decodes_every_number_that_the_importer_reads(name):
    record = json.loads(aiperf_lines(9 * KILOBYTE, gaps=5).splitlines()[0])
    decode_lines(json.dumps(record).encode())
    record["metrics"][name]["value"] = "slow"
    with pytest.raises(msgspec.ValidationError, match=name):
        decode_lines(json.dumps(record).encode())


@pytest.mark.parametrize("name", ["input_lens", "output_lens", "ttfts", "itls", "latencies", "start_times", "errors"])
def test_the_yardstick_decodes_every_list_that_the_importer_reads(name):
    document = json.loads(vllm_document(20, gaps=3))
    decode_document(json.dumps(document).encode())
    document[name] = "none"
    with pytest.raises(msgspec.ValidationError, match=name):
        decode_document(json.dumps(document).encode())


def between(values, q):
    """Linear interpolation between order statistics, written out."""
    place = q * (len(values) - 1)
    below = int(place)
    return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])
