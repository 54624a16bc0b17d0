"""How often the truth lies below each line of an answer, against how often it should: numbers and a drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.accuracy.score import Scored

LINES = {"low": 0.05, "safe": 0.10, "mid": 0.50, "high": 0.95}
"""Share of the truths that lie below each line where it says what it means; the safe number at most so many."""

RANGES = {"low-high": 0.90, "low-mid": 0.45, "mid-high": 0.45}
_Z = 1.645
_SIZE, _EDGE = 420, 60
_STYLE = {"simulated": ("#0072b2", "circle"), "real": ("#b97f00", "square")}
_NAMED = {"low": (0.15, 0.02), "safe (at most)": (0.15, 0.09), "mid": (0.55, 0.45), "high": (0.8, 0.95)}
"""Where the names of the lines stand, in shares of the axes."""

_INK, _GRID = "#3c4650", "#d7dde3"


def reliability(scored: Sequence[Scored]) -> dict[str, Any]:
    """Return by line and by range the nominal share, the one found, and the half width of its 90 % interval.

    Questions about one deployment share their luck, so the interval counts deployments, not questions.
    """
    used = [one for one in scored if one.answer]
    place = {name: i for i, name in enumerate(sorted({one.task.deployment for one in used}))}
    group = np.array([place[one.task.deployment] for one in used])
    true = np.array([one.question.true for one in used])
    line = {name: np.array([getattr(one.answer, name) for one in used], float) for name in LINES}
    below = {name: true < value for name, value in line.items()}
    inside = {
        f"{low}-{high}": (true >= line[low]) & (true <= line[high])
        for low, high in (name.split("-") for name in RANGES)
    }
    return {
        "n": len(used),
        "below": {name: _share(below[name], group, LINES[name]) for name in LINES},
        "inside": {name: _share(inside[name], group, RANGES[name]) for name in RANGES},
    }


def _share(hit: np.ndarray, group: np.ndarray, nominal: float) -> dict[str, float]:
    share = float(hit.mean())
    off = np.bincount(group, hit - share)
    return {
        "nominal": nominal,
        "found": round(share, 4),
        "error": round(_Z * math.sqrt(float((off**2).sum())) / hit.size, 4),
    }


def drawing(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the diagram as SVG: nominal share across, found share up, the diagonal is what is promised."""
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" width="{_SIZE}" height="{_SIZE}" '
            'role="img" aria-label="Share of truths below each line of the answer against the share that is promised" '
            f'font-family="sans-serif" font-size="12" fill="{_INK}">'
        ),
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="#ffffff"/>',
    ]
    for step in range(6):
        at = step / 5
        x, y = _x(at), _y(at)
        out += [
            f'<path d="M{x} {_y(0)}V{_y(1)}M{_x(0)} {y}H{_x(1)}" stroke="{_GRID}" fill="none"/>',
            f'<text x="{x}" y="{_y(0) + 18}" text-anchor="middle">{at:.0%}</text>',
            f'<text x="{_x(0) - 8}" y="{y + 4}" text-anchor="end">{at:.0%}</text>',
        ]
    out += [
        f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="{_INK}" stroke-dasharray="4 4" fill="none"/>',
        f'<text x="{_SIZE / 2}" y="{_SIZE - 14}" text-anchor="middle">truths below the line, as promised</text>',
        f'<text transform="translate(16 {_SIZE / 2}) rotate(-90)" text-anchor="middle">as found</text>',
    ]
    for row, (name, own) in enumerate(found.items()):
        out += _series(name, own["below"], row)
    out += [f'<text x="{_x(x)}" y="{_y(y)}">{name}</text>' for name, (x, y) in _NAMED.items()]
    return "\n".join([*out, "</svg>", ""])


def _series(name: str, below: Mapping[str, Mapping[str, float]], row: int) -> list[str]:
    hue, shape = _STYLE.get(name, (_INK, "circle"))
    aside = 3 if row else -3
    out = [
        _mark(shape, hue, _EDGE + 12, _EDGE - 26 + 16 * row),
        f'<text x="{_EDGE + 22}" y="{_EDGE - 22 + 16 * row}">{name}</text>',
    ]
    for one in below.values():
        x, found, error = _x(one["nominal"]) + aside, one["found"], one["error"]
        top, bottom = _y(min(found + error, 1.0)), _y(max(found - error, 0.0))
        out += [
            f'<path d="M{x} {bottom}V{top}" stroke="{hue}" stroke-width="1.5" fill="none"/>',
            _mark(shape, hue, x, _y(found)),
        ]
    return out


def _mark(shape: str, hue: str, x: float, y: float) -> str:
    if shape == "square":
        return f'<rect x="{x - 4}" y="{y - 4}" width="8" height="8" fill="{hue}"/>'
    return f'<circle cx="{x}" cy="{y}" r="4.5" fill="{hue}"/>'


def _x(share: float) -> float:
    return round(_EDGE + share * (_SIZE - 2 * _EDGE), 1)


def _y(share: float) -> float:
    return round(_SIZE - _EDGE - share * (_SIZE - 2 * _EDGE), 1)
