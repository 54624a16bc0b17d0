"""Score the chance that a run leads against known leaders, and publish the figures.

    python -m benchmarks.compare.run   answers all pairs, cross-fitted, and writes what is named below; some minutes

Each pair is scored with numbers that saw neither of its deployments: the answers by the constants of its fold, the
shape of errors and the shared part by the pairs of the other folds. Written: results.json and results.md here, the
table in docs/compare.md, and data/method/compare-1.json from all pairs together, which the product reads.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.accuracy.questions import FOLDS
from benchmarks.compare.changed import Change, changes
from benchmarks.compare.fitting import (
    GAPS,
    Row,
    calibrated,
    change_rows,
    error_of,
    gap_rows,
    has_range,
    pair_rows,
)
from benchmarks.compare.pairs import Pair, pairs
from benchmarks.compare.score import bin_rows, figures, of_bounds
from core.compare.shape import VERSION, Shape
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.answer import Status
from core.settings import DATA, ROOT

HERE = Path(__file__).resolve().parent
PAGE = ROOT / "docs" / "compare.md"
BEGIN, END = "<!-- calibration: begin -->", "<!-- calibration: end -->"
TIMES = 2
"""Prices drawn for each pair and gap."""

NAMES = {
    "all": "all pairs together",
    "as they are": "two deployments, the same target",
    "gap 0.15": "priced close: true gap of 1.16 times (1 sd)",
    "gap 0.3": "priced close: 1.35 times",
    "gap 0.6": "priced close: 1.8 times",
    "changes": "one deployment before and after",
    "changes, nothing shared": "the same, as if nothing were shared",
}


def measured(found: Sequence[Pair], changed: Sequence[Change]) -> dict[str, object]:
    """Score every pair with what the other folds found."""
    rows: dict[str, list[Row]] = defaultdict(list)
    shapes = []
    for fold in range(FOLDS):
        shape = calibrated([p for p in found if p.fold != fold], [c for c in changed if c.fold != fold])
        shapes.append({"stretch_at_5": round(shape.error[4], 3), "method": shape.method})
        held, moved = [p for p in found if p.fold == fold], [c for c in changed if c.fold == fold]
        rows["as they are"] += pair_rows(held, shape)
        for gap in GAPS:
            rows[f"gap {gap:g}"] += gap_rows(held, shape, gap, times=TIMES)
        rows["changes"] += change_rows(moved, shape)
        rows["changes, nothing shared"] += change_rows(moved, shape, 0.0)
        print("fold", fold, shapes[-1], flush=True)
    every = [row for name, group in rows.items() if name != "changes, nothing shared" for row in group]
    return {
        "figures": {"all": figures(every)} | {name: figures(group) for name, group in rows.items()},
        "bounds": of_bounds(rows["as they are"]),
        "bins": bin_rows(every),
        "held": held_bounds(found),
        "in_common": in_common(found),
        "folds": shapes,
    }


def held_bounds(found: Sequence[Pair]) -> dict[str, float]:
    """Return how often a bound of an answer holds."""
    sides = {(s.task, s.capacity.binding): s for pair in found for s in (pair.one, pair.other)}.values()
    low = [
        s.true >= (s.capacity.concurrency.low or 0) * (1 - 1e-9) for s in sides if s.capacity.status is Status.AT_LEAST
    ]
    high = [s.true <= (s.capacity.concurrency.high or 0) for s in sides if s.capacity.status is Status.BELOW]
    return {"at_least": round(sum(low) / len(low), 4), "below": round(sum(high) / len(high), 4)}


def in_common(found: Sequence[Pair]) -> dict[str, float]:
    """Return how the errors of two deployments' answers correlate (Spearman): all pairs, and those of one grid."""
    out: dict[str, float] = {}
    for name, pairs_ in (("all", found), ("same grid", [p for p in found if p.same_grid])):
        both = [(error_of(p.one), error_of(p.other)) for p in pairs_ if has_range(p.one) and has_range(p.other)]
        ranks = np.argsort(np.argsort(np.array(both), axis=0), axis=0)
        out |= {name: round(float(np.corrcoef(ranks.T)[0, 1]), 3), f"{name}, n": len(both)}
    return out


def page(document: Mapping[str, object]) -> str:
    """Return the tables in Markdown."""
    head = "| pairs | n | calibration error | Brier score | of the best estimate | leader named | of these right |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for name, f in document["figures"].items():
        cells = (f["calibration_error"], f["brier"], f["brier_best"], f["named"], f["named_right"])
        lines.append(f"| {NAMES[name]} | {f['n']} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")
    bounds, held, common = document["bounds"], document["held"], document["in_common"]
    parts = (
        f"Pairs with only bounds of the chance: {bounds['n']}; a leader is named in {bounds['named']:.1%}",
        f"of them, rightly in {bounds['named_right']:.1%}. The share that leads lies outside the mean bounds by",
        f"{bounds['outside']:.3f}. At least held in {held['at_least']:.1%} of answers, below in {held['below']:.1%}.",
        f"Errors of two deployments correlate by {common['all']:.2f} over {common['all, n']} pairs,",
        f"by {common['same grid']:.2f} over {common['same grid, n']} of one grid of levels.",
    )
    said = " ".join(parts)
    lines += ["", said, "", "| chance said, mean of a tenth of the pairs | share that leads | pairs |", "|---|---|---|"]
    lines += [f"| {row['said']:.3f} | {row['found']:.3f} | {row['n']} |" for row in document["bins"]]
    return "\n".join(lines)


def made_by(shape: Shape) -> dict[str, str]:
    """Return the method and the constants that answered, and the shape of errors that the figures led to."""
    encoded = msgspec.json.encode(shape)
    return {"method": METHOD, "constants": edition(), "shape": hashlib.sha256(encoded).hexdigest()[:12]}


def publish(document: Mapping[str, object], shape: Shape) -> None:
    (HERE / "results.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    made = "Made by `python -m benchmarks.compare.run` (cross-fitted: see docs/compare.md)."
    (HERE / "results.md").write_text(f"# Who leads\n\n{made}\n\n{page(document)}\n", encoding="utf-8")
    path = DATA / "method" / f"compare-{VERSION}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(shape), indent=1) + b"\n")
    if PAGE.exists():
        text = PAGE.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n{page(document)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    started = time.perf_counter()
    found, changed = pairs(), list(changes())
    print(len(found), "pairs,", len(changed), "changes", flush=True)
    shape = calibrated(found, changed)
    document = {"made_by": made_by(shape)} | measured(found, changed)
    for name, row in document["figures"].items():
        print(name, row)
    print("bounds", document["bounds"], document["held"])
    publish(document, shape)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
