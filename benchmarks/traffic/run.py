"""How often the range for other traffic holds the truth, on simulated deployments.

    python -m benchmarks.traffic.run [SEED COUNT]    (21 and 8; minutes)

compiles simulator.c (needs a C compiler), measures COUNT deployments of each kind of difference under one traffic, asks
for another, and compares with the simulated truth of that one. Writes results.md beside this file.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.traffic.simulate import HERE, KINDS, Case, cases
from core.decide.single import answer_target
from core.decide.traffic_bounds import carried_over
from core.decide.traffic_shift import shift_of
from core.fit.fit import fit_run
from core.model.answer import Capacity, Status
from core.model.metric import Metric
from core.model.target import Target

TARGETS = tuple(
    (metric, statistic)
    for metric, statistics in (
        (Metric.TTFT, ("mean", "p90", "p99")),
        (Metric.TPOT, ("mean", "p99")),
        (Metric.ITL, ("p99",)),
        (Metric.E2E, ("mean", "p99")),
    )
    for statistic in statistics
)
LIMITS = 3
UNSAFE = 1.05
_ANSWERED = (Status.WITHIN, Status.AT_LEAST)


@dataclass(frozen=True)
class Outcome:
    """One question: what was said as measured (plain) and for the other traffic, and what was true."""

    kind: str
    metric: Metric
    records: bool
    answered: bool
    inside: bool
    unsafe: bool
    width: float
    given_away: float
    plain_answered: bool
    plain_inside: bool
    plain_unsafe: bool


def outcomes(case: Case, rng: np.random.Generator) -> Iterator[Outcome]:
    """Yield every question about one deployment, without and with per-request records."""
    asked = [(name, limit, true) for name in TARGETS for limit, true in _limits(case, name, rng)]
    for records, run in ((False, case.run), (True, case.with_records)):
        fit = fit_run(run)
        shift, _ = shift_of(run, case.second.traffic(spread=records or case.kind == "spread"))
        for (metric, statistic), limit, true in asked:
            target = Target(metric, statistic, limit)
            plain = answer_target(fit, target, (target,))
            if plain.status is Status.CANNOT_TELL:
                continue
            ours = carried_over(fit, target, (target,), shift)
            yield _outcome(case, target, records=records, ours=ours, plain=plain, true=true)


def _limits(case: Case, name: tuple[Metric, str], rng: np.random.Generator) -> Iterator[tuple[float, float]]:
    """Yield limits that the second traffic reaches inside its range, and where."""
    load, value = case.truth.load, case.truth.curves[name]
    for place in rng.uniform(np.log(max(load[0], 2.0)), np.log(0.8 * load[-1]), LIMITS):
        limit = float(np.interp(place, np.log(load), value)) * 1.0000001
        after = int(np.searchsorted(value, limit, side="right"))
        if 0 < after < load.size:
            share = (limit - value[after - 1]) / max(value[after] - value[after - 1], 1e-12)
            yield limit, float(load[after - 1] + share * (load[after] - load[after - 1]))


def _outcome(case: Case, target: Target, *, records: bool, ours: Capacity, plain: Capacity, true: float) -> Outcome:
    low, high = _ends(ours)
    return Outcome(
        kind=case.kind,
        metric=target.metric,
        records=records,
        answered=ours.status in _ANSWERED,
        inside=_inside(ours, true),
        unsafe=_unsafe(case, target, ours),
        width=float(np.log(high / low)) if low and high else float("nan"),
        given_away=1.0 - (ours.safe or 0) / true if ours.status is Status.WITHIN else float("nan"),
        plain_answered=plain.status in _ANSWERED,
        plain_inside=_inside(plain, true),
        plain_unsafe=_unsafe(case, target, plain),
    )


def _ends(capacity: Capacity) -> tuple[float | None, float | None]:
    found = capacity.concurrency
    return (found.low, found.high) if found else (None, None)


def _inside(capacity: Capacity, true: float) -> bool:
    low, high = _ends(capacity)
    return (low is None or low <= true * 1.001) and (high is None or true <= high * 1.001)


def _unsafe(case: Case, target: Target, capacity: Capacity) -> bool:
    if not capacity.safe:
        return False
    value = np.interp(capacity.safe, case.truth.load, case.truth.curves[target.metric, target.statistic])
    return bool(value > UNSAFE * target.limit)


def _row(name: str, chosen: list[Outcome]) -> str:
    answered = [row for row in chosen if row.answered]
    plain = [row for row in chosen if row.plain_answered]
    shares = (
        1.0 - len(answered) / len(chosen),
        np.mean([row.inside for row in answered]),
        np.mean([row.unsafe for row in answered]),
        np.mean([row.plain_inside for row in plain]),
        np.mean([row.plain_unsafe for row in plain]),
        np.nanmedian([row.given_away for row in answered]),
    )
    factor = np.exp(np.nanmedian([row.width for row in answered]))
    cells = [name, f"{len(chosen):,}", *(f"{100 * share:.1f} %" for share in shares), f"{factor:.1f}"]
    return "| " + " | ".join(cells) + " |"


def table(rows: list[Outcome]) -> str:
    """Return what came out: of all questions, by what differs, by metric."""
    heads = (
        *("on", "questions", "cannot tell", "range holds", "safe number unsafe by > 5 %"),
        *("as measured: range holds", "as measured: unsafe by > 5 %", "safe number gives away", "range, high over low"),
    )
    parts = [("all", rows)]
    parts += [(kind, [row for row in rows if row.kind == kind]) for kind in KINDS]
    parts += [(metric.value, [row for row in rows if row.metric is metric]) for metric in dict(TARGETS)]
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    lines += [_row(name, chosen) for name, chosen in parts if any(row.answered for row in chosen)]
    return "\n".join(lines)


def document(rows: list[Outcome], deployments: int, command: str) -> str:
    """Return the page of results."""
    return f"""# Answers for traffic that was not measured

Made by `python -m benchmarks.traffic.{command}`: {deployments} simulated deployments (`simulator.c`), each measured
in a closed loop under one traffic and asked for another, whose truth is simulated too. What differs, by up to a factor
of 2: the mean *input*, the *output*, *both*; more cache *hits*, or *no hits* where the run had some; arrivals *at
random* or *bursty* (variance of the gaps 2 or 4 times that of arrivals at random); *spread*: lengths vary (or no longer
vary); *all*: a little of each. Limits are spread over the loads that the other traffic reaches.

* Range holds: share of the answers whose 90 % range holds the load at which the truth reaches the limit.
* Unsafe: share of the safe numbers at which the truth exceeds the limit by more than 5 %.
* As measured: the same for the answer that takes no notice of the difference.
* Gives away: median of 1 - safe number / truth. Range: median, where both ends are known.

## Summaries of levels only

{table([row for row in rows if not row.records])}

## With per-request records

{table([row for row in rows if row.records])}
"""


def main() -> None:
    seed, count = (int(text) for text in sys.argv[1:3]) if len(sys.argv) > 2 else (21, 8)
    rng, found = np.random.default_rng(seed), []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulator"
        subprocess.run(["cc", "-O2", "-o", program, HERE / "simulator.c", "-lm"], check=True)
        every = list(cases(program, seed, count))
    for case in every:
        found += list(outcomes(case, rng))
    text = document(found, len(every), f"run {seed} {count}")
    (HERE / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
