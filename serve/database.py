"""The database behind the app: made ready when the server starts, asked by probes within a bound."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from core.errors import StoreError
from core.store.readiness import Probe, Readiness

LOG = logging.getLogger("plimsoll.database")

BOUND_S = 2.0
"""How long a probe waits; a slower database counts as unreachable."""

PAUSES_S = (1.0, 2.0, 5.0, 10.0, 15.0)

_FOR_GOOD = frozenset({"store.url", "store.driver_missing", "store.newer_schema"})
"""What trying again does not change."""


class Database:
    """The state of one database, for probes and metrics."""

    def __init__(self, url: Callable[[], str], *, bound_s: float = BOUND_S) -> None:
        self._url, self._bound_s = url, bound_s
        self._probe: Probe | None = None
        self._asking: asyncio.Future[Readiness] | None = None
        # A database that hangs holds one thread, however often it is asked.
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database-probe")

    async def ready(self) -> Readiness:
        """Return whether the database can be worked with; whoever asks while it is asked waits for the same answer."""
        if self._asking is None or self._asking.done():
            loop = asyncio.get_running_loop()
            self._asking = loop.run_in_executor(self._threads, self._ask)
        try:
            return await asyncio.wait_for(asyncio.shield(self._asking), self._bound_s)
        except TimeoutError:
            return Readiness.UNREACHABLE

    async def prepare(self) -> None:
        """Make or migrate the tables, and try again for as long as the database cannot be reached."""
        for attempt in range(10**9):
            try:
                await asyncio.to_thread(self._migrate)
            except StoreError as error:
                LOG.warning("%s: %s", error.code, error)
                if error.code in _FOR_GOOD:
                    return
                await asyncio.sleep(PAUSES_S[min(attempt, len(PAUSES_S) - 1)])
            else:
                return

    def close(self) -> None:
        """Give back what was held."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._probe is not None:
            with suppress(StoreError):
                self._probe.close()

    def _migrate(self) -> None:
        from core.store.store import open_store

        open_store(self._url()).close()

    def _ask(self) -> Readiness:
        try:
            self._probe = self._probe or Probe(self._url())
            return self._probe.ask()
        except StoreError as error:
            return Readiness.UNREACHABLE if error.code in ("store.unavailable", "store.full") else Readiness.UNUSABLE
