"""How often the range for other traffic holds the truth, on simulated deployments.

    python -m benchmarks.traffic.run [SEED COUNT]

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
from core.fit.fit import Fit, fit_run
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
        shift, _ = shift_of(run, case.second.traffic())
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


def _table(rows: list[Outcome], names: list[str], of: str) -> str:
    heads = (
        *(of, "questions", "cannot tell", "range holds", "median ln width", "unsafe by > 5 %", "given away"),
        *("unadjusted: range holds", "unadjusted: unsafe"),
    )
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for name in names:
        chosen = [row for row in rows if name in (getattr(row, of), "all of these")]
        chosen = chosen or [row for row in rows if name == str(row.records)]
        answered = [row for row in chosen if row.answered]
        plain = [row for row in chosen if row.plain_answered]
        if chosen and answered and plain:
            cells = (
                1.0 - len(answered) / len(chosen),
                np.mean([row.inside for row in answered]),
                np.nanmedian([row.width for row in answered]),
                np.mean([row.unsafe for row in answered]),
                np.nanmedian([row.given_away for row in answered]),
                np.mean([row.plain_inside for row in plain]),
                np.mean([row.plain_unsafe for row in plain]),
            )
            shown = [f"{cell:.3f}" for cell in cells]
            lines.append("| " + " | ".join((str(name), f"{len(chosen):,}", *shown)) + " |")
    return "\n".join(lines)


def main() -> None:
    seed, count = (int(text) for text in sys.argv[1:3]) if len(sys.argv) > 2 else (11, 30)
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulator"
        subprocess.run(["cc", "-O2", "-o", program, HERE / "simulator.c", "-lm"], check=True)
        rows = [row for case in cases(program, seed, count) for row in outcomes(case, rng)]
    plain = [row for row in rows if not row.records]
    parts = [
        "all", _table(plain, ["all of these"], "kind"),
        "by kind", _table(plain, list(KINDS), "kind"),
        "by metric", _table(plain, ["ttft", "tpot", "itl", "e2e"], "metric"),
        "records", _table([row for row in rows if row.records], ["all of these", *KINDS, ], "kind"),
    ]
    print("\n\n".join(parts))


if __name__ == "__main__":
    main()
