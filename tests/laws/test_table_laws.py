"""Whatever is done to a table, reading it gives levels or a refusal; how it is laid out does not matter."""

import math
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.formats import aiconfigurator, generic_csv
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.read import read_file
from core.ingest.table import table_of
from core.normalise.runs import runs_of
from tests.ingest.golden_files import GOLDEN

WHOLE = [path.read_bytes() for path in sorted(GOLDEN.glob("generic_csv/*/input.*"))]
WHOLE += [path.read_bytes() for path in sorted(GOLDEN.glob("aiconfigurator/*/input.*"))]

COLUMNS = {
    "Model": ["m", "m", "n", "n"],
    "concurrency": ["8", "16", "8", "16"],
    "ttft_p99_ms": ["412.5", "875", "500", "1320"],
    "Mean TPOT (ms)": ["21.5", "24.75", "33", "38.5"],
    "itl p95 [ms]": ["48.2", "71", "77", "-"],
    "E2E mean (s)": ["4.25", "5.5", "6.75", "8.125"],
    "completed": ["400", "398", "400", "400"],
    "osl": ["200", "200", "200", "200"],
}


def text_of(columns, rows=range(4), delimiter=","):
    lines = [columns, *([COLUMNS[name][row] for name in columns] for row in rows)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def read(text):
    return read_file(Upload("t.csv", text.encode()))


def facts(raw):
    """What a file says, without where it stood."""
    return {
        (level.asked_concurrency, level.requests_good, level.output_tokens_mean, *sorted(level.conditions.items())): (
            {(r.metric, r.statistic): (r.value, r.unit) for r in level.readings},
            dict(level.identity),
        )
        for level in raw.levels
    }


def read_or_refusal(importer, upload):
    try:
        return importer.read(upload) if importer else read_file(upload)
    except RefusedFileError as error:
        return error


def check(importer, upload):
    found = read_or_refusal(importer, upload)
    if isinstance(found, RefusedFileError):
        assert found.place.file == upload.name
        assert str(found.fix)
        return
    assert isinstance(found, RawFile)
    assert found.levels
    for level in found.levels:
        assert level.asked_concurrency is None or level.asked_concurrency > 0.0
        assert all(0.0 <= reading.value < math.inf for reading in level.readings)
        assert all(str(finding.what) for finding in level.findings)


@given(st.sampled_from(WHOLE), st.data())
def test_a_table_with_changed_bytes_is_read_or_refused(whole, data):
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    upload = Upload("t.csv", whole[:start] + data.draw(st.binary(max_size=10)) + whole[end:])
    for importer in (None, generic_csv, aiconfigurator):
        check(importer, upload)


@given(st.sampled_from(WHOLE), st.integers(0, 6000))
def test_a_table_that_was_cut_off_is_read_or_refused(whole, offset):
    check(None, Upload("t.csv", whole[:offset]))


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_a_refusal(text):
    upload = Upload("t.csv", text.encode("utf-8", "replace"))
    check(generic_csv, upload)
    assert 0.0 <= generic_csv.match(Head("t.csv", upload.data)) <= 0.3


@given(st.binary(max_size=200))
def test_sniffing_never_raises(data):
    assert generic_csv.match(Head("t", data)) >= 0.0
    assert aiconfigurator.match(Head("t", data)) >= 0.0


cell = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), max_size=8)


@given(st.lists(st.lists(cell, min_size=len(COLUMNS), max_size=len(COLUMNS)), min_size=1, max_size=4))
def test_a_cell_may_hold_anything(rows):
    quoted = "".join(",".join('"' + text.replace('"', '""') + '"' for text in row) + "\n" for row in rows)
    check(None, Upload("t.csv", (",".join(COLUMNS) + "\n" + quoted).encode()))


@given(st.permutations(list(COLUMNS)), st.permutations(range(4)), st.sampled_from(",;\t"))
def test_the_order_of_columns_and_rows_and_the_delimiter_do_not_matter(columns, rows, delimiter):
    assert facts(read(text_of(columns, rows, delimiter))) == facts(read(text_of(list(COLUMNS))))


@given(st.sets(st.sampled_from(sorted(COLUMNS)), min_size=1))
def test_every_subset_of_columns_is_read_or_refused_for_what_is_missing(names):
    columns = [name for name in COLUMNS if name in names]
    latency = any(mark in name for name in columns for mark in ("(ms)", "_ms", "[ms]", "(s)"))
    if "concurrency" in columns and latency:
        assert len(read(text_of(columns)).levels) == 4
    else:
        with pytest.raises(RefusedFileError):
            read(text_of(columns))


times = st.lists(st.floats(0.001, 1000.0).map(lambda v: round(v, 6)), min_size=3, max_size=3)


@given(times, times, times)
def test_seconds_and_milliseconds_are_the_same_numbers(ttft, tpot, e2e):
    def table(unit, scale):
        lines = [f"concurrency,ttft_p99_{unit},mean_tpot_{unit},e2e_p95_{unit}"]
        lines += [
            f"{2**i},{a * scale!r},{b * scale!r},{c * scale!r}"
            for i, (a, b, c) in enumerate(zip(ttft, tpot, e2e, strict=True))
        ]
        return runs_of([read("\n".join(lines) + "\n")])

    (in_seconds,), (in_ms,) = table("s", 1.0), table("ms", 1000.0)
    for one, other in zip(in_seconds.stages, in_ms.stages, strict=True):
        assert one.statistics.keys() == other.statistics.keys()
        for metric, known in one.statistics.items():
            twin = other.statistics[metric]
            assert twin.quantiles == pytest.approx(known.quantiles, rel=1e-9)
            assert twin.mean == (known.mean if known.mean is None else pytest.approx(known.mean, rel=1e-9))


@given(st.floats(0.001, 99_999.0).map(lambda v: round(v, 3)))
def test_a_number_is_the_same_in_every_locale(value):
    assume(value > 0.0)
    english = f"{value:,.3f}"
    german = english.replace(",", "_").replace(".", ",").replace("_", ".")
    # The second column settles the decimal mark where three decimals could be thousands.
    for text, delimiter, other in ((english, ",", "0.5"), (german, ";", "0,5")):
        raw = read(
            f'concurrency{delimiter}ttft_p99_ms{delimiter}tpot_p99_ms\n8{delimiter}"{text}"{delimiter}"{other}"\n'
        )
        found = {reading.metric.value: reading.value for reading in raw.levels[0].readings}
        assert found == {"ttft": pytest.approx(value), "tpot": 0.5}


@given(st.lists(st.lists(cell, min_size=2, max_size=5), min_size=1, max_size=6))
def test_every_row_is_as_wide_as_its_header_or_the_table_is_refused(rows):
    upload = Upload(
        "t.csv", "".join(",".join(f'"{c.replace(chr(34), "")}"' for c in row) + "\n" for row in rows).encode()
    )
    with suppress(RefusedFileError):
        found = table_of(upload)
        assert all(len(row.cells) == len(found.header) for row in found.rows)
        assert [row.line for row in found.rows] == sorted({row.line for row in found.rows})
