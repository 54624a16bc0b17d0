"""Facts of the public vLLM result files and of InferenceX's variant in seconds, by plain reading; run as a script."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
FOLDERS = ("public/vllm_benchmark_serving_json", "public/inferencemax_benchmark_serving_seconds_json")
NAMES = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2e": "e2el"}
STATISTICS = {"mean": "mean", "p50": "median", "p90": "p90", "p99": "p99"}


def reading(run, metric, statistic):
    """A statistic with its unit: names that end in _ms are milliseconds, the same names without it are seconds."""
    key = f"{STATISTICS[statistic]}_{NAMES[metric]}"
    for name, unit in ((f"{key}_ms", "ms"), (key, "s")):
        if run.get(name) is not None and run["completed"]:
            return [float(f"{run[name]:.9g}"), unit]
    return None


def level(run, name):
    rate = None if run["request_rate"] == "inf" else run["request_rate"]
    good = run["completed"]
    total = run.get("total_token_throughput", run["output_throughput"] + run.get("input_throughput", 0.0))
    facts = {
        "asked_concurrency": run["max_concurrency"],
        "asked_rate": rate,
        "requests_sent": run["num_prompts"],
        "requests_good": good,
        "requests_failed": run["num_prompts"] - good,
        "duration_s": run["duration"],
        "output_tokens_mean": run["total_output_tokens"] / good if good else None,
        "output_tok_s": run["output_throughput"],
        "total_tok_s": total,
        "conditions": conditions(run, name),
    }
    if not good:
        facts["findings"] = ["ingest.none_completed"]
    for metric in NAMES:
        for statistic in STATISTICS:
            found = reading(run, metric, statistic)
            if found or statistic in ("mean", "p99"):
                facts[f"{metric}_{statistic}"] = found
    return facts


def conditions(run, name):
    """Model by its snapshot folder, accelerators and parallelism by the file's name."""
    snapshot = re.search(r"models--(.+?)--(.+?)/snapshots", run["model_id"])
    facts = {"model": f"{snapshot[1]}/{snapshot[2]}" if snapshot else run["model_id"]}
    if counted := re.search(r"gpus_(\d+)_ctx_(\d+)_gen_(\d+)", name):
        facts["accelerator_count"], facts["prefill_accelerators"], facts["decode_accelerators"] = map(
            int, counted.groups()
        )
    if split := re.search(r"_(tep|dep|tp)(\d+)_", name):
        kind, n = split[1], int(split[2])
        facts |= {"tp": {"tp": n, "dp": None, "ep": None}, "tep": {"tp": n, "dp": 1, "ep": n}}.get(
            kind, {"tp": 1, "dp": n, "ep": n}
        )
    return facts


def main():
    files = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.json")):
            run = json.loads(path.read_text(encoding="utf-8"))
            version = "seconds" if "median_ttft" in run else None
            name = path.relative_to(ROOT).as_posix()
            files[name] = {"format_id": "vllm_bench", "kind": "measured", "format_version": version}
            files[name]["levels"] = [level(run, path.name)]
    out = HERE.parents[1] / "vllm_public.json"
    how = "python tests/given/second_route/vllm_public.py"
    out.write_text(json.dumps({"how": how, "files": files}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
