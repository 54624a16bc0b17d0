"""Raw levels and files as an importer would return them, with as few words as possible."""

from __future__ import annotations

import hashlib

import numpy as np

from core.errors import Place
from core.ingest.raw import RawFile, RawLevel, RawRequests, Reading
from core.model.metric import Metric
from core.model.run import Kind


def array(*values):
    return np.array(values, dtype=float)


def readings(unit="s", **values):
    """Readings by "metric_statistic", such as ttft_p99=0.5."""
    found = []
    for name, value in values.items():
        metric, statistic = name.split("_", 1)
        statistic = statistic.replace("_", ".")
        found.append(Reading(Metric(metric), statistic, value, unit, f"{statistic}_{metric}_{unit}"))
    return tuple(found)


def records(ttft, e2e, *, unit="s", tokens=11.0, start=None, good=None, **more):
    """Requests of 100 prompt tokens and `tokens` output tokens; start is at 0 unless given."""
    n = len(ttft)
    return RawRequests(
        unit=unit,
        good=np.ones(n, dtype=bool) if good is None else np.array(good, dtype=bool),
        ttft=np.array(ttft, dtype=float),
        e2e=np.array(e2e, dtype=float),
        start=np.zeros(n) if start is None else np.array(start, dtype=float),
        input_tokens=np.full(n, 100.0),
        output_tokens=np.broadcast_to(np.array(tokens, dtype=float), (n,)).copy(),
        **more,
    )


def level(concurrency=4.0, name="c4.json", **more):
    """A level of model m; a closed one unless a rate is given."""
    told = {"place": Place(name), "conditions": {"model": "m"}}
    return RawLevel(asked_concurrency=concurrency, **(told | more))


def summary(concurrency, ttft_ms=100.0, n=400, name=None, **more):
    """A level with a plausible summary: TPOT 10 ms, 101 tokens, Little's law exact."""
    e2e_s = ttft_ms / 1e3 + 1.0
    rate = concurrency / e2e_s
    told = {
        "name": name or f"c{concurrency:g}.json",
        "requests_sent": n,
        "requests_good": n,
        "requests_failed": 0,
        "duration_s": n / rate,
        "input_tokens_mean": 100.0,
        "output_tokens_mean": 101.0,
        "readings": (
            *readings("ms", ttft_mean=ttft_ms, ttft_sd=ttft_ms / 10, ttft_p50=ttft_ms, ttft_p99=1.3 * ttft_ms),
            *readings("ms", tpot_mean=10.0, tpot_p50=10.0, tpot_p99=11.0),
            *readings("ms", e2e_mean=e2e_s * 1e3, e2e_p50=e2e_s * 1e3, e2e_p99=e2e_s * 1.2e3),
        ),
    }
    return level(float(concurrency), **(told | more))


def file(*levels, name=None, format_id="vllm_bench", kind=Kind.MEASURED, version=None, content=None):
    """A file of levels; its hash is that of its name unless `content` says otherwise."""
    name = levels[0].place.file if name is None else name
    sha256 = hashlib.sha256((content or name).encode()).hexdigest()
    return RawFile(name=name, sha256=sha256, format_id=format_id, format_version=version, kind=kind, levels=levels)


def codes(run):
    return [finding.code for finding in run.findings]
