"""What runs in the processes that are killed, and in those of the editors: they report through a pipe."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from dataclasses import replace
from multiprocessing.connection import Connection

from core.errors import StoreError
from core.model.person import Person
from core.store.drafts import Work
from core.store.saved import ConflictError
from core.store.store import Store, open_store
from tests.store.store_build import A_MAPPING, a_run, a_scenario

MARK = "\n"
"""Between what editors wrote into the notes."""

MOST_KEPT = 150
"""Drafts of one person, below the number from which the oldest make room."""


def save_until_killed(url: str, lineage: str, number: int, report: Connection) -> None:
    """Save for ever, new scenarios and versions of one by turns, and report each save after it returned.

    A save that was refused is tried again later as another one: nobody was told that it is kept.
    """
    count = 0
    store = None
    report.send(None)
    while True:
        name = f"child {number} save {count}"
        try:
            store = store or open_store(url)
            saved = store.save(a_scenario(name), lineage if count % 2 else None)
        except StoreError:
            time.sleep(0.02)
        else:
            report.send((saved.id, saved.version, name))
        count += 1


def keep_until_killed(url: str, number: int, report: Connection) -> None:
    """Keep drafts for ever, each following the one before, as a session does; report each after it returned."""
    drafts = open_store(url).acting(person(number)).drafts
    kept = None
    report.send(None)
    for count in range(MOST_KEPT):
        name = f"child {number} draft {count}"
        before = kept.id if kept else None
        kept = drafts.keep(draft_work(name), {"t": [name]}, parent=before, written=kept.written if kept else None)
        report.send((kept.id, name))
    time.sleep(60)  # until it is killed


def draft_work(name: str) -> Work:
    """Return what a session holds that somebody is editing."""
    return Work(opened=(a_run(),), mappings=(replace(A_MAPPING, name=name),))


def edit(url: str, scenario_id: str, editors: tuple[int, ...], marks: int, report: Connection) -> None:
    """Be several editors at once, each with the marks that it adds, and report how many conflicts were told."""
    store = open_store(url)
    conflicts: list[int] = []
    threads = [
        threading.Thread(
            target=lambda number=number: conflicts.append(
                _editor(store.acting(person(number)), scenario_id, number, marks)
            )
        )
        for number in editors
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    report.send((len(conflicts), sum(conflicts)))


def person(number: int) -> Person:
    """Return an editor."""
    return Person(id=f"editor-{number}", name=f"Editor {number}", email=f"editor-{number}@example.org")


def mark_of(number: int, turn: int) -> str:
    """Return what an editor adds in a turn."""
    return f"editor {number} mark {turn}"


def _editor(store: Store, scenario_id: str, number: int, marks: int) -> int:
    """Add each mark to what is there, and again where somebody else was faster; return how often that was."""
    chance = random.Random(number)
    conflicts = 0
    for turn in range(marks):
        waited = 0.01
        while True:
            saved, scenario = store.load(scenario_id)
            merged = replace(scenario, notes=scenario.notes + MARK + mark_of(number, turn))
            try:
                store.save(merged, scenario_id, based_on=saved.version, message=mark_of(number, turn))
                break
            except ConflictError:
                conflicts += 1
            except StoreError as error:
                if error.code != "store.busy":
                    raise
            with contextlib.suppress(InterruptedError):
                time.sleep(chance.uniform(0, waited))
            waited = min(waited * 2, 0.8)
    return conflicts
