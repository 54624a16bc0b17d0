"""A drawing is sent as it was drawn, and is a whole figure for whoever asks."""

from __future__ import annotations

import copy
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from core.present.sketch import Sketch


@pytest.fixture
def chart():
    drawn = Sketch()
    drawn.scatter(x=np.array([1.0, 2.0, np.nan]), y=[3, 4, 5], name="a")
    drawn.shape(type="line", x0=1, x1=2, y0=3, y1=4)
    drawn.note(text="b", x=1, y=3)
    drawn.layout["height"] = 300
    return drawn.figure()


def sent(figure):
    return json.loads(figure.to_json())


def test_it_says_what_plotlys_own_figure_says(chart):
    whole = go.Figure(chart.to_dict())
    as_lists = json.loads(json.dumps(whole.data[0].x.tolist()).replace("NaN", "null"))
    assert sent(chart)["data"] == [{"type": "scatter", "x": as_lists, "y": [3, 4, 5], "name": "a"}]
    # Plotly leaves out what is empty; whoever shows the chart looks for the layout of a template.
    template = sent(chart)["layout"]["template"]
    assert template == {**sent(whole)["layout"]["template"], "layout": {}}
    assert {**sent(chart)["layout"], "template": None} == {**sent(whole)["layout"], "template": None}


def test_its_parts_can_be_asked_for_and_changed(chart):
    assert chart.data[0].name == "a"
    assert chart.layout.shapes[0].type == "line"
    chart.update_layout(height=400)
    assert sent(chart)["layout"]["height"] == 400


def test_a_copy_is_the_same_figure(chart):
    assert sent(copy.deepcopy(chart))["layout"]["shapes"] == sent(chart)["layout"]["shapes"]


def test_what_it_has_not_is_an_error(chart):
    with pytest.raises(AttributeError):
        _ = chart.nothing_of_this_name
    with pytest.raises(AttributeError):
        _ = chart.nothing_of_this_name
