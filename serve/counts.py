"""What is counted while the app runs, in a registry of its own; `serve.metrics` tells it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

SCRIPT_S = (0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
REQUEST_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_SCRIPTS = Histogram("plimsoll_script_seconds", "Runs of a page's script", buckets=SCRIPT_S, registry=REGISTRY)
_ERRORS = Counter("plimsoll_script_errors", "Unexpected errors in a page's script", registry=REGISTRY)
_SAVES = Counter("plimsoll_saves", "Versions of scenarios that were saved", registry=REGISTRY)
_SHARES = Counter("plimsoll_shares_opened", "Shared links that were opened", registry=REGISTRY)
_REQUESTS = Counter(
    "plimsoll_http_requests", "Requests that were answered", ["place", "method", "status"], registry=REGISTRY
)
_LATENCY = Histogram(
    "plimsoll_http_request_seconds", "Time to answer a request", ["place"], buckets=REQUEST_S, registry=REGISTRY
)

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})


@contextmanager
def script() -> Iterator[None]:
    """Time one run of a page, also one that is stopped or fails."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        _SCRIPTS.observe(time.perf_counter() - begun)


def failed() -> None:
    """Count an unexpected error of a script."""
    _ERRORS.inc()


def saved() -> None:
    """Count a version that was saved."""
    _SAVES.inc()


def share_opened() -> None:
    """Count a shared link that was opened."""
    _SHARES.inc()


def answered(place: str, method: str, status: int, took_s: float) -> None:
    """Count a request.

    Args:
        place: its class, one of few.
        method: as sent; an invented one counts as "other", so that nobody can make the list long.
        status: of the answer, 101 for an accepted stream.
        took_s: seconds until the answer was complete.
    """
    _REQUESTS.labels(place, method if method in _METHODS else "other", str(status)).inc()
    if status != 101:
        _LATENCY.labels(place).observe(took_s)
