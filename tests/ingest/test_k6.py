"""Traps of k6's files: what its words mean, what it does not measure, and loads that are none."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import generic_csv, k6, k6_csv
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

EXPORT = "k6/summary_export"
SAMPLES = golden_bytes("k6_csv/constant_users").decode()


def read(text: str, name: str = "run/k6.csv"):
    return read_file(Upload(name, text.encode()))


def test_passes_of_the_failed_rate_are_failures():
    (level,) = changed(EXPORT, lambda d: d["metrics"]["http_req_failed"].update(passes=294, fails=6)).levels
    assert (level.requests_good, level.requests_failed) == (6, 294)


def test_every_request_failed_is_nothing_measured():
    (level,) = changed(EXPORT, lambda d: d["metrics"]["http_req_failed"].update(passes=300, fails=0)).levels
    assert level.readings == ()
    assert "ingest.none_completed" in codes_of(level)


def test_times_of_failed_requests_are_left_out_where_the_file_has_them_apart():
    def together(document):
        del document["metrics"]["http_req_duration{expected_response:true}"]

    (level,) = changed(EXPORT, together).levels
    assert readings_of(level)["e2e mean"] == (1960.0, "ms")
    assert "k6.failures_included" in codes_of(level)


def test_the_first_byte_is_no_first_token():
    (level,) = changed(EXPORT, lambda d: None).levels
    assert {name.split(" ")[0] for name in readings_of(level)} == {"e2e"}


def test_users_that_change_are_no_level_unless_the_name_tells():
    def ramped(document):
        document["metrics"]["vus"].update(min=1, max=50)

    (level,) = changed(EXPORT, ramped).levels
    assert (level.asked_concurrency, level.conditions.get("arrival")) == (None, None)
    assert "k6.users_change" in codes_of(level)
    (level,) = changed(EXPORT, ramped, name="vus50/summary.json").levels
    assert level.asked_concurrency == 50.0
    assert "ingest.from_file_name" in codes_of(level)


def test_text_for_a_number_is_refused_with_its_place():
    with pytest.raises(RefusedFileError) as caught:
        changed(EXPORT, lambda d: d["metrics"]["http_reqs"].update(count="many"))
    assert (caught.value.code, caught.value.place.field) == ("ingest.not_a_number", "metrics.http_reqs.count")


def test_a_value_of_the_table_that_is_no_number_is_refused_with_its_line():
    line = SAMPLES[: SAMPLES.index("1300.000000")].count("\n") + 1
    with pytest.raises(RefusedFileError) as caught:
        read(SAMPLES.replace("1300.000000", "slow"))
    assert (caught.value.code, caught.value.place.line) == ("ingest.not_a_number", line)


def test_a_table_without_a_request_is_refused_in_words():
    rows = [row for row in SAMPLES.splitlines() if not row.startswith("http_req_duration")]
    with pytest.raises(RefusedFileError) as caught:
        read("\n".join(rows) + "\n")
    assert caught.value.code == "ingest.no_levels"


@pytest.mark.parametrize("factor", [1, 1000, 1_000_000, 1_000_000_000])
def test_times_are_understood_in_each_of_k6s_units(factor):
    rows = SAMPLES.splitlines()
    scaled = [rows[0]] + [
        ",".join([cells[0], str(int(cells[1]) * factor), *cells[2:]]) for row in rows[1:] if (cells := row.split(","))
    ]
    (level,) = read("\n".join(scaled) + "\n").levels
    assert level.requests.start[0] == pytest.approx(1_764_500_002_000.0 - 1000.0)


def test_a_few_samples_at_the_end_with_fewer_users_are_still_one_level():
    rows = SAMPLES.splitlines()
    users = [row for row in rows if row.startswith("vus,")]
    more = users * 3 + [users[-1].replace("4.000000", "1.000000")]
    (level,) = read("\n".join(rows + more) + "\n").levels
    assert level.asked_concurrency == 4.0


def test_each_claims_its_own():
    heads = (Head("s.json", golden_bytes(EXPORT)), Head("s.csv", SAMPLES.encode()))
    claims = [[one.FORMAT_ID for one in (k6, k6_csv, generic_csv) if one.match(head) > 0.0] for head in heads]
    assert claims == [["k6"], ["k6_csv"]]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"type": "Metric", "data": {"name": "http_reqs", "type": "counter"}, "metric": "http_reqs"}) + "\n",
        "     http_req_duration..............: avg=144.56ms min=104.11ms med=110.47ms max=1.14s p(95)=215.95ms\n",
    ],
)
def test_what_k6_prints_and_streams_is_refused_with_the_file_to_send(text):
    with pytest.raises(RefusedFileError) as caught:
        read(text, "k6.out")
    assert caught.value.code == "ingest.by_product"
    assert "--summary-export" in str(caught.value.fix)


def test_the_data_page_can_show_what_k6_calls_it():
    assert read(SAMPLES).calls == {Metric.E2E: "http_req_duration"}
