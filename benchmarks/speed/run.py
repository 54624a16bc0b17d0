"""What people wait for and what it takes, against the budgets; written to results.md.

PYTHONPATH=. python benchmarks/speed/run.py [answers] [reading] [requests] [most] [pages] [sessions]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: CPU time is that of one core

from benchmarks.speed import answering, reading, results, script_times, sessions
from benchmarks.speed.measure import Row, yardstick

SECTIONS: dict[str, Callable[[float], list[Row]]] = {
    "answers": answering.rows,
    "reading": lambda _: reading.rows(),
    "requests": lambda _: reading.many_rows(),
    "most": lambda _: reading.most_rows(),
    "pages": script_times.rows,
    "sessions": lambda _: sessions.rows(),
}


def main(chosen: list[str]) -> None:
    unknown = set(chosen) - set(SECTIONS)
    if unknown:
        sys.exit(f"no such section: {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    path = Path(__file__).with_name("results.md")
    for name in chosen or SECTIONS:
        unit = yardstick()
        told = f"The yardstick took {unit * 1e3:.1f} ms.\n\n" if name in ("answers", "pages") else ""
        body = told + results.table(SECTIONS[name](unit))
        results.write(path, {name: body}, list(SECTIONS))
        print(f"## {name}\n\n{body}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
