"""What weakens the answer: where the doubt comes from, and findings with place and next step."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.finding import Finding, Severity
from core.present.doubts import Gathered, doubt_text, finding_text, gathered, place_line, reasons_text
from pages.parts.speech import heading, language, plain, say

ICONS = {
    Severity.ERROR: ":material/error:",
    Severity.WARNING: ":material/warning:",
    Severity.INFO: ":material/info:",
}
SHOWN = 3
"""Findings in view at once; the rest is one click away."""
MOST_PLACES = 12


def panel(answer: RunAnswer) -> None:
    """Draw the heading with the count, what weakens this answer, and the findings."""
    findings = answer.findings
    heading(title(findings))
    shares = doubt_text(answer.capacity.doubt, language())
    for text in (*((shares,) if shares else ()), *reasons_text(answer.capacity, language())):
        st.markdown(plain(text))
    if not findings:
        st.caption(say(t("Nothing was found that weakens the answer")))
    listed(findings, run=answer.run.label)


def listed(findings: Sequence[Finding], shown: int = SHOWN, run: str = "") -> None:
    """List findings of a run, the gravest first and equal ones once; beyond `shown` they are one click away."""
    every = gathered(findings)
    for each in every[:shown]:
        _one(each, run)
    if len(every) > shown:
        with st.expander(say(t("{count} more", count=len(every) - shown))):
            for each in every[shown:]:
                _one(each, run)


def _one(each: Gathered, run: str) -> None:
    st.markdown(f"{ICONS[each.finding.severity]} {plain(finding_text(each.finding, language()))}")
    place = place_line(each, language(), run)
    told = " · ".join(part for part in (place, each.finding.code) if part)
    st.caption(plain(told), help=plain(", ".join(each.places[:MOST_PLACES])) if len(each.places) > 1 else None)


def title(findings: Sequence[Finding]) -> Text:
    """Return the heading with the count."""
    count = len(findings)
    return t("Doubts (1 finding)") if count == 1 else t("Doubts ({count} findings)", count=count)
