"""Quantiles of more values than fit in memory, with a relative error that is stated and holds for any data.

Values fall into buckets whose bounds grow by a constant factor, so that the middle of a bucket is
within `ALPHA` of everything in it; counts of two sketches add up to the sketch of both. Mean and
standard deviation are not sketched, they are exact.

Source: Masson, Rim, Lee 2019, DDSketch, VLDB 12(12), section 2: bucket = ceil(ln x / ln gamma).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.model.stage import FloatArray, Statistics

ALPHA = 0.001
"""Relative error of every quantile: 0.1 %."""

RULE = "sketch 0.1 %"
"""What `Statistics.rule` says of quantiles that come from a sketch."""

_GAMMA = (1.0 + ALPHA) / (1.0 - ALPHA)
_LOG_GAMMA = math.log(_GAMMA)
# Within a bucket (gamma^(i-1), gamma^i] this point is as far from either bound, relative to it.
_MIDDLE = 2.0 / (1.0 + _GAMMA)
_LEAST, _MOST = 1e-12, 1e30
"""Smaller values count as zero, larger ones as the largest: no clock gives them, and buckets stay few."""

IntArray = npt.NDArray[np.int64]
_FIRST = math.ceil(math.log(_LEAST) / _LOG_GAMMA)
_BUCKETS = math.ceil(math.log(_MOST) / _LOG_GAMMA) - _FIRST + 1


@dataclass(slots=True, eq=False)
class Sketch:
    """Counts by bucket, zeros apart; it grows by `add` and `merge` and never by the number of values.

    Attributes:
        counts: of each bucket, from that of the least value on.
        zeros: how many values were zero: logarithms know none.
        n: values in all.
        mean, squares: mean of the values, and their summed squared distances from it.
    """

    counts: IntArray = field(default_factory=lambda: np.zeros(_BUCKETS, dtype=np.int64))
    zeros: int = 0
    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, values: FloatArray) -> None:
        """Take in values >= 0, shape (m,); others and what is not finite are left out."""
        finite = values[np.isfinite(values) & (values >= 0.0)]
        if not finite.size:
            return
        above = finite[finite > _LEAST]
        index = np.ceil(np.log(np.minimum(above, _MOST)) / _LOG_GAMMA).astype(np.int64) - _FIRST
        self.counts += np.bincount(np.clip(index, 0, _BUCKETS - 1), minlength=_BUCKETS)
        self.zeros += int(finite.size - above.size)
        mean = float(finite.mean())
        self._weigh(int(finite.size), mean, float(np.square(finite - mean).sum()))

    def merge(self, other: Sketch) -> None:
        """Take in all values of another sketch; the order of merging does not matter."""
        self.counts += other.counts
        self.zeros += other.zeros
        self._weigh(other.n, other.mean, other.squares)

    def quantile(self, q: float) -> float:
        """Return the value of rank floor(q (n - 1)) within `ALPHA`, 0 where that is a zero.

        Raises:
            ValueError: nothing is in the sketch.
        """
        if not self.n:
            raise ValueError("an empty sketch has no quantiles")
        rank = math.floor(q * (self.n - 1)) - self.zeros
        if rank < 0:
            return 0.0
        bucket = int(np.searchsorted(np.cumsum(self.counts), rank, side="right"))
        return _MIDDLE * math.exp((bucket + _FIRST) * _LOG_GAMMA)

    def statistics(self, quantiles: Sequence[float], factor: float, n: int) -> Statistics:
        """Return mean, sd and quantiles in seconds.

        Args:
            quantiles: fractions.
            factor: seconds per unit of the values.
            n: what the statistics rest on.
        """
        return Statistics(
            mean=self.mean * factor,
            sd=math.sqrt(self.squares / self.n) * factor,
            n=n,
            quantiles={q: self.quantile(q) * factor for q in quantiles},
            rule=RULE,
        )

    def _weigh(self, n: int, mean: float, squares: float) -> None:
        """Join mean and squared distances of two parts (Chan, Golub, LeVeque 1983)."""
        if not n:
            return
        total = self.n + n
        apart = mean - self.mean
        self.squares += squares + apart * apart * self.n * n / total
        self.mean += apart * n / total
        self.n = total
