"""Several runs on the Plan page: names are read to their end, only what stops a run is named, words stay whole."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.compare.compare import compare
from core.compare.quantity import Question
from pages.parts.overview import ROW_PX, _row_height, leader_first
from pages.parts.speech import JOINER
from pages.parts.table import unbroken
from tests.compare.test_compare import EVERYTHING, answers_of
from tests.pages.conftest import calm

HEAD = "engine,concurrency,ttft_p99_ms,num_requests"
RISING = ((1, 50), (4, 80), (16, 150), (64, 480), (128, 1400))


def two_runs():
    """One run that TTFT stops between 64 and 128, one that stays far below its limit up to 128."""
    rows = [f"alpha,{load},{ttft},900" for load, ttft in RISING]
    rows += [f"beta,{load},{ttft / 10:g},900" for load, ttft in RISING]
    return "\n".join([HEAD, *rows, ""]).encode()


@pytest.mark.parametrize(
    ("code", "stopped", "unknown", "open_above"),
    [
        ("en", "Stopped by", "Unknown conditions", "nothing up to 128"),
        ("ko", "목표를 넘게 하는 지표", "모르는 조건", "128까지 없음"),
    ],
)
def test_the_table_of_runs_names_only_what_stops_a_run(visit, code, stopped, unknown, open_above):
    app = visit(t=["ttft-p99-500ms"], lang=code)
    app.file_uploader[0].upload("two.csv", two_runs(), "text/csv")
    frame = calm(app.run()).dataframe[0].value
    assert sorted(frame[stopped]) == sorted(["TTFT p99", open_above])
    assert frame.columns[-1] == unknown
    assert pd.api.types.is_integer_dtype(frame[unknown])


def test_rows_grow_with_the_longest_name_and_not_without_end():
    assert _row_height(("tiny-llama · vLLM",)) == ROW_PX
    assert ROW_PX < _row_height(("a", "b" * 40)) < _row_height(("b" * 90,))
    assert _row_height(("b" * 400,)) == _row_height(("b" * 4000,))
    assert _row_height(("가" * 15,)) > _row_height(("a" * 15,))


@given(st.text(alphabet="가나다 ab()·", max_size=30))
def test_joined_syllables_keep_every_letter_and_every_space(text):
    joined = unbroken(text)
    assert joined.replace(JOINER, "") == text
    assert not any(JOINER in (word[0], word[-1]) for word in joined.split())


def test_a_korean_word_is_one_piece():
    assert unbroken("출처 a") == f"출{JOINER}처 a"
    assert unbroken("Known from") == "Known from"


def test_the_leader_comes_first_only_where_one_may_be_named():
    answers = answers_of({}, {"gpu": "8xH200", "slower": 0.7})
    assert leader_first(answers, compare(answers, Question(), EVERYTHING))[0].run.id == answers[1].run.id
    assert leader_first(answers, compare(answers, Question())) == answers
    close = answers_of({}, {"gpu": "8xH200", "slower": 0.995})
    assert leader_first(close, compare(close, Question(), EVERYTHING)) == close
