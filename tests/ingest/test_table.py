"""Text tables: delimiters, encodings, decimal marks, damage, limits."""

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Head, Upload
from core.ingest.table import header_of, number_text, table_of


def table(text, encoding="utf-8", **limits):
    data = text if isinstance(text, bytes) else text.encode(encoding)
    return table_of(Upload("t.csv", data), **limits)


def refused(text, **limits):
    with pytest.raises(RefusedFileError) as error:
        table(text, **limits)
    return error.value


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_delimiter_line_end_and_encoding_are_found_by_looking(delimiter, line_end, encoding):
    text = line_end.join([delimiter.join(["동시성", "ttft (ms)"]), delimiter.join(["1", "2.5"]), ""])
    found = table(text, encoding)
    assert found.header == ("동시성", "ttft (ms)")
    assert [(row.line, row.cells) for row in found.rows] == [(2, ("1", "2.5"))]
    assert found.delimiter == delimiter


def test_line_numbers_survive_blank_lines_comments_and_line_ends_inside_quotes():
    found = table('# made by hand\n\na,b\n\n1,"two\nlines"\n\n3,4\n')
    assert found.line == 3
    assert [row.line for row in found.rows] == [5, 8]


def test_empty_cells_that_a_spreadsheet_adds_are_no_columns():
    found = table("a,b,,\n1,2,,\n3,4,,,\n")
    assert found.header == ("a", "b")
    assert found.column(1) == ("2", "4")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("a,b\n1,2\n3\n", "ingest.ragged_row", 3),
        ("a,b\n1,2,3\n", "ingest.ragged_row", 2),
        ("a,b\n1,1,146.31\n", "ingest.ragged_row", 2),
        ("a,A\n1,2\n", "ingest.duplicate_column", 1),
        ('a,b\n1,2\n3,"4\n', "ingest.bad_table", 3),
        ("a,b\n", "ingest.no_rows", None),
        ("a,b\n1,\udc81\n".encode("utf-8", "surrogateescape"), "ingest.encoding", None),
    ],
)
def test_damage_is_refused_with_its_line(text, code, line):
    error = refused(text)
    assert error.code == code
    assert error.place.line == line
    assert error.place.file == "t.csv"


def test_too_many_rows_and_columns_are_refused_before_parsing():
    assert refused("a,b\n" + "1,2\n" * 11, max_rows=10).code == "ingest.too_large"
    assert refused(",".join(f"c{i}" for i in range(2001)) + "\n1\n").code == "ingest.too_large"


def test_a_missing_line_end_is_noticed():
    assert table("a,b\n1,2\n").complete
    assert not table("a,b\n1,2").complete


@pytest.mark.parametrize(
    ("cells", "delimiter", "mark"),
    [
        (["12,5", "1.146,31"], ";", ","),
        (["12.5", "1,146.31"], ";", "."),
        (["1,146", "2,000"], ";", ","),
        (["1,146", "2,000"], ",", "."),
        (["1,146", "2,5"], ",", ","),
        (["12.5", "7"], ";", "."),
        (["0,125"], "\t", ","),
        (["1,146 ms"], "\t", "."),
        (["12,5 ms"], "\t", ","),
    ],
)
def test_the_decimal_mark_is_found_per_column(cells, delimiter, mark):
    rows = "".join(f'x{delimiter}"{cell}"\n' for cell in cells)
    assert table(f"name{delimiter}value\n{rows}").decimal_marks[1] == mark


def test_a_version_with_a_point_does_not_disturb_decimal_commas_beside_it():
    found = table("version;ttft;n\n0.24;12,5;1.146\n0.25;13,5;2.200\n")
    assert found.decimal_marks == (".", ",", ",")


@pytest.mark.parametrize(
    ("cell", "mark", "number", "unit"),
    [
        ("1,146.31", ".", "1146.31", ""),
        ("1.146,31", ",", "1146.31", ""),
        ("1\u00a0146,31", ",", "1146.31", ""),
        ("-2.5e-3", ".", "-2.5e-3", ""),
        ("412 ms", ".", "412", "ms"),
        ("0,4s", ",", "0.4", "s"),
        ("98.5%", ".", "98.5", "%"),
        ("12,5", ".", "12,5", ""),
        ("1,14,6", ".", "1,14,6", ""),
        ("OOM", ".", "OOM", ""),
        ("8xH100", ".", "8xH100", ""),
        ("", ".", "", ""),
    ],
)
def test_a_number_is_read_as_its_column_writes_it(cell, mark, number, unit):
    assert number_text(cell, mark) == (number, unit)


@pytest.mark.parametrize(
    "sample",
    [
        b"",
        b'{"a": 1, "b": 2}',
        b"[1, 2]",
        b"<html>,",
        b"one column\n1\n",
        b"\x1f\x8b\x08",
        b'"open,quote\n',
        b"\xff\xfe",
    ],
)
def test_what_is_no_table_has_no_header(sample):
    assert header_of(Head("x", sample)) == ()


def test_a_head_may_end_inside_a_character():
    assert header_of(Head("x", "동시성,지연\n1,가".encode()[:-1])) == ("동시성", "지연")
