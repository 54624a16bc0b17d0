"""Drafts: found again by their id, bounded in number, size and age."""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.ingest.raw import Upload
from core.model.run import Conditions, Kind, Run
from core.model.stage import Requests, Stage
from pages.parts.drafts import LIFETIME_S, MOST_DRAFTS, MOST_NUMBERS, PER_REQUEST, Drafts, Held


def held(requests=0):
    array = np.zeros(requests)
    records = Requests(
        start_s=array,
        ttft_s=array,
        tpot_s=array,
        e2e_s=array,
        input_tokens=array,
        output_tokens=array,
        good=np.zeros(requests, bool),
    )
    run = Run(
        id="run",
        label="run",
        kind=Kind.MEASURED,
        format_id="x",
        format_version=None,
        files=(),
        conditions=Conditions(),
        stages=(Stage(where=Place("x"), requests=records if requests else None),),
    )
    return Held(read=(run,))


def test_a_draft_is_found_by_an_id_that_cannot_be_guessed():
    drafts = Drafts()
    kept = held()
    name = drafts.keep(kept, 0.0)
    assert drafts.find(name, 1.0) is kept
    assert drafts.find("other", 1.0) is None
    assert len(name) >= 20
    assert name != drafts.keep(kept, 0.0)


def test_old_drafts_are_gone():
    drafts = Drafts()
    name = drafts.keep(held(), 0.0)
    assert drafts.find(name, LIFETIME_S - 1)
    assert drafts.find(name, LIFETIME_S) is None
    drafts.keep(held(), LIFETIME_S)
    assert len(drafts.kept) == 1


def test_the_oldest_make_room_when_there_are_too_many():
    drafts = Drafts()
    names = [drafts.keep(held(), float(n)) for n in range(MOST_DRAFTS + 3)]
    assert [drafts.find(name, 200.0) is None for name in names[:4]] == [True, True, True, False]


def test_large_drafts_make_room_and_the_newest_always_stays():
    drafts = Drafts()
    first = drafts.keep(held(1000), 0.0)
    huge = drafts.keep(held(MOST_NUMBERS // PER_REQUEST + 1), 1.0)
    assert drafts.find(first, 2.0) is None
    assert drafts.find(huge, 2.0)


def test_tables_that_are_kept_weigh_too(monkeypatch):
    monkeypatch.setattr("pages.parts.drafts.MOST_NUMBERS", 100)
    drafts = Drafts()
    light = drafts.keep(Held(tables=(Upload("a.csv", bytes(400)),)), 0.0)
    drafts.keep(Held(tables=(Upload("b.csv", bytes(408)),)), 1.0)
    assert drafts.find(light, 2.0) is None
