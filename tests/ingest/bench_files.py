"""A small valid run of vLLM's script and of SGLang's, to be bent by tests."""

import gzip
import json

from core.ingest.raw import RawLevel, Upload
from core.ingest.read import read_file

VLLM = {
    "date": "20261129-120000",
    "endpoint_type": "openai",
    "backend": "openai",
    "label": None,
    "model_id": "org/model",
    "tokenizer_id": "org/model",
    "num_prompts": 3,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 2,
    "duration": 2.0,
    "completed": 2,
    "failed": 1,
    "total_input_tokens": 20,
    "total_output_tokens": 6,
    "request_throughput": 1.0,
    "request_goodput": None,
    "output_throughput": 3.0,
    "total_token_throughput": 13.0,
    "mean_ttft_ms": 150.0,
    "median_ttft_ms": 150.0,
    "p99_ttft_ms": 199.0,
    "mean_tpot_ms": 50.0,
    "p99_tpot_ms": 60.0,
    "mean_itl_ms": 50.0,
    "p99_itl_ms": 70.0,
}
DETAILS = {
    "input_lens": [10, 10, 10],
    "output_lens": [3, 0, 3],
    "ttfts": [0.1, 0.0, 0.2],
    "itls": [[0.04, 0.06], [], [0.03, 0.07]],
    "generated_texts": ["an answer", "", "another answer"],
    "errors": ["", "HTTP 500", ""],
}
SGLANG = {
    "tag": None,
    "backend": "sglang",
    "dataset_name": "random",
    "request_rate": float("inf"),
    "max_concurrency": 8,
    "random_input_len": 64,
    "random_output_len": 32,
    "random_range_ratio": 1.0,
    "server_info": None,
    "duration": 2.0,
    "completed": 10,
    "total_input_tokens": 640,
    "total_output_tokens": 320,
    "total_output_tokens_retokenized": 318,
    "request_throughput": 5.0,
    "input_throughput": 320.0,
    "output_throughput": 160.0,
    "total_throughput": 480.0,
    "mean_e2e_latency_ms": 900.0,
    "mean_ttft_ms": 80.0,
    "p99_ttft_ms": 120.0,
    "mean_tpot_ms": 26.0,
    "mean_itl_ms": 26.0,
    "concurrency": 7.1,
    "accept_length": None,
}


def uploaded(*runs: object, name: str = "result.json") -> Upload:
    """Runs as JSON, one a line; zipped if the name says so."""
    data = "\n".join(json.dumps(run) for run in runs).encode()
    return Upload(name, gzip.compress(data) if name.endswith(".gz") else data)


def levels_of(*runs: object, name: str = "result.json") -> tuple[RawLevel, ...]:
    return read_file(uploaded(*runs, name=name)).levels


def codes(level: RawLevel) -> list[str]:
    return [finding.code for finding in level.findings]


def readings(level: RawLevel) -> dict[str, tuple[float, str]]:
    return {f"{r.metric.value}_{r.statistic}": (r.value, r.unit) for r in level.readings}
