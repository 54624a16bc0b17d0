"""Facts of AIPerf's summaries, tables, records and sweeps by plain reading; run as a script."""

import csv
import gzip
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
# Their "inter token latency" is one value per request, so TPOT; their gaps are between chunks.
NAMES = {
    "ttft": "time_to_first_token",
    "e2e": "request_latency",
    "tpot": "inter_token_latency",
    "itl": "inter_chunk_latency",
}
TITLES = {
    "ttft": "Time to First Token (ms)",
    "e2e": "Request Latency (ms)",
    "tpot": "Inter Token Latency (ms)",
    "itl": "Inter Chunk Latency (ms)",
}


def opened(path):
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8", newline="")


def folder_load(path):
    found = re.search(r"/concurrency_(\d+)", path.as_posix())
    return float(found[1]) if found else None


def asked(config):
    phases = config.get("phases")
    return float((phases[0] if phases else config["loadgen"])["concurrency"])


def statistics(rows):
    found = {}
    for ours, theirs in NAMES.items():
        found[f"{ours}_mean"] = [rows[theirs]["avg"], rows[theirs]["unit"]]
        found[f"{ours}_p99"] = [rows[theirs]["p99"], rows[theirs]["unit"]]
    return found


def level_of(rows, errors, cancelled):
    good = int(rows["request_count"]["avg"])
    return {
        "asked_rate": None,
        "requests_sent": good + errors,
        "requests_good": good,
        "requests_failed": errors - cancelled,
        "requests_cut_off": cancelled,
        "duration_s": rows["benchmark_duration"]["avg"],
        "request_rate": rows["request_throughput"]["avg"],
        "output_tokens_mean": rows["output_sequence_length"]["avg"],
        **statistics(rows),
    }


def summary(document):
    rows = document.get("records", document)
    rows = {{"ttft": NAMES["ttft"]}.get(key, key): value for key, value in rows.items()}
    errors = int(rows.get("error_request_count", {"avg": 0})["avg"])
    cancelled = sum(e["count"] for e in document["error_summary"] if e["error_details"].get("code") == 499)
    models = document["input_config"].get("models")
    model = models["items"][0]["name"] if models else document["input_config"]["endpoint"]["model_names"][0]
    level = level_of(rows, errors, cancelled) | {"asked_concurrency": asked(document["input_config"])}
    return {"levels": [level | {"conditions": {"model": model, "tool": "AIPerf"}}]}


def table(path):
    with opened(path) as lines:
        cells = {row[0]: row for row in csv.reader(lines) if row}
    header = cells["Metric"] if "p99" in cells["Metric"] else next(csv.reader(opened(path)))
    number = {
        title: [float(c.replace(",", "")) if c else None for c in row[1:]]
        for title, row in cells.items()
        if title not in ("Metric", "Endpoint") and len(row) in (2, len(header))
    }
    good, errors = (int(number.get(title, [0])[0]) for title in ("Request Count", "Error Request Count"))
    found = {"asked_concurrency": folder_load(path), "requests_good": good, "requests_failed": errors}
    for ours, title in TITLES.items():
        found[f"{ours}_mean"] = [number[title][0], "ms"]
        found[f"{ours}_p99"] = [number[title][header.index("p99") - 1], "ms"]
    return {"format_version": "csv", "levels": [found]}


def records(path):
    rows = [json.loads(line) for line in opened(path)]
    good = [row["metrics"] for row in rows if not row.get("error") and not row["metadata"].get("was_cancelled")]
    cut_off = sum(1 for row in rows if (row.get("error") or {}).get("code") == 499)
    first = [m.get("time_to_first_token", m.get("ttft"))["value"] for m in good]
    requests = {
        "n": len(rows),
        "good": len(good),
        "unit": "ms",
        "ttft_mean": sum(first) / len(first),
        "e2e_mean": sum(m["request_latency"]["value"] for m in good) / len(good),
        "gaps": sum(len(m["inter_chunk_latency"]["value"]) for m in good if "inter_chunk_latency" in m),
    }
    level = {"asked_concurrency": folder_load(path), "requests_sent": len(rows), "requests_good": len(good)}
    level |= {"requests_failed": len(rows) - len(good) - cut_off, "requests_cut_off": cut_off, "requests": requests}
    return {"format_version": "records", "levels": [level]}


def sweep(document):
    levels = [
        level_of(one["metrics"], 0, 0) | {"asked_concurrency": float(one["parameters"]["concurrency"])}
        for one in document["per_combination_metrics"]
    ]
    return {"format_id": "aiperf_sweep", "levels": levels}


def facts(path):
    name = path.name.removesuffix(".gz")
    if name == "profile_export.jsonl":
        return records(path)
    if name == "profile_export_aiperf.csv":
        return table(path)
    readers = {"profile_export_aiperf.json": summary, "profile_export_aiperf_sweep.json": sweep}
    if name in readers:
        return readers[name](json.load(opened(path)))
    return {"format_version": "settings", "levels": []} if name == "run_config.json" else None


def main():
    found = {}
    for folder in ("public/aiperf", "generated/tools/aiperf-0.13.0"):
        for path in sorted((ROOT / folder).rglob("*")):
            told = facts(path) if path.is_file() else None
            if told:
                found[path.relative_to(ROOT).as_posix()] = {"format_id": "aiperf", "kind": "measured", **told}
    text = json.dumps({"how": "python tests/given/second_route/aiperf.py", "files": found}, separators=(",", ":"))
    (HERE.parents[1] / "aiperf.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
