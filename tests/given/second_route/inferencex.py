"""Facts of the public InferenceX aggregates and multi-turn tables by plain reading; run as a script."""

import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve()
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[4] / "shared" / "data"
FIXED = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2e": "e2el"}
TABLE = {"ttft": "ttft", "tpot": "tpot", "e2e": "latency"}


def fixed(run):
    # One node: everything is divided by the number of accelerators, which is the tensor parallelism.
    assert abs(run["input_tput_per_gpu"] + run["output_tput_per_gpu"] - run["tput_per_gpu"]) < 1e-9
    assert abs(run["p90_intvty"] * run["p90_tpot"] - 1) < 1e-9
    facts = {
        "asked_concurrency": float(run["conc"]),
        "asked_rate": None,
        "requests_good": None,
        "output_tok_s": run["output_tput_per_gpu"] * run["tp"],
        "total_tok_s": run["tput_per_gpu"] * run["tp"],
        "sample_n": {},
        "conditions": {
            "model": run["model"],
            "precision": run["precision"],
            "engine": run["framework"],
            "engine_version": run["image"].split(":")[1],
            "accelerator": run["hw"],
            "accelerator_count": run["tp"],
            "tp": run["tp"],
            "ep": run["ep"],
            "speculation": run["spec_decoding"],
            "serving_mode": "aggregated",
        },
        "identity": {"isl": float(run["isl"]), "osl": float(run["osl"]), "dp_attention": "false"},
        "findings": [],
    }
    for ours, theirs in FIXED.items():
        for statistic, name in (("mean", "mean"), ("p50", "median"), ("p90", "p90"), ("p99.9", "p99.9")):
            facts[f"{ours}_{statistic}"] = [float(f"{run[f'{name}_{theirs}']:.9g}"), "s"]
    return facts


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    load = "users" if "users" in rows[0] else "bs"
    wrong = filed_wrongly(rows, load)
    levels = [row_facts(row, load, line) for line, row in enumerate(rows, start=2) if line - 2 not in wrong]
    return {"format_version": "multi-turn", "findings": ["inferencex.row_of_another"] * len(wrong), "levels": levels}


def filed_wrongly(rows, load):
    """Rows with the figures of a row of another configuration, whose own level stands there again."""
    by_figures, by_level = defaultdict(list), defaultdict(list)
    for position, row in enumerate(rows):
        by_figures[row["mean_ttft_ms"], row["p99_latency_ms"], row["mean_tpot_ms"]].append(position)
        by_level[row["tp"], row["offload"], row[load]].append(position)
    twins = [positions for positions in by_figures.values() if len(positions) > 1]
    return {
        position
        for positions in twins
        for position in positions
        if len(by_level[rows[position]["tp"], rows[position]["offload"], rows[position][load]]) > 1
    }


def row_facts(row, load, line):
    number = {name: float(cell) for name, cell in row.items() if cell and cell[0].isdigit()}
    total, prompt = number["total_throughput_tps"], number["input_throughput_tps"]
    output = number.get("output_throughput_tps", total - prompt)
    second = number.get("cpu_hit_rate", 0.0)
    facts = {
        "asked_concurrency": number[load],
        "requests_good": int(row["num_requests"]),
        "request_rate": number["throughput_rps"],
        "input_tokens_mean": None,
        "output_tok_s": output,
        "total_tok_s": total,
        "cache_hit_rate": None if second else number["gpu_hit_rate"] / 100,
        "conditions": {
            "tp": int(row["tp"]),
            "precision": "fp4" if "_fp4_" in row["exp_name"] else None,
            "accelerator_count": round(prompt / number["input_tps_per_gpu"]) if load == "bs" else None,
        },
        "place": {"line": line},
    }
    for ours, theirs in TABLE.items():
        for statistic in ("mean", "p50", "p99"):
            facts[f"{ours}_{statistic}"] = [float(f"{number[f'{statistic}_{theirs}_ms']:.9g}"), "ms"]
    return facts


def main():
    files = {}
    for path in sorted((ROOT / "public/inferencemax_agg_json").rglob("*.json")):
        levels = [fixed(json.loads(path.read_text(encoding="utf-8")))]
        files[path.relative_to(ROOT).as_posix()] = {"format_id": "inferencex", "findings": [], "levels": levels}
    for path in sorted((ROOT / "public/inferencemax_multiturn_csv").rglob("*.csv")):
        files[path.relative_to(ROOT).as_posix()] = {"format_id": "inferencex", **table(path)}
    out = HERE.parents[1] / "inferencex.json"
    how = "python tests/given/second_route/inferencex.py"
    out.write_text(json.dumps({"how": how, "files": files}, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
