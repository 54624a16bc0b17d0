"""Facts of the public LLMPerf files by plain reading; run as a script."""

import json
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
E2E = "results_end_to_end_latency_s"
NOT_OURS = {"itl_mean": None, "itl_p99": None, "tpot_mean": None, "tpot_p99": None}


def seconds(run, key):
    return [float(f"{run[key]:.9g}"), "s"]


def summary(run):
    good = run["results_num_completed_requests"]
    return {
        "asked_concurrency": float(run["num_concurrent_requests"]),
        "asked_rate": None,
        "requests_sent": run["results_num_requests_started"],
        "requests_good": good,
        "requests_failed": run["results_number_errors"],
        "duration_s": good / run["results_num_completed_requests_per_min"] * 60,
        "output_tok_s": run["results_mean_output_throughput_token_per_s"],
        "input_tokens_mean": run["results_number_input_tokens_mean"],
        "output_tokens_mean": run["results_number_output_tokens_mean"],
        "ttft_mean": seconds(run, "results_ttft_s_mean"),
        "ttft_p50": seconds(run, "results_ttft_s_quantiles_p50"),
        "ttft_p99": seconds(run, "results_ttft_s_quantiles_p99"),
        "e2e_mean": seconds(run, f"{E2E}_mean"),
        "e2e_p90": seconds(run, f"{E2E}_quantiles_p90"),
        "e2e_sd": seconds(run, f"{E2E}_stddev"),
        "sample_n": {"ttft": good, "e2e": good},
        "conditions": {"model": run["model"], "arrival": "closed loop", "engine": None},
        "findings": [],
        **NOT_OURS,
    }


def individual(responses):
    good = [r for r in responses if r["error_code"] is None]
    names = {
        "ttft_mean": "ttft_s",
        "e2e_mean": "end_to_end_latency_s",
        "input_tokens_mean": "number_input_tokens",
        "output_tokens_mean": "number_output_tokens",
    }
    facts = {name: fmean(float(r[key]) for r in good) for name, key in names.items()}
    return {
        "asked_concurrency": None,
        "requests_sent": len(responses),
        "requests_good": len(good),
        "requests_failed": len(responses) - len(good),
        "requests": {"n": len(responses), "good": len(good), "gaps": 0, "unit": "s", "tpot_mean": None, **facts},
        "findings": ["ingest.no_load"],
    }


def reduced(run):
    return {
        "asked_concurrency": float(run["concurrency"]),
        "requests_good": None,
        "output_tok_s": run["throughput_token_per_s"],
        "ttft_mean": [float(f"{run['first-time-to-token_mean_in_ms']:.9g}"), "ms"],
        "ttft_p50": None,
        "ttft_p99": None,
        "findings": [],
        **NOT_OURS,
    }


def facts(document):
    if isinstance(document, list):
        return {"format_version": "records", "findings": [], "levels": [individual(document)]}
    told = {"findings": ["llmperf.itl_includes_ttft"]}
    if "results_ttft_s_mean" in document:
        return {"format_version": document["version"], "levels": [summary(document)], **told}
    runs = list(document.values())
    if "results_ttft_s_mean" in runs[0]:
        return {"format_version": runs[0]["version"], "levels": [summary(run) for run in runs], **told}
    return {"format_version": "table", "levels": [reduced(run) for run in runs], **told}


def main():
    files = {}
    for path in sorted((ROOT / "public" / "llmperf_json").rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        files[path.relative_to(ROOT).as_posix()] = {"format_id": "llmperf", "kind": "measured", **facts(document)}
    out = HERE.parents[1] / "llmperf.json"
    how = "python tests/given/second_route/llmperf.py"
    out.write_text(json.dumps({"how": how, "files": files}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
