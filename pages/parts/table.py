"""A table of ours: never Markdown, always with alternative text, as CSV where asked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.i18n import Text, t
from core.present.tables import rounded, safe_csv
from pages.parts import keys
from pages.parts.speech import say, say_raw


def table(
    frame: pd.DataFrame, key: str, alt: Text, *, download: bool = False, widths: Mapping[str, int] | None = None
) -> None:
    """Draw a frame under its own header names; `widths` are pixels by column."""
    draw_table(frame, key, say_raw(alt), widths)
    if download:
        download_csv(frame, key)


def draw_table(frame: pd.DataFrame, key: str, alt: str, widths: Mapping[str, int] | None = None) -> None:
    """Draw a frame with numbers short enough to read; what is unknown is a dash."""
    columns = {name: st.column_config.Column(width=width) for name, width in (widths or {}).items()}
    st.dataframe(rounded(frame), hide_index=True, key=key, alt=alt, placeholder="–", column_config=columns)


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
