"""What weakens the answer: findings with their place, consequence and next step."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import t
from core.model.finding import Finding, Severity
from pages.parts.speech import plain, say

ICONS = {
    Severity.ERROR: ":material/error:",
    Severity.WARNING: ":material/warning:",
    Severity.INFO: ":material/info:",
}
SHOWN = 4
"""Findings in view at once; the rest is one click away."""
RANK = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def doubts(findings: Sequence[Finding]) -> None:
    """List findings, the gravest first; what only informs stands behind them."""
    for finding in sorted(findings, key=lambda found: RANK.index(found.severity)):
        parts = [say(part) for part in (finding.what, finding.consequence, finding.fix) if part]
        st.markdown(f"{ICONS[finding.severity]} {'. '.join(parts)}.")
        st.caption(plain(" · ".join(part for part in (str(finding.where), finding.code) if part)))


def title(findings: Sequence[Finding]) -> str:
    """Return the heading with the count."""
    return say(t("Doubts ({count} findings)", count=len(findings)))


def panel(findings: Sequence[Finding]) -> None:
    """Draw the heading with the count, and the findings under it."""
    st.markdown(f"**{title(findings)}**")
    if not findings:
        st.caption(say(t("Nothing was found that weakens the answer")))
    doubts(findings[:SHOWN])
    if len(findings) > SHOWN:
        with st.expander(say(t("{count} more", count=len(findings) - SHOWN))):
            doubts(findings[SHOWN:])
