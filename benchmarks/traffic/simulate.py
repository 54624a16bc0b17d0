"""Random deployments under two traffics each: a sweep of the first, the true curves of the second.

Everything comes from a seed; nothing is kept but the results. The simulator is simulator.c beside this file.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import Place
from core.fit.isotonic import rising
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from core.model.stage import Requests, Stage, Statistics
from core.model.traffic import Arrivals, Profile, Traffic

HERE = Path(__file__).resolve().parent
PATIENCE_S = 60
METRICS = {"ttft": Metric.TTFT, "tpot": Metric.TPOT, "itl": Metric.ITL, "e2e": Metric.E2E}
STATISTICS = ("mean", "sd", "p50", "p90", "p99")
KINDS = ("input", "output", "both", "hits", "no hits", "at random", "bursty", "spread", "all")
"""What differs between the two traffics."""

RUNS = 2
_FURTHEST = np.log(2.0)


@dataclass(frozen=True)
class Sent:
    """One traffic as the simulator takes it; dispersion 0 is a closed loop."""

    input: float
    output: float
    sigma: float
    hit: float
    dispersion: float = 0.0

    def traffic(self, *, spread: bool) -> Traffic:
        """Return what a person would say of it, with or without how lengths vary."""
        p95 = float(np.exp(1.645 * self.sigma - self.sigma**2 / 2)) if spread else None
        profile = Profile(
            input_tokens=self.input,
            input_p95=self.input * max(p95, 1.0) if p95 else None,
            output_tokens=self.output,
            output_p95=self.output * max(p95, 1.0) if p95 else None,
            hit_rate=self.hit,
        )
        arrivals = {0.0: Arrivals.CLOSED, 1.0: Arrivals.POISSON}.get(self.dispersion, Arrivals.BURSTY)
        burst = self.dispersion if arrivals is Arrivals.BURSTY else None
        return Traffic(profiles=(profile,), arrivals=arrivals, burst=burst)


@dataclass(frozen=True)
class Truth:
    """The mean in flight and the rising curves of one traffic."""

    load: np.ndarray
    curves: dict[tuple[Metric, str], np.ndarray]


@dataclass(frozen=True)
class Case:
    """One deployment with its measured run, without and with records, and the other traffic's truth."""

    kind: str
    run: Run
    with_records: Run
    first: Sent
    second: Sent
    truth: Truth


def server_of(rng: np.random.Generator) -> tuple[list[float], Sent, int]:
    """Return random parameters in the order of simulator.c, the first traffic and the largest load."""

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    weights = between(0.003, 0.04)
    sent = Sent(between(80, 4000), between(20, 250), float(rng.choice([0.0, 0.3, 0.6])), 0.0)
    top = int(between(32, 256))
    cache = max((sent.input * 1.5 + sent.output) * between(0.4, 4) * top, 72 * (sent.input + sent.output))
    step = [between(3e-4, 4e-3), weights, between(2e-9, 1.2e-7), weights / rng.uniform(80, 500), between(2e-6, 6e-5)]
    shake = [rng.uniform(0.01, 0.06), float(rng.choice([0, 0.001, 0.005])), rng.uniform(2, 8), between(5e-4, 1e-2)]
    budget, batch = int(rng.choice([512, 1024, 2048, 4096, 8192])), int(rng.choice([16, 32, 64, 128, 256, 512]))
    return [*step, *shake, rng.uniform(0.005, 0.02), cache, budget, batch], sent, top


def second_of(kind: str, first: Sent, rng: np.random.Generator) -> tuple[Sent, Sent]:
    """Return both traffics of one kind of difference; factors up to 2 either way."""
    factors = np.exp(rng.uniform(-_FURTHEST, _FURTHEST, 2))
    hit = float(rng.uniform(0.1, 0.6))
    match kind:
        case "input":
            return first, replace(first, input=first.input * factors[0])
        case "output":
            return first, replace(first, output=first.output * factors[1])
        case "both":
            return first, replace(first, input=first.input * factors[0], output=first.output * factors[1])
        case "hits":
            return first, replace(first, hit=hit)
        case "no hits":
            return replace(first, hit=min(hit, 0.5)), replace(first, hit=0.0)
        case "at random":
            return first, replace(first, dispersion=1.0)
        case "bursty":
            return first, replace(first, dispersion=float(rng.choice([2.0, 4.0])))
        case "spread":
            return first, replace(first, sigma=0.8 - first.sigma)
        case _:
            far = replace(first, input=first.input * factors[0] ** 0.5, output=first.output * factors[1] ** 0.5)
            return first, replace(far, dispersion=1.0, hit=0.5 * hit)


def cases(program: Path, seed: int, count: int) -> Iterator[Case]:
    """Yield `count` deployments of each kind; one that takes too long is left out."""
    rng = np.random.default_rng(seed)
    for index in range(count * len(KINDS)):
        server, first, top = server_of(rng)
        kind = KINDS[index % len(KINDS)]
        case = _case(program, kind, server, *second_of(kind, first, rng), top, rng)
        if case:
            yield case


def _case(
    program: Path, kind: str, server: list[float], first: Sent, second: Sent, top: int, rng: np.random.Generator
) -> Case | None:
    grid = sorted({round(x) for x in np.geomspace(1, top, int(rng.integers(5, 9)))})
    loads = sorted({round(x) for x in np.geomspace(1, 1.5 * top, 20)})
    asked = [_line(first, load, 0.0, int(np.clip(10 * load, 200, 1500)), 1, rng) for load in grid]
    steady = replace(second, dispersion=0.0)
    asked += [
        _line(steady, load, 0.0, int(np.clip(15 * load, 250, 1500)), 0, rng) for load in loads for _ in range(RUNS)
    ]
    levels = _levels(program, server, asked)
    if levels is None:
        return None
    measured, closed = levels[: len(grid)], levels[len(grid) :]
    truth = _truth(closed, np.repeat(loads, RUNS).astype(float))
    if second.dispersion:
        # The rates at which a closed loop runs bracket those of an open one.
        most = max(level["rate"] for level in closed)
        least = min(level["rate"] for level in closed)
        rates = np.geomspace(0.5 * least, 0.98 * most, 20)
        open_loop = _levels(
            program, server, [_line(second, 0, rate, 1500, 0, rng) for rate in rates for _ in range(RUNS)]
        )
        if open_loop is None:
            return None
        truth = _truth(open_loop, np.array([level["flight"] for level in open_loop]))
    plain = _run(first, [_stage(level, records=False) for level in measured])
    return Case(kind, plain, _run(first, [_stage(level, records=True) for level in measured]), first, second, truth)


def _line(sent: Sent, load: int, rate: float, requests: int, records: int, rng: np.random.Generator) -> str:
    shown = (load, requests, records, rate, sent.dispersion or 1.0, sent.input, sent.output, sent.sigma, sent.hit)
    return " ".join(f"{value:.10g}" for value in (*shown, int(rng.integers(1, 2**31))))


def _levels(program: Path, server: list[float], lines: list[str]) -> list[dict[str, Any]] | None:
    text = " ".join(f"{value:.10g}" for value in server) + "\n" + "\n".join(lines) + "\n"
    try:
        done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    except subprocess.SubprocessError:
        return None
    return [json.loads(line) for line in done.stdout.splitlines()]


def _truth(levels: list[dict[str, Any]], load: np.ndarray) -> Truth:
    order = np.argsort(load, kind="stable")
    curves = {}
    for name, metric in METRICS.items():
        for statistic in ("mean", "p90", "p99"):
            value = np.array([level[name][STATISTICS.index(statistic)] for level in levels])[order]
            curves[metric, statistic] = rising(value, np.ones(value.size))
    return Truth(load[order], curves)


def _stage(level: dict[str, Any], *, records: bool) -> Stage:
    statistics = {
        metric: Statistics(
            mean=level[name][0],
            sd=level[name][1],
            n=level["req"],
            quantiles=dict(zip((0.5, 0.9, 0.99), level[name][2:], strict=True)),
        )
        for name, metric in METRICS.items()
    }
    return Stage(
        where=Place(),
        asked_concurrency=float(level["n"]),
        achieved_concurrency=level["flight"],
        achieved_rate=level["rate"],
        requests_good=level["req"],
        requests_failed=0,
        duration_s=level["dur"],
        input_tokens_mean=level["im"],
        output_tokens_mean=level["om"],
        output_tok_s=level["rate"] * level["om"],
        statistics=statistics,
        requests=_records(level["records"]) if records else None,
    )


def _records(rows: list[list[float]]) -> Requests:
    inputs, outputs, ttft, e2e = np.array(rows, float).T
    return Requests(
        start_s=np.full(ttft.size, np.nan),
        ttft_s=ttft,
        tpot_s=(e2e - ttft) / (outputs - 1.0),
        e2e_s=e2e,
        input_tokens=inputs,
        output_tokens=outputs,
        good=np.ones(ttft.size, bool),
    )


def _run(sent: Sent, stages: list[Stage]) -> Run:
    conditions = Conditions(
        input_tokens_mean=sent.input,
        output_tokens_mean=sent.output,
        arrival="closed loop",
        cache_hit_rate=sent.hit,
    )
    return Run(
        id="r",
        label="r",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=conditions,
        stages=tuple(stages),
    )
