"""A table of ours: never Markdown, always with alternative text, as CSV where asked."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.i18n import Text, t
from core.present.tables import rounded, safe_csv
from pages.parts import keys
from pages.parts.speech import say, say_raw


def table(frame: pd.DataFrame, key: str, alt: Text, *, download: bool = False) -> None:
    """Draw a frame under its own header names."""
    draw_table(frame, key, say_raw(alt))
    if download:
        download_csv(frame, key)


def draw_table(frame: pd.DataFrame, key: str, alt: str) -> None:
    """Draw a frame with numbers short enough to read; what is unknown is a dash."""
    st.dataframe(rounded(frame), hide_index=True, key=key, alt=alt, placeholder="–")


def download_csv(frame: pd.DataFrame, key: str) -> None:
    """Offer what a table shows as CSV, with formulas made harmless."""
    st.download_button(
        say(t("Numbers as CSV")),
        data=lambda: safe_csv(frame),
        file_name=f"plimsoll-{key}.csv",
        mime="text/csv",
        key=keys.of(keys.DOWNLOAD, key),
        on_click="ignore",
        icon=":material/download:",
    )
