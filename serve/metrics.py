"""What the metrics say, and who may read them."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

import streamlit as st
from prometheus_client import generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope
from streamlit import runtime

from core import VERSION
from core.fit.method import METHOD
from core.serving import Serving
from core.store.readiness import Readiness
from serve.counts import REGISTRY
from serve.hosts import is_own_name
from serve.peers import is_local

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SESSIONS = "active_sessions"
"""Streamlit's own count of sessions."""


def refusal(scope: Scope, settings: Serving) -> Response | None:
    """Return the refusal of somebody who may not read the metrics, None for one who may.

    With a token whoever has it may. Without one, programs on this machine may that ask for themselves: neither
    through a proxy nor as a page in a browser that came under another name.
    """
    headers = Headers(scope=scope)
    if settings.metrics_token:
        kind, _, said = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and hmac.compare_digest(said.strip().encode(), settings.metrics_token.encode()):
            return None
        return PlainTextResponse("A token is needed", status_code=401, headers={"WWW-Authenticate": "Bearer"})
    if is_local(scope) and is_own_name(headers.get("host")):
        return None
    return PlainTextResponse("Only this machine may read this; see PLIMSOLL_METRICS_TOKEN", status_code=403)


def text(state: Readiness) -> bytes:
    """Return all metrics in Prometheus' text format; `state` is what the database just said."""
    return generate_latest(REGISTRY) + generate_latest(_Now(state))


class _Now(Collector):
    """What is not counted but looked up."""

    def __init__(self, state: Readiness) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the moment."""
        yield GaugeMetricFamily("plimsoll_sessions", "Sessions with an open page", value=_sessions())
        up = self._state not in (Readiness.UNREACHABLE, Readiness.UNUSABLE)
        yield GaugeMetricFamily("plimsoll_database_up", "The database answers", value=up)
        ready = self._state is Readiness.READY
        yield GaugeMetricFamily("plimsoll_database_ready", "The database has this version's tables", value=ready)
        build = {"version": VERSION, "method": METHOD, "streamlit": st.__version__}
        yield InfoMetricFamily("plimsoll_build", "What is running", value=build)


def _sessions() -> float:
    if not runtime.exists():
        return 0.0
    found = runtime.get_instance().stats_mgr.get_stats(family_names=[_SESSIONS]).get(_SESSIONS, ())
    return float(sum(stat.value for stat in found if hasattr(stat, "value")))
