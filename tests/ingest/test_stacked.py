"""Tables stacked in one CSV file, and where they are cut off."""

from __future__ import annotations

import dataclasses

import pytest

from core.errors import RefusedFileError
from core.ingest import stacked
from core.ingest.raw import Upload
from core.ingest.stacked import statistics_of, tables_of
from core.settings import LIMITS

TEXT = (
    'Metric,avg,p99\r\nTime to First Token (ms),"1,146.31",2.5\r\n\r\n'
    "Metric,Value\r\nRequest Count,3\r\n\r\nMetric,GPU,Value\r\nPower (W),gpu0,7\r\n"
)


def refused(text: str) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as error:
        statistics_of(tables_of(Upload("a.csv", text.encode())), "a.csv", {})
    return error.value


def test_tables_are_parted_by_blank_lines_and_rows_know_their_line():
    tables = tables_of(Upload("a.csv", TEXT.encode()))
    assert [[line for line, _ in table] for table in tables] == [[1, 2], [4, 5], [7, 8]]


def test_rows_are_read_by_name_and_those_of_accelerators_are_not_among_them():
    rows = statistics_of(tables_of(Upload("a.csv", TEXT.encode())), "a.csv", {"request_count": "count"})
    assert set(rows) == {"time_to_first_token", "count"}
    assert rows["time_to_first_token"].number("avg") == 1146.31
    assert rows["time_to_first_token"].text("unit") == "ms"
    assert rows["count"].number("avg") == 3.0
    assert rows["count"].place.line == 5


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TEXT[:-2], 8),
        (TEXT.replace(",2.5", ""), 2),
        # A quote that stays open is only known at the end.
        (TEXT.replace('31"', "31"), 8),
    ],
)
def test_a_table_that_ends_early_is_refused_with_its_line(text, line):
    found = refused(text)
    assert (found.code, found.place.line) == ("ingest.truncated", line)


def test_too_many_rows_are_refused(monkeypatch):
    monkeypatch.setattr(stacked, "LIMITS", dataclasses.replace(LIMITS, csv_rows=3))
    assert refused(TEXT).code == "ingest.too_large"
