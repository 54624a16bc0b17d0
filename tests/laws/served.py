"""Sweeps as a server with continuous batching gives them, for laws: every metric, rates, counts, noise.

A seed is drawn and the numbers come from it, so that what is printed when a law breaks is short.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from core.errors import Place
from core.model.metric import Metric
from core.model.stage import Stage, Statistics
from core.model.target import Target

Z = {0.5: 0.0, 0.9: 1.2815515655, 0.99: 2.3263478740}


@dataclass(frozen=True)
class Server:
    """A deployment: its batch limit, its times, and how its measurements scatter.

    Attributes:
        slots: requests that run at once; the others wait.
        prefill_s, launch_s, slot_s: of a first token, of a step, of a step for each request in it.
        tokens: output tokens of a request.
        spread: sigma of ln latency within a level, by metric.
        run_sd: change of speed from level to level.
        noisy: False where every statistic is the true one.
    """

    slots: float
    prefill_s: float
    launch_s: float
    slot_s: float
    tokens: float
    spread: dict[Metric, float]
    run_sd: float
    noisy: bool

    def means(self, load: float) -> tuple[float, float, float, float]:
        """TTFT, TPOT, E2E and requests/s at a load, by Little's law on the waiting line."""
        running = min(load, self.slots)
        tpot = self.launch_s + self.slot_s * running
        first = self.prefill_s * (1.0 + 0.05 * running)
        served = first + (self.tokens - 1.0) * tpot
        rate = running / served
        ttft = first + max(load - self.slots, 0.0) / rate
        return ttft, tpot, ttft + (self.tokens - 1.0) * tpot, rate

    def level(self, rng: np.random.Generator, load: float, n: int) -> Stage:
        """One level of n requests, measured."""
        speed = math.exp(self.run_sd * rng.normal()) if self.noisy else 1.0
        *times, rate = self.means(load)
        found = {
            metric: self._statistics(rng, metric, mean * speed, n)
            for metric, mean in zip((Metric.TTFT, Metric.TPOT, Metric.E2E), times, strict=True)
        }
        return Stage(
            where=Place("sweep.json"),
            asked_concurrency=load,
            achieved_concurrency=load,
            achieved_rate=rate / speed,
            requests_sent=n,
            requests_good=n,
            requests_failed=0,
            output_tok_s=self.tokens * rate / speed,
            total_tok_s=3.0 * self.tokens * rate / speed,
            statistics=found,
        )

    def _statistics(self, rng: np.random.Generator, metric: Metric, mean: float, n: int) -> Statistics:
        spread = self.spread[metric]
        off = spread / math.sqrt(n) * rng.normal(size=4) if self.noisy else np.zeros(4)
        width = (1.0, 1.25, 1.71, 3.73)  # error of a mean and of p50, p90, p99 of a normal sample
        middle = math.log(mean) - spread**2 / 2.0
        quantiles = [middle + spread * z + w * o for z, w, o in zip(Z.values(), width[1:], off[1:], strict=True)]
        return Statistics(
            mean=mean * math.exp(width[0] * off[0]),
            sd=mean * math.sqrt(math.expm1(spread**2)),
            n=n,
            quantiles=dict(zip(Z, np.exp(np.maximum.accumulate(quantiles)).tolist(), strict=True)),
        )


class Sweep(list):
    """Levels with the server that they are of; not printed in full when a law breaks."""

    def __init__(self, levels, server=None):
        super().__init__(levels)
        self.server = server

    def __repr__(self):
        return f"{len(self)} levels, loads {[level.load for level in self]}, {self.server}"


def server_of(rng: np.random.Generator, top: float, *, noisy: bool) -> Server:
    """A random server whose batch limit lies below, within or above the loads up to `top`."""

    def between(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    launch = between(0.003, 0.04)
    return Server(
        slots=float(rng.choice([between(2, 3 * top), 10 * top])),
        prefill_s=between(0.01, 1.0),
        launch_s=launch,
        slot_s=launch * float(rng.choice([0.0, between(0.0005, 0.05)])),
        tokens=float(round(between(16, 800))),
        spread={Metric.TTFT: between(0.02, 0.8), Metric.TPOT: between(0.01, 0.3), Metric.E2E: between(0.02, 0.5)},
        run_sd=float(rng.uniform(0.0, 0.03)),
        noisy=noisy,
    )


@st.composite
def served(draw, least=3, most=14, *, noisy=None, equal=True):
    """A sweep of one server: 3 to 14 levels of 50 to 5000 requests, queue knees, plateaus, repeated levels.

    Args:
        noisy: True, False, or None for either.
        equal: whether one load may be there twice, as two runs.
    """
    size = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    top = float(np.exp(rng.uniform(np.log(2.0 * most), np.log(2000.0))))
    if rng.integers(2):
        loads = np.unique(np.round(np.geomspace(1.0, top, size)))
    else:
        loads = np.sort(rng.choice(np.arange(1, int(top) + 1), size, replace=False)).astype(float)
    server = server_of(rng, top, noisy=bool(rng.integers(2)) if noisy is None else noisy)
    counts = np.exp(rng.uniform(np.log(50), np.log(5000), loads.size)).astype(int)
    levels = [server.level(rng, float(load), int(n)) for load, n in zip(loads, counts, strict=True)]
    if equal and rng.integers(3) == 0:
        at = int(rng.integers(loads.size))
        levels.append(server.level(rng, float(loads[at]), int(counts[at])))
    return Sweep(levels, server)


@st.composite
def hostile(draw, least=1, most=14):
    """Levels that no server gives: equal, falling, astronomic, without counts, failed, behind their rate."""
    size, style = draw(st.integers(least, most)), draw(st.sampled_from(("wild", "falling", "equal", "broken", "open")))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    loads = np.cumsum(rng.integers(0 if style == "equal" else 1, 40, size)) + 1.0
    return Sweep(_hostile_level(rng, float(load), style, place / size) for place, load in enumerate(loads))


def _hostile_level(rng, load, style, place):
    def perhaps(value):
        return None if rng.integers(3) == 0 else value

    n = perhaps(int(10 ** rng.uniform(0, 5)))
    found = {}
    for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E):
        if rng.integers(5) == 0:
            continue
        if style in ("wild", "broken"):
            mean, *tail = (10.0 ** rng.uniform(-6, 4, 4)).tolist()
        elif style == "falling":
            mean, *tail = (0.1 * math.exp(-3.0 * place) * np.array([1.0, 1.0, 1.5, 2.0])).tolist()
        else:
            mean, *tail = rng.choice([0.01, 0.02, 0.05, 1.0], 4).tolist()
        found[metric] = Statistics(
            mean=perhaps(mean),
            sd=perhaps(mean * rng.choice([0.0, 0.3, 1e6])),
            n=perhaps(n),
            quantiles={q: v for q, v in zip(Z, sorted(tail), strict=True) if rng.integers(5)},
        )
    asked = float(rng.uniform(0.1, 50.0)) if style == "open" else None
    return Stage(
        where=Place("hostile.json"),
        asked_concurrency=None if asked else load,
        asked_rate=asked,
        achieved_concurrency=load if asked else perhaps(load),
        achieved_rate=perhaps(float(asked * rng.choice([1.0, 0.97, 0.6])) if asked else 10.0 ** rng.uniform(-300, 5)),
        requests_sent=n,
        requests_good=n if style != "broken" else perhaps(int(rng.integers(0, 100))),
        requests_failed=perhaps(int(rng.integers(5)) if style != "broken" else int(rng.integers(0, 10**6))),
        requests_cut_off=perhaps(0),
        output_tok_s=perhaps(10.0 ** rng.uniform(-3, 7)),
        total_tok_s=perhaps(10.0 ** rng.uniform(-3, 7)),
        statistics=found,
    )


@st.composite
def asked_of(draw, levels):
    """A target on a statistic of the levels, its limit most often between the lowest and highest value."""
    metric = draw(st.sampled_from([Metric.TTFT, Metric.TPOT, Metric.E2E]))
    statistic = draw(st.sampled_from(["mean", "p50", "p90", "p99"]))
    values = [value for level in levels if (value := level.value(metric, statistic))]
    low, high = (min(values), max(values)) if values else (0.01, 0.1)
    place = draw(st.floats(-0.1, 1.1))
    limit = math.exp(math.log(low) + place * (math.log(high) - math.log(low)))
    return Target(metric, statistic, min(max(limit, 1e-9), 1e9))


@st.composite
def question(draw, sweeps):
    """A sweep and one target on it."""
    levels = draw(sweeps)
    return levels, draw(asked_of(levels))


def with_counts(level: Stage, factor: int) -> Stage:
    """The same level of `factor` times as many requests, at the same values."""

    def more(count):
        return None if count is None else count * factor

    return dataclasses.replace(
        level,
        requests_sent=more(level.requests_sent),
        requests_good=more(level.requests_good),
        requests_failed=more(level.requests_failed),
        statistics={m: dataclasses.replace(s, n=more(s.n)) for m, s in level.statistics.items()},
    )


def in_other_units(level: Stage, factor: float) -> Stage:
    """The same level with every time multiplied by a factor and every rate divided by it."""

    def times(value, by=factor):
        return None if value is None else value * by

    return dataclasses.replace(
        level,
        asked_rate=times(level.asked_rate, 1.0 / factor),
        achieved_rate=times(level.achieved_rate, 1.0 / factor),
        output_tok_s=times(level.output_tok_s, 1.0 / factor),
        total_tok_s=times(level.total_tok_s, 1.0 / factor),
        statistics={
            m: dataclasses.replace(
                s, mean=times(s.mean), sd=times(s.sd), quantiles={q: v * factor for q, v in s.quantiles.items()}
            )
            for m, s in level.statistics.items()
        },
    )
