"""Large per-request files, made from a seed: what AIPerf and vLLM would write about many requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

SEED = 20261129
BLOCK = 2_000
FIRST_NS = 1_795_969_785_000_000_000

Json = dict[str, Any]

_UNREAD_TIMES = (
    *("http_req_receiving", "http_req_connecting", "http_req_sending", "http_req_blocked", "http_req_waiting"),
    *("http_req_dns_lookup", "http_req_duration", "http_req_total", "http_req_connection_overhead"),
    *("time_to_second_token", "time_to_first_output_token", "decode_duration"),
)
_UNREAD_COUNTS = ("usage_completion_tokens", "usage_prompt_tokens", "usage_total_tokens", "output_token_count")


def aiperf_lines(size: int, *, gaps: int, seed: int = SEED) -> bytes:
    """Return AIPerf's profile_export.jsonl of at most `size` bytes, as many records as fit.

    Args:
        size: bytes.
        gaps: gaps between chunks of each request; 0 leaves out these lists and every metric that
            is not read, as short as a record can be.
        seed: of the numbers.
    """
    random = np.random.default_rng(seed)
    blocks: list[bytes] = []
    left, first = size, 0
    while left > 0:
        lines = [msgspec.json.encode(record) + b"\n" for record in _records(random, first, gaps)]
        block = b"".join(lines)
        if len(block) > left:
            lines = lines[: int(np.searchsorted(np.cumsum([len(line) for line in lines]), left, side="right"))]
            block, left = b"".join(lines), 0
        blocks.append(block)
        left, first = left - len(block), first + BLOCK
    return b"".join(blocks)


def vllm_document(requests: int, *, gaps: int, seed: int = SEED) -> bytes:
    """Return what vLLM's --save-detailed writes about one level of so many requests."""
    random = np.random.default_rng(seed)
    ttft, itl = _ttft_ms(random, requests) / 1e3, _gaps_ms(random, requests, gaps) / 1e3
    e2e = ttft + itl.sum(axis=1)
    start = 1000.0 + np.cumsum(random.exponential(0.004, requests))
    duration = float((start + e2e).max() - start.min())
    summary = {"ttft": ttft, "tpot": itl.mean(axis=1), "itl": itl.ravel(), "e2el": e2e}
    document: Json = {
        "date": "20261129-162650",
        "endpoint_type": "openai",
        "backend": "openai",
        "label": None,
        "model_id": "example/model-8b",
        "tokenizer_id": "example/model-8b",
        "num_prompts": requests,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 256,
        "duration": duration,
        "completed": requests,
        "failed": 0,
        "total_input_tokens": 512 * requests,
        "total_output_tokens": (gaps + 1) * requests,
        "request_throughput": requests / duration,
        "output_throughput": (gaps + 1) * requests / duration,
        "total_token_throughput": (gaps + 513) * requests / duration,
        "input_lens": [512] * requests,
        "output_lens": [gaps + 1] * requests,
        "ttfts": ttft.tolist(),
        "itls": itl.tolist(),
        "latencies": e2e.tolist(),
        "start_times": start.tolist(),
        "generated_texts": [""] * requests,
        "errors": [""] * requests,
    }
    for name, seconds in summary.items():
        document[f"mean_{name}_ms"] = float(seconds.mean() * 1e3)
        for p in (50, 90, 95, 99):
            document[f"p{p}_{name}_ms"] = float(np.quantile(seconds, p / 100) * 1e3)
    return json.dumps(document).encode()


def _records(random: np.random.Generator, first: int, gaps: int) -> Iterator[Json]:
    ttft = _ttft_ms(random, BLOCK)
    steps = _gaps_ms(random, BLOCK, max(gaps, 30))
    tokens = random.integers(16, 2_048, BLOCK).tolist()
    start = FIRST_NS + (4_000_000 * (first + np.arange(BLOCK)) + random.integers(0, 3_000_000, BLOCK))
    rows = zip(ttft.tolist(), steps.tolist(), tokens, start.tolist(), strict=True)
    for number, (own_ttft, own_steps, own_tokens, own_start) in enumerate(rows, start=first):
        yield (_full if gaps else _short)(number, own_ttft, own_steps, own_tokens, own_start)


def _short(_: int, ttft: float, steps: list[float], tokens: int, start: int) -> Json:
    return {
        "metadata": {"request_start_ns": start, "benchmark_phase": "profiling", "was_cancelled": False},
        "metrics": _read_metrics(ttft, steps, tokens),
    }


def _full(number: int, ttft: float, steps: list[float], tokens: int, start: int) -> Json:
    """Return a record as long as those of AIPerf 0.13: most of it is never read."""
    e2e = ttft + sum(steps)
    name = f"{number:032x}"
    return {
        "metadata": {
            "session_num": number,
            "x_request_id": name,
            "x_correlation_id": name,
            "conversation_id": f"session_{number:06d}",
            "turn_index": 0,
            "credit_issued_ns": start - 10_597_277,
            "request_start_ns": start,
            "request_ack_ns": start + 15_112_972,
            "request_end_ns": start + int(e2e * 1e6),
            "worker_id": "worker_06bb96f1",
            "record_processor_id": "record_processor_f1ad14bd",
            "benchmark_phase": "profiling",
            "phase_name": "profiling",
            "phase_kind": "profiling",
            "was_cancelled": False,
            "context_overflow_skip": False,
            "root_correlation_id": name,
        },
        "metrics": {
            **{key: {"value": e2e * 0.987654321, "unit": "ms"} for key in _UNREAD_TIMES},
            **{key: {"value": len(steps) + 1, "unit": "tokens"} for key in _UNREAD_COUNTS},
            "http_req_data_received": {"value": 8.5615234375, "unit": "KB"},
            "http_req_connection_reused": {"value": 0, "unit": "ratio"},
            "inter_chunk_latency": {"value": steps, "unit": "ms"},
            "usage_prompt_tokens_diff_pct": {"value": 0.0, "unit": "%"},
            "e2e_output_token_throughput": {"value": 1e3 * len(steps) / e2e, "unit": "tokens/sec/user"},
            "prefill_throughput_per_user": {"value": 1e3 * tokens / ttft, "unit": "tokens/sec/user"},
            **_read_metrics(ttft, steps, tokens),
        },
    }


def _read_metrics(ttft: float, steps: list[float], tokens: int) -> Json:
    return {
        "time_to_first_token": {"value": ttft, "unit": "ms"},
        "request_latency": {"value": ttft + sum(steps), "unit": "ms"},
        "inter_token_latency": {"value": sum(steps) / len(steps), "unit": "ms"},
        "input_sequence_length": {"value": tokens, "unit": "tokens"},
        "output_sequence_length": {"value": len(steps) + 1, "unit": "tokens"},
    }


def _ttft_ms(random: np.random.Generator, n: int) -> np.ndarray:
    return random.lognormal(5.3, 0.6, n)


def _gaps_ms(random: np.random.Generator, n: int, gaps: int) -> np.ndarray:
    return random.lognormal(2.2, 0.3, (n, gaps))
