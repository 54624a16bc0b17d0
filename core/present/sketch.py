"""A chart while it is drawn, and as it is sent: plain dictionaries.

Plotly checks every property of a figure each time and takes ten times as long as the rest of the drawing; a slider that
is moved redraws three charts. The tests check every drawing against Plotly's own rules instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

_TEMPLATE = {"data": {"scatter": [{"type": "scatter", "marker": {"line": {"width": 0}}}]}, "layout": {}}
"""What of the page's own template these charts use: all of it has 800 parts and is a tenth of what is sent. Whoever
shows the chart puts colours and letters of the page into `layout`."""


class Drawing(go.Figure):  # type: ignore[misc]  # Plotly comes without types
    """A figure that is sent as it was drawn; Plotly makes its objects only where somebody asks for one of them."""

    def __init__(self, drawn: dict[str, Any]) -> None:
        """Keep traces and layout as dictionaries of Plotly."""
        self.__dict__["_drawn"] = drawn

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the figure has
        # Called for what is not there: all of it, until the figure is made.
        drawn = self.__dict__.pop("_drawn", None)
        if drawn is None:
            raise AttributeError(name)
        super().__init__(drawn, _validate=False)
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        """Return traces and layout, which nobody may change."""
        drawn: dict[str, Any] = self.__dict__.get("_drawn") or super().to_dict()
        return drawn


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

    def figure(self) -> Drawing:
        """Return the figure."""
        layout = {"template": _TEMPLATE, **self.layout, "shapes": self.shapes, "annotations": self.notes}
        return Drawing({"data": self.traces, "layout": layout})
