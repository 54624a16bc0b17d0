"""Facts of simulators' files by plain reading: LLMServingSim, AIConfigurator, BLIS, llm-d-planner; run as a script."""

import csv
import gzip
import json
import re
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
SIMULATED, CANDIDATE = {"kind": "simulated"}, "simulated.candidate"


def simulated_requests(path):
    with gzip.open(path, "rt", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    gaps = [int(gap) for row in rows for gap in re.findall(r"\d+", row["ITL"])]
    for row in rows:  # nanoseconds, and the list holds every gap: both follow from this
        assert int(row["TTFT"]) + sum(map(int, re.findall(r"\d+", row["ITL"]))) == int(row["latency"])
    means = {"ttft": "TTFT", "e2e": "latency", "start": "arrival", "input_tokens": "input", "output_tokens": "output"}
    requests = {"n": len(rows), "good": len(rows), "gaps": len(gaps), "gaps_mean": fmean(gaps), "unit": "ns"}
    requests |= {f"{name}_mean": fmean(int(row[column]) for row in rows) for name, column in means.items()}
    level = {"requests": requests, "conditions": {"model": rows[0]["model"]}, "asked_rate": None}
    return {"format_id": "llmservingsim", **SIMULATED, "findings": [CANDIDATE], "levels": [level]}


def measured_requests(path):
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    requests = {"n": len(rows), "good": len(rows), "gaps": 0, "unit": "s"}
    requests["ttft_mean"] = fmean(row["first_token_ts"] - row["queued_ts"] for row in rows)
    requests["e2e_mean"] = fmean(row["last_token_ts"] - row["queued_ts"] for row in rows)
    requests["output_tokens_mean"] = fmean(row["output_toks"] for row in rows)
    return {"format_id": "llmservingsim_bench", "kind": "measured", "findings": [], "levels": [{"requests": requests}]}


def frontier(path):
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    split = "(p)parallel" in rows[0]
    levels = []
    for row in rows:
        facts = {"asked_concurrency": float(row["concurrency"]), "request_rate": float(row["request_rate"])}
        facts |= {"ttft_mean": [float(row["ttft"]), "ms"], "tpot_mean": [float(row["tpot"]), "ms"], "ttft_p99": None}
        facts |= {"e2e_mean": [float(row["request_latency"]), "ms"], "output_tok_s": float(row["tokens/s"])}
        mode = "disaggregated" if split else "aggregated"
        facts["conditions"] = {"model": row["model"], "serving_mode": mode}
        facts["conditions"]["accelerator_count"] = int(row["num_total_gpus"])
        levels.append({**facts, "requests_good": None, "sample_n": {}})
    return {"format_id": "aiconfigurator", **SIMULATED, "findings": [CANDIDATE, "simulated.frontier"], "levels": levels}


def curve(path):
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    tp = int(re.search(r"_tp(\d+)\.csv", path.name)[1])
    levels = []
    for row in rows:
        facts = {"asked_concurrency": float(row["concurrency"]), "output_tok_s": float(row["out_tok_s"])}
        facts |= {"ttft_mean": [float(row["ttft_ms"]), "ms"], "tpot_mean": [float(row["tpot_ms"]), "ms"]}
        warned = ["simulated.kv_does_not_fit"] if row["kv_warn"] == "True" else []
        levels.append({**facts, "conditions": {"tp": tp}, "findings": warned})
    findings = [CANDIDATE, "ingest.from_file_name"]
    return {"format_id": "aiconfigurator", **SIMULATED, "findings": findings, "levels": levels}


def blis(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    levels = []
    for test in document.get("tests", [document]):
        run = test.get("metrics", test)
        good = run["completed_requests"]
        facts = {"requests_good": good, "output_tok_s": run["tokens_per_sec"], "asked_rate": test.get("rate")}
        facts |= {"ttft_mean": [run["ttft_mean_ms"], "ms"], "output_tokens_mean": run["total_output_tokens"] / good}
        for name in ("itl_p99", "e2e_p95"):
            facts[name] = [run[f"{name}_ms"], "ms"] if f"{name}_ms" in run else None
        delay = run.get("scheduling_delay_p99_ms")
        levels.append({**facts, "queue_p99": None if delay is None else [delay, "ms"]})
    return {"format_id": "blis", **SIMULATED, "findings": [CANDIDATE], "levels": levels}


def planner(path):
    levels = []
    for row in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]:
        facts = {"request_rate": float(row["requests_per_second"]), "asked_rate": None, "output_tok_s": None}
        facts |= {name: [float(row[name]), "ms"] for name in ("ttft_p95", "itl_mean", "e2e_p99")}
        kind = row.get("hardware") or row["hardware_type"]
        conditions = {"accelerator": kind, "accelerator_count": row["hardware_count"], "tp": row.get("tensor_parallel")}
        levels.append({**facts, "conditions": conditions})
    findings = [CANDIDATE, "simulated.made_up"]
    return {"format_id": "llm_d_planner", **SIMULATED, "findings": findings, "levels": levels}


SETTINGS = {"format_id": "llmservingsim_bench", "format_version": "settings", "levels": []}
READERS = {
    "public/llmservingsim/**/sim.csv.gz": simulated_requests,
    "public/llmservingsim/**/requests.jsonl": measured_requests,
    "public/llmservingsim/**/meta.json": lambda path: SETTINGS,
    "simulated/aic_*_pareto.csv": frontier,
    "simulated/aic_*_best_config_topn.csv": frontier,
    "simulated/aic_curve_*.csv": curve,
    "public/capacity_planner_tables/inference-sim__inference-sim/**/*blis-*.json": blis,
    "public/capacity_planner_tables/inference-sim__inference-sim/goldendataset.json": blis,
    "public/capacity_planner_tables/llm-d-incubation__llm-d-planner/data__*.json": planner,
}


def main():
    found = {path: reader for pattern, reader in READERS.items() for path in sorted(ROOT.glob(pattern))}
    files = {path.relative_to(ROOT).as_posix(): reader(path) for path, reader in found.items()}
    document = {"how": "python tests/given/second_route/simulators.py", "files": files}
    text = json.dumps(document, separators=(",", ":")) + "\n"
    (HERE.parents[1] / "simulators.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
