"""Two trials of the store on any database: savers that are killed, and editors who all save at once."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from benchmarks.store.saving import (
    MARK,
    draft_work,
    edit,
    keep_until_killed,
    mark_of,
    person,
    save_until_killed,
)
from core.errors import StoreError
from core.model.person import Role
from core.store.access import EMAIL
from core.store.audit import Act, Event
from core.store.drafts import Drafts
from core.store.store import Store, open_store
from tests.model.model_strategies import differences
from tests.postgres import Cluster
from tests.store.store_build import a_scenario

LONGEST_S = 0.5
"""A saver is killed at a random moment up to this long after it began."""

# A process from here has every library loaded and no connection open: what is killed is a saver, not an import.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["benchmarks.store.saving"])

Told = tuple[str, int, str]
"""What a saver was told of one save: id, version; and the name that it gave."""

Kill = Callable[[BaseProcess], bool]
"""Kills something that the saver needs; returns whether the saver itself is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """What became of the saves.

    Attributes:
        kills: how often something was killed.
        acknowledged: saves that returned. found: of these, whole and with the right content.
        lost: of these, gone or different.
        unasked: saves that are there though nobody was told: the kill came after the commit.
        torn: versions without their event or the reverse, gaps in the versions, heads that point elsewhere.
    """

    kills: int
    acknowledged: int
    found: int
    lost: int
    unasked: int
    torn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What became of the updates.

    Attributes:
        updates: that were made. conflicts: told to an editor, who then looked again.
        lost: marks that are not there at the end. gaps: versions without a place in the sequence.
        strangers: versions whose author is not the one who made that update.
    """

    editors: int
    updates: int
    conflicts: int
    lost: int
    gaps: int
    strangers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What became of the drafts of sessions that were killed.

    Attributes:
        acknowledged: drafts whose keeping returned. found: of these, whole and with the right content.
        last_found: sessions whose last acknowledged draft is whole.
        listed: sessions of whose line of drafts the list shows exactly one. torn: listed ones that do not open.
    """

    sessions: int
    acknowledged: int
    found: int
    last_found: int
    listed: int
    torn: int


def killed_while_saving(
    url: str, kill: Kill, *, saves: int, seed: int, longest_s: float = LONGEST_S, kills_at_least: int = 10
) -> Killed:
    """Let savers work and kill at random moments until there were so many acknowledged saves and kills; look at each.

    A quick machine acknowledges many saves between two kills: without a number of its own, kills would be few there.
    """
    store = open_store(url)
    lineage = store.save(a_scenario("lineage")).id
    chance = random.Random(seed)
    told: list[Told] = []
    kills = 0
    while len(told) < saves or kills < kills_at_least:
        done, killed = _one_saver(url, lineage, kills, kill, chance.uniform(0, longest_s))
        told, kills = told + done, kills + killed
    return _look(_reopened(store, url), lineage, told, kills)


def killed_while_keeping(url: str, *, sessions: int, seed: int, longest_s: float = LONGEST_S) -> Drafted:
    """Kill sessions at random moments while they keep drafts; look at each draft from a process that lives."""
    open_store(url).close()
    chance = random.Random(seed)
    told: list[list[tuple[str, str]]] = []
    for number in range(sessions):
        here, there = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=keep_until_killed, args=(url, number, there), daemon=True)
        process.start()
        there.close()
        here.recv()  # it begins now
        first = here.recv()
        time.sleep(chance.uniform(0, longest_s))
        process.kill()
        process.join()
        told.append([first, *_received(here)])
    store = open_store(url)
    found = last = listed = torn = 0
    for number, kept in enumerate(told):
        drafts = store.acting(person(number)).drafts
        whole = [_is_draft(drafts, *each) for each in kept]
        listing = [entry.id for entry in drafts.mine()]
        found, last = found + sum(whole), last + whole[-1]
        # The one that was kept when the kill came may stand in its place, and is a whole one too.
        listed += len(listing) == 1
        torn += sum(drafts.find(each) is None for each in listing)
    store.close()
    return Drafted(
        sessions=sessions, acknowledged=sum(map(len, told)), found=found, last_found=last, listed=listed, torn=torn
    )


def _is_draft(drafts: Drafts, draft_id: str, name: str) -> bool:
    kept = drafts.find(draft_id)
    return kept is not None and kept.question == {"t": [name]} and differences(kept.work, draft_work(name)) == []


def _one_saver(url: str, lineage: str, number: int, kill: Kill, moment_s: float) -> tuple[list[Told], int]:
    """Let one saver work; return what it was told, and how often something was killed."""
    here, there = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=save_until_killed, args=(url, lineage, number, there), daemon=True)
    process.start()
    there.close()
    here.recv()  # it begins now
    time.sleep(moment_s)
    gone = kill(process)
    if not gone:
        time.sleep(moment_s / 2)  # it goes on, as a server does whose database went away
        process.kill()
    process.join()
    return _received(here), 1 if gone else 2


def _received(here: Connection) -> list[Any]:
    told = []
    with suppress(EOFError), here:
        while True:
            told.append(here.recv())
    return [each for each in told if each is not None]


def _reopened(store: Store, url: str) -> Store:
    store.close()
    return open_store(url)


def _look(store: Store, lineage: str, told: list[Told], kills: int) -> Killed:
    found = sum(_is_whole(store, *each) for each in told)
    entries = store.list()
    there = {(entry.id, saved.version) for entry in entries for saved in store.versions(entry.id)}
    events = Counter((event.scenario_id, event.version) for event in _saves(store, [entry.id for entry in entries]))
    torn = sum((events - Counter(there)).values()) + sum((Counter(there) - events).values())
    for entry in entries:
        versions = [saved.version for saved in store.versions(entry.id)]
        torn += versions != list(range(entry.latest, 0, -1))
        # Also what nobody was told of must be a scenario and not half of one.
        torn += differences(store.load(entry.id)[1], a_scenario(entry.name)) != []
    store.close()
    unasked = len(there - {(scenario_id, version) for scenario_id, version, _ in told} - {(lineage, 1)})
    return Killed(
        kills=kills,
        acknowledged=len(told),
        found=found,
        lost=len(told) - found,
        unasked=unasked,
        torn=torn,
    )


def _saves(store: Store, ids: list[str]) -> list[Event]:
    return [event for each in ids for event in store.audit.of(each) if event.act == Act.SAVED]


def _is_whole(store: Store, scenario_id: str, version: int, name: str) -> bool:
    try:
        scenario = store.load(scenario_id, version)[1]
    except StoreError:
        return False
    return differences(scenario, a_scenario(name)) == []


def edited_together(url: str, *, editors: int, marks: int, processes: int) -> Edited:
    """Let editors, spread over processes, each add marks to one scenario, and look for every mark."""
    store = open_store(url)
    first = store.save(replace(a_scenario("shared"), notes="start"))
    for number in range(editors):
        store.people.give(first.id, EMAIL, person(number).email or "", Role.EDITOR)
    conflicts = _edit(url, first.id, editors, marks, processes)
    saved, scenario = store.load(first.id)
    wanted = Counter(mark_of(number, turn) for number in range(editors) for turn in range(marks))
    there = Counter(scenario.notes.split(MARK)[1:])
    versions = store.versions(first.id)
    by_author = Counter(one.author for one in versions)
    strangers = sum(one.author != f"Editor {one.message.split()[1]}" for one in versions if one.message)
    strangers += sum(by_author[f"Editor {number}"] != marks for number in range(editors))
    store.close()
    return Edited(
        editors=editors,
        updates=saved.version - 1,
        conflicts=conflicts,
        lost=sum((wanted - there).values()),
        gaps=sum(
            one.version != wanted_version for one, wanted_version in zip(versions, _down(saved.version), strict=False)
        )
        + abs(len(versions) - saved.version),
        strangers=strangers,
    )


def _down(latest: int) -> range:
    return range(latest, 0, -1)


def _edit(url: str, scenario_id: str, editors: int, marks: int, processes: int) -> int:
    """Run the editors to their end and return how many conflicts they were told."""
    running = []
    for part in range(processes):
        here, there = PROCESSES.Pipe(duplex=False)
        numbers = tuple(range(part, editors, processes))
        process = PROCESSES.Process(target=edit, args=(url, scenario_id, numbers, marks, there), daemon=True)
        process.start()
        there.close()
        running.append((process, here))
    finished = conflicts = 0
    for process, here in running:
        with suppress(EOFError), here:
            done, told = here.recv()
            finished, conflicts = finished + done, conflicts + told
        process.join()
    if finished != editors:
        raise RuntimeError(f"{editors - finished} editors did not finish")
    return conflicts


def kill_saver(process: BaseProcess) -> bool:
    """Kill the process that saves."""
    process.kill()
    return True


def kill_server(cluster: Cluster) -> Kill:
    """Return what kills the whole of PostgreSQL and starts it again."""

    def kill(_process: BaseProcess) -> bool:
        cluster.kill()
        cluster.start()
        return False

    return kill


def end_connections(cluster: Cluster, url: str) -> Kill:
    """Return what ends every connection to one database, as an administrator or a proxy does."""

    def kill(_process: BaseProcess) -> bool:
        cluster.end_connections(url.rsplit("/", 1)[1])
        return False

    return kill
