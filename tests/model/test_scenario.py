"""Names that people give."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.model.scenario import Scenario


def scenario(name="A", **values):
    return Scenario(
        name=name, runs=(), targets=(), price=None, answers=(), method_version="1", app_version="0", **values
    )


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  8 x H100 \n", "8 x H100"),
        ("a\x00b\x1bc\x7f", "abc"),
        ("one\ttwo\nthree", "one two three"),
        ("동시 요청 8개", "동시 요청 8개"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("👩‍💻", "👩‍💻"),
        ("half \ud800", "half"),
        ("x" * 120, "x" * 120),
    ],
)
def test_a_name_is_one_clean_line(given, kept):
    assert scenario(given).name == kept


@pytest.mark.parametrize(
    ("name", "code"), [("", "name_empty"), (" \n\x00 ", "name_empty"), ("x" * 121, "name_too_long")]
)
def test_a_name_that_cannot_be_shown_is_refused(name, code):
    with pytest.raises(UsageError) as refused:
        scenario(name)
    assert refused.value.code == f"scenario.{code}"


def test_notes_have_a_limit_and_keep_their_lines():
    assert scenario(notes="a\nb").notes == "a\nb"
    with pytest.raises(UsageError) as refused:
        scenario(notes="x" * 20_001)
    assert refused.value.code == "scenario.notes_too_long"
