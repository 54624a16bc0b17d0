"""A table of ours: never Markdown, always with alternative text, as CSV where asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from core.i18n import Text, t
from core.present.tables import FORMULA_STARTS, rounded, safe_csv
from pages.parts import keys
from pages.parts.speech import JOINER, plain, say, say_raw

Frame = pd.DataFrame | Callable[[], pd.DataFrame]

_AMOUNT = re.compile(r"[-+]\d[\d.,\s]*[\w/% ]*")
"""A number with its unit: a spreadsheet may read it, and nothing happens."""
_SYLLABLES = re.compile(r"(?<=[\uac00-\ud7a3])(?=[\uac00-\ud7a3])")


def table(
    frame: pd.DataFrame,
    key: str,
    alt: Text,
    *,
    download: bool = False,
    widths: Mapping[str, int] | None = None,
    helps: Mapping[str, str] | None = None,
    row_height: int | None = None,
    whole: bool = False,
) -> None:
    """Draw a frame under its own header names; `widths` are pixels and `helps` tooltips by column.

    Words go on in a second line where `row_height`, in pixels, has room for one. With `whole` every row is in view.
    """
    draw_table(frame, key, say_raw(alt), widths, helps, row_height=row_height, whole=whole)
    if download:
        download_csv(frame, key)


def draw_table(
    frame: pd.DataFrame,
    key: str,
    alt: str,
    widths: Mapping[str, int] | None = None,
    helps: Mapping[str, str] | None = None,
    *,
    row_height: int | None = None,
    whole: bool = False,
) -> None:
    """Draw a frame with numbers short enough to read; what is unknown is a dash."""
    wide, told = widths or {}, helps or {}
    columns = {
        name: st.column_config.Column(width=wide.get(name), help=plain(told[name]) if name in told else None)
        for name in dict.fromkeys((*wide, *told))
    }
    st.dataframe(
        inert(rounded(frame)),
        hide_index=True,
        key=key,
        alt=alt,
        placeholder="–",
        column_config=columns,
        row_height=row_height,
        height="content" if whole else "auto",
    )


def wrapped(frame: pd.DataFrame) -> None:
    """Draw a frame of words whose cells take the lines that they need, its first column as headings between the rows.

    Nothing in it is read as Markdown.
    """
    shown = frame.fillna("").map(plain).rename(columns=plain)
    # A long value would squeeze the short columns beside it until each of their syllables stood on its own line.
    last = shown.columns[-1]
    shown = shown.assign(**{last: shown[last].map(unbroken)}).rename(columns=unbroken)
    group, *columns = shown.columns
    parts = []
    for title, rows in shown.groupby(group, sort=False):
        heading = dict.fromkeys(columns, "") | {columns[0]: f"**{title}**"}
        parts += [pd.DataFrame([heading]), rows[columns]]
    together = pd.concat(parts, ignore_index=True)
    st.table(together.set_index(columns[0]), border="horizontal")


def plain_table(frame: pd.DataFrame) -> None:
    """Draw a frame of words whose cells take the lines that they need; nothing in it is read as Markdown."""
    _draw_words(frame, lambda cell: plain(cell) or JOINER, lambda name: plain(name) or JOINER)


def boxed(frame: pd.DataFrame) -> None:
    """Draw a frame of a few short words with lines between its columns too; nothing in it is read as Markdown."""
    _draw_words(frame, plain, plain, border=True)


def _draw_words(
    frame: pd.DataFrame,
    cell: Callable[[str], str],
    name: Callable[[str], str],
    *,
    border: bool | Literal["horizontal"] = "horizontal",
) -> None:
    """Draw a frame of words with its first column as names of the rows; what is unknown is a dash."""
    # Cell by cell in lists, by place: pandas would make every column of words anew with each change, and two names that
    # differ in what nobody sees are one where they are drawn.
    cells = [[cell("–" if _absent(one) else str(one)) for one in frame.iloc[:, at]] for at in range(frame.shape[1])]
    first, *names = (name(str(column)) for column in frame.columns)
    shown = pd.DataFrame(dict(enumerate(cells[1:])), index=pd.Index(cells[0], name=first, dtype="object"))
    st.table(shown.set_axis(_apart(names), axis="columns"), border=border)


def _apart(names: Sequence[str]) -> list[str]:
    """Return names of columns none of which is another one: Streamlit draws no table with two alike."""
    return [each + JOINER * names[:at].count(each) for at, each in enumerate(names)]


def _absent(one: object) -> bool:
    return one is None or one is pd.NA or one != one  # noqa: PLR0124 - NaN alone is unlike itself


def words(frame: pd.DataFrame, key: str, as_file: Frame | None = None) -> None:
    """Draw a frame of short words whose cells take the lines that they need, also on a telephone; and as CSV.

    Nothing in it is read as Markdown. Its first column names the rows.

    Args:
        frame: what is drawn.
        key: of the download.
        as_file: the same rows with numbers as numbers; the frame itself without it.
    """
    _draw_words(frame, lambda cell: unbroken(plain(cell)), plain)
    download_csv(frame if as_file is None else as_file, key)


def inert(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose texts are no formulas in a file either: the grid's own button for one escapes nothing.

    A joiner before the sign that begins a formula is not to be seen, and keeps a spreadsheet from reading one.
    """
    texts = frame.select_dtypes(exclude=["number", "bool"]).columns
    # Almost no table has such a text, and making a column anew takes longer than looking through it.
    acting = [name for name in texts if any(map(_acts, frame[name].tolist()))]
    changed = {name: frame[name].map(_inert, na_action="ignore").astype(frame[name].dtype) for name in acting}
    shown = frame.assign(**changed) if changed else frame
    return shown.rename(columns=_inert) if any(map(_acts, shown.columns)) else shown


def _acts(text: object) -> bool:
    return isinstance(text, str) and text.startswith(FORMULA_STARTS) and not _AMOUNT.fullmatch(text)


def _inert(text: object) -> object:
    return f"{JOINER}{text}" if _acts(text) else text


def unbroken(text: str) -> str:
    """Return text whose lines break between words only: a browser may else break Korean behind every syllable."""
    return _SYLLABLES.sub(JOINER, text)


def download_csv(frame: Frame, key: str) -> None:
    """Offer what a table shows as CSV, with formulas made harmless; one that is called is made once it is asked for."""
    st.download_button(
        say(t("Numbers as CSV")),
        data=lambda: safe_csv(frame() if callable(frame) else frame),
        file_name=f"plimsoll-{key}.csv",
        mime="text/csv",
        key=keys.of(keys.DOWNLOAD, key),
        on_click="ignore",
        icon=":material/download:",
    )
