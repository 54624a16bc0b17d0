"""How far above the highest level the truth lies where an answer is open there (decision 0019).

    python -m benchmarks.compare.beyond        half a minute; writes beyond.json

Asked are the simulated answers whose range is open above although the highest level misses a target or hardly passes.
A width is that which a chance counts twice: of the curve continued beyond that level, or of the side below the estimate
where that is wider. Truths beyond every load that was simulated say nothing, and are counted apart.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path

from benchmarks.compare.pairs import Side, pairs
from core.model.answer import Status

HERE = Path(__file__).resolve().parent
WIDTHS = (1.0, 1.5, 2.0)


def widths_above(sides: Iterable[Side]) -> list[float]:
    """Return how many widths above each open answer's estimate the truth lies; inf: beyond every simulated load."""
    found = []
    for side in sides:
        capacity, span = side.capacity, side.capacity.concurrency
        if capacity.status is not Status.WITHIN or span is None or span.high or not capacity.beyond:
            continue
        if span.mid and span.low and side.true > 0.0:
            width = math.log(max(capacity.beyond / span.mid, span.mid / span.low))
            found.append(math.log(side.true / span.mid) / width)
    return found


def measured() -> dict[str, object]:
    """Return how many answers there are, and how many truths lie beyond so many widths."""
    sides = {(side.task, side.capacity.binding): side for pair in pairs() for side in (pair.one, pair.other)}
    found = widths_above(sides.values())
    told = [each for each in found if math.isfinite(each)]
    return {
        "answers": len(told),
        "beyond_every_load": len(found) - len(told),
        "widths_at_most": round(max(told), 2),
        "beyond_widths": {f"{width:g}": sum(each > width for each in told) for width in WIDTHS},
    }


def main() -> None:
    document = measured()
    (HERE / "beyond.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(document))


if __name__ == "__main__":
    main()
