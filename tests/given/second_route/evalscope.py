"""Facts of EvalScope's files by plain reading; the database by SQL, printed tables by their bars; run as a script."""

import gzip
import json
import re
import sqlite3
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
FOLDER = "generated/tools/evalscope-1.14.1"
LABELS = {"e2e": "Latency (s)", "ttft": "TTFT (ms)", "tpot": "TPOT (ms)", "itl": "ITL (ms)"}
UNITS = {"e2e": "s", "ttft": "ms", "tpot": "ms", "itl": "ms"}


def concurrency(path):
    return float(re.search(r"parallel_(\d+)_", path.as_posix())[1])


def summary(path):
    told = json.loads(path.read_text(encoding="utf-8"))
    level = {
        "asked_concurrency": float(told["Concurrency"]),
        "asked_rate": None,
        "requests_sent": told["Total Requests"],
        "requests_good": told["Success Requests"],
        "requests_failed": told["Failed Requests"],
        "duration_s": told["Test Duration (s)"],
        "request_rate": told["Req Throughput (req/s)"],
        "output_tok_s": told["Output Throughput (tok/s)"],
        "acceptance_length": None,
        "conditions": {"tool": "EvalScope", "model": None},
    }
    return level | {f"{key}_mean": [told[f"Avg {label}"], UNITS[key]] for key, label in LABELS.items()}


def percentiles(path):
    rows = {row["Percentiles"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
    level = {"asked_concurrency": concurrency(path), "requests_good": None, "findings": ["ingest.from_file_name"]}
    for key, label in LABELS.items():
        level |= {f"{key}_p{q}": [rows[f"{q}%"][label], UNITS[key]] for q in (1, 50, 99)}
    return level


def database(path):
    asked = sqlite3.connect(":memory:")
    asked.deserialize(gzip.decompress(path.read_bytes()))
    means = "avg(latency), avg(first_chunk_latency), avg(prompt_tokens), avg(completion_tokens)"
    sent, good = asked.execute("SELECT count(*), sum(success) FROM result").fetchone()
    e2e, ttft, prompt, output = asked.execute(f"SELECT {means} FROM result WHERE success = 1").fetchone()
    lists = asked.execute("SELECT inter_token_latencies FROM result WHERE success = 1")
    gaps = [gap for (text,) in lists for gap in json.loads(text)]
    requests = {"n": sent, "good": good, "unit": "s", "e2e_mean": e2e, "ttft_mean": ttft, "gaps": len(gaps)}
    requests |= {"input_tokens_mean": prompt, "output_tokens_mean": output, "gaps_mean": sum(gaps) / len(gaps)}
    return {"asked_concurrency": concurrency(path), "requests_failed": sent - good, "requests": requests}


def rows_of(text):
    lines = [line.strip() for line in text.splitlines()]
    return [[cell.strip() for cell in re.split(r"[│┃]", line)[1:-1]] for line in lines if re.match("[│┃].*[│┃]$", line)]


def report(path):
    """Of every level: its row of the overview, and the block of rows below its load."""
    levels, load = {}, None
    for row in rows_of(path.read_text(encoding="utf-8")):
        load = row[0] if row[0].isdigit() else load
        if len(row) == 6 and row[0].isdigit() and row[2].isdigit():
            levels[load] = {"requests_sent": int(row[2]), "requests_good": int(row[2]), "request_rate": float(row[3])}
        elif len(row) == 7 and row[2] in LABELS.values():
            key = next(key for key, label in LABELS.items() if label == row[2])
            for column, statistic in ((3, "mean"), (4, "p50"), (5, "p99")):
                levels[load][f"{key}_{statistic}"] = [float(row[column]), UNITS[key]]
    model = {"conditions": {"model": "tiny-llama"}, "itl_mean": None}
    return [{"asked_concurrency": float(load), **model, **level} for load, level in levels.items()]


def log(path):
    """Of every level: its two-column table, then its table of percentiles."""
    levels = []
    for part in path.read_text(encoding="utf-8").split("Benchmarking summary:")[1:]:
        rows = rows_of(part)
        told = {row[0]: row[1] for row in rows if len(row) == 2}
        wide = {row[0]: row for row in rows if len(row) == 12}
        sent, good, failed = (int(n) for n in told["Total / Success / Failed"].split("/"))
        level = {"asked_concurrency": float(told["Concurrency"]), "duration_s": float(told["Test Duration (s)"])}
        level |= {"requests_sent": sent, "requests_good": good, "requests_failed": failed}
        for key, label in LABELS.items():
            level[f"{key}_mean"] = [float(told[f"Avg {label}"]), UNITS[key]]
            level[f"{key}_p99"] = [float(wide[label][wide["Metric"].index("99%")]), UNITS[key]]
        levels.append(level)
    return levels


READERS = {
    "benchmark_summary.json": ("summary", lambda path: [summary(path)]),
    "benchmark_percentile.json": ("percentiles", lambda path: [percentiles(path)]),
    "benchmark_data.db.gz": ("database", lambda path: [database(path)]),
    "benchmark_args.json": ("settings", lambda path: []),
    "performance_summary.txt": ("console", report),
    "benchmark.log": ("console", log),
}


def main():
    found = {}
    for path in sorted((ROOT / FOLDER).rglob("*")):
        if path.name in READERS:
            version, reader = READERS[path.name]
            facts = {"format_id": "evalscope", "kind": "measured", "format_version": version, "levels": reader(path)}
            found[path.relative_to(ROOT).as_posix()] = facts
    text = json.dumps({"how": "python tests/given/second_route/evalscope.py", "files": found}, separators=(",", ":"))
    (HERE.parents[1] / "evalscope.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
