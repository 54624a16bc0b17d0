"""How much of a latency each resource of the server accounts for at one load, from a small queueing model.

Little's law gives the wait for a place in the batch; what an idle server takes for a first token beyond one decode
step, times the request rate, is the share of the time that prompts take. What remains is decode steps. Each resource
is then thought doubled, and ln(new capacity / old) is compared: only the order and the distance of the figures count,
since none of them is precise. docs/causes.md says how often the order is right.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

from core.decide.signs import Signs
from core.model.metric import Metric, fraction
from core.model.target import Target

STEPS_OF_MEAN, STEPS_OF_TAIL = 1.5, 3.5
"""Decode steps that a first token waits for even if its prompt costs nothing: half of one, and its own; for a
percentile, where clients start at once and several prompts meet in one step, some more."""

TOGETHER = 1.1
"""A share of time for prompts, at the highest rate measured, that no server can have: they are read together."""

PROMPT_BOUND = (0.6, 0.9)
"""Between these shares of time for prompts, a place in the batch stops helping a first token: it waits in it."""

MOST_PREFILL = 0.95

_WAITS = frozenset({Metric.TTFT, Metric.QUEUE, Metric.E2E})


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief:
    """What twice as much of each resource would gain, as shares of their sum; None where it cannot be read.

    Attributes:
        places: in the running batch, whether `max_num_seqs` or memory limits it.
        prefill: speed of reading prompts.
        decode: speed of decode steps, whatever they spend their time on.
    """

    places: float
    prefill: float
    decode: float


def relief_of(signs: Signs, target: Target) -> Relief | None:
    """Return the shares for one latency target, None where rate or latencies are unknown.

    Args:
        signs: read at the load where the target is reached.
        target: as a latency (`core.decide.single.as_latency`).
    """
    if not signs.rate or signs.tpot_s is None or signs.prefill_share is None:
        return None
    prefill = min(signs.prefill_share, MOST_PREFILL)
    part = _prefill_part(signs, target, prefill)
    below = None if part is None else Relief(places=0.0, prefill=part, decode=1.0 - part)
    if target.metric not in _WAITS or not signs.waiting_s or not signs.knee:
        return below
    beyond = _waiting(signs, target, prefill)
    if below is None or target.metric is Metric.E2E:
        return beyond
    # Just beyond the knee the wait for a place is a small part of a first token's time.
    share = signs.waiting_share or 0.0
    mixed = [share * b + (1.0 - share) * a for a, b in zip(astuple(below), astuple(beyond), strict=True)]
    return Relief(places=mixed[0], prefill=mixed[1], decode=mixed[2])


def _waiting(signs: Signs, target: Target, prefill: float) -> Relief:
    """Beyond the knee: load = S + X w for a wait w, and load = X w for a whole stay w."""
    faster = {"prefill": 1.0 / (1.0 - prefill / 2.0), "decode": 1.0 / (1.0 - (1.0 - prefill) / 2.0)}
    growth = 2.0 ** min(max(signs.growth_at_knee or 0.0, 0.0), 1.0)
    knee, load = signs.knee or 0.0, signs.load
    if target.metric is Metric.E2E:
        gains = {"places": math.log(growth)} | {name: math.log(factor) for name, factor in faster.items()}
    else:
        beyond = load - knee
        few, many = PROMPT_BOUND
        helps = 1.0 if read_together(signs) else min(max((many - prefill) / (many - few), 0.0), 1.0)
        gains = {"places": helps * math.log((2.0 * knee + beyond * growth) / load)}
        gains |= {name: math.log((knee + beyond * factor) / load) for name, factor in faster.items()}
    total = sum(gains.values())
    return Relief(**{name: gain / total for name, gain in gains.items()})


def read_together(signs: Signs) -> bool:
    """Return True where the time of one prompt on an idle server does not tell what prompts take under load."""
    return not signs.apart and (signs.prefill_peak or 0.0) > TOGETHER


def _prefill_part(signs: Signs, target: Target, prefill: float) -> float | None:
    """Below the knee: which part of the latency prompts account for, their own and those of others."""
    tpot, ttft, e2e = signs.tpot_s or 0.0, signs.ttft_s, signs.e2e_s
    if signs.apart and target.metric is not Metric.TTFT:
        prefill = 0.0
    match target.metric:
        case Metric.TTFT | Metric.QUEUE:
            steps = STEPS_OF_MEAN if fraction(target.statistic) is None else STEPS_OF_TAIL
            return max(1.0 - steps * tpot / target.limit, 0.0)
        case Metric.E2E:
            return prefill if not (ttft and e2e) else (ttft + prefill * max(e2e - ttft, 0.0)) / max(e2e, ttft)
        case Metric.TPOT | Metric.ITL:
            tail = signs.gap_tail if target.metric is Metric.ITL else signs.tpot_tail
            if fraction(target.statistic) is None or tail is None or signs.apart:
                return prefill
            return 1.0 - (1.0 - prefill) / _tail_of_prompts(signs, tail)
        case _:
            return None


def _tail_of_prompts(signs: Signs, tail: float) -> float:
    """Return how far prompts explain a tail above the mean: not beyond what one prompt takes on an idle server.

    Slow steps of other origin make tails too, and several prompts at once a longer one: the middle of both is taken.
    """
    one = (signs.ttft_first_s or 0.0) / (signs.tpot_first_s or math.inf)
    explained = math.sqrt(max(one, 1.0) * tail) if one < tail else tail
    return max(explained, 1.0)
