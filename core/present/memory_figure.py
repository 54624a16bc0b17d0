"""The memory of one accelerator as a bar: weights, what the engine takes, what is left for the cache."""

from __future__ import annotations

from dataclasses import dataclass

from core.i18n import Text, t
from core.limits.engines import Meaning
from core.limits.memory import Memory
from core.model.sizing import Logged
from core.present import style
from core.present.canvas import Figure
from core.present.memory_tables import parts_table
from core.present.memory_words import gib, lead
from core.present.numbers import plain
from core.present.sketch import Sketch
from core.present.style import safe_text

HEIGHT = 190
_SHOWN_FROM = 0.09
"""Share of the bar from which a part has room for its own name."""

_WEIGHTS, _RUNTIME, _CACHE, _REST = t("Weights"), t("Engine"), t("KV cache"), t("not for the engine")


@dataclass(frozen=True, slots=True)
class _Part:
    name: Text
    gib: float
    range: str
    hue: str
    logged: bool = False


def memory_figure(memory: Memory, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw the bar; None where the parts cannot be told. Reckoned parts are hatched, those of the log are not."""
    table = parts_table(memory, language)
    if table is None or memory.seen is None:
        return None
    parts = _parts(memory, language)
    chart = Sketch(ink=ink)
    total = sum(part.gib for part in parts)
    for part in parts:
        _draw(chart, part, total, language)
    seen = memory.seen.mid
    _line(chart, seen, language)
    _frame(chart, max(total, seen))
    alt = t(
        "Memory of one accelerator, {seen} GiB: {parts}. {said}",
        seen=gib(memory.seen, language),
        parts=", ".join(f"{part.name.render(language)} {part.range} GiB" for part in parts),
        said=lead(memory, language),
    )
    return Figure(chart=chart.figure(), alt=alt.render(language), rows=lambda: table)


def _parts(memory: Memory, language: str) -> list[_Part]:
    on, seen = memory.fullest, memory.seen
    if on is None or seen is None:
        return []
    logged = memory.setup.logged or Logged()
    weights = _Part(
        _WEIGHTS, on.weights.mid, gib(on.weights, language), style.BLUE, logged=logged.weights_gib is not None
    )
    cache = _Part(
        _CACHE, max(0.0, on.cache.mid), gib(on.cache, language), style.GREEN, logged=logged.kv_gib is not None
    )
    inside = memory.takes.meaning is not Meaning.WEIGHTS_AND_CACHE
    runtime = _Part(_RUNTIME, on.runtime.mid, gib(on.runtime, language), style.ORANGE)
    # What the log says of the cache leaves no more to the engine than there is between.
    if logged.kv_gib is not None and inside:
        between = max(0.0, min(on.runtime.high, on.usable.mid - weights.gib - cache.gib))
        runtime = _Part(_RUNTIME, between, gib(on.runtime, language), style.ORANGE)
    used = weights.gib + runtime.gib + cache.gib
    parts = [weights, runtime, cache]
    if used < seen.mid:
        parts.append(_Part(_REST, seen.mid - used, plain(seen.mid - used, language), style.LEFT_OUT))
    return [part for part in parts if part.gib > 0.0]


def _draw(chart: Sketch, part: _Part, total: float, language: str) -> None:
    name = part.name.render(language)
    inside = part.gib >= _SHOWN_FROM * total
    rest = part.name is _REST
    marker: dict[str, object] = {"color": style.faded(part.hue, 0.12 if rest else 0.85), "line": {"width": 0}}
    if not part.logged and not rest:
        marker["pattern"] = {
            "shape": "/",
            "fillmode": "overlay",
            "fgcolor": style.faded("#ffffff", 0.35),
            "size": 7,
            "solidity": 0.2,
        }
    chart.traces.append(
        {
            "type": "bar",
            "orientation": "h",
            "x": [part.gib],
            "y": [""],
            "name": safe_text(f"{name} {part.range} GiB"),
            "marker": marker,
            "width": 0.72,
            "hovertemplate": safe_text(f"{name}: {part.range} GiB") + "<extra></extra>",
            "text": [plain(part.gib, language)] if inside else [""],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "constraintext": "none",
            "textfont": {"color": chart.ink} if rest and chart.ink else {} if rest else {"color": "#ffffff"},
        }
    )


def _line(chart: Sketch, seen: float, language: str) -> None:
    """Mark how much there is: a bar that runs past it does not fit."""
    chart.shape(type="line", x0=seen, x1=seen, y0=0, y1=1, yref="paper", line={"color": style.TARGET, "width": 2})
    chart.note(
        x=seen,
        y=1.0,
        yref="paper",
        yanchor="bottom",
        xanchor="right",
        text=safe_text(t("there is {gib} GiB", gib=plain(seen, language)).render(language)),
        font={"color": style.TARGET, "size": 12},
    )


def _frame(chart: Sketch, end: float) -> None:
    chart.layout.update(
        barmode="stack",
        height=HEIGHT,
        margin={"l": 8, "r": 16, "t": 24, "b": 76},
        paper_bgcolor=style.CLEAR,
        plot_bgcolor=style.CLEAR,
        separators=".,",
        font=chart.font,
        legend={
            "orientation": "h",
            "traceorder": "normal",
            "x": 0.0,
            "xanchor": "left",
            "y": -0.35,
            "yanchor": "top",
            "font": {**chart.font, "size": 12},
        },
        xaxis={
            "range": [0.0, 1.02 * end],
            "ticksuffix": " GiB",
            "gridcolor": style.GRID,
            "zeroline": False,
            "tickfont": chart.font,
        },
        yaxis={"visible": False},
        uirevision="keep",
        modebar={"bgcolor": style.CLEAR, "color": style.AXIS, "activecolor": style.BLUE},
    )
