"""Unsaved work: kept in the database under the id in the address, and in this process as the faster way to it.

New files and edits make a new draft with a new unguessable id; a question only changes the one that is there. Where
the database is away, or the disk is full, the session goes on, says so quietly, and writes again at the next change.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import streamlit as st

from core.edits import Told
from core.errors import PlimsollError
from core.i18n import t
from core.ingest.raw import RawFile, Upload
from core.model.copied import Copied
from core.model.demand_curve import Curve
from core.model.mapping import TableMapping
from core.model.refusal import Refusal
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.normalise.doubts import GroupingDoubt
from core.normalise.partings import Way
from core.normalise.regrouping import Members, Regrouping
from core.pipeline import arrange
from pages.parts import database, keys, person
from pages.parts.errors import attempt
from pages.parts.speech import say

if TYPE_CHECKING:
    from core.store.draft_parts import Written
    from core.store.drafts import Draft, Kept, Work

Params = Mapping[str, list[str]]

MOST_DRAFTS = 100
MOST_NUMBERS = 50_000_000
"""Numbers of per-request records in all drafts together: 400 MB."""
PER_REQUEST = 7
_BYTES = 8
LIFETIME_S = 12 * 3600.0
AGAIN_S = 10.0
"""Seconds after which a move of the question tries once more to keep what could not be kept."""


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
        copied: what this is an own copy of, None where it is none.
        decision: the person's own columns, by the ids shown.
        curve: demand over time, as read from a file.
        draft: id of this state among the drafts, "" if it is not kept there.
        written: what of it lies in the database already.
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
    copied: Copied | None = None
    decision: tuple[DecisionColumn, ...] = ()
    curve: Curve | None = None
    draft: str = ""
    written: Written | None = None

    @property
    def empty(self) -> bool:
        """True where there is nothing to show."""
        return not (self.opened or self.read or self.refused)


@dataclass(slots=True)
class Drafts:
    """The drafts of one process, the oldest first."""

    kept: OrderedDict[str, tuple[float, int, Held]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, held: Held, now: float, name: str = "") -> str:
        """Keep a state under an id, a new one where none is given, and return it; the oldest ones make room."""
        name = name or secrets.token_urlsafe(24)
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


def keep(held: Held, question: Params, parent: str = "", *, settled: bool = False) -> Held:
    """Keep a state for a reload, and return it with its id.

    Args:
        held: the state.
        question: parameters of the address that ask what the person asks.
        parent: the draft that it follows, "" for work of its own.
        settled: nothing in it is unsaved.
    """
    st.session_state.pop(keys.DRAFT_ASKED, None)
    if held.empty:
        return replace(held, draft="")
    done = attempt(lambda: _kept(held, question, parent, settled=settled))
    if isinstance(done, PlimsollError):
        # Reloading finds it as long as this process lives.
        kept, problem = replace(held, draft=secrets.token_urlsafe(24)), done
        st.session_state[keys.DRAFT_TRIED] = time.monotonic()
    else:
        kept, problem = replace(held, draft=done.id, written=done.written), None
    st.session_state[keys.DRAFT_ASKED] = (kept.draft, dict(question), True)
    st.session_state[keys.DRAFT_PROBLEM] = problem
    drafts().keep(kept, time.monotonic(), _own(kept.draft))
    return kept


def _kept(held: Held, question: Params, parent: str, *, settled: bool) -> Kept:
    return database.store().drafts.keep(
        work_of(held),
        question,
        runs=[run.label for run in held.shown],
        parent=parent or None,
        written=held.written,
        settled=settled,
    )


def asked(name: str, question: Params) -> None:
    """Write the question of a draft soon, where it is another than before; the draft itself, where it is not there."""
    known: tuple[str, Params, bool] | None = st.session_state.get(keys.DRAFT_ASKED)
    st.session_state[keys.DRAFT_ASKED] = (name, question, False)
    if known is None or known[0] != name or known[1] == question:
        return
    if st.session_state.get(keys.DRAFT_PROBLEM) is None:
        # What changes in the run that made the draft came with it: nobody changed it by hand.
        database.questions().later(database.store().drafts, name, question, quiet=known[2])
    elif time.monotonic() - st.session_state.get(keys.DRAFT_TRIED, 0.0) >= AGAIN_S:
        # Not at every move: a database that does not answer keeps each try waiting.
        st.session_state[keys.HELD] = keep(st.session_state[keys.HELD], question)


def find(name: str) -> Held | None:
    """Return the state that an address names, None where it is gone or somebody else's."""
    if not name:
        return None
    here = drafts().find(_own(name), time.monotonic())
    if here is not None:
        return here
    found = attempt(lambda: database.store().drafts.find(name))
    if isinstance(found, PlimsollError):
        st.session_state[keys.DRAFT_PROBLEM] = found
        return None
    return held_of(found) if found else None


def warning() -> None:
    """Say quietly why the files are kept in this session only, where they are."""
    problem: PlimsollError | None = st.session_state.get(keys.DRAFT_PROBLEM)
    if problem is not None:
        st.caption(
            say(t("Not kept for later: {reason}. {fix}", reason=problem.what, fix=problem.fix)),
            help=say(t("You can go on. It is tried again with the next change; saving a scenario keeps it for good")),
        )


def continue_(name: str) -> None:
    """Put unsaved work of before into the session; what the session holds now stays among the unsaved work."""
    found = database.store().drafts.find(name)
    if found is not None:
        st.session_state.pop(keys.STARTED, None)
        st.switch_page("pages/plan.py", query_params={**found.question, keys.Q_DRAFT: name})


def discard(name: str) -> None:
    """Take a draft off the list of unsaved work."""
    database.store().drafts.discard(name)


def bring_back(name: str) -> None:
    """Put a discarded draft back on the list of unsaved work, with what was asked of it last."""
    database.questions().flush()
    database.store().drafts.bring_back(name)


def work_of(held: Held) -> Work:
    """Return what of a state is kept; the rest is worked out from it."""
    from core.store.drafts import BasedOn, Work

    based = held.based
    return Work(
        files=held.files,
        opened=held.opened,
        decided=held.decided,
        told=held.told,
        mappings=held.mappings,
        tables=held.tables,
        refused=held.refused,
        decision=held.decision,
        curve=held.curve,
        based_on=BasedOn(based.scenario_id, based.version, based.name) if based else None,
        copied=held.copied,
    )


def held_of(draft: Draft) -> Held:
    """Return the state that a draft was kept of, but for what `pages.parts.laid_out` makes of it."""
    work = draft.work
    loaded = arrange(work.files, work.decided)
    based = work.based_on
    return Held(
        files=work.files,
        opened=work.opened,
        read=loaded.runs,
        read_members=loaded.members,
        doubts=loaded.doubts,
        ways=loaded.ways,
        refused=work.refused,
        decided=work.decided,
        told=work.told,
        tables=work.tables,
        mappings=work.mappings,
        decision=work.decision,
        curve=work.curve,
        based=Based(scenario_id=based.scenario_id, version=based.version, name=based.name) if based else None,
        copied=work.copied,
        draft=draft.id,
    )


def _own(name: str) -> str:
    """Return the id of a draft in this process: whose it is belongs to it."""
    return f"{person.current().id} {name}"


def _weight(held: Held) -> int:
    """Return how many numbers of single requests a state holds, and tables in their place; summaries are nothing."""
    raw = [level.requests for file in held.files for level in file.levels if level.requests is not None]
    kept = [stage.requests for run in (*held.opened, *held.read) for stage in run.stages if stage.requests is not None]
    numbers = sum(PER_REQUEST * records.good.size + records.gaps.size for records in raw)
    tables = sum(len(upload.data) for upload in held.tables) // _BYTES
    return numbers + tables + sum(PER_REQUEST * len(records) for records in kept)
