"""From the safe number to the limit that a router or gateway is to be given.

Three numbers are kept apart: how many requests are admitted (here), how many of those the engine
runs at once (its batch limit), and how many replicas there are (a condition of the run).
"""

from __future__ import annotations

import numpy as np

from core.decide.cause import reads_apart
from core.fit.fit import Fit
from core.model.admission import Admission, Waits
from core.model.answer import Capacity
from core.model.metric import Metric
from core.model.run import Run


def admission_limit(run: Run, fit: Fit, capacity: Capacity) -> Admission:
    """Return the limit to configure, for each replica where their number is known.

    Args:
        run: replicas and the engine's batch limit are read from its conditions.
        fit: the same run; it tells at which load the running batch was full.
        capacity: of the whole set of targets; nothing is given without a safe number above zero.
    """
    replicas = run.conditions.replicas or None
    endpoint = capacity.safe or None
    per_replica = endpoint // replicas if endpoint and replicas else None
    batch = _batch_limit(fit, replicas or 1)
    full_at = fit.knee / (replicas or 1) if fit.knee else None
    # The batch limit is of one server: beside an unknown number of them it compares with nothing.
    runs_at_most = min((x for x in (batch if replicas else None, full_at) if x), default=None)
    limit = per_replica if replicas else endpoint
    waits, waiting = _waits(fit, limit, runs_at_most)
    found = {
        "admission.replicas_unknown": endpoint is not None and replicas is None,
        "admission.below_one_per_replica": per_replica == 0,
        "admission.batch_limit_unknown": batch is None and not _is_varied(fit),
        "admission.batch_limit_varied": _is_varied(fit),
        "admission.waits_in_engine": waits is Waits.ENGINE,
        "admission.pools": reads_apart(run),
        "admission.ranks": (run.conditions.dp or 1) > 1,
    }
    return Admission(
        endpoint=endpoint,
        replicas=replicas,
        per_replica=per_replica or None,
        batch_limit=batch,
        full_at=full_at,
        waits=waits,
        waiting=waiting,
        reasons=tuple(code for code, holds in found.items() if holds),
    )


def _waits(fit: Fit, limit: int | None, runs_at_most: float | None) -> tuple[Waits, int | None]:
    """Return where requests wait when `limit` are admitted, and how many of those wait inside the engine."""
    if not limit:
        return Waits.UNKNOWN, None
    if runs_at_most is not None:
        waiting = max(limit - round(runs_at_most), 0)
        return (Waits.ENGINE if waiting else Waits.ROUTER), waiting
    # A queue shows in TTFT against the rate: where both are known and no level shows one, there is none.
    seen = np.isfinite(fit.sweep.rate) & np.isfinite(fit.sweep.middle(Metric.TTFT))
    return (Waits.ROUTER, 0) if int(seen.sum()) > 1 else (Waits.UNKNOWN, None)


def _batch_limit(fit: Fit, replicas: int) -> int | None:
    """Return the setting of one replica: the fit holds that of all together."""
    return round(fit.max_num_seqs / replicas) if fit.max_num_seqs and not _is_varied(fit) else None


def _is_varied(fit: Fit) -> bool:
    """Return True where the levels ran with different batch limits: the file then has no single one."""
    return len({stage.max_num_seqs for stage in fit.sweep.stages if stage.max_num_seqs}) > 1
