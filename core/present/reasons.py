"""One clause for each reason that weakens an answer. The codes are given by `core.decide`."""

from __future__ import annotations

from core.i18n import Text, t

REASONS: dict[str, Text] = {}
"""Clauses without a full stop, by code; each reads well alone and after "Cannot tell TTFT p99:"."""


def reason_text(code: str) -> Text:
    """Return the clause of a code; an unknown one is named, so that it can be looked up."""
    known = REASONS.get(code)
    return known if known else t("the data do not support it ({code})", code=code)
