"""Facts of the inference-perf files by plain reading; run as a script.

Whether events were counted twice is decided here by the share of token gaps that are hardly any:
half of them lie below a fiftieth of p90. `generated/tools/summary.tsv` is compared on the way.
"""

import csv
import gzip
import json
import sys
from itertools import pairwise
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


def time(block, key):
    return [block[key], "s"] if block and key in block else None


def stage(document):
    load, good = document["load_summary"], document["successes"]
    latency, lengths = good["latency"], good["output_len"]
    itl = latency["inter_token_latency"]
    twice = itl["median"] < 0.02 * itl["p90"] and "benchmark_time_seconds" not in document
    rate = load.get("requested_rate")
    fixed = load.get("concurrency")
    server = (good.get("output_tokens") or {}).get("mean")
    same = server is None or abs(lengths["mean"] / server - 1) <= 0.01
    facts = {
        "asked_concurrency": None if fixed is None else float(fixed),
        "asked_rate": float(rate) if fixed is None and rate > 0 else None,
        "applied_rate": load["achieved_rate"] if fixed is None else None,
        "requests_sent": int(load["count"]),
        "requests_good": int(good["count"]),
        "requests_failed": int(document["failures"]["count"]),
        "duration_s": document.get("benchmark_time_seconds"),
        "request_rate": good["throughput"]["requests_per_sec"],
        "output_tokens_mean": server or lengths["mean"],
        "output_tok_s": good["throughput"]["output_tokens_per_sec"] if same else None,
        "findings": [
            *(["ingest.negative", "ingest.no_load"] if fixed is None and rate < 0 else []),
            *(["ingest.events_counted_twice"] if twice else []),
            *([] if same else ["inference_perf.token_counts_differ"]),
        ],
    }
    for name, key in TIMES.items():
        halved = twice and name in ("tpot", "itl")
        for statistic, told in {"mean": "mean", "p50": "median", "p90": "p90", "p99": "p99"}.items():
            facts[f"{name}_{statistic}"] = None if halved else time(latency[key], told)
    if twice:
        per_token = (latency["request_latency"]["mean"] - latency["time_to_first_token"]["mean"]) / (
            lengths["mean"] - 1
        )
        facts["tpot_mean"] = [per_token, "s"]
    return facts


def partial(document):
    told = document["results"]["request_performance"]["aggregate"]
    total, failed = int(told["requests"]["total"]), int(told["requests"]["failures"])
    facts = {
        "asked_concurrency": None,
        "requests_sent": total,
        "requests_good": total - failed,
        "requests_failed": failed,
        "request_rate": told["throughput"]["request_rate"]["mean"],
        "output_tokens_mean": told["requests"]["output_length"]["mean"],
        "findings": [],
    }
    for name, key in TIMES.items():
        block = told["latency"][key]
        assert block["units"] in ("s", "s/token")
        facts |= {f"{name}_{ours}": time(block, key) for ours, key in {"mean": "mean", "p99.9": "p99p9"}.items()}
    return facts


def pool(records):
    good = [r for r in records if r["error"] is None]
    told = [r["info"]["response_metrics"] for r in good]
    times = [t["output_token_times"] for t in told]
    gaps = [b - a for t in times for a, b in pairwise(t)]
    return {
        "n": len(records),
        "good": len(good),
        "unit": "s",
        "gaps": len(gaps),
        "gaps_mean": sum(gaps) / len(gaps),
        "ttft_mean": sum(t[0] - r["start_time"] for t, r in zip(times, good, strict=True)) / len(good),
        "e2e_mean": sum(r["end_time"] - r["start_time"] for r in good) / len(good),
        "output_tokens_mean": sum(t["server_usage"]["completion_tokens"] for t in told) / len(good),
    }


def document(path):
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    name = path.name.removesuffix(".gz")
    return json.loads(data) if name.endswith(".json") else plain_yaml(data.decode())


def facts(path):
    name = path.name.removesuffix(".gz")
    if name.startswith("per_request"):
        return {"format_id": "inference_perf_records", "levels": [], "pool": pool(document(path))}
    if name == "config.yaml":
        server = document(path)["server"]
        about = {"model": server["model_name"], "engine": server["type"], "arrival": "closed loop"}
        return {"format_id": "inference_perf_config", "levels": [], "about": about}
    if ".partial." in name:
        return {"format_id": "inference_perf_yaml", "format_version": "0.2.1", "levels": [partial(document(path))]}
    if (name.startswith("stage_") and "lifecycle" in name) or name == "inference_perf_lifecycle.yaml":
        told = document(path)
        if not isinstance(told["load_summary"].get("requested_rate"), dict):
            return {"format_id": "inference_perf", "levels": [stage(told)]}
    return None


def compare_with_summary(found):
    with (ROOT / "generated" / "tools" / "summary.tsv").open(encoding="utf-8") as source:
        rows = [row for row in csv.DictReader(source, delimiter="\t") if row["tool"].startswith("inference-perf")]
    assert len(rows) == 10
    for row in rows:
        level = found[f"generated/tools/{row['tool']}/{row['sweep']}/{row['point']}"]["levels"][0]
        assert (level["asked_concurrency"], level["requests_good"]) == (float(row["conc"]), int(row["ok"]))
        for key in ("ttft_mean", "ttft_p99", "tpot_mean", "itl_p99", "e2e_mean"):
            assert abs(level[key][0] * 1e3 - float(row[key])) < 6e-4


def main():
    folders = ("public/inference_perf_json", "generated/tools/inference-perf-0.7.0")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    found = {path.relative_to(ROOT).as_posix(): told for path in paths if (told := facts(path))}
    compare_with_summary(found)
    out = {"how": "PYTHONPATH=. python tests/given/second_route/inference_perf.py", "files": found}
    (HERE.parents[1] / "inference_perf.json").write_text(
        json.dumps(out, separators=(",", ":")) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
