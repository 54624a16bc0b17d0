"""Files kept on the server for a while, so that reloading the page does not lose them.

A draft is never changed: new files make a new one with a new unguessable id, which stands in the
address. It lives in this process only, bounded in number, size and age; what shall stay is saved.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from core.edits import Told
from core.ingest.raw import RawFile, Upload
from core.model.answer import Refusal
from core.model.mapping import TableMapping
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.normalise.doubts import GroupingDoubt
from core.normalise.partings import Way
from core.normalise.regrouping import Members, Regrouping

MOST_DRAFTS = 100
MOST_NUMBERS = 50_000_000
"""Numbers of per-request records in all drafts together: 400 MB."""
PER_REQUEST = 7
_BYTES = 8
LIFETIME_S = 12 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Based:
    """The saved version that a session goes on from; `name` is what the scenario was called then."""

    scenario_id: str
    version: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The files of one session and what they came to.

    Attributes:
        files: as read, so that later files can join their runs.
        opened: runs of a saved scenario, which come without files.
        read: runs of `files`, with `read_members`, `doubts` and `ways` as in `core.pipeline.Loaded`.
        refused: files that were not used.
        decided: which levels are one run, under which name, and which are kept out, as a person decided.
        told: what a person said of runs: conditions, a share from a profile.
        shown: every run as the person changed it; `members` holds their levels by the ids shown.
        tables: files, read or refused, whose columns a person may say something of (`core.ingest.trial`).
        mappings: what the person said of columns in this session, the newest first.
        based: what was opened or saved last, None for work of its own.
        decision: the person's own columns, by the ids shown.
        draft: id of this state among the drafts, "" if it is not kept there.
    """

    files: tuple[RawFile, ...] = ()
    opened: tuple[Run, ...] = ()
    read: tuple[Run, ...] = ()
    read_members: Members = field(default_factory=dict)
    doubts: tuple[GroupingDoubt, ...] = ()
    ways: Mapping[str, tuple[Way, ...]] = field(default_factory=dict)
    refused: tuple[Refusal, ...] = ()
    decided: Regrouping = field(default_factory=Regrouping)
    told: tuple[Told, ...] = ()
    shown: tuple[Run, ...] = ()
    members: Members = field(default_factory=dict)
    tables: tuple[Upload, ...] = ()
    mappings: tuple[TableMapping, ...] = ()
    based: Based | None = None
    decision: tuple[DecisionColumn, ...] = ()
    draft: str = ""

    @property
    def empty(self) -> bool:
        """True where there is nothing to show."""
        return not (self.opened or self.read or self.refused)


@dataclass(slots=True)
class Drafts:
    """The drafts of one process, the oldest first."""

    kept: OrderedDict[str, tuple[float, int, Held]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, held: Held, now: float) -> str:
        """Keep a state and return its id; the oldest ones make room."""
        name = secrets.token_urlsafe(16)
        with self.lock:
            self.kept[name] = (now, _weight(held), held)
            while len(self.kept) > 1 and self._too_much(now):
                self.kept.popitem(last=False)
        return name

    def find(self, name: str, now: float) -> Held | None:
        """Return a state, None where it is unknown or has made room."""
        with self.lock:
            found = self.kept.get(name)
            return found[2] if found and now - found[0] < LIFETIME_S else None

    def _too_much(self, now: float) -> bool:
        oldest = next(iter(self.kept.values()))[0]
        heavy = sum(weight for _, weight, _ in self.kept.values()) > MOST_NUMBERS
        return heavy or len(self.kept) > MOST_DRAFTS or now - oldest >= LIFETIME_S


@st.cache_resource(max_entries=1, show_spinner=False)
def drafts() -> Drafts:
    """Return the drafts of this process."""
    return Drafts()


def keep(held: Held) -> str:
    """Keep a state for a reload and return its id."""
    return drafts().keep(held, time.monotonic())


def find(name: str) -> Held | None:
    """Return the state that an address names, None where it is gone."""
    return drafts().find(name, time.monotonic()) if name else None


def _weight(held: Held) -> int:
    """Return how many numbers of single requests a state holds, and tables in their place; summaries are nothing."""
    raw = [level.requests for file in held.files for level in file.levels if level.requests is not None]
    kept = [stage.requests for run in (*held.opened, *held.read) for stage in run.stages if stage.requests is not None]
    numbers = sum(PER_REQUEST * records.good.size + records.gaps.size for records in raw)
    tables = sum(len(upload.data) for upload in held.tables) // _BYTES
    return numbers + tables + sum(PER_REQUEST * len(records) for records in kept)
