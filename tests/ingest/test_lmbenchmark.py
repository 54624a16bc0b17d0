"""LMBenchmark's and fmperf's tables: what their golden files do not show."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from tests.ingest.golden_files import golden_bytes

HEADER = "prompt_tokens,generation_tokens,ttft,generation_time,launch_time,finish_time\n"
NAME = "LMBench_sharegpt_output_1.34.csv"


def rows(count: int, every: float) -> str:
    return "".join(f"100.0,11.0,0.25,1.0,{1000 + i * every},{1001.25 + i * every}\n" for i in range(count))


def read(text: str, name: str = NAME):
    return read_file(Upload(name, text.encode()))


def codes(level) -> list[str]:
    return [finding.code for finding in level.findings]


@pytest.mark.parametrize(
    ("name", "rate", "concurrency"),
    [
        ("a/LMBench_long_input_output_0.25.csv", 0.25, None),
        ("LMBench_sharegpt_output_100.csv", 100.0, None),
        ("summary_qps10.csv", 10.0, None),
        ("qps2.5/summary.csv", 2.5, None),
        ("users4/summary.csv", None, 4.0),
        ("summary.csv", None, None),
    ],
)
def test_the_load_comes_from_the_name_and_is_marked(name, rate, concurrency):
    level = read(HEADER + rows(3, 1.0), name).levels[0]
    assert (level.asked_rate, level.asked_concurrency) == (rate, concurrency)
    assert ("ingest.from_file_name" if rate or concurrency else "ingest.no_load") in codes(level)


@pytest.mark.parametrize(("kept", "said"), [(96, False), (100, False), (94, True), (40, True)])
def test_rows_that_lack_are_said_with_their_numbers(kept, said):
    # 1.34 a second for 100 / 1.34 s make about 101 due, whatever lies between the first and the last.
    window = 100 / 1.34
    level = read(HEADER + rows(kept, window / (kept - 1))).levels[0]
    assert ("lmbenchmark.requests_missing" in codes(level)) is said
    if said:
        text = str(next(f for f in level.findings if f.code == "lmbenchmark.requests_missing").what)
        assert f"{kept} requests" in text
        assert "101" in text
        assert level.applied_rate is None


def test_a_last_row_that_was_cut_inside_its_last_number_is_refused():
    whole = (HEADER + rows(3, 1.0)).rstrip("\n")
    assert read(whole).levels[0].requests_good == 3
    with pytest.raises(RefusedFileError) as refused:
        read(whole[:-3])
    assert refused.value.code == "ingest.truncated"
    assert refused.value.place.line == 4


def test_a_digit_that_was_changed_is_seen():
    whole = HEADER + rows(4, 1.0)
    assert "lmbenchmark.times_disagree" not in codes(read(whole).levels[0])
    level = read(whole.replace("1001.25", "1001.85", 1)).levels[0]
    assert "lmbenchmark.times_disagree" in codes(level)
    assert "1 of 4" in str(level.findings[-1].what)


def test_a_cell_that_is_no_number_is_refused_with_its_line():
    with pytest.raises(RefusedFileError) as refused:
        read(HEADER + rows(1, 1.0) + "100.0,11.0,slow,1.0,1000.0,1001.25\n")
    assert (refused.value.code, refused.value.place.line, refused.value.place.field) == (
        "ingest.not_a_number",
        3,
        "ttft",
    )


def test_a_request_without_an_end_is_not_good_and_one_token_has_no_tpot():
    text = HEADER + rows(1, 1.0) + "100.0,1.0,0.5,0.0,1001.0,1001.5\n100.0,,,,1002.0,\n"
    requests = read(text + rows(1, 1.0)).levels[0].requests
    assert requests.good.tolist() == [True, True, False, True]
    assert np.isnan(requests.tpot[1])
    assert np.isnan(requests.ttft[2])


def test_questions_and_answers_in_further_columns_are_not_kept():
    header = HEADER.replace("\n", ",agentID,input,output\n")
    assert "secret" not in repr(read(header + rows(1, 1.0).replace("\n", ",7,secret question,secret answer\n")))


def test_fmperf_refuses_a_row_without_users():
    text = golden_bytes("fmperf/sweep_over_users").decode().replace("\n4,", "\n0,")
    with pytest.raises(RefusedFileError) as refused:
        read(text, "result.csv")
    assert (refused.value.code, refused.value.place.line) == ("ingest.no_load_value", 3)


def test_fmperf_gap_is_itl_and_not_tpot():
    # 40 + 49 gaps of 14 ms are the 726 ms of the whole request.
    level = read_file(Upload("result.csv", golden_bytes("fmperf/sweep_over_users"))).levels[0]
    values = {f"{reading.metric.value}_{reading.statistic}": reading.value for reading in level.readings}
    assert values["ttft_mean"] + (level.output_tokens_mean - 1) * values["itl_mean"] == pytest.approx(
        values["e2e_mean"]
    )
