"""Questions of drafts, written a moment later beside the page: a slider that is moved must not wait for a disk.

What is lost when the process is killed in between is the last move, and that stands in the address too.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from core.errors import StoreError
from core.store.draft_list import Question
from core.store.drafts import Drafts

WAIT_S = 0.3
"""In which further moves take the place of the first."""


@dataclass(frozen=True, slots=True)
class _Change:
    drafts: Drafts
    question: Question
    quiet: bool


class Questions:
    """The questions of one process that have yet to be written. Safe to share between threads."""

    def __init__(self, wait_s: float = WAIT_S) -> None:
        self._wait_s = wait_s
        self._lock = threading.Lock()
        self._pending: dict[str, _Change] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="drafts")

    def later(self, drafts: Drafts, name: str, question: Question, *, quiet: bool) -> None:
        """Write a question soon, in place of one that waits. See `Drafts.ask`."""
        with self._lock:
            first = not self._pending
            before = self._pending.get(name)
            self._pending[name] = _Change(drafts, question, quiet and (before is None or before.quiet))
        if first:
            self._pool.submit(self._after_a_while)

    def flush(self) -> None:
        """Write what waits now."""
        with self._lock:
            pending, self._pending = self._pending, {}
        for name, change in pending.items():
            # A draft's question stands in the address too: the next change writes it again.
            with suppress(StoreError):
                change.drafts.ask(name, change.question, quiet=change.quiet)

    def _after_a_while(self) -> None:
        time.sleep(self._wait_s)
        self.flush()
