"""What the server works for one person: the first page, then a moved number on the pages of Plan, Fleet and Compare."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.speed.client import Tab
from benchmarks.speed.measure import Row, timed
from benchmarks.speed.samples import six_run_files
from benchmarks.speed.server import Server, serving

LIMIT, PEAK, BUDGET = "target_value_0", "fleet_field_peak", "fleet_field_budget"
PAGES = 5
BATCHES, MOVES = 5, 10


def rows(unit: float) -> list[Row]:
    """Return every line of this part; `unit` is the yardstick in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder)
        with serving(compiled) as server:
            asyncio.run(_first_page(server))
        with serving(compiled) as server:
            return asyncio.run(_all(server, unit))


def limits() -> Iterator[float]:
    """Yield TTFT limits in ms, no two alike, so that no answer is found in a cache."""
    yield from np.linspace(200.0, 600.0, 10_000).round(3).tolist()


async def with_sample(tab: Tab) -> None:
    """Open the first page and take the sample.

    Raises:
        RuntimeError: the script failed or drew no answer.
    """
    await tab.run()
    await tab.click("sample")
    checked(tab)


def checked(tab: Tab) -> None:
    """Make sure that the last run drew an answer.

    Raises:
        RuntimeError: it did not.
    """
    if tab.failures or LIMIT not in tab.ids:
        raise RuntimeError(f"the app did not answer: {tab.failures}")


async def _all(server: Server, unit: float) -> list[Row]:
    moves = limits()
    start = server.cpu_s()
    async with Tab(server) as one, Tab(server) as six:
        await with_sample(one)
        cold = server.cpu_s() - start
        warm = min([await _first_page(server) for _ in range(PAGES)])
        one_run = await _moved(server, one, moves)
        await six.run()
        await six.upload("drop_0", six_run_files())
        six_runs = await _moved(server, six, moves)
        fleet = await _fleet(server, six)
        await six.enter(BUDGET, 30_000.0)
        with_budget = await _moved(server, six, itertools.count(400.0, 1.37), PEAK)
        compared = await _compare(server, six, moves)
    sent = f"{six.received / 1e3:.0f} kB sent"
    return [
        timed("start of the server", start, None, unit),
        timed("first page and sample, cold server", cold, None, unit, "imports and first fit included"),
        timed("first page and sample, warm server", warm, 1000.0, unit),
        timed("a moved target in the app, one run", one_run, 150.0, unit, f"{one.received / 1e3:.0f} kB sent"),
        timed("a moved target in the app, six runs", six_runs, 150.0, unit, sent),
        timed("a moved demand on the Fleet page, six runs", fleet, 150.0, unit, "growth, price and charts"),
        timed("the same with a budget", with_budget, 150.0, unit, "and the promise that it pays for"),
        timed("a moved target on the Compare page, six runs", compared, 150.0, unit, "chances and trade-off charts"),
    ]


async def _first_page(server: Server) -> float:
    before = server.cpu_s()
    async with Tab(server) as tab:
        await with_sample(tab)
        return server.cpu_s() - before


async def _fleet(server: Server, tab: Tab) -> float:
    """Return the server's CPU seconds for one moved demand, with everything given that a bill and its growth need."""
    await tab.visit("fleet")
    for key, value in ((PEAK, 200.0), ("think", 30.0), ("price_amount", 2.5), ("fleet_field_growth", 5.0)):
        await tab.enter(key, value)
    for key in [key for key in tab.ids if key.startswith("price_count")]:
        await tab.enter(key, 8.0)
    if not tab.charts:
        raise RuntimeError(f"the fleet is not drawn: {tab.failures}")
    return await _moved(server, tab, itertools.count(300.0, 1.37), PEAK)


async def _compare(server: Server, tab: Tab, moves: Iterator[float]) -> float:
    """Return the server's CPU seconds for one moved target where runs are compared, with the price given before.

    Raises:
        RuntimeError: nothing was compared.
    """
    await tab.visit("compare")
    if not tab.charts:
        raise RuntimeError(f"the runs are not compared: {tab.failures}")
    return await _moved(server, tab, moves)


async def _moved(server: Server, tab: Tab, moves: Iterator[float], key: str = LIMIT) -> float:
    """Return the server's CPU seconds for one moved number: the least mean of several batches."""
    means = []
    for _ in range(BATCHES):
        before = server.cpu_s()
        for _ in range(MOVES):
            await tab.enter(key, next(moves))
        means.append((server.cpu_s() - before) / MOVES)
    checked(tab)
    return min(means)
