"""How often the shipped throughput band holds a level that was left out, with and without its neighbours' bounds.

    python -m benchmarks.accuracy.rate_coverage

The band's constants are of the fold that did not see the deployment. Prints a table; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.accuracy.questions import HERE, SETS, Task, tasks
from core.fit.constants import read_constants
from core.fit.fit import fit_stages
from core.fit.rate import RateCurve


class Unbounded(RateCurve):
    """The same band without what neighbouring levels allow."""

    def _possible(self, load: np.ndarray, _i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(load.shape), np.full(load.shape, np.inf)


def left_out(task: Task, kind: type[RateCurve]) -> Iterator[tuple[bool, float]]:
    """Yield whether each inner level lies inside the band of the others, and the band's ln width there."""
    scale = read_constants(HERE / "folds" / f"constants-{task.fold}.json").rate
    sweep = fit_stages(task.stages).sweep
    load, value = sweep.load, sweep.rate
    for i in range(1, load.size - 1):
        rest = np.arange(load.size) != i
        if rest.sum() < 3 or load[i + 1] / load[i - 1] > 16.0 or not np.isfinite(value).all():
            continue
        noise = fit_stages([s for s, keep in zip(sweep.stages, rest, strict=True) if keep]).restless
        low, _, high = kind(load[rest], value[rest], noise, scale).at(load[i : i + 1])
        yield bool(low[0] <= value[i] <= high[0]), float(np.log(high[0] / low[0]))


def main() -> None:
    print("| on | bounds | n | coverage | median width | p90 width |\n| --- | --- | ---: | ---: | ---: | ---: |")
    for dataset in SETS:
        for name, kind in (("without", Unbounded), ("with", RateCurve)):
            inside, width = np.array([row for task in tasks(dataset) for row in left_out(task, kind)]).T
            middle, far = np.quantile(width, [0.5, 0.9])
            print(f"| {dataset} | {name} | {inside.size} | {inside.mean():.3f} | {middle:.3f} | {far:.3f} |")


if __name__ == "__main__":
    main()
