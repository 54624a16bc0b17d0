"""Simulate the deployments that the method learns from: every load of each, several times.

    python -m benchmarks.accuracy.simulate SEED COUNT SHARE OUT.npz

compiles simulator.c (needs a C compiler) and writes COUNT random deployments. SHARE of them are drawn like the
deployments of the questions (a batch limit that the sweep passes, four lengths); the others more widely, some with
experts of which a token picks a few, some with prefill on accelerators of its own. The file is not kept in the
repository: it takes hours and hundreds of megabytes. The shipped network learned from `SHIPPED`.
A deployment that takes longer than `PATIENCE_S` is left out, so a slow machine keeps a few fewer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.accuracy.questions import HERE

SHIPPED = ((11, 800, 0.15), (12, 1800, 1.0))
"""Seed, count and share of the deployments that the shipped network learned from."""

RUNS = 4
"""Runs per load: a sweep is made of one each, the truth of the others."""

PATIENCE_S = 20
METRICS = ("ttft", "tpot", "e2e", "itl")
STATISTICS = ("mean", "sd", "p50", "p90", "p99")
COUNTS = ("req", "rate", "flight", "dur", "om")
"""Of a level: requests, requests/s, in flight, seconds, mean output tokens."""

_KEEP_EVERY = 50


@dataclass(frozen=True, eq=False)
class Deployment:
    """What was simulated of one deployment.

    Attributes:
        loads: shape (n,).
        statistics: seconds, shape (n, RUNS, METRICS, STATISTICS).
        counts: shape (n, RUNS, COUNTS).
    """

    loads: np.ndarray
    statistics: np.ndarray
    counts: np.ndarray


def dense(top: int) -> list[int]:
    """Loads of the true curve: 1 to 12, then 13 % apart, and the powers of two."""
    loads = list(range(1, 13))
    while (following := max(loads[-1] + 1, round(loads[-1] * 1.13))) <= top:
        loads.append(following)
    every = {*loads, *(2**k for k in range(10)), top}
    return sorted(load for load in every if load <= top)


def deployment(rng: np.random.Generator, share: float) -> tuple[list[float], int]:
    """Random parameters, in the order that simulator.c reads them, and the largest load."""
    alike = rng.uniform() < share
    load, top = _load(rng, alike=alike)
    per_slot, least, run_sd, limit, inputs, outputs, lengths, sigma = load
    weights = _between(rng, 0.003, 0.045)
    token = weights / _between(rng, 60, 800)
    per_token = _between(rng, 1e-9, 1.5e-7)
    launch, slot, jitter = _between(rng, 0.0003, 0.006), _between(rng, 2e-6, 8e-5), rng.uniform(0.005, 0.08)
    slow_share, slow_factor = float(rng.choice([0, 0, 0.001, 0.005, 0.01])), rng.uniform(2, 8)
    overhead, budget = _between(rng, 0.0003, 0.01), int(rng.choice([512, 1024, 2048, 4096, 8192, 16384]))
    need = inputs * (1.3 if lengths == 2 else 1.0) + outputs
    ample = rng.uniform() < 0.65
    cache = max(need * min(limit, top) * (rng.uniform(1.5, 3) if ample else rng.uniform(0.25, 1.3)), 8 * need)
    experts, part, apart = 0.0, 0.5, 0
    if not alike and rng.uniform() < 0.6:
        experts, part = rng.uniform(0.4, 0.95), float(rng.choice([1 / 64, 1 / 32, 1 / 32, 1 / 16, 1 / 4]))
    if not alike and rng.uniform() < 0.3:
        apart, cache = int(rng.choice([1, 1, 2, 4])), max(cache, 2 * need * top)
    step = [launch, weights, per_token, token, slot, jitter, slow_share, slow_factor, overhead, run_sd]
    work = [budget, limit, cache, lengths, inputs, outputs, sigma, per_slot, least]
    return [*step, *work, experts, part, apart], top


def _load(rng: np.random.Generator, *, alike: bool) -> tuple[tuple[float, ...], int]:
    """Requests per slot, least requests, sd of a run, batch limit, lengths; and the largest load."""
    if alike:
        limit = int(rng.choice([8, 16, 32, 64, 128, 256, 512]))
        outputs, inputs = float(rng.choice([32, 64, 128, 256])), _between(rng, 40, 8000)
        lengths, sigma = int(rng.choice([0, 3, 2, 2])), float(rng.choice([0.4, 0.8, rng.uniform(0.2, 0.9)]))
        per_slot, least = float(rng.choice([4, 8, 16])), int(rng.choice([50, 100, 200]))
        return (per_slot, least, rng.uniform(0.005, 0.03), limit, inputs, outputs, lengths, sigma), int(
            min(500, max(32, 2.5 * limit))
        )
    limit, top = int(_between(rng, 4, 1024)), int(_between(rng, 16, 500))
    outputs, inputs = _between(rng, 20, 300), _between(rng, 40, 12000)
    lengths, sigma = int(rng.integers(0, 4)), rng.uniform(0.2, 1.0)
    per_slot, least = _between(rng, 2, 20), int(_between(rng, 16, 300))
    return (per_slot, least, rng.uniform(0.003, 0.05), limit, inputs, outputs, lengths, sigma), top


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def simulated(program: Path, parameters: list[float], loads: list[int], seed: int) -> Deployment | None:
    """Run every load `RUNS` times; None if it took too long."""
    jobs = [f"{load} {seed + job}" for job, load in enumerate([x for x in loads for _ in range(RUNS)], start=1)]
    text = " ".join(f"{value:.10g}" for value in parameters) + "\n" + "\n".join(jobs) + "\n"
    try:
        done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    except subprocess.SubprocessError:
        return None
    levels = [json.loads(line) for line in done.stdout.splitlines()]
    if len(levels) != len(jobs):
        return None
    statistics = np.array([[level[m] for m in METRICS] for level in levels], np.float32)
    counts = np.array([[level[c] for c in COUNTS] for level in levels], np.float32)
    return Deployment(
        np.array(loads, float),
        statistics.reshape(len(loads), RUNS, len(METRICS), len(STATISTICS)),
        counts.reshape(len(loads), RUNS, len(COUNTS)),
    )


def write(found: list[Deployment], path: Path) -> None:
    named = {}
    for place, one in enumerate(found):
        named |= {f"loads{place}": one.loads, f"statistics{place}": one.statistics, f"counts{place}": one.counts}
    path.parent.mkdir(parents=True, exist_ok=True)
    waiting = path.with_suffix(".part.npz")
    np.savez(waiting, count=len(found), **named)
    waiting.replace(path)


def read(path: Path) -> Iterator[Deployment]:
    with np.load(path) as held:
        for place in range(int(held["count"])):
            yield Deployment(*(held[f"{name}{place}"] for name in ("loads", "statistics", "counts")))


def compiled(folder: Path) -> Path:
    program = folder / "simulator"
    subprocess.run(["cc", "-O3", "-ffast-math", "-o", program, HERE / "simulator.c", "-lm"], check=True)
    return program


def main() -> None:
    seed, count, share, out = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])
    rng = np.random.default_rng(seed)
    found: list[Deployment] = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for index in range(count):
            parameters, top = deployment(rng, share)
            one = simulated(program, parameters, dense(top), seed * 1_000_003 + index * 10_007)
            found += [one] if one else []
            if (index + 1) % _KEEP_EVERY == 0 or index + 1 == count:
                write(found, out)
                print(f"{index + 1} simulated, {len(found)} kept", flush=True)


if __name__ == "__main__":
    main()
