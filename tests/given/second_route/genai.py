"""Facts of the genai-bench files by plain reading, means from the single requests; run as a script.

The generated levels are also compared with `generated/tools/summary.tsv`, which somebody else's reader wrote.
"""

import csv
import json
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"


def given(run, metric, statistic):
    return [float(f"{run['stats'][metric][statistic]:.9g}"), "s"]


def level(document):
    run, kept = document["aggregated_metrics"], document["individual_request_metrics"]
    good = [r for r in kept if r["error_code"] is None]
    whole = len(kept) == run["num_requests"]
    rate = run.get("requests_per_second", run.get("requests_per_minute", 0.0) / 60)
    # Over n - 1 gaps, or over all n tokens as in 2024?
    over_gaps = all(
        abs(r["tpot"] * (r["num_output_tokens"] - 1) - r["output_latency"]) < 1e-9 for r in good if r["tpot"]
    )
    spoken = [r["tpot"] for r in good if r["tpot"]]
    lacks = over_gaps and len(spoken) < len(good)
    return {
        "asked_concurrency": float(run["num_concurrency"]),
        "requests_sent": run["num_completed_requests"] + run["num_error_requests"],
        "requests_good": run["num_completed_requests"],
        "requests_failed": run["num_error_requests"],
        "duration_s": run.get("run_duration", run["num_completed_requests"] / rate),
        "request_rate": rate,
        "output_tok_s": run["mean_output_throughput_tokens_per_s"],
        "ttft_mean": given(run, "ttft", "mean"),
        "ttft_p99": given(run, "ttft", "p99"),
        "e2e_p90": given(run, "e2e_latency", "p90"),
        "tpot_p99": given(run, "tpot", "p99") if over_gaps else None,
        "findings": ["genai_bench.requests_sampled"] * (not whole)
        + ["genai_bench.tpot_over_all_tokens"] * (not over_gaps)
        + ["genai_bench.tpot_of_some"] * lacks,
        "requests": {
            "n": len(kept),
            "good": len(good),
            "gaps": 0,
            "unit": "s",
            "ttft_mean": fmean(r["ttft"] for r in good),
            "e2e_mean": fmean(r["e2e_latency"] for r in good),
            "tpot_mean": fmean(spoken),
            "output_tokens_mean": fmean(r["num_output_tokens"] for r in good),
        }
        if whole
        else None,
    }


def compared(files):
    with (ROOT / "generated/tools/summary.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            name = f"generated/tools/{row['tool']}/{row['sweep']}/{row['point']}"
            if row["tool"].startswith("genai-bench"):
                found = files[name]["levels"][0]
                assert abs(found["requests"]["ttft_mean"] * 1e3 - float(row["ttft_mean"])) < 1e-3, name
                assert abs(found["requests"]["tpot_mean"] * 1e3 - float(row["tpot_mean"])) < 1e-3, name
                assert abs(found["request_rate"] - float(row["req_s"])) < 1e-3, name


def main():
    files = {}
    for folder in ("public/genai_bench", "generated/tools/genai-bench-0.0.5"):
        for path in sorted((ROOT / folder).rglob("*.json")):
            document = json.loads(path.read_text(encoding="utf-8"))
            levels = [level(document)] if "aggregated_metrics" in document else []
            files[path.relative_to(ROOT).as_posix()] = {"format_id": "genai_bench", "findings": [], "levels": levels}
    compared(files)
    out = HERE.parents[1] / "genai.json"
    how = "python tests/given/second_route/genai.py"
    out.write_text(json.dumps({"how": how, "files": files}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
