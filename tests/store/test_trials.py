"""Killed while saving, and saving all at once: nothing that was acknowledged is lost. Figures: benchmarks/store."""

from __future__ import annotations

import pytest

from benchmarks.store.trials import (
    edited_together,
    end_connections,
    kill_saver,
    kill_server,
    killed_while_keeping,
    killed_while_saving,
)
from tests.databases import only_on

SAVES = 200
EDITORS = 50
LONGEST_S = {"sqlite": 0.5, "postgresql": 1.5}
"""A saver's longest life: opening PostgreSQL alone takes up to half a second, and who never saves shows nothing."""


def check(done, saves):
    assert done.acknowledged >= saves
    assert (done.found, done.lost, done.torn) == (done.acknowledged, 0, 0)
    # The commit may be done when the kill comes before the answer: one save at most, and a whole one.
    assert done.unasked <= done.kills


def test_kills_during_200_saves_lose_nothing_acknowledged(database, url):
    done = killed_while_saving(url, kill_saver, saves=SAVES, seed=5, longest_s=LONGEST_S[database])
    check(done, SAVES)
    assert done.kills >= 10


def test_kills_while_drafts_are_kept_lose_none_that_was_acknowledged(url):
    done = killed_while_keeping(url, sessions=4, seed=5)
    assert done.acknowledged >= 8
    assert (done.found, done.last_found) == (done.acknowledged, 4)
    assert (done.listed, done.torn) == (4, 0)


@only_on("postgresql", "a file has no server that can be killed apart from the program")
@pytest.mark.parametrize(("what", "saves"), [("connections", 60), ("server", 40)])
def test_a_database_killed_during_saves_loses_nothing_acknowledged(postgres, url, what, saves):
    kill = kill_server(postgres) if what == "server" else end_connections(postgres, url)
    done = killed_while_saving(url, kill, saves=saves, seed=7, longest_s=0.8, kills_at_least=4)
    check(done, saves)
    assert done.kills >= 4


def test_50_editors_lose_no_update(url):
    done = edited_together(url, editors=EDITORS, marks=1, processes=2)
    assert (done.updates, done.lost, done.gaps, done.strangers) == (EDITORS, 0, 0, 0)
    assert done.conflicts > 0
