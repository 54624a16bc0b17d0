"""Facts of the vLLM result files made for this project, by plain reading; run from anywhere as a script.

Each is also compared with `generated/tools/summary.tsv`, which somebody else's reader wrote.
"""

import csv
import gzip
import json
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
TOOL = "generated/tools/vllm-bench-0.32.0"
NAMES = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2e": "e2el"}


def runs(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        document = json.load(file)
    return document if isinstance(document, list) else [document]


def requests(run):
    """Counts and means of the lists: a request without an error text and with a first token is good."""
    if "ttfts" not in run:
        return None
    good = [not error and ttft > 0.0 for error, ttft in zip(run["errors"], run["ttfts"], strict=True)]
    gaps = [gap for gaps, ok in zip(run["itls"], good, strict=True) if ok for gap in gaps]
    facts = {"n": len(good), "good": sum(good), "gaps": len(gaps), "unit": "s"}
    for name, key in (("ttft_mean", "ttfts"), ("e2e_mean", "latencies"), ("output_tokens_mean", "output_lens")):
        facts[name] = fmean(value for value, ok in zip(run[key], good, strict=True) if ok)
    return facts


def level(run):
    ramp = run.get("ramp_up_strategy")
    rate = None if run["request_rate"] == "inf" or ramp else run["request_rate"]
    facts = {
        "asked_concurrency": None if ramp else run["max_concurrency"],
        "asked_rate": rate,
        "requests_sent": run["num_prompts"],
        "requests_good": run["completed"],
        "requests_failed": run["failed"],
        "duration_s": run["duration"],
        "output_tok_s": run["output_throughput"],
        "conditions": {"model": run["model_id"].rstrip("/").split("/")[-1], "arrival": arrival(run, rate)},
        "requests": requests(run),
    }
    for ours, theirs in NAMES.items():
        for ours_statistic, theirs_statistic in (("mean", "mean"), ("p99", "p99")):
            value = run.get(f"{theirs_statistic}_{theirs}_ms")
            facts[f"{ours}_{ours_statistic}"] = None if value is None else [float(f"{value:.9g}"), "ms"]
    return facts


def arrival(run, rate):
    if run.get("ramp_up_strategy"):
        return f"ramp, {run['ramp_up_strategy']}"
    if rate is None:
        return "closed loop"
    return "poisson" if run["burstiness"] == 1.0 else f"gamma, burstiness {run['burstiness']:g}"


def compare(path, run, told):
    """Fail where the other reader's line for this file says something else."""
    for line in (row for row in told if path.endswith(f"{row['sweep']}/{row['point']}")):
        assert int(line["ok"]) == run["completed"], path
        for column, key in (
            ("ttft_mean", "mean_ttft_ms"),
            ("itl_p99", "p99_itl_ms"),
            ("out_tok_s", "output_throughput"),
        ):
            assert abs(float(line[column]) - run[key]) < 6e-4, (path, column)
        return 1
    return 0


def main():
    with (ROOT / "generated" / "tools" / "summary.tsv").open(encoding="utf-8") as file:
        told = [row for row in csv.DictReader(file, delimiter="\t") if row["tool"] == "vllm-bench-0.32.0"]
    files, compared = {}, 0
    for path in sorted((ROOT / TOOL).rglob("*.json*")):
        name = path.relative_to(ROOT).as_posix()
        found = runs(path)
        files[name] = {"format_id": "vllm_bench", "kind": "measured", "levels": [level(run) for run in found]}
        compared += sum(compare(name.removesuffix(".gz"), run, told) or compare(name, run, told) for run in found)
    out = {"how": "python tests/given/second_route/vllm_generated.py", "files": files}
    text = json.dumps(out, separators=(",", ":"), ensure_ascii=False).replace('},"generated/', '},\n"generated/')
    (HERE.parents[1] / "vllm_generated.json").write_text(text + "\n", encoding="utf-8")
    assert compared == len(told), "a line of summary.tsv has no file"


if __name__ == "__main__":
    main()
