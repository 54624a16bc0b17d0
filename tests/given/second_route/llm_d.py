"""Facts of the public llm-d benchmark reports by plain reading; run as a script.

Unit of the 0.1 example, by hand: 0.80 + 30.8 x 0.0837 = 3.38 against 3.31, so all times share one unit;
as milliseconds 0.0837 per token would be 11,900 tokens a second for one request, so they are seconds.
"""

import json
import sys
from pathlib import Path

from tests.given.second_route.plain_yaml import plain_yaml

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
TIMES = {
    "ttft": "time_to_first_token",
    "tpot": "time_per_output_token",
    "itl": "inter_token_latency",
    "e2e": "request_latency",
}


def statistics(latency):
    names = {"mean": "mean", "sd": "stddev", "p50": "p50", "p90": "p90", "p99": "p99", "p99.9": "p99p9"}
    return {
        f"{name}_{ours}": [latency[key][theirs], "s"] if theirs in latency[key] else None
        for name, key in TIMES.items()
        for ours, theirs in names.items()
    }


def early(report):
    told, scenario = report["metrics"], report["scenario"]
    requests = told["requests"]
    counts = [int(block["count"]) for block in scenario["host"]["accelerator"].values()]
    assert counts == [1, 8, 8]
    return {
        "asked_rate": scenario["load"]["args"]["qps_values"],
        "asked_concurrency": None,
        "requests_sent": int(requests["total"]),
        "requests_good": int(requests["total"] - requests["failures"] - requests["incomplete"]),
        "requests_cut_off": int(requests["incomplete"]),
        "request_rate": told["throughput"]["requests_per_sec"],
        "output_tokens_mean": requests["output_length"]["mean"],
        **statistics(told["latency"]),
        "conditions": {
            "model": scenario["model"]["name"],
            "precision": "fp16",
            "accelerator": "H100",
            "accelerator_count": sum(counts),
            "prefill_accelerators": counts[0],
            "decode_accelerators": sum(counts[1:]),
            "serving_mode": "disaggregated",
            "tp": None,
        },
        "findings": ["llm_d.unit_by_arithmetic"],
    }


def later(report):
    told, scenario = report["results"]["request_performance"]["aggregate"], report["scenario"]
    load, engine = scenario["load"]["standardized"], scenario["stack"]["0"]["standardized"]
    restarts = report["results"]["component_health"]["0"]["total_restarts"]
    return {
        "asked_rate": load["rate_qps"],
        "asked_concurrency": None,
        "requests_sent": int(told["requests"]["total"]),
        "requests_good": int(told["requests"]["total"] - told["requests"]["failures"]),
        "request_rate": told["throughput"]["request_rate"]["mean"],
        "kv_used_fraction": 0.425,
        **statistics(told["latency"]),
        "conditions": {
            "model": engine["model"]["name"],
            "accelerator_count": int(engine["accelerator"]["count"] * engine["replicas"]),
            "tp": int(engine["accelerator"]["parallelism"]["tp"]),
            "replicas": int(engine["replicas"]),
            "tool_version": load["tool_version"],
            "serving_mode": None,
        },
        "findings": ["llm_d.restarts"] if restarts else [],
    }


def main():
    found = {}
    for path in sorted((ROOT / "public" / "llm_d_benchmark_report").rglob("*.yaml")):
        report = plain_yaml(path.read_text(encoding="utf-8"))
        version = f"{report['version']:g}" if isinstance(report["version"], float) else report["version"]
        level = early(report) if version == "0.1" else later(report)
        found[path.relative_to(ROOT).as_posix()] = {
            "format_id": "llm_d_report",
            "format_version": version,
            "levels": [level],
        }
    out = {"how": "PYTHONPATH=. python tests/given/second_route/llm_d.py", "files": found}
    (HERE.parents[1] / "llm_d.json").write_text(json.dumps(out, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
