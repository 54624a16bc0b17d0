"""What simulators and planners write or bring along that holds no load level."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct, named
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head
from core.ingest.table import header_of

# What AIConfigurator puts beside its two tables: settings, and what deploys or draws them.
_CONFIGURATOR = re.compile(
    r"exp_config\.yaml|generator_config\.yaml|per_ops_source\.json|k8s_(?:deploy|bench)\.yaml|sflow\.yaml"
    r"|(?:bench_run|run_\d+)\.sh|pareto_frontier\.png"
)
_NUMPY, _ZIP = b"\x93NUMPY", b"PK\x03\x04"


def _has(head: Head, *names: str) -> bool:
    return frozenset(names) <= frozenset(header_of(head))


def _keys(head: Head, *paths: str) -> bool:
    return frozenset(paths) <= json_paths(head.sample)


def _dynamo_profile(head: Head) -> bool:
    """The profile that Dynamo's planner scales by: arrays in an npz, or the same lists in a JSON."""
    packed = head.sample.startswith(_ZIP) and b".npy" in head.sample
    return packed or head.sample.startswith(_NUMPY) or _keys(head, "prefill_isl", "prefill_ttft")


def _cumulative(head: Head) -> bool:
    header = header_of(head)
    return "cdf" in header and len(header) <= 3


def _prediction_input(head: Head) -> bool:
    """What AISimulate is told; also every file of its folder recommendations."""
    return yaml_paths(head.sample) >= {"traffic.load", "engine.model", "engine.hardware"}


BY_PRODUCTS = (
    ByProduct(
        recognise=lambda head: named(head, _CONFIGURATOR),
        what=t("AIConfigurator wrote this beside its results: settings, or what deploys or draws a configuration"),
        fix=t("Send pareto.csv and best_config_topn.csv of the folders agg and disagg"),
    ),
    ByProduct(
        recognise=_prediction_input,
        what=t("This is what AISimulate is told to simulate, not what came out"),
        fix=t("Send prediction.json, requests.jsonl or recommendation.json"),
    ),
    ByProduct(
        recognise=_dynamo_profile,
        what=t(
            "This is a profile that Dynamo's planner scales by: step times by length and cache use, without any load"
        ),
        fix=t("Send the result of the load generator that ran against the deployment, such as AIPerf's"),
    ),
    ByProduct(
        recognise=lambda head: (
            frozenset(header_of(head)) >= {"system", "tp", "role", "kind", "b", "ctx", "chunk", "ms"}
        ),
        what=t("These are times of single engine steps, for calibrating a simulator: nobody waited for them"),
        fix=t("Send pareto.csv, best_config_topn.csv or a table of latencies by concurrency"),
    ),
    ByProduct(
        recognise=lambda head: _has(head, "t", "prompt_throughput", "gen_throughput", "running", "waiting"),
        what=t("This is the server's state over time (running, waiting, cache), without latencies"),
        fix=t("Send requests.jsonl of the same folder"),
    ),
    ByProduct(
        recognise=lambda head: header_of(head) == ("time_s", "throughput"),
        what=t("This is throughput over time, drawn for a figure, without latencies"),
        fix=t("Send the requests of the run: requests.jsonl where it was measured, the CSV where it was simulated"),
    ),
    ByProduct(
        recognise=_cumulative,
        what=t("This is the distribution of one quantity alone, drawn for a plot: Vidur's metrics have one file each"),
        fix=t("Send request_metrics.csv of the folder above"),
    ),
    ByProduct(
        recognise=lambda head: b"=== Simulation Metrics ===" in head.sample[:4096],
        what=t("This is what BLIS printed to the console, of every instance one block"),
        fix=t("Send the JSON that BLIS writes with --metrics-path or --results-path"),
    ),
    ByProduct(
        recognise=lambda head: _keys(head, "adapter_aware.ttft", "adapter_blind.ttft"),
        what=t("These are two reference means of another simulator, without a load and without percentiles"),
        fix=t("Send the output of the simulated run itself"),
    ),
    ByProduct(
        recognise=lambda head: _keys(head, "benchmarks.[].max_qps", "benchmarks.[].tpot_p99_ms"),
        what=t("This table claims one highest rate per deployment and does not say at which load its latencies hold"),
        fix=t("Send results with a load for every latency"),
    ),
    ByProduct(
        recognise=lambda head: b'"targets"' in head.sample and b'"theoretical"' in head.sample[:8192],
        what=t("These are targets that a deployment should reach, not results that one has reached"),
        fix=t("Send the result of a load generator; enter a target on the Plan page"),
    ),
    ByProduct(
        recognise=lambda head: _has(head, "node_id", "start_timestamp", "completion_timestamp"),
        what=t("These are the single tasks of simulated requests, for a chart over time"),
        fix=t("Send the file of the folder detailed, with one row per request"),
    ),
)
