"""Make the sweeps that the correction is learned from: random deployments, their true curves and sparse sweeps.

    python -m benchmarks.accuracy.simulate SEED COUNT

compiles simulator.c (needs a C compiler) and writes data/learned/deployments.jsonl.gz, one deployment a line. A
deployment that takes longer than `PATIENCE_S` is left out, so a slow machine keeps a few fewer.
The committed file is SEED 7, COUNT 400, stopped after 319 deployments.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy.questions import HERE
from core.fit.isotonic import rising

LEARNED = HERE / "data" / "learned" / "deployments.jsonl.gz"
RUNS = 3
"""Runs per level that the true curve is the mean of."""
PATIENCE_S = 8
_METRICS = ("ttft", "tpot", "e2e", "itl")
_STATISTICS = ("mean", "sd", "p50", "p90", "p99")


def deployment(rng: np.random.Generator) -> tuple[list[float], int]:
    """Random parameters, in the order that simulator.c reads them, and the largest load."""

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    weights = between(0.003, 0.04)
    token = weights / rng.uniform(80, 500)
    inputs, outputs = between(40, 4000), between(20, 250)
    max_num_seqs = int(rng.choice([8, 16, 32, 64, 128, 256, 512, 1024]))
    top = int(between(24, 500))
    cache = (inputs * 1.5 + outputs) * between(0.25, 3) * top * rng.uniform(0.5, 2)
    cache = max(cache, 36 * (inputs + outputs))
    per_token = between(2e-9, 1.2e-7)
    launch, slot, jitter = between(0.0003, 0.004), between(2e-6, 6e-5), rng.uniform(0.01, 0.06)
    slow_share, slow_factor = float(rng.choice([0, 0.001, 0.005, 0.01])), rng.uniform(2, 8)
    overhead, run_sd = between(0.0005, 0.01), rng.uniform(0.005, 0.03)
    budget, lengths = int(rng.choice([512, 1024, 2048, 4096, 8192])), int(rng.integers(0, 3))
    sigma, per_slot, least = rng.uniform(0.3, 0.9), rng.uniform(4, 16), int(rng.integers(50, 200))
    step = [launch, weights, per_token, token, slot, jitter, slow_share, slow_factor, overhead, run_sd]
    return [*step, budget, max_num_seqs, cache, lengths, inputs, outputs, sigma, per_slot, least], top


def dense(top: int) -> list[int]:
    """Loads of the true curve: 1 to 10, then 12 % apart."""
    loads = list(range(1, 11))
    while (following := max(loads[-1] + 1, round(loads[-1] * 1.12))) <= top:
        loads.append(following)
    return [load for load in loads if load <= top]


def grids(top: int, rng: np.random.Generator) -> dict[str, list[int]]:
    """Loads of the sparse sweeps."""
    found = {"pow2": [2**k for k in range(12) if 2**k <= top], "pow4": [4**k for k in range(7) if 4**k <= top]}
    for count in (4, 6, 8, 12):
        found[f"log{count}"] = sorted({round(load) for load in np.geomspace(1, top, count)})
    loads = dense(top)
    found["rand6"] = sorted(rng.choice(loads, min(6, len(loads)), replace=False).tolist())
    return {name: loads for name, loads in found.items() if len(loads) >= 4}


def simulated(program: Path, seed: int, index: int, rng: np.random.Generator) -> dict[str, Any] | None:
    """One deployment: the true curves, and every sweep as `batch` would be given it; None if it took too long."""
    parameters, top = deployment(rng)
    loads, sweeps = dense(top), grids(top, rng)
    jobs = [load for load in loads for _ in range(RUNS)] + [load for grid in sweeps.values() for load in grid]
    lines = [f"{load} {seed * 1_000_003 + index * 10_007 + job}" for job, load in enumerate(jobs, start=1)]
    text = " ".join(f"{value:.10g}" for value in parameters) + "\n" + "\n".join(lines) + "\n"
    try:
        done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    except subprocess.SubprocessError:
        return None
    levels = [json.loads(line) for line in done.stdout.splitlines()]
    true, measured = levels[: RUNS * len(loads)], iter(levels[RUNS * len(loads) :])
    return {
        "deployment": f"{seed}-{index}",
        "concurrency": loads,
        "curves_s": _curves(true),
        "sweeps": {name: [_stage(next(measured)) for _ in grid] for name, grid in sweeps.items()},
    }


def _curves(levels: list[dict[str, Any]]) -> dict[str, list[float]]:
    curves = {}
    for metric in _METRICS:
        for statistic in ("p99",) if metric == "itl" else ("mean", "p90", "p99"):
            place = _STATISTICS.index(statistic)
            mean = np.array([level[metric][place] for level in levels]).reshape(-1, RUNS).mean(axis=1)
            curves[f"{metric}_{statistic}"] = rising(mean, np.ones(mean.size)).tolist()
    return curves


def _stage(level: dict[str, Any]) -> dict[str, Any]:
    statistics = {
        metric: dict(zip(_STATISTICS, level[metric], strict=True)) | {"n": level["req"]} for metric in _METRICS
    }
    # As in the sweeps with published answers: no medians but of TTFT, and of ITL mean and p99 alone.
    for metric in ("tpot", "e2e"):
        del statistics[metric]["p50"]
    statistics["itl"] = {name: statistics["itl"][name] for name in ("mean", "p99")}
    return {
        "asked_concurrency": float(level["n"]),
        "achieved_concurrency": level["flight"],
        "achieved_rate": level["rate"],
        "requests_good": level["req"],
        "requests_failed": 0,
        "duration_s": level["dur"],
        "output_tokens_mean": level["om"],
        "output_tok_s": level["rate"] * level["om"],
        "statistics": statistics,
    }


def _short(value: object) -> object:
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_short(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main() -> None:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(seed)
    LEARNED.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulator"
        subprocess.run(["cc", "-O2", "-o", program, HERE / "simulator.c", "-lm"], check=True)
        with gzip.open(LEARNED, "wt", encoding="utf-8") as out:
            for index in range(count):
                record = simulated(program, seed, index, rng)
                if record:
                    out.write(json.dumps(_short(record), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
