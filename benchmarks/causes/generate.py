"""Make sweeps whose limiting cause is known: what a simulated change of the deployment shows, not what we expect.

    nice python -m benchmarks.causes.generate tune 21 150    (and 22 150, joined)
    nice python -m benchmarks.causes.generate test 23 130

compile the simulator of continuous batching of the accuracy study (needs a C compiler) and write data/tune.jsonl.gz and
data/test.jsonl.gz, one deployment a line with one or two questions; thresholds see the first file only. A deployment is
drawn at random, most of them so that one resource is short. Then it is simulated again with each resource relaxed in
turn (`RELAXED`), and the capacity within the limit of the question is read from every curve: how much each change
helps is the truth, `gains` in ln.
A deployment that needs more than `PATIENCE_S` of processor time at once is left out.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
DATA = HERE / "data"
SIMULATOR = HERE.parent / "accuracy" / "simulator.c"
STATISTICS = ("mean", "sd", "p50", "p90", "p99")
TARGETS = (
    ("ttft", "mean"),
    ("ttft", "p99"),
    ("tpot", "mean"),
    ("tpot", "p99"),
    ("itl", "p99"),
    ("e2e", "mean"),
    ("e2e", "p99"),
)
SHORT_OF = ("nothing", "queue", "kv_memory", "prefill", "bandwidth", "launch")
PATIENCE_S = 5
LEAST_RISE = 1.3
"""A question is asked only of a statistic that rises by this factor over the sweep."""

Level = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """Parameters in the order and the units of simulator.c."""

    launch_s: float
    weights_s: float
    kv_s: float
    token_s: float
    slot_s: float
    jitter: float
    slow_share: float
    slow_factor: float
    overhead_s: float
    run_sd: float
    budget: int
    max_num_seqs: int
    kv_tokens: float
    lengths: int
    input_tokens: float
    output_tokens: float
    length_sigma: float
    per_slot: float
    least_requests: int

    @property
    def prefill_share(self) -> float:
        """Share of all computed tokens that belong to prompts."""
        return self.input_tokens / (self.input_tokens + self.output_tokens)


RELAXED = ("queue", "kv_memory", "prefill", "bandwidth", "launch")


def relaxed(d: Deployment, resource: str) -> Deployment:
    """The deployment with twice as much of one resource.

    The simulator has one time per computed token: the part that prompts take of it is prefill, the other decoding.
    """
    share = d.prefill_share
    match resource:
        case "queue":
            return replace(d, max_num_seqs=2 * d.max_num_seqs)
        case "kv_memory":
            return replace(d, kv_tokens=2 * d.kv_tokens)
        case "prefill":
            return replace(d, token_s=d.token_s * (1 - 0.5 * share))
        case "bandwidth":
            token_s = d.token_s * (1 - 0.5 * (1 - share))
            return replace(d, weights_s=d.weights_s / 2, kv_s=d.kv_s / 2, token_s=token_s)
        case _:
            return replace(d, launch_s=d.launch_s / 2, slot_s=d.slot_s / 2)


def drawn(rng: np.random.Generator, short_of: str) -> tuple[Deployment, int]:
    """A random deployment that tends to be short of one resource, and the largest load of its sweep."""

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    weights, inputs, outputs = between(0.003, 0.03), between(60, 3000), between(20, 250)
    launch, slot, per_cached = between(0.0003, 0.004), between(2e-6, 6e-5), between(2e-9, 1.2e-7)
    per_weight, budget = rng.uniform(80, 500), int(rng.choice([512, 1024, 2048, 4096, 8192]))
    seats, top = int(rng.choice([32, 64, 128, 256, 512, 1024])), int(between(24, 256))
    match short_of:
        case "queue":
            seats = int(rng.choice([4, 8, 12, 16, 24, 32, 48]))
            top = int(seats * rng.uniform(3, 8))
        case "prefill":
            inputs, outputs, per_weight = between(1500, 8000), between(10, 100), rng.uniform(60, 250)
        case "bandwidth":
            inputs, outputs, per_cached = between(40, 600), between(60, 250), between(2e-8, 2e-7)
            weights, per_weight = between(0.008, 0.04), rng.uniform(200, 500)
        case "launch":
            weights, launch, slot = between(0.001, 0.006), between(0.004, 0.03), between(2e-5, 3e-4)
            inputs = between(40, 600)
    cache = (inputs * 1.5 + outputs) * top * between(0.6, 4)
    if short_of == "kv_memory":
        held = rng.uniform(5, 40)
        cache, seats, top = (inputs + outputs) * held, int(rng.choice([128, 256, 1024])), int(held * rng.uniform(3, 7))
    deployment = Deployment(
        launch_s=launch,
        weights_s=weights,
        kv_s=per_cached,
        token_s=weights / per_weight,
        slot_s=slot,
        jitter=rng.uniform(0.01, 0.06),
        slow_share=float(rng.choice([0, 0.001, 0.005, 0.01])),
        slow_factor=rng.uniform(2, 8),
        overhead_s=between(0.0005, 0.01),
        run_sd=rng.uniform(0.005, 0.03),
        budget=budget,
        max_num_seqs=seats,
        kv_tokens=max(cache, 4 * (inputs + outputs)),
        lengths=int(rng.integers(0, 3)),
        input_tokens=inputs,
        output_tokens=outputs,
        length_sigma=rng.uniform(0.3, 0.9),
        per_slot=rng.uniform(4, 14),
        least_requests=int(rng.integers(60, 300)),
    )
    return deployment, min(max(top, 12), 200)


def levels(program: Path, d: Deployment, loads: Sequence[int], seed: int) -> list[Level]:
    """Simulate one run at each load."""
    parameters = " ".join(f"{value:.10g}" for value in vars(d).values())
    jobs = "\n".join(f"{load} {seed + job}" for job, load in enumerate(loads, start=1))
    # A limit on processor time, not on the clock: a busy machine makes the same cases.
    command = ["sh", "-c", f'ulimit -t {PATIENCE_S}; exec "$0"', str(program)]
    done = subprocess.run(command, input=f"{parameters}\n{jobs}\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(level: Level, target: tuple[str, str]) -> float:
    metric, statistic = target
    return float(level[metric][STATISTICS.index(statistic)])


def true_curve(found: Sequence[Level], target: tuple[str, str]) -> np.ndarray:
    """ln of a statistic by load, made to rise."""
    values = np.log([read(level, target) for level in found])
    return np.maximum.accumulate(values) + 1e-9 * np.arange(values.size)


def carried(curve: np.ndarray, loads: Sequence[int], limit: float) -> float:
    """ln of the load at which the curve reaches a limit; the ends of the loads bound it."""
    return float(np.interp(math.log(limit), curve, np.log(loads)))


def grid(rng: np.random.Generator, top: int) -> list[int]:
    """Loads of the sweep that is published: powers of two or six to nine steps."""
    if rng.random() < 0.5:
        return [2**k for k in range(12) if 2**k <= top * 1.3]
    return sorted({round(load) for load in np.geomspace(1, top, int(rng.integers(6, 10)))})


def published(program: Path, d: Deployment, asked: int, cap: int | None, seed: int) -> Level:
    """One level as a load generator reports it that keeps no more than `cap` requests in flight, whatever is asked."""
    applied = asked if cap is None else min(asked, cap)
    return levels(program, replace(d, per_slot=d.per_slot * asked / applied), [applied], seed)[0]


def asked_about(rng: np.random.Generator, short_of: str) -> list[int]:
    """The order in which statistics are tried; what waits for a place or for memory shows in TTFT and E2E first."""
    weight = [3.0 if short_of in ("queue", "kv_memory") and name in ("ttft", "e2e") else 1.0 for name, _ in TARGETS]
    order = rng.choice(len(TARGETS), len(TARGETS), replace=False, p=np.array(weight) / sum(weight))
    return [int(place) for place in order]


def questions(
    rng: np.random.Generator,
    curves: dict[str, list[Level]],
    loads: Sequence[int],
    least: float,
    order: Sequence[int],
) -> list[dict[str, Any]]:
    """One or two limits on different metrics, each with what every relaxed resource gains at it."""
    chosen: list[dict[str, Any]] = []
    top = loads[-3]
    for place in order:
        target = TARGETS[place]
        base = true_curve(curves["as_is"], target)
        if any(target[0] == each["metric"] for each in chosen) or base[-3] - base[0] < math.log(LEAST_RISE):
            continue
        at = float(np.exp(rng.uniform(np.log(least), np.log(top * 0.85))))
        limit = float(np.exp(np.interp(math.log(at), np.log(loads), base)))
        start = carried(base, loads, limit)
        gains = {name: carried(true_curve(curves[name], target), loads, limit) - start for name in RELAXED}
        chosen.append({"metric": target[0], "statistic": target[1], "limit": limit, "at": at, "gains": gains})
        if len(chosen) == 2:
            break
    return chosen


def stage(level: Level, asked: int) -> dict[str, Any]:
    """A level as `batch` would be given it."""
    statistics = {
        metric: dict(zip(STATISTICS, level[metric], strict=True)) | {"n": level["req"]}
        for metric in ("ttft", "tpot", "e2e", "itl")
    }
    return {
        "asked_concurrency": float(asked),
        "achieved_concurrency": level["flight"],
        "achieved_rate": level["rate"],
        "requests_sent": level["req"],
        "requests_good": level["req"],
        "requests_failed": 0,
        "duration_s": level["dur"],
        "output_tokens_mean": level["om"],
        "output_tok_s": level["rate"] * level["om"],
        "statistics": statistics,
    }


def told(rng: np.random.Generator, d: Deployment, stages: list[dict[str, Any]]) -> dict[str, Any]:
    """What a person or the files say beside latencies: each in some of the cases only.

    The cache in use follows from Little's law on the tokens held, the share of time that the accelerator is busy
    from the step's parts; both are what an engine's own counters would show.
    """
    known: dict[str, Any] = {"input_tokens_mean": d.input_tokens}
    if rng.random() < 0.5:
        known["max_num_seqs"] = d.max_num_seqs
    with_cache = rng.random() < 0.25
    busy = []
    for each in stages:
        tpot, rate = each["statistics"]["tpot"]["mean"], each["achieved_rate"]
        decoding = rate * tpot * each["output_tokens_mean"]
        held = decoding * (d.input_tokens + 0.5 * d.output_tokens)
        if with_cache:
            each["kv_used_fraction"] = min(held / d.kv_tokens * math.exp(0.03 * rng.normal()), 1.0)
        busy.append(1.0 - (d.launch_s + d.slot_s * decoding) / tpot)
    if rng.random() < 0.5:
        known["gpu_busy"] = [min(max(share + 0.03 * rng.normal(), 0.02), 0.99) for share in busy]
    return known


def case(program: Path, seed: int, index: int) -> dict[str, Any] | None:
    """One deployment with its sweep and its questions, None if it took too long or has no question."""
    rng = np.random.default_rng((seed, index))
    short_of = SHORT_OF[index % len(SHORT_OF)]
    deployment, top = drawn(rng, short_of)
    cap = int(top * rng.uniform(0.15, 0.6)) + 1 if index % 7 == 0 else None
    loads = sorted({round(load) for load in [*np.geomspace(1, top, 11), top * 1.4, top * 2.0]})
    first = int(rng.integers(1, 2**40))
    try:
        curves = {"as_is": levels(program, deployment, loads, first)}
        for name in RELAXED:
            curves[name] = levels(program, relaxed(deployment, name), loads, first)
        asked = grid(rng, top)
        seen = [published(program, deployment, load, cap, first + 100_000 + load) for load in asked]
    except subprocess.SubprocessError:
        return None
    stages = [stage(level, load) for level, load in zip(seen, asked, strict=True)]
    # Where places or memory are short, most questions are about loads at which they run out.
    held = deployment.kv_tokens / (deployment.input_tokens + deployment.output_tokens)
    runs_out = min(deployment.max_num_seqs, held) if short_of in ("queue", "kv_memory") and rng.random() < 0.8 else 0.0
    least = min(max(runs_out, top**0.25, 1.5), top * 0.6)
    found = questions(rng, curves, loads, least, asked_about(rng, short_of))
    if not found:
        return None
    return {
        "deployment": f"{seed}-{index}",
        "short_of": short_of,
        "cap": cap,
        "told": told(rng, deployment, stages),
    } | {
        "stages": stages,
        "questions": found,
    }


def short(value: object) -> object:
    """Four significant digits are enough, and small."""
    if isinstance(value, dict):
        return {key: short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [short(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main() -> None:
    half, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulator"
        subprocess.run(["cc", "-O2", "-o", program, SIMULATOR, "-lm"], check=True)
        with ThreadPoolExecutor(2) as pool, gzip.GzipFile(DATA / f"{half}.jsonl.gz", "wb", mtime=0) as out:
            for record in pool.map(lambda index: case(program, seed, index), range(count)):
                if record:
                    out.write((json.dumps(short(record), separators=(",", ":")) + "\n").encode())


if __name__ == "__main__":
    main()
