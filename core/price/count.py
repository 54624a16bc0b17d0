"""How many accelerators a bill is for."""

from __future__ import annotations

from core.model.price import Price
from core.model.run import Run


def accelerators(run: Run, price: Price) -> int | None:
    """Return how many accelerators the bill is for, None where nobody said.

    The person's count for the run goes first (both pools together where they gave two), then that of its
    conditions. With prefill and decode pools it is never fewer than both together: a file may count decode only,
    which would leave the other half of the bill out.
    """
    pools = next(((prefill, decode) for name, prefill, decode in price.pools if name == run.id), None)
    if pools is not None:
        return sum(pools)
    said = dict(price.accelerators).get(run.id)
    if said is not None:
        return said
    known = run.conditions
    if "accelerator_count" in run.asked and known.accelerator_count:
        return known.accelerator_count
    both = sum(recorded) if (recorded := recorded_pools(run)) else 0
    return max(known.accelerator_count or 0, both) or None


def recorded_pools(run: Run) -> tuple[int, int] | None:
    """Return the prefill and decode accelerators that the file names, None unless it names both."""
    known = run.conditions
    if known.prefill_accelerators is None or known.decode_accelerators is None:
        return None
    return known.prefill_accelerators, known.decode_accelerators


def has_pools(run: Run) -> bool:
    """Return whether prefill and decode run on accelerators of their own, as far as the file says."""
    known = run.conditions
    one = known.prefill_accelerators is not None or known.decode_accelerators is not None
    return one or "disagg" in (known.serving_mode or "").lower()
