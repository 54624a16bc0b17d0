"""One clause for each reason that weakens an answer or keeps a level out of it.

The codes are given by `core.decide` and `core.check`; a test compares the lists.
"""

from __future__ import annotations

import re

from core.i18n import Text, t

REASONS: dict[str, Text] = {}
"""Clauses without a full stop, by code; each reads well alone and after "Cannot tell TTFT p99:"."""

EXCLUSIONS: dict[str, Text] = {}
"""Why a rule keeps a level out of the fit, by code."""

_CODE = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+")


def reason_text(code: str) -> Text:
    """Return the clause of a code; an unknown one is named, so that it can be looked up."""
    known = REASONS.get(code)
    return known if known else t("the data do not support it ({code})", code=code)


def exclusion_text(reason: str) -> Text:
    """Return why a level is left out: a rule's clause, or what a person wrote, as it is."""
    known = EXCLUSIONS.get(reason)
    if known:
        return known
    if _CODE.fullmatch(reason):
        return t("left out by rule ({code})", code=reason)
    return t("left out: {reason}", reason=reason)
