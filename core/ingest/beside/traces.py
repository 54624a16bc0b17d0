"""Traces of requests and data sets of prompts: what comes, not how fast it was answered."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head
from core.ingest.table import header_of

# Vidur's and Azure's traces, SplitwiseSim's, BurstGPT's, Mooncake's (JSON Lines).
_TABLES = (
    frozenset({"num_prefill_tokens", "num_decode_tokens"}),
    frozenset({"timestamp", "contexttokens", "generatedtokens"}),
    frozenset({"arrival_timestamp", "prompt_size", "token_size"}),
    frozenset({"timestamp", "request tokens", "response tokens"}),
)
_LINES = (
    frozenset({"timestamp", "input_length", "output_length"}),
    frozenset({"arrived_at", "num_prefill_tokens", "num_decode_tokens"}),
)
_ANSWERED = ("time_to_first_token", "ttft", "latency", "e2e", "request_e2e_time")


def _trace(head: Head) -> bool:
    names = {name.casefold() for name in header_of(head)}
    if any(marks <= names for marks in _TABLES):
        return not any(word in name for name in names for word in _ANSWERED)
    keys = json_paths(head.sample.split(b"\n", 1)[0], 1)
    return any(marks <= keys for marks in _LINES) and not any(word in key for key in keys for word in _ANSWERED)


BY_PRODUCTS = (
    ByProduct(
        recognise=_trace,
        what=t("This is a trace of requests, not a result: when they came and how long they are, without any latency"),
        fix=t("Enter the mean and p95 of its tokens under Your traffic on the Plan page"),
    ),
)
