"""Findings that several formats share, word for word."""

from __future__ import annotations

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric


def none_completed(place: Place) -> Finding:
    """Return the finding of a level without one good request."""
    return Finding(
        code="ingest.none_completed",
        severity=Severity.ERROR,
        where=place,
        what=t("No request of this level was completed"),
        consequence=t("Its zeros are treated as unknown: nothing was measured"),
        fix=t("Look into the server's log and measure this level again"),
    )


def no_load(place: Place) -> Finding:
    """Return the finding of a level whose load nobody wrote down."""
    return Finding(
        code="ingest.no_load",
        severity=Severity.WARNING,
        where=place,
        what=t("Neither the file nor its name says at which load this was measured"),
        consequence=t("Its place on the load axis is taken from what was measured, where that is known"),
        fix=t(
            "Send the other files of the same run too, or name the file or its folder like {example}",
            example="concurrency_16",
        ),
    )


def not_measured(place: Place, metric: Metric) -> Finding:
    """Return the finding of a metric that a tool writes as nothing but zeros."""
    return Finding(
        code="ingest.not_measured",
        severity=Severity.WARNING,
        where=place,
        what=t("{metric} was not measured: answers came in one piece or had one token", metric=metric.value),
        consequence=t("Its zeros are treated as unknown"),
        fix=t("Measure again with streaming on and more than one output token"),
    )


def system_rtfx(place: Place, rtfx: float) -> Finding:
    """Return the finding of a speech rate that is the whole run's, not a request's."""
    return Finding(
        code="ingest.system_rtfx",
        severity=Severity.INFO,
        where=place,
        what=t("rtfx is {rtfx}: seconds of audio per second of the whole run", rtfx=f"{rtfx:.4g}"),
        consequence=t("It is not used: a target on rtf judges single requests"),
    )
