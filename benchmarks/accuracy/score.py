"""Score capacity answers against known truth: the rules, as the figures' names say.

refused          share without an answer: cannot_tell, an error, or an answer without mid or safe number;
                 a refused question counts in no other figure
median_error, p90_error   |mid - true| / true
coverage         share of ranges that hold the truth; an unknown low is 0, an unknown high is infinite
width            median ln(high / low), bounds clipped to [half, twice] the measured range
interval_score   mean of ln width + 20 ln distance of a missed truth to the nearer bound (Winkler, 90 %)
safe_unsafe      share of safe numbers whose true latency exceeds the limit by more than 0.1 %
safe_unsafe5     the same by more than 5 %
safe_loss        median |safe - true| / true
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.accuracy.questions import Question, Task, Truth


@dataclass(frozen=True)
class Answer:
    """The four numbers of an answer that is not a refusal."""

    low: float
    mid: float
    high: float
    safe: float


@dataclass(frozen=True)
class Scored:
    """One question with what its answer was worth; None where it was refused."""

    task: Task
    question: Question
    answer: Answer | None
    error: float = math.nan
    covered: bool = False
    width: float = math.nan
    interval: float = math.nan
    over: float = math.nan
    loss: float = math.nan

    @property
    def slope_class(self) -> str:
        slope = self.question.slope
        return "0.1-0.2" if slope < 0.2 else "0.2-0.5" if slope < 0.5 else "0.5-1" if slope < 1 else ">1"


def read(document: Mapping[str, Any] | None, bottom: float, top: float) -> Answer | None:
    """Return the numbers of one answer as `batch` prints it, None where it is a refusal."""
    if not document or document.get("status") == "cannot_tell":
        return None
    span = document.get("concurrency") or {}
    low, mid, high = (span.get(name) for name in ("low", "mid", "high"))
    safe = document.get("safe_concurrency")
    if document["status"] == "below":
        high = bottom if high is None else high
        mid = bottom / 2 if mid is None else mid
        safe = 0 if safe is None else safe
    if document["status"] == "at_least":
        low, mid = (top if low is None else low), (top if mid is None else mid)
    if mid is None or safe is None:
        return None
    return Answer(0.0 if low is None else low, mid, math.inf if high is None else high, safe)


def score(task: Task, question: Question, document: Mapping[str, Any] | None, truth: Truth) -> Scored:
    """Score one answer."""
    loads = [stage.load or 0.0 for stage in task.stages]
    bottom, top = min(loads), max(loads)
    answer = read(document, bottom, top)
    if answer is None:
        return Scored(task, question, None)
    true = question.true
    low, high = (float(np.clip(v, bottom / 2, top * 2)) for v in (answer.low, answer.high))
    width = math.log(high / low)
    missed = max(math.log(low / true), 0.0) + max(math.log(true / high), 0.0)
    return Scored(
        task,
        question,
        answer,
        error=abs(max(answer.mid, 0.5) - true) / true,
        covered=answer.low <= true <= answer.high,
        width=width,
        interval=width + 20.0 * missed,
        over=_over(answer.safe, question, truth),
        loss=abs(answer.safe - true) / true,
    )


def _over(safe: float, question: Question, truth: Truth) -> float:
    """By how much the true latency at the safe number exceeds the limit, as a share of it."""
    if safe <= 0:
        return 0.0
    curve = truth.curves_s[f"{question.target.metric}_{question.target.statistic}"]
    log_value = np.interp(math.log(safe), np.log(truth.concurrency), np.log(curve))
    return float(np.exp(log_value) / question.target.limit - 1.0)


def figures(scored: Iterable[Scored]) -> dict[str, float]:
    """Return the figures of a group of questions."""
    every = list(scored)
    used = [one for one in every if one.answer]
    out: dict[str, float] = {"n": len(every), "refused": round(1 - len(used) / len(every), 4)}
    if used:
        error, loss, over = (np.array([getattr(one, name) for one in used]) for name in ("error", "loss", "over"))
        out |= {
            "median_error": round(float(np.median(error)), 4),
            "p90_error": round(float(np.quantile(error, 0.9)), 4),
            "coverage": round(float(np.mean([one.covered for one in used])), 4),
            "width": round(float(np.median([one.width for one in used])), 3),
            "interval_score": round(float(np.mean([one.interval for one in used])), 3),
            "safe_unsafe": round(float((over > 1e-3).mean()), 4),
            "safe_unsafe5": round(float((over > 0.05).mean()), 4),
            "safe_loss": round(float(np.median(loss)), 4),
        }
    return out


def report(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return the figures overall and by grid, statistic, metric and slope."""
    groups = {
        "grid": lambda one: one.task.grid,
        "statistic": lambda one: one.question.target.statistic,
        "metric": lambda one: one.question.target.metric.value,
        "slope": lambda one: one.slope_class,
    }
    document: dict[str, Any] = {"overall": figures(scored)}
    for name, key in groups.items():
        values = sorted({key(one) for one in scored})
        document[name] = {value: figures(one for one in scored if key(one) == value) for value in values}
    return document
