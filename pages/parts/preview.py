"""The memo as it will lie on the table, as a picture of its one page."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.i18n import t
from core.present.report.memo_parts import Memo
from pages.parts import downloads
from pages.parts.downloads import Parcel
from pages.parts.speech import say, say_raw

KEPT_PAGES = 50
KEPT_S = 3600
DOTS_PER_INCH = 130


def page(parcel: Parcel, key: str) -> None:
    """Draw the one page of the memo; it is set again only where something on it is another."""
    with st.container(key=key, border=True):
        memo = downloads.memo(parcel)
        with st.spinner(say(t("Setting the page …")), show_time=False):
            st.image(_picture(_fingerprint(memo), parcel.paper, memo), width="stretch", caption=None)
        st.caption(say(t("One page, as the PDF prints it")))
        _words(memo)


def _words(memo: Memo) -> None:
    """Say what the picture says, for those who do not see it."""
    with st.expander(say_raw(t("What the page says, as text")), icon=":material/article:"):
        for saying in memo.sayings:
            st.text("\n".join(part for part in (saying.label, saying.candidate, saying.first, *saying.lines) if part))


def _fingerprint(memo: Memo) -> str:
    """Return what tells two memos apart: every word, the chart's picture in words and numbers, the brand."""
    chart = memo.chart.figure.chart.to_json() if memo.chart else ""
    return hashlib.sha256(f"{memo!r}{chart}".encode()).hexdigest()


@st.cache_resource(max_entries=KEPT_PAGES, ttl=KEPT_S, show_spinner=False)
def _picture(key: str, paper: str, _memo: Memo) -> bytes:  # noqa: ARG001 - part of the key
    from core.present.report.pdf import PaperSize, memo_png

    return memo_png(_memo, PaperSize(paper), DOTS_PER_INCH)
