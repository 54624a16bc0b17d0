"""Sniffing: what the first bytes show is worked out once, and costs a few steps a byte whatever they are."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import RefusedFileError
from core.ingest import columns, header
from core.ingest.cells import cell_of
from core.ingest.formats import generic_csv, generic_requests
from core.ingest.importer import UNSURE, choose, ranked
from core.ingest.peek import json_paths
from core.ingest.raw import Head
from core.ingest.registry import IMPORTERS
from core.settings import LIMITS

HEAD = Head("file.csv", b"a,b\n1,2\n")


def importer(label, score, *, generic=False):
    asked = []

    def match(head):
        asked.append(head)
        return score

    return SimpleNamespace(FORMAT_ID=label, LABEL=label, GENERIC=generic, match=match, asked=asked)


def test_importers_of_any_table_are_not_asked_where_a_tool_is_sure():
    tool, table = importer("tool", 0.9), importer("table", UNSURE, generic=True)
    assert choose(ranked([table, tool], HEAD), HEAD) is tool
    assert not table.asked


def test_importers_of_any_table_are_asked_where_no_tool_is_sure():
    tool, table = importer("tool", 0.1), importer("table", UNSURE, generic=True)
    assert choose(ranked([tool, table], HEAD), HEAD) is table


def test_each_importer_is_asked_once():
    every = [importer("one", 0.2), importer("two", 0.1), importer("table", UNSURE, generic=True)]
    choose(ranked(every, HEAD), HEAD)
    assert [len(one.asked) for one in every] == [1, 1, 1]


def test_two_that_are_equally_sure_are_refused_by_name():
    every = [importer("one", 0.9), importer("two", 0.9)]
    with pytest.raises(RefusedFileError, match="one and two") as refused:
        choose(ranked(every, HEAD), HEAD)
    assert refused.value.code == "ingest.ambiguous_format"


@pytest.mark.parametrize("head", [HEAD, Head("x.xlsx", b"PK\x03\x04xl/"), Head("x.parquet", b"PAR1")])
def test_an_importer_of_any_table_is_never_surer_than_a_tool_has_to_be(head):
    generic = [one for one in IMPORTERS if getattr(one, "GENERIC", False)]
    assert generic == [generic_csv, generic_requests]
    assert max(one.match(head) for one in generic) <= UNSURE


@pytest.mark.parametrize(
    ("sample", "paths"),
    [
        (b'{"a": {"b": {"c": {"d": {"e": 1}}}}}', {"a", "a.b", "a.b.c"}),
        (b'{"a": 1, "b": "still open, "c": 2', {"a", "b"}),
        (b'{"a \\" b": 1, "c": "x\\', {'a \\" b', "c"}),
        (b'{"a": [[[[[[{"b": 1}]]]]]], "c": 1}', {"a", "c"}),
        (b'{"a": {}}, {"b": 1}', {"a"}),
    ],
)
def test_keys_are_told_down_to_a_depth_and_a_string_that_is_open_ends_the_sample(sample, paths):
    assert json_paths(sample) == paths


def test_the_same_bytes_are_looked_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr("core.ingest.peek._fill", lambda levels, sample: looked.append(sample))
    sample = b'{"seen": "once"}'
    for depth in (1, 2, 3, 1):
        json_paths(bytes(bytearray(sample)), depth)
    assert looked == [sample]


def test_steps_below_the_depth_are_not_spelt_out():
    # Spelt out, 60 000 lists in each other would take 1.8 GB.
    assert json_paths(b'{"a":' + b"[" * 60_000) == {"a"}


def test_a_column_is_named_by_words_not_by_a_page():
    page = "p99 " * 20_000
    assert header.parsed(page) == header.parsed(page[: LIMITS.name_chars])
    assert columns.column_of(3, page).index == 3


def test_a_cell_as_long_as_a_page_is_no_number():
    page = "1" + " " * 50_000 + "1"
    assert cell_of(page, ".").number is None
    assert cell_of(page, ".").is_words
