"""The levels of one sweep against each other: do they tell one story of rising load?"""

from __future__ import annotations

import math
from itertools import pairwise

from core.check.levels import WARM_UP, in_use, judged, listed, mean, pairs_with, percent, place
from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.stage import Stage

# fit.md 4.8: throughput that falls by 5 % is thrash, preemption or noise, by 10 % and up again an
# unstable host; d ln X / d ln N > 1.05 is warm-up at the lower level. fit.md 4.1: a first level
# whose mean TTFT is 1.10 times the next one's is warm-up, where more than four levels remain.
FALLS, FALLS_FAR = 0.05, 0.10
SUPERLINEAR = 1.05
WARM = 1.10
LEVELS_FOR_WARM_UP = 4
SIGMAS = 3.0
CORRELATED = 1.5
"""Standard errors of closed-loop means are taken larger: requests share batches (fit.md 1)."""
SAME_LENGTH = 1.10


def check_sweep(run: Run) -> tuple[Finding, ...]:
    """Return findings about levels that do not fit the ones beside them."""
    return (*_few(run), *_warm_up(run), *_throughput(run), *_superlinear(run), *_latency_falls(run), *_lengths(run))


def warm_up(run: Run) -> Stage | None:
    """Return the first level where it is warm-up: TTFT 10 % above the next, more than four levels."""
    stages = in_use(run)
    taken = [stage for stage in judged(run) if stage.excluded == WARM_UP]
    stages = sorted([*taken, *stages], key=lambda stage: stage.load or 0.0)
    if len(stages) <= LEVELS_FOR_WARM_UP or run.kind is Kind.SIMULATED:
        return None
    # Below a level that was left out for another reason nothing was measured first.
    if (stages[0].load or 0.0) > min(stage.load for stage in run.stages if stage.load is not None):
        return None
    first, second = (stage.value(Metric.TTFT, "mean") for stage in stages[:2])
    return stages[0] if first and second and first > WARM * second else None


def _few(run: Run) -> list[Finding]:
    loads = {stage.load for stage in in_use(run)}
    if len(loads) > 2:
        return []
    severity = Severity.WARNING if loads else Severity.ERROR
    return [
        Finding(
            code="sweep.few_levels",
            severity=severity,
            where=Place(run.files[0].name) if run.files else Place(),
            what=t("Usable load levels: {count}", count=len(loads)),
            consequence=t("No estimate can be made between so few levels, only which of them pass"),
            fix=t("Measure at least four levels, such as 1, 4, 16 and 64"),
        )
    ]


def _warm_up(run: Run) -> list[Finding]:
    first = warm_up(run)
    if first is None:
        return []
    second = sorted(in_use(run), key=lambda stage: stage.load or 0.0)
    after = next(stage for stage in second if stage is not first)
    return [
        Finding(
            code=WARM_UP,
            severity=Severity.WARNING,
            where=place(first, "ttft"),
            what=t(
                "The first level ({load}) has a mean TTFT of {first} ms, the next one {second} ms",
                load=f"{first.load:.4g}",
                first=f"{mean(first, Metric.TTFT) * 1e3:.3g}",
                second=f"{mean(after, Metric.TTFT) * 1e3:.3g}",
            ),
            consequence=t("It still holds the warm-up and is kept out"),
            fix=t("Send warm-up requests before the first level, at least as many as the concurrency"),
        )
    ]


def _rates(run: Run) -> list[tuple[Stage, float]]:
    return [(stage, stage.achieved_rate) for stage in in_use(run) if stage.achieved_rate and not stage.open_loop]


def _throughput(run: Run) -> list[Finding]:
    rates = _rates(run)
    falls = [(lower, upper) for lower, upper in pairwise(rates) if upper[1] < (1.0 - FALLS) * lower[1]]
    if not falls:
        return []
    (low, before), (high, after) = min(falls, key=lambda pair: pair[1][1] / pair[0][1])
    far = after < (1.0 - FALLS_FAR) * before
    later = [rate for stage, rate in rates if (stage.load or 0.0) > (high.load or 0.0)]
    unstable = far and bool(later) and max(later) >= before
    return [
        Finding(
            code="sweep.unstable" if unstable else "sweep.throughput_falls",
            severity=Severity.WARNING if far else Severity.INFO,
            where=place(high, "request_throughput"),
            what=t(
                "Throughput falls with more load at {levels}, most from {before} to {after} requests/s"
                " between {low} and {high} (-{share})",
                levels=listed(upper for _, (upper, _) in falls),
                before=f"{before:.3g}",
                after=f"{after:.3g}",
                low=f"{low.load:.4g}",
                high=f"{high.load:.4g}",
                share=percent(1.0 - after / before),
            ),
            consequence=t("It rises again later: the machine was disturbed, and single levels say little")
            if unstable
            else t("The server thrashes or preempts at this load, or the measurement is noisy"),
            fix=t("Measure the levels around it again, each several times, on a quiet machine"),
        )
    ]


def _superlinear(run: Run) -> list[Finding]:
    slow = []
    for (low, before), (high, after) in pairwise(_rates(run)):
        load = math.log((high.load or 1.0) / (low.load or 1.0))
        rate = math.log(after / before)
        # On a dense grid a slope is mostly noise, so the excess has to be one as well.
        if load > 0.0 and rate > SUPERLINEAR * load and rate - load > FALLS:
            slow.append((low, rate / load))
    if not slow:
        return []
    worst, slope = max(slow, key=lambda pair: pair[1])
    return [
        Finding(
            code="sweep.superlinear",
            severity=Severity.INFO,
            where=place(worst, "request_throughput"),
            what=t(
                "From {levels} to the next level throughput grows faster than load (power {slope} at {worst})",
                levels=listed(stage for stage, _ in slow),
                slope=f"{slope:.2f}",
                worst=f"{worst.load:.4g}",
            ),
            consequence=t("The lower level was slowed by warm-up or by something else on the machine"),
            fix=t("Measure the lower level again after a warm-up"),
        )
    ]


def _latency_falls(run: Run) -> list[Finding]:
    falls = {
        metric: [high for low, high in pairs_with(in_use(run), metric) if _falls(low, high, metric)]
        for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E)
    }
    if run.kind is Kind.SIMULATED or not any(falls.values()):
        return []
    if falls[Metric.E2E] and not falls[Metric.TTFT] and not falls[Metric.TPOT]:
        return [_different_work(falls[Metric.E2E])]
    told = [f"{metric.value.upper()}: {listed(stages)}" for metric, stages in falls.items() if stages]
    first = next(stages[0] for stages in falls.values() if stages)
    return [
        Finding(
            code="sweep.latency_falls",
            severity=Severity.WARNING,
            where=place(first, "latency"),
            what=t("Mean latency falls with more load beyond chance at {told}", told="; ".join(told)),
            consequence=t("Levels disagree about the server; the range of the answer grows"),
            fix=t("Look for other work on the machine, a changed server or a missing warm-up, and repeat"),
        )
    ]


def _falls(low: Stage, high: Stage, metric: Metric) -> bool:
    drop = 1.0 - mean(high, metric) / mean(low, metric)
    noise = math.hypot(_error(low, metric), _error(high, metric))
    return drop > max(FALLS_FAR, SIGMAS * noise)


def _error(stage: Stage, metric: Metric) -> float:
    """Return the relative standard error of a mean, 0 where sd or n is unknown."""
    found = stage.statistics[metric]
    return CORRELATED * found.sd / (mean(stage, metric) * math.sqrt(found.n)) if found.sd and found.n else 0.0


def _different_work(stages: list[Stage]) -> Finding:
    return Finding(
        code="sweep.different_work",
        severity=Severity.WARNING,
        where=place(stages[0], "e2e"),
        what=t("E2E falls at {levels} while TTFT and TPOT do not", levels=listed(stages)),
        consequence=t("The levels ran different work: shorter answers, not a faster server"),
        fix=t("Fix the output length, or send the same requests at every level"),
    )


def _lengths(run: Run) -> list[Finding]:
    found = []
    for name, words in (("input_tokens_mean", t("prompt")), ("output_tokens_mean", t("answer"))):
        values = [value for stage in in_use(run) if (value := getattr(stage, name))]
        if values and max(values) > SAME_LENGTH * min(values):
            found.append(
                Finding(
                    code="sweep.lengths_differ",
                    severity=Severity.WARNING,
                    where=place(in_use(run)[0], name),
                    what=t(
                        "The mean {which} has {low} tokens at one level and {high} at another",
                        which=words,
                        low=f"{min(values):.4g}",
                        high=f"{max(values):.4g}",
                    ),
                    consequence=t("Part of the difference between levels is work, not load"),
                    fix=t("Send the same requests at every level, or enough of them to average out"),
                )
            )
    return found
