"""Workbooks: what they hold, and what hostile ones would do."""

import io
import re
import zipfile

import openpyxl
import pytest

from core.errors import RefusedFileError
from core.ingest import workbook_parts
from core.ingest.raw import Upload
from core.ingest.read import read_file

HEADER = ["concurrency", "ttft p99 (ms)"]


def saved(book):
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def simple(rows=((8, 5.5), (16, 9.25)), header=HEADER):
    book = openpyxl.Workbook()
    book.active.append(header)
    for row in rows:
        book.active.append(row)
    return saved(book)


def changed(data, name, change):
    """The workbook with one part of it changed."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            content = old.read(entry)
            new.writestr(entry, change(content) if re.fullmatch(name, entry) else content)
    return held.getvalue()


SHEET = r"xl/worksheets/sheet1\.xml"


def read(data):
    return read_file(Upload("t.xlsx", data))


def refused(data):
    with pytest.raises(RefusedFileError) as error:
        read(data)
    assert error.value.place.file == "t.xlsx"
    assert str(error.value.fix)
    return error.value.code


def test_numbers_keep_every_digit_and_their_point():
    values = [0.1, 1.146, 12.5, 1146.0, 0.125, 1e-7, 123456.789]
    raw = read(simple([(i + 1, value) for i, value in enumerate(values)]))
    assert [level.readings[0].value for level in raw.levels] == values


def test_a_cell_shown_in_per_cent_is_per_cent():
    book = openpyxl.Workbook()
    book.active.append([*HEADER, "requests", "Errors (%)"])
    for row in ((8, 5, 200, 0.005), (16, 9, 200, 0.02)):
        book.active.append(row)
    for row in (2, 3):
        book.active.cell(row, 4).number_format = "0.0%"
    assert [level.requests_failed for level in read(saved(book)).levels] == [1, 4]


def test_a_formula_is_read_by_the_value_that_was_saved_with_it():
    data = simple([(8, 5.5), (16, "=B2*2")])
    assert read(changed(data, SHEET, lambda xml: xml.replace(b"<f>B2*2</f><v></v>", b"<f>B2*2</f><v>11</v>").replace(
        b"<f>B2*2</f><v />", b"<f>B2*2</f><v>11</v>"))).levels[1].readings[0].value == 11.0  # fmt: skip


def test_a_hidden_sheet_and_an_empty_one_are_left_alone():
    book = openpyxl.Workbook()
    for row in (HEADER, (8, 5)):
        book.active.append(row)
    hidden = book.create_sheet("old")
    hidden.sheet_state = "hidden"
    for row in (HEADER, (8, 99)):
        hidden.append(row)
    book.create_sheet("empty")
    assert [level.readings[0].value for level in read(saved(book)).levels] == [5.0]


def test_each_sheet_is_a_configuration_and_may_name_its_load():
    book = openpyxl.Workbook()
    book.active.title = "concurrency 8"
    for row in (["model", "ttft p99 (ms)"], ("m", 5)):
        book.active.append(row)
    other = book.create_sheet("concurrency 16")
    for row in (["model", "ttft p99 (ms)"], ("m", 9)):
        other.append(row)
    raw = read(saved(book))
    assert [level.asked_concurrency for level in raw.levels] == [8.0, 16.0]
    assert [f.code for f in raw.findings] == ["ingest.load_from_title"] * 2


def test_merged_cells_hold_their_text_everywhere():
    book = openpyxl.Workbook()
    for row in (["model", *HEADER], ("m", 8, 5), (None, 16, 9), ("n", 8, 6)):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    assert [level.conditions["model"] for level in read(saved(book)).levels] == ["m", "m", "n"]


def test_a_cell_far_away_is_refused_before_the_room_between_is_made():
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    assert refused(changed(simple(), SHEET, lambda xml: xml.replace(b"</sheetData>", far))) == "ingest.too_large"


def test_a_far_cell_without_a_value_costs_nothing():
    far = b'<row r="1048576"><c r="XFD1048576" s="0"/></row></sheetData>'
    assert len(read(changed(simple(), SHEET, lambda xml: xml.replace(b"</sheetData>", far))).levels) == 2


def test_a_part_that_unfolds_into_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(workbook_parts, "_MOST_BYTES", 100_000)
    assert refused(changed(simple(), SHEET, lambda xml: xml + b" " * 200_000)) == "ingest.too_large"


def shared(data, text):
    """The workbook with every text of its rows replaced by one that they share, as Excel writes them."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            content = old.read(entry)
            if re.fullmatch(SHEET, entry):
                head, row, rest = content.partition(b'<row r="2"')
                cell = rb'<c r="\1" t="s"><v>0</v></c>'
                rest = re.sub(rb'<c r="(\w+)" t="inlineStr"[^>]*><is><t>[^<]*</t></is></c>', cell, rest)
                content = head + row + rest
            new.writestr(entry, content)
        new.writestr("xl/sharedStrings.xml", f"<sst><si><t>{text}</t></si></sst>")
    return held.getvalue()


def noted(rows=39):
    book = openpyxl.Workbook()
    book.active.append([*HEADER, "kind"])
    for load in range(1, rows + 1):
        book.active.append([load, 5, "a"])
    return saved(book)


def test_texts_that_cells_share_are_read():
    raw = read(shared(noted(3), "b"))
    assert {level.identity["kind"] for level in raw.levels} == {"b"}


def test_one_long_text_in_many_cells_is_refused(monkeypatch):
    monkeypatch.setattr(workbook_parts, "_MOST_TEXT", 500_000)
    assert refused(shared(noted(), "x" * 5_000)) == "ingest.too_large"


def test_entities_and_document_types_are_refused():
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    assert refused(changed(simple(), SHEET, lambda xml: bomb + xml.partition(b"?>")[2])) == "ingest.bad_workbook"


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml[:-40],
        lambda xml: b"",
        lambda xml: xml.replace(b'r="A1"', b'r="A0x"'),
        lambda xml: b"\xff\xfe" + xml,
    ],
)
def test_a_damaged_part_is_refused(change):
    data = simple()
    assert refused(changed(data, SHEET, change)) in ("ingest.bad_workbook", "ingest.no_table")


@pytest.mark.parametrize("data", [b"PK\x03\x04xl/", simple()[:900], simple()[:-30], b"PK\x03\x04" + b"xl/" * 400])
def test_a_workbook_that_was_cut_off_is_refused(data):
    assert refused(data) == "ingest.bad_workbook"


def test_a_block_merged_over_the_whole_sheet_does_not_fill_the_memory():
    merged = b'</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    data = changed(simple(), SHEET, lambda xml: xml.replace(b"</sheetData>", merged))
    assert refused(data) == "ingest.duplicate_column"


def test_too_many_rows_are_refused_in_words():
    assert refused(simple([(i + 1, 5) for i in range(2_001)])) == "ingest.too_large"
