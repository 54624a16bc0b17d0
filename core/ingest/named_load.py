"""The load of a file whose content does not say it: from its name or a folder's, always marked."""

from __future__ import annotations

from core.errors import Place
from core.ingest.names import concurrency_in, from_name, rate_in
from core.ingest.notices import no_load
from core.model.finding import Finding


def named_load(place: Place) -> tuple[float | None, float | None, tuple[Finding, ...]]:
    """Return asked concurrency, asked rate, and the finding that says where they come from or that nobody says.

    >>> named_load(Place("conc16/prediction.json"))[:2], named_load(Place("qps2.5/request_metrics.csv"))[:2]
    ((16.0, None), (None, 2.5))
    """
    name = place.file or ""
    rate = rate_in(name)
    if rate is not None:
        return None, rate, (from_name(place, "request_rate", rate),)
    concurrency = concurrency_in(name)
    if concurrency is not None:
        return concurrency, None, (from_name(place, "concurrency", concurrency),)
    return None, None, (no_load(place),)
