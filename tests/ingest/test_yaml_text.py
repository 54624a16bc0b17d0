"""YAML: plain values, and refusals with a line for everything that could hurt."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.yaml_text import yaml_document

# Odd line ends are folded by whoever writes YAML.
TEXT = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def read(text: str) -> object:
    return yaml_document(Upload("x.yaml", text.encode()))


@given(VALUES)
def test_what_a_tool_dumps_comes_back(value):
    assert read(yaml.safe_dump(value, allow_unicode=True)) == value


def test_words_that_only_look_like_values_stay_text():
    assert read("a: yes\nb: 2026-01-02\nc: '12'\nd: 1_000") == {"a": "yes", "b": "2026-01-02", "c": "12", "d": "1_000"}


def test_infinity_and_nan_in_yaml_spelling():
    found = read("[.inf, -.inf, .nan]")
    assert found[:2] == [math.inf, -math.inf]
    assert math.isnan(found[2])


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a: &x [1]\nb: *x", "ingest.not_yaml", 2),
        ("a: 1\n---\nb: 2", "ingest.not_yaml", 2),
        ("a: [1,\nb", "ingest.not_yaml", 3),
        ("[" * 300, "ingest.too_deep", 1),
        ("a: !!python/object:os.system x\nb: [", "ingest.not_yaml", 3),
    ],
)
def test_what_could_hurt_is_refused_with_its_line(text, code, line):
    with pytest.raises(RefusedFileError) as refused:
        read(text)
    assert (refused.value.code, refused.value.place.line) == (code, line)
