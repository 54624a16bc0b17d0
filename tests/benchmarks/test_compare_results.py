"""The published figures of who leads: as promised, and the numbers of the product are those that were measured."""

from __future__ import annotations

import json

import pytest

from benchmarks.compare.run import BEGIN, END, made_by, page
from core.compare.shape import read_shape, shipped
from core.errors import UsageError
from core.fit.edition import edition
from core.fit.method import METHOD


@pytest.fixture(scope="module")
def results(root):
    return json.loads((root / "benchmarks/compare/results.json").read_text())


def test_chances_are_calibrated_and_beat_the_best_estimate(results):
    every = results["figures"]["all"]
    assert every["n"] > 10_000
    assert every["calibration_error"] <= 0.03
    for name in ("all", "as they are", "changes", "gap 0.15", "gap 0.3", "gap 0.6"):
        assert results["figures"][name]["brier"] < results["figures"][name]["brier_best"]
        # One chance in ten, as said where a leader is named.
        assert results["figures"][name]["named_right"] >= 0.9


def test_a_bound_wins_no_more_than_is_known(results):
    assert results["bounds"]["outside"] == 0.0
    assert results["bounds"]["named_right"] >= 0.975
    assert min(results["held"].values()) >= 0.975


def test_sharing_doubt_makes_changes_truer(results):
    shared, apart = (results["figures"][name] for name in ("changes", "changes, nothing shared"))
    assert shared["calibration_error"] < apart["calibration_error"]
    assert shared["brier"] < apart["brier"]


def test_the_page_shows_what_was_measured(root, results):
    text = (root / "docs/compare.md").read_text(encoding="utf-8")
    assert text.split(BEGIN)[1].split(END)[0].strip() == page(results).strip()


def test_the_shipped_shape_is_whole():
    assert shipped().pairs > 5000
    assert 0.0 < shipped().method <= 1.0


def test_another_file_is_refused_in_words(tmp_path):
    (tmp_path / "shape.json").write_text('{"version": "0"}')
    with pytest.raises(UsageError):
        read_shape(tmp_path / "shape.json")


def test_the_figures_are_of_the_answers_and_the_shape_in_use(results):
    """Run `python -m benchmarks.compare.run` after method, constants or the shape were made anew."""
    assert results["made_by"] == made_by(shipped())
    assert results["made_by"]["method"] == METHOD
    assert results["made_by"]["constants"] == edition()
