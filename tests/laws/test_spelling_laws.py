"""The same levels in any spelling read back as the same numbers: delimiter, encoding, marks, units, layout, type."""

import io
import string

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.raw import Upload
from core.ingest.read import read_file

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
SPELLINGS = {
    "concurrency": ["concurrency", "Max Concurrency", "동시 요청 수", "동시성", "并发数", "# users", "최대 동시성"],
    "ttft_mean": ["Mean TTFT", "ttft_mean", "평균 첫 토큰 지연", "平均首字延迟", "TTFT avg"],
    "ttft_p99": ["TTFT p99", "p99_ttft", "첫 토큰 지연 p99", "首token延迟 P99", "99th percentile TTFT"],
    "tpot_mean": ["mean TPOT", "평균 토큰당 지연 시간", "平均每token延迟", "time per output token (mean)"],
    "completed": ["completed", "성공 건수", "成功请求数", "Successful requests"],
}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp949"]


@st.composite
def sweeps(draw):
    """Levels with distinct loads; times in ms with at most three decimals."""
    loads = draw(st.lists(st.integers(1, 5000), min_size=1, max_size=5, unique=True))
    time = st.integers(1, 9_999_999).map(lambda n: n / 1000)
    return [
        {
            "concurrency": load,
            "ttft_mean": draw(time),
            "ttft_p99": draw(time),
            "tpot_mean": draw(time),
            "completed": draw(st.integers(1, 10**7)),
        }
        for load in loads
    ]


@st.composite
def spellings(draw):
    """How a table is written; only combinations that people can read themselves."""
    decimal = draw(st.sampled_from(",."))
    kind = draw(st.sampled_from(["text", "markdown", "xlsx"]))
    return {
        "kind": kind,
        "delimiter": draw(st.sampled_from(",;\t")),
        "encoding": draw(st.sampled_from(ENCODINGS)),
        "decimal": decimal,
        "thousands": draw(st.sampled_from(["", " ", "'", ".", ","]).filter(lambda mark: mark != decimal)),
        "unit": draw(st.sampled_from(sorted(SECONDS))),
        "unit_place": draw(st.sampled_from(["header", "cell", "row"])),
        "transposed": draw(st.booleans()),
        "names": {key: draw(st.sampled_from(options)) for key, options in SPELLINGS.items()},
        "title": draw(st.sampled_from(["", "Night run of chat-70b"])),
        "line_end": draw(st.sampled_from(["\n", "\r\n"])),
    }


def number(value, how, digits=4):
    """A number as a person writes it; always with decimals, so that no point can be taken for thousands."""
    text = f"{value:_.{digits}f}" if digits else f"{value:_d}"
    whole, _, decimals = text.partition(".")
    whole = whole.replace("_", how["thousands"])
    return f"{whole}{how['decimal']}{decimals}" if decimals else whole


def rows_of(levels, how):
    """Header rows and data rows as text."""
    times = ("ttft_mean", "ttft_p99", "tpot_mean")
    unit, place = how["unit"], how["unit_place"]
    header = [
        f"{how['names'][key]} ({unit})" if key in times and place == "header" else how["names"][key]
        for key in SPELLINGS
    ]
    units = [[unit if key in times else "" for key in SPELLINGS]] if place == "row" else []
    data = [
        [
            (number(level[key] / 1000 / SECONDS[unit], how, 7) + (f" {unit}" if place == "cell" else ""))
            if key in times
            else str(level[key])
            for key in SPELLINGS
        ]
        for level in levels
    ]
    rows = [header, *units, *data]
    return [list(row) for row in zip(*rows, strict=True)] if how["transposed"] else rows


def written(levels, how):
    """The file, and its name."""
    rows = rows_of(levels, how)
    if how["kind"] == "markdown":
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + "---|" * len(rows[0]))
        text = f"# {how['title']}\n\n" + "\n".join(lines) + "\n"
        return Upload("t.md", text.encode())
    if how["kind"] == "xlsx":
        book = openpyxl.Workbook()
        if how["title"]:
            book.active.append([how["title"]])
        for row in rows:
            book.active.append(row)
        held = io.BytesIO()
        book.save(held)
        return Upload("t.xlsx", held.getvalue())
    quoted = [[f'"{cell}"' if set(cell) & set(",;\t") else cell for cell in row] for row in rows]
    lines = [how["delimiter"].join(row) for row in quoted]
    title = [how["title"]] if how["title"] else []
    text = how["line_end"].join([*title, *lines, ""])
    try:
        return Upload("t.csv", text.encode(how["encoding"]))
    except UnicodeEncodeError:  # Chinese short forms are not in CP949
        return Upload("t.csv", text.encode())


def seconds(reading):
    return reading.value * SECONDS[reading.unit]


@settings(deadline=None)
@given(sweeps(), spellings())
def test_every_spelling_of_a_sweep_reads_the_same(levels, how):
    raw = read_file(written(levels, how))
    assert raw.format_id == "generic_csv"
    found = {level.asked_concurrency: level for level in raw.levels}
    assert sorted(found) == sorted(level["concurrency"] for level in levels)
    for level in levels:
        got = found[level["concurrency"]]
        assert got.requests_good == level["completed"]
        read = {f"{r.metric.value}_{r.statistic}": seconds(r) for r in got.readings}
        wanted = {key: level[key] / 1000 for key in ("ttft_mean", "ttft_p99", "tpot_mean")}
        assert read == {key: pytest.approx(value, rel=1e-3, abs=1e-7) for key, value in wanted.items()}


@settings(deadline=None)
@given(sweeps())
def test_a_workbook_of_numbers_is_read_to_the_last_digit(levels):
    book = openpyxl.Workbook()
    book.active.append(["concurrency", "ttft mean (ms)", "ttft p99 (ms)", "tpot mean (ms)", "completed"])
    for level in levels:
        book.active.append(list(level.values()))
    held = io.BytesIO()
    book.save(held)
    raw = read_file(Upload("t.xlsx", held.getvalue()))
    read = [[level.asked_concurrency, *(r.value for r in level.readings), level.requests_good] for level in raw.levels]
    assert read == [list(level.values()) for level in levels]


words = st.text(string.ascii_letters + " -", min_size=1, max_size=12)


@settings(deadline=None)
@given(sweeps(), st.lists(words, max_size=3), words)
def test_titles_above_and_notes_below_change_nothing(levels, titles, note):
    table = "concurrency,ttft_p99_ms\n" + "".join(f"{x['concurrency']},{x['ttft_p99']}\n" for x in levels)
    above = "".join(f"# {title}\n" for title in titles)
    plain, framed = (read_file(Upload("t.csv", text.encode())) for text in (table, f"{above}{table}\n* {note}\n"))
    values = [[[r.value for r in level.readings] for level in raw.levels] for raw in (plain, framed)]
    assert values[0] == values[1]
