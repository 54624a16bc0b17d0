"""Runs whose levels obey every law, to be broken one law at a time."""

from __future__ import annotations

from dataclasses import replace

from core.errors import Place
from core.model.metric import Metric
from core.model.run import Conditions, FileRef, Kind, Run
from core.model.stage import Stage, Statistics

TOKENS = 101.0


def statistics(mean, n=1000, spread=0.1):
    quantiles = {0.5: mean * 0.99, 0.9: mean * 1.13, 0.95: mean * 1.2, 0.99: mean * 1.3}
    return Statistics(mean=mean, sd=mean * spread, n=n, quantiles=quantiles)


def stage(load, *, ttft=None, tpot=None, n=None, **more):
    """A clean level: TTFT 100 ms + 2 ms a slot, TPOT 10 ms + 0.1 ms a slot, ten requests a slot or more."""
    ttft = 0.1 + 0.002 * load if ttft is None else ttft
    tpot = 0.01 + 0.0001 * load if tpot is None else tpot
    e2e = ttft + (TOKENS - 1.0) * tpot
    n = max(1000, round(10 * load)) if n is None else n
    rate = load / e2e
    told = {
        "where": Place(f"c{load:g}.json"),
        "asked_concurrency": float(load),
        "achieved_concurrency": float(load),
        "achieved_rate": rate,
        "requests_sent": n,
        "requests_good": n,
        "requests_failed": 0,
        "requests_cut_off": 0,
        "duration_s": n / rate,
        "output_tokens_mean": TOKENS,
        "statistics": {
            Metric.TTFT: statistics(ttft, n),
            Metric.TPOT: statistics(tpot, n),
            Metric.ITL: replace(statistics(tpot * 0.99, n), quantiles={0.5: tpot, 0.99: tpot * 3.0}),
            Metric.E2E: statistics(e2e, n),
        },
    }
    return Stage(**(told | more))


def run(*stages, **more):
    stages = stages or tuple(stage(load) for load in (2, 4, 8, 16, 32))
    told = {
        "id": "m",
        "label": "m",
        "kind": Kind.MEASURED,
        "format_id": "vllm_bench",
        "format_version": None,
        "files": (FileRef("c2.json", "00"),),
        "conditions": Conditions(model="m", ttft_scope="queue and network, at the client"),
        "stages": stages,
    }
    return Run(**(told | more))


def changed(at, metric=None, /, **more):
    """The clean sweep with one level changed: statistics of `metric`, or fields of the stage."""
    stages = []
    for load in (2, 4, 8, 16, 32):
        each = stage(load)
        if load == at and metric is not None:
            each = replace(each, statistics={**each.statistics, metric: replace(each.statistics[metric], **more)})
        elif load == at:
            each = replace(each, **more)
        stages.append(each)
    return run(*stages)
