"""Lines of `batch`: what is read, and what is said about a line that cannot be."""

from __future__ import annotations

import json

import pytest

from core.errors import UsageError
from core.ingest.stage_json import line_id, read_line, stage_of
from core.model.metric import Metric
from core.model.target import parse_target

STAGE = {"asked_concurrency": 8, "statistics": {"ttft": {"mean": 0.1, "p99": 0.4, "p99.9": 0.9, "sd": None, "n": 80}}}
LINE = {"id": "a", "stages": [STAGE], "target_sets": [[{"metric": "ttft", "statistic": "p99", "limit": 0.5}]]}


def refused(**changes):
    with pytest.raises(UsageError) as caught:
        read_line(json.dumps({**LINE, **changes}).encode())
    return caught.value


def test_a_missing_key_is_unknown_and_a_zero_is_a_zero():
    level = stage_of({**STAGE, "requests_failed": 0})
    assert (level.asked_concurrency, level.achieved_rate, level.requests_failed) == (8.0, None, 0)


def test_percentiles_are_read_by_fraction():
    found = stage_of(STAGE).statistics[Metric.TTFT]
    assert dict(found.quantiles) == {0.99: 0.4, 0.999: 0.9}
    assert (found.mean, found.sd, found.n) == (0.1, None, 80)


def test_a_question_keeps_its_id_and_targets():
    question = read_line(json.dumps(LINE).encode())
    assert question.id == "a"
    assert question.target_sets == ((parse_target("ttft p99 <= 0.5 s"),),)


def test_in_open_loop_what_is_in_flight_is_the_rate_times_the_mean_time():
    level = stage_of({"asked_rate": 5.0, "achieved_rate": 4.0, "statistics": {"e2e": {"mean": 2.5}}})
    assert level.load == 10.0
    assert stage_of({"asked_rate": 5.0, "statistics": {"ttft": {"mean": 2.5}}}).load is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"stages": [{"statistics": {}}]}, "batch.load_missing"),
        ({"stages": [{**STAGE, "statistics": {"speed": {"mean": 1}}}]}, "batch.unknown_metric"),
        ({"stages": [{**STAGE, "statistics": {"ttft": {"median": 1}}}]}, "batch.bad_statistic"),
        ({"stages": [{**STAGE, "statistics": {"ttft": {"mean": -1}}}]}, "batch.bad_statistic"),
        ({"stages": [{**STAGE, "statistics": {"ttft": {"p99": "fast"}}}]}, "batch.bad_statistic"),
        ({"stages": [{"asked_concurrency": 8}]}, "batch.malformed_line"),
        ({"stages": [STAGE] * 2001}, "batch.too_many_levels"),
        ({"target_sets": [[]]}, "batch.no_targets"),
        ({"target_sets": [[{"metric": "ttft", "statistic": "value", "limit": 1}]]}, "batch.bad_target"),
        ({"target_sets": [[{"metric": "goodput", "statistic": "p99", "limit": 1}]]}, "batch.bad_target"),
        ({"target_sets": [[{"metric": "ttft", "statistic": "p99", "limit": 0}]]}, "batch.malformed_line"),
        ({"target_sets": [[{"metric": "ttft", "statistic": "p99", "limit": 1, "op": ">="}]]}, "batch.bad_target"),
    ],
)
def test_what_cannot_be_followed_is_named_with_a_way_out(changes, code):
    error = refused(**changes)
    assert error.code == code
    assert str(error.what)
    assert str(error.fix)


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b"\xff\xfe", b'{"id": NaN}', b"[" * 100_000])
def test_a_broken_line_is_a_usage_error_and_never_a_crash(line):
    with pytest.raises(UsageError):
        read_line(line)


def test_the_id_of_a_broken_line_is_kept_where_it_can_be_read():
    assert line_id(b'{"id": "a", "stages": 3}') == "a"
    assert line_id(b'{"id": 3}') is None
    assert line_id(b"{") is None
