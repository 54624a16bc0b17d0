"""Unsaved work on the pages: a database that goes away loses none of it, and what is found is gone on with."""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from streamlit.runtime.pages_manager import PagesManager

from core.store.store import open_store
from pages.parts import database, drafts, keys
from tests.pages.conftest import at_page, press, visit, words
from tests.pages.test_plan_page import SAFE, SWEEP, drop
from tests.pages.test_scenarios_page import first, limit, save

__all__ = ["visit"]

PAGES = ("data", "scenarios", "report", "guide")
NOT_KEPT = "Not kept for later: The saved scenarios cannot be reached"


@pytest.fixture(autouse=True)
def entry_first(monkeypatch):
    """Let every run begin with app.py, as it does in a server: errors of pages are told and addresses written there."""
    begins = PagesManager.__init__

    def begun(self, *args, **named):
        begins(self, *args, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begun)


@pytest.fixture
def away():
    """Let the database go away, and come back."""

    def fails(_connection):
        raise OperationalError("BEGIN", {}, sqlite3.OperationalError("unable to open database file"))

    def set_away(gone):
        if gone != event.contains(Engine, "begin", fails):
            (event.listen if gone else event.remove)(Engine, "begin", fails)

    yield set_away
    set_away(False)


def kept(tmp_path):
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    found = [store.drafts.find(entry.id) for entry in store.drafts.mine()]
    store.close()
    return found


def test_a_database_that_goes_away_is_told_and_the_work_is_kept_once_it_is_back(visit, away, tmp_path, monkeypatch):
    monkeypatch.setattr(drafts, "AGAIN_S", 0.0)
    app = visit(t=["ttft-p99-300ms"])
    away(True)
    drop(app, SWEEP)
    assert NOT_KEPT in words(app)
    limit(app, 200.0)
    assert NOT_KEPT in words(app)
    before = SAFE.search(words(app))[1]
    away(False)
    assert kept(tmp_path) == []
    # No file has to change: the next move of a target keeps everything.
    limit(app, 300.0)
    assert SAFE.search(words(app))[1] != before
    (found,) = kept(tmp_path)
    assert found.id == app.session_state[keys.HELD].draft
    assert len(found.work.files) == len(SWEEP)
    assert found.question["t"] == ["ttft-p99-300ms"]
    assert "Not kept for later" not in words(app.run())


def test_no_page_falls_without_its_database_and_the_work_stays(visit, away):
    app = drop(visit(), SWEEP)
    safe = SAFE.search(words(app))[1]
    away(True)
    told = {name: words(at_page(app, name)) for name in PAGES}
    assert told["scenarios"].count("The saved scenarios cannot be reached") == 1
    assert SAFE.search(told["report"])[1] == safe
    assert SAFE.search(words(at_page(app, "plan")))[1] == safe


def test_unsaved_work_that_is_found_is_gone_on_with(visit):
    before = drop(visit(t=["ttft-p99-300ms"]), SWEEP)
    other = at_page(visit(), "scenarios")
    press(other, first(other, keys.DRAFT_CONTINUE))
    at_page(other, "plan")
    assert SAFE.search(words(other))[1] == SAFE.search(words(before))[1]
    assert len(other.session_state[keys.HELD].files) == len(SWEEP)
    assert [row.value for row in other.session_state[keys.ASK].rows] == [300.0]


def unsaved(app):
    database.questions().flush()
    app = at_page(app, "scenarios")
    return [str(each.key) for each in app.button if str(each.key).startswith(f"{keys.DRAFT_CONTINUE}_")]


def test_one_piece_of_work_is_listed_once_whatever_was_reloaded_and_saved(visit):
    app = drop(visit(), SWEEP)
    for limited in (400.0, 300.0):
        app = limit(visit(**dict(app.query_params.items())), limited)
    # The same files, dropped and asked the same in a new session: still one piece of work.
    limit(drop(visit(), SWEEP), 300.0)
    assert len(unsaved(visit())) == 1
    shown = words(at_page(visit(), "scenarios"))
    assert "TTFT p99 ≤ 300 ms" in shown
    # Other work on the same files is another entry, told apart by what it asks.
    limit(drop(visit(), SWEEP), 111.0)
    assert len(unsaved(visit())) == 2
    save(app)
    left = visit()
    assert len(unsaved(left)) == 1
    assert "TTFT p99 ≤ 111 ms" in words(left)
    assert "TTFT p99 ≤ 300 ms, TPOT" not in words(left)
    # A move away from what was saved and back leaves nothing unsaved.
    limit(app, 250.0)
    assert len(unsaved(visit())) == 2
    limit(app, 300.0)
    assert len(unsaved(visit())) == 1
