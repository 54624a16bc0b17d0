"""Facts of the public FMBench tables by plain reading; groups of requests are summed up here; run as a script."""

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
# Accelerators of the instance types that occur, from the vendor's pages of the types.
ACCELERATORS = {
    "ml.g5.2xlarge": ("NVIDIA A10G", 1),
    "ml.g5.12xlarge": ("NVIDIA A10G", 4),
    "ml.g5.24xlarge": ("NVIDIA A10G", 4),
    "ml.g5.48xlarge": ("NVIDIA A10G", 8),
    "ml.p4d.24xlarge": ("NVIDIA A100 40GB", 8),
    "ml.inf2.24xlarge": ("AWS Inferentia2", 6),
    "ml.inf2.48xlarge": ("AWS Inferentia2", 12),
    "ClaudeInstant-ODT": ("ClaudeInstant-ODT", None),
}
KEYS = ("experiment_name", "payload_file", "instance_type")


def shared(row):
    accelerator, count = ACCELERATORS[row["instance_type"]]
    return {
        "asked_concurrency": float(row["concurrency"]),
        "asked_rate": None,
        "request_rate": None,
        "output_tok_s": None,
        "identity": {key: row[key] for key in KEYS},
        "conditions": {"accelerator": accelerator, "accelerator_count": count, "model": None, "tool": "FMBench"},
    }


def summary(row):
    share = float(row["error_rate"])
    return {
        **shared(row),
        "requests_good": None,
        "requests_failed": 0 if share == 0 else None,
        "e2e_mean": [float(row["latency_mean"]), "s"],
        "e2e_p95": None,
        "input_tokens_mean": float(row["prompt_token_count_mean"]),
        "output_tokens_mean": float(row["completion_token_count_mean"]),
        "findings": ["fmbench.failed_share"] if share else [],
    }


def groups(rows):
    good = [int(row["successes"]) for row in rows]
    times = [float(r["all_prompts_token_count"]) / float(r["prompt_token_throughput"]) for r in rows]
    latency = sum(n * float(r["latency_mean"]) for n, r in zip(good, rows, strict=True)) / sum(good)
    return {
        **shared(rows[0]),
        "requests_good": sum(good),
        "requests_failed": sum(int(row["concurrency"]) for row in rows) - sum(good),
        "duration_s": sum(times),
        "e2e_mean": [latency, "s"],
        "output_tokens_mean": sum(int(row["all_completions_token_count"]) for row in rows) / sum(good),
        "findings": [],
    }


def facts(path):
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    common = {"format_id": "fmbench", "kind": "measured"}
    if "successes" in rows[0]:
        levels = defaultdict(list)
        for row in rows:
            levels[(*(row[key] for key in KEYS), row["concurrency"])].append(row)
        found = [groups(level) for level in levels.values()]
        return {**common, "format_version": "groups", "findings": ["fmbench.sent_in_groups"], "levels": found}
    priced = ["fmbench.prices"] if any(row.get("price_per_hour") for row in rows) else []
    findings = ["fmbench.sent_in_groups", "fmbench.rates_of_groups", *priced]
    return {**common, "format_version": "summary", "findings": findings, "levels": [summary(row) for row in rows]}


def main():
    files = sorted((ROOT / "public" / "aws_fmbench_csv").rglob("*metrics*.csv"))
    read = {path.relative_to(ROOT).as_posix(): facts(path) for path in files if path.name != "EC2_system_metrics.csv"}
    target = HERE.parents[1] / "fmbench.json"
    document = {"how": "python tests/given/second_route/fmbench.py", "files": read}
    target.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
