"""CPU time and memory of this machine, and what to hold them against."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the results.

    Attributes:
        what: in words.
        value: as measured, in `unit`.
        unit: "ms CPU", "x", "MB", ...
        budget: the most that it may be, None where the line only explains another.
        multiple: CPU time over the yardstick of the same run, None for anything but CPU time.
        note: what a reader needs to know beside the number.
    """

    what: str
    value: float
    unit: str
    budget: float | None = None
    multiple: float | None = None
    note: str = ""


def cpu(work: Callable[[], object], repeats: int = 5) -> float:
    """Return the least CPU seconds of several calls: others on the machine only ever add to it."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def yardstick() -> float:
    """Return the CPU seconds of sorting a million doubles."""
    values = np.random.default_rng(1).random(1_000_000)
    return cpu(lambda: np.sort(values), 9)


def timed(what: str, seconds: float, budget_ms: float | None, unit: float, note: str = "") -> Row:
    """Return a line for CPU seconds, with their multiple of the yardstick `unit`."""
    return Row(what=what, value=seconds * 1e3, unit="ms CPU", budget=budget_ms, multiple=seconds / unit, note=note)


def memory_mb(pid: int | str, field: str) -> float:
    """Return VmRSS (now) or VmHWM (highest so far) of a process in MB (10^6 bytes).

    `resource.ru_maxrss` would count what the parent held when it started the process.
    """
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if name == field:
            return int(rest.split()[0]) * 1024 / MEGABYTE
    raise ValueError(f"no {field} in the status of process {pid}")
