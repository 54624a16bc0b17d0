"""Traps of Locust's tables: users in another file, a script's own rows, several addresses, failures."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import generic_csv, locust
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import codes_of, golden_bytes

ONE = golden_bytes("locust/one_address").decode()
OWN = golden_bytes("locust/own_ttft_row").decode()
HISTORY = golden_bytes("locust/history_of_users").decode()


def read(text: str, name: str = "loc/run_stats.csv"):
    return read_file(Upload(name, text.encode()))


def refused(text: str, name: str = "loc/run_stats.csv") -> RefusedFileError:
    with pytest.raises(RefusedFileError) as caught:
        read(text, name)
    return caught.value


def test_users_come_from_the_history_of_the_same_test():
    (run,) = runs_of([read(ONE), read(HISTORY, "loc/run_stats_history.csv")])
    (stage,) = run.stages
    assert (stage.load, stage.requests_sent) == (25.0, 500)
    assert stage.value(Metric.E2E, "p99") == 2.2


def test_a_history_of_another_test_is_not_its_own():
    runs = runs_of([read(ONE), read(HISTORY, "loc/other_stats_history.csv")])
    measured = [stage for run in runs for stage in run.stages if stage.value(Metric.E2E, "mean")]
    assert [stage.asked_concurrency for stage in measured] == [None]


def test_users_that_change_are_no_level():
    rows = HISTORY.splitlines()
    rising = [rows[0]] + [row.replace(",25,", f",{5 * n},", 1) for n, row in enumerate(rows[1:], start=1)]
    (level,) = read("\n".join(rising) + "\n", "loc/run_stats_history.csv").levels
    assert (level.asked_concurrency, codes_of(level)) == (None, ["locust.users_change"])


def test_several_addresses_are_read_together_with_a_warning():
    two = ONE.replace(
        "\n,Aggregated", "\n" + ONE.splitlines()[1].replace("/v1/chat/completions", "/login") + "\n,Aggregated"
    )
    (level,) = read(two).levels
    assert "locust.addresses_mixed" in codes_of(level)
    assert level.place.line == 4


def test_several_addresses_beside_a_scripts_own_times_are_refused():
    two = OWN.replace("\nMETRIC", "\n" + OWN.splitlines()[1].replace("/v1/completions", "/login") + "\nMETRIC")
    assert refused(two).code == "locust.several_addresses"


def test_every_request_failed_is_nothing_measured():
    (level,) = read(ONE.replace(",500,0,1500,", ",500,500,1500,")).levels
    assert (level.readings, level.requests_good) == ((), 0)
    assert "ingest.none_completed" in codes_of(level)


def test_the_slowest_request_is_no_percentile():
    (level,) = read(ONE).levels
    assert {reading.statistic for reading in level.readings} == {
        "mean", "p50", "p66", "p75", "p80", "p90", "p95", "p98", "p99", "p99.9", "p99.99",
    }  # fmt: skip


def test_text_for_a_number_is_refused_with_line_and_column():
    error = refused(ONE.replace("1612.25", "slow", 1))
    assert (error.code, error.place.line, error.place.field) == ("ingest.not_a_number", 2, "Average Response Time")


def test_only_its_own_importer_claims_its_tables():
    for text in (ONE, HISTORY):
        head = Head("x.csv", text.encode())
        assert (locust.match(head), generic_csv.match(head)) == (0.95, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "Method,Name,Error,Occurrences\nPOST,/v1,HTTPError('503'),4\n",
        "Count,Message,Traceback,Nodes\n1,boom,File x,local\n",
        "<!DOCTYPE html><html><head><title>Test Report for Locust</title></head></html>\n",
        json.dumps([{"name": "/v1", "num_none_requests": 0, "num_failures": 0, "response_times": {"100": 4}}]),
    ],
)
def test_what_locust_writes_beside_is_refused_with_the_file_to_send(text):
    error = refused(text, "loc/run_failures.csv" if "," in text[:20] else "loc/run.html")
    assert error.code == "ingest.by_product"
    assert "_stats.csv" in str(error.fix)
    assert "boom" not in f"{error.what}{error.fix}"
