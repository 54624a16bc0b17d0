"""The charts: each a Plotly figure, its finding in words, and the table behind it."""

from __future__ import annotations

from core.present.canvas import Figure
from core.present.latency import latency_figure, latency_overlay
from core.present.spending import cost_figure
from core.present.throughput import throughput_figure

__all__ = ["Figure", "cost_figure", "latency_figure", "latency_overlay", "throughput_figure"]
