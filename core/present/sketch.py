"""A chart while it is drawn: plain dictionaries, made into a Plotly figure once, at the end.

Adding to a Plotly figure checks every property each time and takes ten times as long as the rest of the drawing;
a slider that is moved redraws three charts. The tests check every drawing against Plotly's own rules instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

_TEMPLATE = {"data": {"scatter": [{"type": "scatter", "marker": {"line": {"width": 0}}}]}, "layout": {}}
"""What of the page's own template these charts use. Plotly copies a template six times for each chart and its own has
800 parts, which took a tenth of the time of a moved target; whoever shows the chart puts colours and letters of the
page into `layout`."""


@dataclass(slots=True)
class Sketch:
    """What has been drawn so far; later things lie on top of earlier ones.

    Attributes:
        ink: colour of all words, None leaves it to whoever shows the chart.
    """

    traces: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    ink: str | None = None

    @property
    def font(self) -> dict[str, str]:
        """Return the font of words that whoever shows the chart would paint paler."""
        return {"color": self.ink} if self.ink else {}

    def scatter(self, **trace: Any) -> None:  # noqa: ANN401 - a property of Plotly, of whatever kind
        """Add points or a line."""
        self.traces.append({"type": "scatter", **trace})

    def shape(self, **shape: Any) -> None:  # noqa: ANN401 - as above
        """Add a rectangle or a line of the layout."""
        self.shapes.append(shape)

    def note(self, **note: Any) -> None:  # noqa: ANN401 - as above
        """Add a text that does not answer to the pointer."""
        self.notes.append({"showarrow": False, **note})

    def has(self, group: str) -> bool:
        """Return True where the legend names a group already."""
        drawn = (*self.traces, *self.shapes)
        return any(one.get("legendgroup") == group and one.get("showlegend") for one in drawn)

    def figure(self) -> go.Figure:
        """Return the figure."""
        layout = {"template": _TEMPLATE, **self.layout, "shapes": self.shapes, "annotations": self.notes}
        return go.Figure({"data": self.traces, "layout": layout}, _validate=False)
