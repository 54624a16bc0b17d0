"""Tables of words: every column of the frame is drawn, whatever its name, and what is unknown is a dash."""

from __future__ import annotations

import pandas as pd
import pytest
import streamlit as st

from pages.parts.speech import JOINER
from pages.parts.table import boxed, plain_table


@pytest.fixture
def drawn(monkeypatch):
    """Catch the frames that Streamlit is given."""
    caught = []
    monkeypatch.setattr(st, "table", lambda frame, **_: caught.append(frame))
    return caught


def test_columns_whose_names_look_alike_are_all_drawn(drawn):
    """A mark of direction is not drawn, so that both runs are called the same where they stand."""
    frame = pd.DataFrame(
        [["Safe number", "10", "20"], ["Stopped by", None, "*TTFT*"]], columns=["", "run", "run\u202e"]
    )
    plain_table(frame)
    (shown,) = drawn
    assert shown.to_numpy().tolist() == [["10", "20"], ["–", r"\*TTFT\*"]]
    assert [name.replace(JOINER, "") for name in shown.columns] == ["run", "run"]
    assert shown.columns.is_unique
    assert list(shown.index) == ["Safe number", "Stopped by"]


def test_numbers_and_absent_cells_of_every_kind_are_words(drawn):
    boxed(
        pd.DataFrame({"a": ["x", "y", "z"], "b": pd.Series([1, None, 3], dtype="Int64"), "c": [1.5, float("nan"), 2.0]})
    )
    (shown,) = drawn
    assert shown.to_numpy().tolist() == [["1", r"1\.5"], ["–", "–"], ["3", r"2\.0"]]
    assert shown.index.name == "a"
