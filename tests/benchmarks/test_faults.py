"""Planted faults are found and clean sweeps are left alone; the published figures are those of today's code."""

from __future__ import annotations

import json

import pytest

from benchmarks.faults import run
from benchmarks.faults.kinds import FAULTS

PUBLISHED = json.loads((run.HERE / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def not_found():
    return run.missed()


def test_at_least_95_percent_of_60_or_more_damaged_copies_are_found(not_found):
    count = len(run.cases())
    assert count >= 60
    assert len(not_found) <= 0.05 * count


def test_at_most_2_percent_of_clean_files_give_a_false_alarm():
    count, false = run.alarms()
    assert count >= 20
    assert len(false) <= 0.02 * count


def test_what_is_published_is_what_is_found(not_found):
    assert (PUBLISHED["faults"], PUBLISHED["damaged copies"]) == (len(FAULTS), len(run.cases()))
    assert PUBLISHED["missed"] == not_found
