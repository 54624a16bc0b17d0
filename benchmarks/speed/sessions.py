"""Many open sessions: what each holds, and whether they slow one another down.

    PYTHONPATH=. python benchmarks/speed/sessions.py

Starts the app on a free loopback port and ends it. Each session is a websocket of its own that took the sample.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

import numpy as np

from benchmarks.speed.client import Tab
from benchmarks.speed.measure import Row
from benchmarks.speed.results import table
from benchmarks.speed.script_times import LIMIT, checked, limits, with_sample
from benchmarks.speed.server import Server, serving

COUNTS = (10, 50, 200)
LONGEST_OPENING_S = 180.0
"""The next count is left out if, by the pace so far, opening so many would take longer."""

MOVES = 60
MOVES_AN_HOUR = 360
SETTLE_S = 2.0


def rows() -> list[Row]:
    """Return every line of this part."""
    with serving() as server:
        return asyncio.run(_all(server))


async def _all(server: Server) -> list[Row]:
    rest, moves = server.rss_mb(), limits()
    async with AsyncExitStack() as tabs:
        first = await tabs.enter_async_context(Tab(server))
        await with_sample(first)
        alone = await _moves(server, first, moves, MOVES)
        one = await _settled(server)
        found = [
            Row(what="server before anyone came", value=rest, unit="MB"),
            Row(what="server with one session", value=one, unit="MB"),
        ]
        count = 1
        begun = time.monotonic()
        for wanted in COUNTS:
            if count > 1 and (time.monotonic() - begun) / (count - 1) * (wanted - 1) > LONGEST_OPENING_S:
                break
            for _ in range(wanted - count):
                await with_sample(await tabs.enter_async_context(Tab(server)))
            count = wanted
            now = await _settled(server)
            each = (now - one) / (count - 1)
            found.append(_each(count, each, now))
        beside = await _moves(server, first, moves, MOVES)
        return [*found, *ratios(alone, beside, count), await _growth(server, first, moves, count)]


def _each(count: int, each: float, now: float) -> Row:
    return Row(
        what=f"each of {count} sessions beyond the first", value=each, unit="MB", budget=8.0, note=f"{now:.0f} MB"
    )


async def _settled(server: Server) -> float:
    await asyncio.sleep(SETTLE_S)
    return server.rss_mb()


async def _moves(server: Server, tab: Tab, moves: Iterator[float], count: int) -> list[tuple[float, float]]:
    """Return wall and CPU seconds of the server for each moved target."""
    found = []
    for _ in range(count):
        before = server.cpu_s()
        wall = await tab.enter(LIMIT, next(moves))
        found.append((wall, server.cpu_s() - before))
    checked(tab)
    return found


def ratios(alone: list[tuple[float, float]], beside: list[tuple[float, float]], count: int) -> list[Row]:
    """Return p95 beside idle sessions over p95 alone, of wall and of CPU time.

    >>> [row.value for row in ratios([(1.0, 0.5)] * 3, [(2.0, 0.5)] * 3, 10)]
    [2.0, 1.0]
    """
    found = []
    for name, column in (("wall", 0), ("CPU", 1)):
        before, now = (float(np.quantile([move[column] for move in moves], 0.95)) for moves in (alone, beside))
        found.append(
            Row(
                what=f"p95 {name} time of a moved target, {count - 1} sessions idle beside it, over alone",
                value=now / before,
                unit="x",
                budget=2.0,
                note=f"{now * 1e3:.0f} ms over {before * 1e3:.0f} ms",
            )
        )
    return found


async def _growth(server: Server, tab: Tab, moves: Iterator[float], count: int) -> Row:
    before = await _settled(server)
    await _moves(server, tab, moves, MOVES_AN_HOUR)
    grown = await _settled(server) - before
    note = f"{count} sessions open; as many moves as one every ten seconds makes in an hour, without the pauses"
    return Row(what=f"growth over {MOVES_AN_HOUR} moved targets", value=grown, unit="MB", budget=5.0, note=note)


if __name__ == "__main__":
    print(table(rows()))
