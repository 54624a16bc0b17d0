"""What planners, simulators and traces bring along is refused in words that name the file to send."""

import io
import json

import numpy as np
import pytest

from core.errors import Place, RefusedFileError
from core.ingest.byproduct import explained
from core.ingest.fields import Fields
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.ingest.registry import BY_PRODUCTS
from tests.ingest.golden_files import GOLDEN


def npz():
    packed = io.BytesIO()
    np.savez(
        packed, prefill_isl=np.array([100.0]), prefill_ttft=np.array([4.0]), prefill_thpt_per_gpu=np.array([2200.0])
    )
    return packed.getvalue()


def npy():
    packed = io.BytesIO()
    np.save(packed, np.array([1.0, 2.0]))
    return packed.getvalue()


PLANNER = {"benchmarks": [{"model_id": "m", "gpu_type": "g", "tpot_p99_ms": 70, "ttft_p99_ms": 280, "max_qps": 85}]}
TARGETS = {"m": {"n150": [{"isl": 128, "max_concurrency": 1, "targets": {"theoretical": {"ttft_ms": 46}}}]}}
TWINS = {"adapter_aware": {"ttft": 11224.7}, "adapter_blind": {"ttft": 3086.5}, "model": "m"}
PROFILE = {"prefill_isl": [100, 500], "prefill_ttft": [5.0, 20.0], "prefill_thpt_per_gpu": [6000, 5000]}

BESIDE = {
    "selected_prefill_interpolation/raw_data.npz": (npz(), "Dynamo's planner"),
    "raw_data/prefill_isl.npy": (npy(), "Dynamo's planner"),
    "profile.json": (json.dumps(PROFILE).encode(), "Dynamo's planner"),
    "steps.csv": (
        b"model,system,tp,role,kind,b,ctx,chunk,ms\nm,h200_sxm,2,fit,decode,1,512,0,10.6\n",
        "single engine steps",
    ),
    "vllm/timeseries.csv": (
        b"t,prompt_throughput,gen_throughput,running,waiting,kv_cache_pct\n1.0,3392,2,5,2,13\n",
        "over time",
    ),
    "figure/MD_throughput.tsv": (b"time_s\tthroughput\n0\t0.0\n1\t172.0\n", "over time"),
    "plots/request_e2e_time.csv": (b"request_e2e_time,cdf\n1.5,0.01\n2.0,0.02\n", "one quantity alone"),
    "results.txt": (b'=== Simulation Metrics ===\n{"completed_requests": 3}\n', "printed to the console"),
    "dt.json": (json.dumps(TWINS).encode(), "two reference means"),
    "planner.json": (json.dumps(PLANNER).encode(), "does not say at which load"),
    "targets.json": (json.dumps(TARGETS).encode(), "targets that a deployment should reach"),
    "top1/generator_config.yaml": (b"ServiceConfig:\n  model_path: org/tiny\n", "AIConfigurator wrote this"),
    "agg/pareto_frontier.png": (b"\x89PNG\r\n\x1a\n\x00", "AIConfigurator wrote this"),
    "top1/run_0.sh": (b"#!/bin/bash\necho\n", "AIConfigurator wrote this"),
    "recommendations/0001.yaml": (
        b"traffic:\n  load:\n    type: concurrency\n    concurrency: 8\nengine:\n  model: m\n  hardware: h200_sxm\n",
        "told to simulate",
    ),
    "request_nodes.csv": (b"node_id,start_timestamp,completion_timestamp\n1,0.0,1.0\n", "single tasks"),
}

TRACES = {
    "vidur.csv": b"arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,4808,10\n0.052,3180,8\n",
    "azure.csv": b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,374,44\n",
    "splitwise.csv": b"request_id,application_id,arrival_timestamp,prompt_size,token_size\n0,0,0.0,1024,10\n",
    "burst.csv": b"Timestamp,Model,Request tokens,Response tokens,Total tokens\n5,m,472,18,490\n",
    "mooncake.jsonl": b'{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}\n',
}


def refusal(name, data):
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload(name, data))
    assert refused.value.code == "ingest.by_product"
    assert refused.value.place.file == name
    return refused.value


@pytest.mark.parametrize("name", BESIDE)
def test_what_lies_beside_is_named_and_so_is_what_to_send(name):
    data, words = BESIDE[name]
    told = refusal(name, data)
    assert words in str(told.what)
    assert str(told.fix).startswith("Send")


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_traffic_and_no_result(name):
    told = refusal(name, TRACES[name])
    assert "trace of requests, not a result" in str(told.what)
    assert "Your traffic on the Plan page" in str(told.fix)


def test_no_golden_file_is_taken_for_something_that_lies_beside():
    names = ("simulators", "traces", "fmbench")
    ours = [kind for kind in BY_PRODUCTS if any(kind.recognise.__module__.endswith(f"beside.{name}") for name in names)]
    assert len(ours) == 17
    for path in sorted(GOLDEN.glob("*/*/input.*")):
        head = Head(f"{path.parent.name}/{path.name}", path.read_bytes()[:65_536])
        assert explained(ours, head) is None, path


def test_a_trace_that_says_how_long_answers_took_is_more_than_a_trace():
    lines = b'{"timestamp": 0, "input_length": 6758, "output_length": 500, "ttft": 0.5, "e2e_latency": 2.5}\n'
    head = Head("requests.jsonl", lines)
    assert explained(BY_PRODUCTS, head) is None


def test_a_count_that_nobody_counts_is_refused():
    fields = Fields({"sent": 1e16, "most": 1e15}, Place("x.json"))
    assert fields.count("most") == 10**15
    with pytest.raises(RefusedFileError) as refused:
        fields.count("sent")
    assert (refused.value.code, refused.value.place.field) == ("ingest.not_a_number", "sent")
