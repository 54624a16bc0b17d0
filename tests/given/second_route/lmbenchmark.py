"""Facts of the public LMBenchmark and fmperf tables by plain reading; run as a script."""

import csv
import json
import re
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lmbenchmark(path):
    workload, rate = re.fullmatch(r"LMBench_(.+)_output_([\d.]+)\.csv", path.name).groups()
    rows = [{name: float(cell) for name, cell in row.items()} for row in rows_of(path)]
    launches = [row["launch_time"] for row in rows]
    window, rate = max(launches) - min(launches), float(rate)
    # One request every 1 / rate seconds: fewer rows than that are the unfinished ones.
    lacks = len(rows) < 0.95 * (rate * window + 1)
    gaps = [row["generation_time"] / (row["generation_tokens"] - 1) for row in rows if row["generation_tokens"] >= 2]
    return {
        "asked_rate": rate,
        "asked_concurrency": None,
        "applied_rate": None if lacks else (len(rows) - 1) / window,
        "requests_sent": None,
        "requests_good": len(rows),
        "requests_failed": None,
        "identity": {"workload": workload},
        "findings": ["ingest.from_file_name"] + ["lmbenchmark.requests_missing"] * lacks,
        "requests": {
            "n": len(rows),
            "good": len(rows),
            "gaps": 0,
            "unit": "s",
            "ttft_mean": fmean(row["ttft"] for row in rows),
            "e2e_mean": fmean(row["finish_time"] - row["launch_time"] for row in rows),
            "tpot_mean": fmean(gaps),
            "input_tokens_mean": fmean(row["prompt_tokens"] for row in rows),
            "output_tokens_mean": fmean(row["generation_tokens"] for row in rows),
        },
    }


def fmperf(row):
    sent, failed, late = (int(row[name]) for name in ("n_requests", "n_fail", "n_exclude"))
    tokens, speed = float(row["n_toks"]), float(row["throughput"])
    return {
        "asked_concurrency": float(row[""]),
        "requests_sent": sent,
        "requests_good": sent - failed - late,
        "requests_failed": failed,
        "requests_cut_off": late,
        "duration_s": tokens / speed,
        "output_tok_s": speed,
        "output_tokens_mean": tokens / (sent - failed - late),
        "ttft_mean": [float(row["latency_prefill_ms"]), "ms"],
        "itl_mean": [float(row["latency_nexttoken_ms"]), "ms"],
        "e2e_mean": [float(row["latency_e2e_ms"]), "ms"],
        "ttft_p50": None,
        "ttft_p99": None,
        "tpot_mean": None,
        "findings": ["fmperf.answers_differ"] if float(row["consistent_pct"]) < 100 else [],
    }


def main():
    files = {}
    for path in sorted((ROOT / "public" / "lmbenchmark_per_request_csv").rglob("*.csv")):
        files[path.relative_to(ROOT).as_posix()] = {"format_id": "lmbenchmark", "levels": [lmbenchmark(path)]}
    for path in sorted((ROOT / "public" / "fmperf").rglob("*.csv")):
        levels = [fmperf(row) for row in rows_of(path)]
        name = path.relative_to(ROOT).as_posix()
        files[name] = {"format_id": "fmperf", "findings": ["fmperf.means_only"], "levels": levels}
    out = HERE.parents[1] / "lmbenchmark.json"
    how = "python tests/given/second_route/lmbenchmark.py"
    out.write_text(json.dumps({"how": how, "files": files}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
