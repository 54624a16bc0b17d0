"""What weakens the answer: where the doubt comes from, and findings with place and next step."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.finding import Finding, Severity
from core.present.doubts import doubt_text, finding_text, ordered, reasons_text
from pages.parts.speech import heading, language, plain, say

ICONS = {
    Severity.ERROR: ":material/error:",
    Severity.WARNING: ":material/warning:",
    Severity.INFO: ":material/info:",
}
SHOWN = 3
"""Findings in view at once; the rest is one click away."""


def panel(answer: RunAnswer) -> None:
    """Draw the heading with the count, what weakens this answer, and the findings."""
    findings = answer.findings
    heading(title(findings))
    shares = doubt_text(answer.capacity.doubt, language())
    for text in (*((shares,) if shares else ()), *reasons_text(answer.capacity, language())):
        st.markdown(plain(text))
    if not findings:
        st.caption(say(t("Nothing was found that weakens the answer")))
    gravest = ordered(findings)
    listed(gravest[:SHOWN])
    if len(gravest) > SHOWN:
        with st.expander(say(t("{count} more", count=len(gravest) - SHOWN))):
            listed(gravest[SHOWN:])


def listed(findings: Sequence[Finding]) -> None:
    """List findings in the order given."""
    for finding in findings:
        st.markdown(f"{ICONS[finding.severity]} {plain(finding_text(finding, language()))}")
        st.caption(plain(" · ".join(part for part in (str(finding.where), finding.code) if part)))


def title(findings: Sequence[Finding]) -> Text:
    """Return the heading with the count."""
    count = len(findings)
    return t("Doubts (1 finding)") if count == 1 else t("Doubts ({count} findings)", count=count)
