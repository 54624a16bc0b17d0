"""Compare: nothing is ranked until conditions match or are accepted, and what is accepted is printed and kept."""

from __future__ import annotations

import re

import pytest

from core.compare.conditions import Group
from pages.parts import keys
from pages.parts.links import to_params
from tests.compare.compare_build import table
from tests.pages.conftest import at_page, calm, words

TARGETS = ["tpot-p99-30ms", "ttft-p99-800ms"]
THREE = (table(), table(gpu="8xMI300X", slower=1.3), table(gpu="8xH200", slower=0.9, isl=8192))


@pytest.fixture
def compare(visit):
    """Visit the page with the three runs."""

    def go(runs=THREE, **params):
        app = visit(t=TARGETS, price="2.5/gpu-h", **params)
        header, *_ = runs[0].splitlines()
        rows = [row for text in runs for row in text.splitlines()[1:]]
        app.file_uploader[0].upload("runs.csv", "\n".join([header, *rows, ""]).encode(), "text/csv")
        calm(app.run())
        return calm(app.switch_page("pages/compare.py").run())

    return go


def first(app) -> str:
    """The sentence that the page begins with, as a reader sees it."""
    return app.subheader[0].value.replace("\\", "")


def test_three_runs_are_ranked_once_what_differs_is_accepted(compare):
    app = compare()
    assert first(app).startswith("Not ranked: Lengths, Hardware and engine differ")
    assert "Remeasure llama-3.1-70b · 8 × H200 at 1k/256" in words(app)
    assert "carries" not in words(app)
    numbers = app.table[0].value.reset_index()
    assert numbers.iloc[0].tolist()[1:] == ["58", "70", "36"]
    for group in Group:
        box = next((b for b in app.checkbox if b.key == keys.of(keys.ACCEPT, group.value)), None)
        if box is not None:
            box.check()
            calm(app.run())
    assert first(app).startswith("llama-3.1-70b · 8 × H200 leads by what is carried for the money of an hour")
    shown = words(app)
    assert re.search(r"8 × H200 carries 1\.\d+× \(1[.\d]*–1\.\d+\) the concurrent requests", shown)
    assert "Accepted differences: Input tokens, mean: 1,024 against 8,192" in shown
    # It stands in the address, so that a reload, a draft and a link bring it back.
    assert "accept~accelerator" in to_params(app.session_state[keys.ASK])[keys.Q_COMPARED]
    box = next(b for b in app.checkbox if b.key == keys.of(keys.ACCEPT, Group.LENGTHS.value))
    box.uncheck()
    calm(app.run())
    assert first(app).startswith("Not ranked: Lengths differ")


def test_a_study_walks_to_a_verdict_and_says_what_is_missing(compare):
    app = compare(
        (table(), table(slower=0.8, engine_version="0.12.0")),
        compare=[f"accept~{field}" for field in ("model_revision", "kv_precision", "length_distribution", "arrival")],
    )
    next(b for b in app.button if b.key == keys.STUDY).click()
    calm(app.run())
    assert "Cannot tell: say what was changed" in words(app)
    next(s for s in app.selectbox if s.key == keys.STUDY_LAYER).select_index(1)
    calm(app.run())
    shown = words(app)
    assert "Cannot tell what Engine or its version did: these differ or are unknown too" in shown
    assert "1. **Target**: TPOT p99 ≤ 30 ms; TTFT p99 ≤ 800 ms" in shown
    assert "layer~engine" in to_params(app.session_state[keys.ASK])[keys.Q_COMPARED]


def test_loads_of_workers_are_typed_where_a_routing_change_is_judged(compare):
    said = [*(f"accept~{group.value}" for group in Group), "layer~routing"]
    app = compare((table(), table(slower=0.8, engine_version="0.12.0")), compare=said)
    shown = words(app)
    assert "Cannot tell: Cache hit rate, Load of the busiest worker over the mean is not known of both" in shown
    assert "type the requests of each worker below" in shown
    field = next(box for box in app.text_input if box.label.startswith("Requests of each worker"))
    field.set_value("16; four")
    calm(app.run())
    assert "is not the load of two workers or more" in app.toast[0].value
    next(box for box in app.text_input if box.label.startswith("Requests of each worker")).set_value("16; 4")
    calm(app.run())
    assert any(text.startswith("workers~16,4~") for text in to_params(app.session_state[keys.ASK])[keys.Q_COMPARED])


def test_without_files_the_page_says_what_it_needs(visit):
    app = visit()
    app = calm(app.switch_page("pages/compare.py").run())
    assert "Nothing to compare yet" in app.info[0].value


def test_where_no_multiple_may_be_said_there_is_no_heading_for_it(compare):
    # A p99 of 20 requests is their slowest.
    thin = [table(gpu=gpu, levels=(1, 2, 4, 8)).replace(",200,200,", ",20,20,") for gpu in ("8xH100", "8xH200")]
    app = compare(runs=thin)
    for group in Group:
        box = next((b for b in app.checkbox if b.key == keys.of(keys.ACCEPT, group.value)), None)
        if box is not None:
            box.check()
            calm(app.run())
    said = words(app)
    assert first(app).startswith("Cannot tell them apart")
    assert "cannot be told, too few requests were sent at the levels around the limit" in said
    assert "Nothing is known" not in said
    assert "How many times" not in said


def test_the_accelerators_are_those_of_the_fleet_page(compare):
    app = compare((table(),), demand="500-concurrency", fleet="growth=5% ahead=6 spares=1 ceiling=80% node=16")
    rows = app.table[0].value.reset_index().astype(str).to_numpy().tolist()
    cells = {name.replace("\\", ""): text.replace("\\", "") for name, text in rows}
    (count,) = [text for name, text in cells.items() if name.startswith("Accelerators for 500 concurrent requests")]
    assert f"{count} accelerators" in words(at_page(app, "fleet"))


def test_your_own_traffic_has_no_number_of_the_one_that_was_measured_beside_it(compare):
    app = compare(THREE[:2], traffic="isl=2000 osl=400")
    cells = {name: rest for name, *rest in app.table[0].value.reset_index().astype(str).to_numpy().tolist()}
    shown = words(app)
    measured = compare(THREE[:2]).table[0].value.reset_index().iloc[0].tolist()[1:]
    assert all(int(own) < int(whole) for own, whole in zip(cells["Safe number"], measured, strict=True))
    for name in ("Cost per million output tokens", "One user, tokens/s", "System, output tokens/s per accelerator"):
        assert cells[f"{name}, at the safe number"] == ["unknown", "unknown"]
    assert "they are known of the traffic as measured only" in shown
    assert "The points are levels of the traffic as measured" in shown
    # Folded below the numbers stands how each that is known was worked out.
    assert "concurrent requests at the estimate ÷ bill per hour" in shown
    assert "share inside the targets" not in shown
