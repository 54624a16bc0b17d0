"""AIPerf's records of speech: RTFx of single requests, turned round one by one. docs/formats/aiperf.md.

RTFx is seconds of audio over seconds of request latency, so that RTF of a request is its inverse, exactly; only
a mean over requests cannot be turned round.
"""

from __future__ import annotations

import numpy as np

from core.ingest.raw import Reading
from core.model.metric import Metric, quantile_name
from core.model.stage import FloatArray

_QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999)


def speech_readings(rtfx: FloatArray) -> tuple[Reading, ...]:
    """Return mean, standard deviation (of the population) and quantiles (linear) of RTF; none without a rate.

    Args:
        rtfx: of good requests, shape (n,), NaN where a request has none.
    """
    known = rtfx[np.isfinite(rtfx) & (rtfx > 0.0)]
    if not known.size:
        return ()
    rtf = 1.0 / known
    values = {"mean": float(rtf.mean()), "sd": float(rtf.std())}
    values |= {quantile_name(q): float(np.quantile(rtf, q)) for q in _QUANTILES}
    return tuple(Reading(Metric.RTF, name, value, "ratio", "rtfx") for name, value in values.items())
