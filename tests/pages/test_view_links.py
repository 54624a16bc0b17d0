"""What a reader of a shared view looks at, in its address and back."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from core.model.metric import MEASURED
from core.model.target import parse_target
from pages.parts import keys
from pages.parts.links import row_of
from pages.parts.view_links import NAMES, View, from_params, to_params

TARGETS = (parse_target("ttft p99 <= 300ms"), parse_target("tpot p95 <= 40ms"), parse_target("ttft p99 <= 2s"))


@st.composite
def views(draw):
    factors = draw(st.none() | st.lists(st.floats(0.1, 10), min_size=3, max_size=3))
    tried = None
    if factors:
        rows = (row_of(target) for target in TARGETS)
        moved = (
            f"{r.metric.value} {r.statistic} <= {r.value * f:.6g}{r.unit}" for r, f in zip(rows, factors, strict=True)
        )
        tried = tuple(row_of(parse_target(text)) for text in moved)
    return View(
        run=draw(st.none() | st.text(string.ascii_letters + string.digits + "-", min_size=1, max_size=20)),
        shown=draw(st.none() | st.tuples(st.sampled_from(sorted(MEASURED)), st.sampled_from(["p50", "p99.9", "mean"]))),
        log=draw(st.none() | st.booleans()),
        tried=tried,
    )


@given(views())
def test_a_view_survives_its_address(view):
    params = to_params(view)
    assert set(params) <= set(NAMES)
    again = from_params(params, TARGETS)
    assert (again.run, again.shown, again.log) == (view.run, view.shown, view.log)
    assert [row.target for row in again.tried or ()] == [row.target for row in view.tried or ()]


def test_what_stands_there_at_first_needs_no_parameter():
    assert to_params(View()) == {}
    assert from_params({}, TARGETS) == View()


anything = st.text(max_size=40) | st.sampled_from(
    ["ttft-p99-450ms", "tpot-p95-0ms", "ttft-p99-nan", "log", "e2e-p99-1s"]
)


@given(st.dictionaries(st.sampled_from(NAMES), st.lists(anything, max_size=12)))
def test_an_address_that_anybody_wrote_changes_limits_and_nothing_else(params):
    view = from_params(params, TARGETS)
    assert view.run is None or len(view.run) <= 300
    for row, target in zip(view.tried or (), TARGETS, strict=bool(view.tried)):
        assert (row.metric, row.statistic) == (target.metric, target.statistic)
        assert row.target.limit > 0


def test_limits_are_given_to_the_targets_they_belong_to_and_the_others_stay():
    asked = {keys.Q_TARGET: ["tpot-p95-99ms", "ttft-p99-100ms", "e2e-p99-1s"]}
    tried = from_params(asked, TARGETS).tried
    assert [f"{row.target.limit:.3g}" for row in tried] == ["0.1", "0.099", "2"]


def test_an_address_with_other_targets_only_tries_nothing():
    assert from_params({keys.Q_TARGET: ["e2e-p99-1s", "nonsense"]}, TARGETS).tried is None
    assert from_params({keys.Q_TARGET: ["ttft-p99-1s"]}, ()).tried is None
