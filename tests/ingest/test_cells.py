"""Cells as people write them: what is a value, what is a bound, what is a failure."""

import pytest

from core.ingest.cells import cell_of, marks_in


@pytest.mark.parametrize(
    ("text", "mark", "number"),
    [
        ("2265.07 ± 142.42", ".", 2265.07), ("0.5s +/- 0.1s", ".", 0.5), ("8 (onnx fp32)", ".", 8.0),
        ("~120", ".", 120.0), ("≈ 12,5 ms", ",", 12.5), ("약 120", ".", 120.0), ("约120", ".", 120.0),
        ("120*", ".", 120.0), ("1200¹", ".", 1200.0), ("1 146,31", ",", 1146.31), ("1'146.31", ".", 1146.31),
        ("1’146", ".", 1146.0),
        ("1\u00a0146\u00a0ms", ".", 1146.0), ("１２", ".", 12.0), ("−5", ".", -5.0), ("120 (ms)", ".", 120.0),
        ("120 [ms]", ".", 120.0), ("2129s", ".", 2129.0), ("1,146.31 ms", ".", 1146.31), ("1e-3", ".", 0.001),
    ],
)  # fmt: skip
def test_a_number_is_found_among_what_stands_around_it(text, mark, number):
    found = cell_of(text, mark)
    assert found.number == number
    assert not found.failed
    assert not found.bound


@pytest.mark.parametrize(
    "text",
    ["<5", "< 5 ms", "1200+", "1200+ ms", "≥ 30", ">=30", "50 이상", "100 미만", "超过 30", "30以上", "up to 50"],
)
def test_a_bound_is_no_value(text):
    found = cell_of(text, ".")
    assert found.bound
    assert found.number is None


@pytest.mark.parametrize(
    "text",
    ["OOM", "oom", "CUDA OOM", "Out of memory", "timeout", "Timed out", "time-out", "error", "Error 503", "FAILED",
     "fail", "crashed", "✗", "❌", "超时", "失败", "显存不足", "시간 초과", "타임아웃", "실패", "메모리 부족",
     "OOM (exit 137)"],
)  # fmt: skip
def test_a_failure_is_neither_a_number_nor_missing(text):
    found = cell_of(text, ".")
    assert found.failed
    assert found.number is None


@pytest.mark.parametrize("text", ["", "-", "—", "N/A", "n.a.", "#N/A", "#DIV/0!", "...", "无", "없음", "TBD", "null"])
def test_missing_is_written_in_many_ways(text):
    assert cell_of(text, ".").text == ""


@pytest.mark.parametrize("text", ["∞", "inf", "不限", "무제한"])
def test_unlimited_is_written_in_many_ways(text):
    assert cell_of(text, ".").text == "inf"


@pytest.mark.parametrize("text", ["fast", "2025-01-01", "8xH100", "1,14,6", "3 (2) (1)", "oomph", "12;5", "5 ± many"])
def test_other_words_are_words(text):
    found = cell_of(text, ".")
    assert found.is_words
    assert found.text == text


def test_a_note_and_a_spread_are_kept_apart_from_the_number():
    assert cell_of("16 (fp8)", ".").note == "fp8"
    found = cell_of("12,5 ± 0,3 ms", ",")
    assert (found.text, found.spread, found.unit) == ("12.5", "0.3", "ms")


def test_decorated_numbers_prove_a_decimal_mark_too():
    assert marks_in(["12,5 ± 0,3"]) == {","}
    assert marks_in(["~1.25 (x)"]) == {"."}
    assert marks_in(["1,146", "1 146", "OOM"]) == set()
