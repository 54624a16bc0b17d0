"""Throughput that is true at every load of a simulated deployment: from its true latency, by Little's law.

The curves of the questions hold latencies alone. Requests that take R in the mean, with L of them in flight, come to
L / R a second. A level of so many requests fills and drains, so that L is a share of the N that were asked for; that
share at a load, and the tokens of an answer, are those of the other sweeps of the same deployment (means over levels
nearby, weighted by `_SPAN`), never of the sweep that is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.accuracy.questions import Task, tasks, truths
from core.model.stage import Stage

_SPAN = 0.25
"""sd in ln load of the levels that tell the share in flight at a load."""


@dataclass(frozen=True, eq=False)
class TrueRates:
    """Rates as a load generator would record them in the mean; each of shape (n,).

    Attributes:
        load: ascending.
        req_s, output_tok_s: of the system.
    """

    load: np.ndarray
    req_s: np.ndarray
    output_tok_s: np.ndarray

    def tokens_at(self, load: float) -> float:
        return self._at(self.output_tok_s, load)

    def requests_at(self, load: float) -> float:
        return self._at(self.req_s, load)

    def most_requests_to(self, load: float) -> float:
        """Return the highest rate of requests at any load up to this one."""
        below = self.req_s[self.load <= load]
        return float(max([self.requests_at(load), *below.tolist()]))

    def _at(self, rate: np.ndarray, load: float) -> float:
        return float(np.exp(np.interp(np.log(load), np.log(self.load), np.log(rate))))


def true_rates(task: Task) -> TrueRates:
    """Return the true rates of the deployment that a simulated sweep is of."""
    truth = truths(task.dataset)[task.deployment]
    others = _others(task)
    at, share, tokens, count = np.array(
        [
            (s.load, (s.achieved_concurrency or 0.0) / (s.load or 1.0), s.output_tokens_mean, s.requests_good)
            for s in others
        ],
        float,
    ).T
    load = truth.concurrency
    weight = np.exp(-0.5 * ((np.log(load)[:, None] - np.log(at)) / _SPAN) ** 2)
    in_flight = load * (weight @ share) / weight.sum(axis=1)
    req_s = in_flight / truth.curves_s["e2e_mean"]
    return TrueRates(load, req_s, req_s * float(count @ tokens / count.sum()))


def _others(task: Task) -> list[Stage]:
    """Return levels of the other sweeps of the deployment, each once: sweeps share levels, and runs of them."""
    own = {_run(stage) for stage in task.stages}
    found = {_run(s): s for s in _levels()[task.deployment] if _run(s) not in own}
    return list(found.values())


def _run(stage: Stage) -> tuple[float | None, float | None]:
    return stage.load, stage.achieved_rate


@cache
def _levels() -> dict[str, list[Stage]]:
    found: dict[str, list[Stage]] = {}
    for task in tasks("simulated"):
        found.setdefault(task.deployment, []).extend(task.stages)
    return found
