"""A table of ours: never Markdown, always with alternative text, as CSV where asked."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.i18n import Text, t
from core.present.tables import rounded, safe_csv
from pages.parts import keys
from pages.parts.speech import plain, say, say_raw


def table(
    frame: pd.DataFrame,
    key: str,
    alt: Text,
    *,
    download: bool = False,
    widths: Mapping[str, int] | None = None,
    helps: Mapping[str, str] | None = None,
) -> None:
    """Draw a frame under its own header names; `widths` are pixels and `helps` tooltips by column."""
    draw_table(frame, key, say_raw(alt), widths, helps)
    if download:
        download_csv(frame, key)


def draw_table(
    frame: pd.DataFrame,
    key: str,
    alt: str,
    widths: Mapping[str, int] | None = None,
    helps: Mapping[str, str] | None = None,
) -> None:
    """Draw a frame with numbers short enough to read; what is unknown is a dash."""
    wide, told = widths or {}, helps or {}
    columns = {
        name: st.column_config.Column(width=wide.get(name), help=plain(told[name]) if name in told else None)
        for name in dict.fromkeys((*wide, *told))
    }
    st.dataframe(rounded(frame), hide_index=True, key=key, alt=alt, placeholder="–", column_config=columns)


def wrapped(frame: pd.DataFrame) -> None:
    """Draw a frame of words whose cells take the lines that they need, its first column as headings between the rows.

    Nothing in it is read as Markdown.
    """
    shown = frame.fillna("").map(plain).rename(columns=plain)
    group, *columns = shown.columns
    parts = []
    for title, rows in shown.groupby(group, sort=False):
        heading = dict.fromkeys(columns, "") | {columns[0]: f"**{title}**"}
        parts += [pd.DataFrame([heading]), rows[columns]]
    together = pd.concat(parts, ignore_index=True)
    st.table(together.set_index(columns[0]), border="horizontal")


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
