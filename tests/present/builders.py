"""Hand-made runs, answers and fits, with numbers that can be checked in the head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np

from core.errors import Place
from core.i18n import t
from core.model.answer import Capacity, Cost, Interval, LoadPoint, NextMeasurement, RunAnswer, Status, TargetAnswer
from core.model.metric import Metric
from core.model.run import Conditions, FileRef, Kind, Run
from core.model.stage import Stage, Statistics
from core.model.target import Target

TTFT_P99 = Target(Metric.TTFT, "p99", 0.5)
TPOT_P99 = Target(Metric.TPOT, "p99", 0.05)
LEVELS = (4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)


def stage_at(load, *, good=640, failed=2, excluded=None, **more):
    """A level whose TTFT p99 is 10 ms a request, TPOT mean 0.2 ms a request, throughput 100 tok/s a request."""
    statistics = {
        Metric.TTFT: Statistics(mean=load * 0.004, n=good, quantiles={0.5: load * 0.003, 0.99: load * 0.01}),
        Metric.TPOT: Statistics(mean=0.01 + load * 0.0002, n=good, quantiles={0.99: 0.02 + load * 0.0003}),
        Metric.E2E: Statistics(mean=2.0 + load * 0.05, n=good),
    }
    return Stage(
        where=Place(f"c{load:g}.json"),
        statistics=more.pop("statistics", statistics),
        asked_concurrency=load,
        achieved_concurrency=load * 0.98,
        requests_sent=good + (failed or 0),
        requests_good=good,
        requests_failed=failed,
        output_tok_s=load * 100 / (1 + load / 256),
        excluded=excluded,
        **more,
    )


def run_of(levels=LEVELS, *, kind=Kind.MEASURED, label="gpt-oss-120b 16 GPUs", stages=None, **conditions):
    known = {"model": "gpt-oss-120b", "accelerator": "GB200", "accelerator_count": 16, "engine": "vLLM"}
    return Run(
        id="gpt-oss-120b-16gpu",
        label=label,
        kind=kind,
        format_id="vllm_bench",
        format_version=None,
        files=(FileRef("c4.json", "0" * 64),),
        conditions=Conditions(**{**known, **conditions}),
        stages=tuple(stages if stages is not None else (stage_at(load) for load in levels)),
    )


WITHIN = Capacity(status=Status.WITHIN, concurrency=Interval(low=35.7, mid=46.9, high=53.2), safe=41, binding=TTFT_P99)


def answer_of(run=None, capacity=WITHIN, **changes):
    run = run or run_of()
    safe = capacity.safe
    point = None
    if safe:
        point = LoadPoint(
            at=safe,
            output_tok_s=Interval(low=3300.0, mid=3534.0, high=3700.0),
            req_s=Interval(low=9.0, mid=10.0, high=11.0),
            tok_s_user=Interval(low=50.0, mid=54.9, high=60.0),
            metrics={"e2e mean": Interval(low=3.5, mid=4.1, high=4.6)},
        )
    answer = RunAnswer(
        run=run,
        levels=tuple(stage.load for stage in run.stages if stage.excluded is None),
        findings=run.findings,
        capacity=capacity,
        per_target=(TargetAnswer(target=TTFT_P99, capacity=capacity),),
        at_capacity=point,
        at_estimate=None,
        cost=None,
        cost_at_estimate=None,
        next_measurement=None,
    )
    return replace(answer, **changes)


def cost_of(low=0.78, mid=0.83, high=0.9, **changes):
    cost = Cost(
        currency="USD",
        per_hour=10.56,
        per_million_output=Interval(low=low, mid=mid, high=high),
        per_million_total=None,
        per_million_weighted_output=None,
        per_million_weighted_input=None,
    )
    return replace(cost, **changes)


NEXT = NextMeasurement(concurrency=8.0, requests=400, why=t("It lies at the estimate"), command=None)


@dataclass
class FakeBand:
    load_low: np.ndarray
    load_mid: np.ndarray
    load_high: np.ndarray
    value: np.ndarray


@dataclass
class FakeRateBand:
    load: np.ndarray
    low: np.ndarray
    mid: np.ndarray
    high: np.ndarray


@dataclass
class FakeCurve:
    load: np.ndarray
    value: np.ndarray

    @property
    def error(self):
        return np.full(self.load.size, 0.05)

    @property
    def points(self):
        return SimpleNamespace(log_fit=np.log(self.value))

    def band(self, points=120):
        value = np.geomspace(self.value[0], self.value[-1], points)
        mid = np.exp(np.interp(np.log(value), np.log(self.value), np.log(self.load)))
        return FakeBand(mid / 1.25, mid, mid * 1.2, value)

    def latency(self, load):
        mid = float(np.exp(np.interp(np.log(load), np.log(self.load), np.log(self.value))))
        return Interval(low=mid * 0.9, mid=mid, high=mid * 1.1)

    def capacity(self, limits):
        mid = np.exp(np.interp(np.log(limits), np.log(self.value), np.log(self.load)))
        steep = (
            np.clip(limits, None, self.value[0])
            / self.value[0]
            * np.clip(limits, self.value[-1], None)
            / self.value[-1]
        )
        mid = mid * steep
        return np.stack((mid / 1.25, mid / 1.15, mid, mid * 1.2))


class FakeFit:
    """Straight lines through the levels, a band of a fifth on each side."""

    def __init__(self, run):
        self.stages = [stage for stage in run.stages if stage.excluded is None]

    def curve(self, metric, statistic):
        pairs = [(s.load, s.value(metric, statistic)) for s in self.stages]
        known = np.array([pair for pair in pairs if pair[1]], float)
        return FakeCurve(*known.T) if len(known) > 1 else None

    def value(self, metric, statistic, load):
        curve = self.curve(metric, statistic)
        if curve is None:
            return None
        mid = float(np.interp(load, curve.load, curve.value))
        return Interval(low=mid * 0.9, mid=mid, high=mid * 1.1)

    def rate_band(self, name):
        known = np.array([(s.load, getattr(s, name)) for s in self.stages if getattr(s, name)], float)
        if len(known) < 2:
            return None
        load = np.geomspace(known[0, 0], known[-1, 0], 120)
        mid = np.interp(load, known[:, 0], known[:, 1])
        return FakeRateBand(load, mid * 0.93, mid, mid * 1.06)
