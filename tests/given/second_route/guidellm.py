"""Facts of the GuideLLM files by plain reading; run as a script. YAML holds what the JSON of its folder holds.

`generated/tools/summary.tsv` is compared on the way.
"""

import csv
import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
POINTS = ("min", "p0.1", "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99", "max")
LOADS = {"synchronous": (1.0, None), "throughput": (None, None)}


def report(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def load_of(strategy):
    kind = strategy["type_"]
    return LOADS.get(kind) or ((float(strategy["streams"]), None) if kind == "concurrent" else (None, strategy["rate"]))


def level(benchmark):
    metrics = benchmark["metrics"]
    totals = benchmark.get("request_totals") or metrics["request_totals"]
    settings = benchmark.get("config") or benchmark["args"]
    kept = benchmark["requests"]["successful"] or []
    whole = len(kept) == totals["successful"]
    concurrency, rate = load_of(settings["strategy"])
    facts = {
        "asked_concurrency": concurrency,
        "asked_rate": rate,
        "requests_good": totals["successful"],
        "requests_failed": totals["errored"],
        "requests_cut_off": totals["incomplete"],
        "request_rate": metrics["requests_per_second"]["successful"]["mean"],
        "measured_concurrency": metrics["request_concurrency"]["total"]["mean"],
        "output_tok_s": metrics["output_tokens_per_second"]["successful"]["mean"],
        "itl_mean": None,
        "run_key": "guidellm|" + (benchmark.get("id_") or settings["id_"]),
    }
    names = {"ttft": ("time_to_first_token_ms", "ms"), "e2e": ("request_latency", "s")}
    if not whole:
        names["tpot"] = ("inter_token_latency_ms", "ms")
    for ours, (theirs, unit) in names.items():
        told = metrics[theirs]["successful"]
        for statistic, value in {
            "mean": told["mean"],
            "p50": told["median"],
            "p99": told["percentiles"]["p99"],
        }.items():
            facts[f"{ours}_{statistic}"] = [value, unit]
    if whole:
        sent = sum(len(each or []) for each in benchmark["requests"].values())
        latencies = [request["request_latency"] for request in kept]
        facts |= {
            "tpot_mean": None,
            "requests": {"n": sent, "good": len(kept), "unit": "s", "e2e_mean": sum(latencies) / len(latencies)},
        }
    else:
        facts["requests"] = None
    return facts


def table(path):
    with path.open(encoding="utf-8", newline="") as source:
        groups, fields, kinds, *rows = csv.reader(source)
    column = {key: index for index, key in enumerate(zip(groups, fields, kinds, strict=True))}
    found = []
    for row in rows:
        told = {key: row[index] for key, index in column.items()}
        facts = {
            "asked_concurrency": float(told["Benchmark", "Strategy", ""].split("@")[1]),
            "requests_good": int(told["Request Counts", "Successful", ""]),
            "requests_failed": int(told["Request Counts", "Errored", ""]),
            "duration_s": float(told["Timings", "Duration", "Sec"]),
            "request_rate": float(told["Server Throughput", "Successful Requests/Sec", "Mean"]),
            "run_key": "guidellm|" + told["Benchmark", "ID", ""],
            "requests": None,
        }
        names = {
            "ttft": ("Time to First Token", "ms"),
            "tpot": ("Inter Token Latency", "ms"),
            "e2e": ("Request Latency", "Sec"),
        }
        for ours, (group, unit) in names.items():
            points = dict(zip(POINTS, json.loads(told[group, f"Successful {unit}", "Percentiles"]), strict=True))
            mean = float(told[group, f"Successful {unit}", "Mean"])
            short = {"ms": "ms", "Sec": "s"}[unit]
            facts |= {f"{ours}_mean": [mean, short], f"{ours}_p99": [points["p99"], short]}
        found.append(facts)
    return found


def compare_with_summary(found):
    with (ROOT / "generated" / "tools" / "summary.tsv").open(encoding="utf-8") as source:
        rows = [row for row in csv.DictReader(source, delimiter="\t") if row["tool"].startswith("guidellm")]
    assert len(rows) == 9
    for row in rows:
        levels = found[f"generated/tools/{row['tool']}/{row['sweep']}/benchmarks.csv"]["levels"]
        told = levels[int(row["point"].split(":")[0])]
        assert (told["requests_good"], told["requests_failed"]) == (int(row["ok"]), int(row["failed"]))
        assert abs(told["tpot_mean"][0] - float(row["itl_mean"])) < 6e-4
        assert abs(told["ttft_p99"][0] - float(row["ttft_p99"])) < 6e-4


def main():
    folders = ("public/guidellm", "generated/tools/guidellm-0.8.1")
    found = {}
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*"))):
        name = path.name.removesuffix(".gz")
        beside = path.with_name(path.name.replace(".yaml", ".json"))
        if name.endswith((".json", ".yaml")):
            levels = [level(benchmark) for benchmark in report(beside)["benchmarks"]]
            told = {"format_id": "guidellm", "levels": levels}
        elif name.endswith(".csv"):
            told = {"format_id": "guidellm_csv", "format_version": "2", "levels": table(path)}
        else:
            continue
        found[path.relative_to(ROOT).as_posix()] = told
    compare_with_summary(found)
    out = {"how": "python tests/given/second_route/guidellm.py", "files": found}
    (HERE.parents[1] / "guidellm.json").write_text(json.dumps(out, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
