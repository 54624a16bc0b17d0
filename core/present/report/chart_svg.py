"""A chart on paper as SVG: the same bytes for the same figure, with words that stay words."""

from __future__ import annotations

import io
import re
import threading
from typing import Any

import matplotlib as mpl
import plotly.graph_objects as go

from core.present.report.chart import Paper, drawn
from core.present.report.chart_letters import COLOUR

_LOCK = threading.Lock()
"""matplotlib's settings are of the whole process."""

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "plimsoll",
    "text.parse_math": False,
    "hatch.linewidth": 0.4,
    "path.simplify": False,
}
_NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_GROUP = re.compile(r'<g id="[^"]*"')
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_META = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_STYLE = "*{stroke-linejoin: round; stroke-linecap: butt}"
_ID = re.compile(r'((?:id="|href="#|url\(#))([A-Za-z0-9_]+)')


def chart_svg(chart: go.Figure, paper: Paper, *, name: str = "chart") -> str:
    """Return a figure of ours as SVG.

    Args:
        chart: from `core.present`.
        paper: its size.
        name: goes before every id, so that two charts fit into one page.
    """
    with _LOCK, mpl.rc_context(_SETTINGS):
        figure = drawn(chart, paper)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata=_NO_METADATA)
    text = _META.sub("", _HEAD.sub("", out.getvalue()))
    text = _GROUP.sub("<g", text).replace(_STYLE, f"svg {_STYLE}")
    return _ID.sub(rf"\g<1>{name}-\g<2>", text).strip()


def follows_theme(svg: str) -> str:
    """Return an SVG whose words take the colour of the page that it stands in."""
    return svg.replace(f"fill: {COLOUR}", "fill: currentColor")
