"""How sure the tool is, in words and tables."""

from __future__ import annotations

import pytest

from core.present.accuracy import (
    GROUPS,
    Accuracy,
    Dataset,
    Row,
    accuracy,
    cell_table,
    method_table,
    set_text,
    versions_text,
    weaknesses,
)

OWN = Row(
    name="this", n=100, refused=0.1, median_error=0.05, p90_error=0.2, coverage=0.9, safe_unsafe5=0.01, safe_loss=0.14
)
OLD = Row(name="linear", n=100, refused=0.0, median_error=0.06, p90_error=0.35, safe_unsafe5=0.1, safe_loss=0.09)
RARE = Row(name="usl", n=100, refused=0.0, median_error=0.17)
CELLS = (
    Row(group="grid", name="log4", n=600, refused=0.1, coverage=0.96),
    Row(group="grid", name="log12", n=600, refused=0.1, coverage=0.9),
    Row(group="statistic", name="p99", n=499, refused=0.1, coverage=0.2),
)
REAL = Dataset(name="real", sweeps=19, deployments=19, questions=522, rows=(OWN, OLD, RARE), cells=CELLS)
FOUND = Accuracy(version="1", method="m/1", constants="0123abcd", sets=(REAL,))


def test_what_ships_is_read_and_holds_both_sets():
    assert [one.name for one in accuracy().sets] == ["simulated", "real"]
    for one in accuracy().sets:
        assert one.rows[0].name == "this"
        assert {cell.group for cell in one.cells} == set(GROUPS)


def test_shares_are_written_as_per_cent_and_what_means_nothing_is_left_empty():
    frame = method_table(REAL)
    assert frame["Median error"].tolist() == ["5%", "6%"]
    assert frame["Range holds"].tolist()[0] == "90%"
    assert frame["Range holds"].isna().tolist() == [False, True]
    assert frame["No answer"].tolist() == ["10%", "0%"]


def test_the_long_table_has_every_method():
    assert method_table(REAL, every=True)["Method"].tolist()[-1] == "Universal scalability law"


def test_groups_are_told_in_words_with_the_fewest_levels_first():
    assert cell_table(REAL, "grid")["levels measured"].tolist() == [
        "4 levels, evenly spread",
        "12 levels, evenly spread",
    ]


def test_a_large_group_that_does_not_hold_is_admitted():
    said = weaknesses(FOUND)
    assert said[-1] == "Groups whose range holds less often than 86% or more often than 95%: 4 levels, evenly spread."
    calm = Accuracy(version="1", method="m/1", constants="", sets=())
    assert len(weaknesses(calm)) == len(said) - 1


def test_what_the_figures_rest_on_is_said():
    assert set_text(REAL).startswith("522 questions on 19 sweeps.")


@pytest.mark.parametrize(("constants", "said"), [("0123abcd", "Method m/1, constants 0123abcd"), ("", "Method m/1")])
def test_the_footer_names_method_and_constants(constants, said):
    assert versions_text("m/1", constants) == said
