"""Unsaved work comes back as it was, for its owner only, and stays no longer than it should."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from sqlalchemy.orm import Session

from core.edits import Edits, Told
from core.errors import Place, StoreError
from core.i18n import t
from core.ingest.raw import RawFile, RawLevel, RawRequests, Upload
from core.model.person import NOBODY, Person
from core.model.refusal import Refusal
from core.model.run import Kind
from core.model.scenario import DecisionColumn
from core.normalise.partings import Parting
from core.normalise.regrouping import Act, Named, Regrouping, Step
from core.store.blobs import YOUNG
from core.store.draft_limits import FOLLOWED, LIFETIME, MOST, pruned
from core.store.draft_questions import Questions
from core.store.drafts import BasedOn, Work
from core.store.engine import writing
from core.store.tables_blobs import BlobRow, BlobUseRow, DraftRow
from tests.databases import behind
from tests.model.model_strategies import differences
from tests.store.store_build import A_MAPPING, a_run, a_scenario

ASKED = {"t": ["ttft-p99-500ms", "tpot-p99-50ms"], "price": ["2.5/gpu-h"], "job": ["한국어 & <b>"]}
KIM = Person(id="https://issuer.example/|kim", name="Kim", email="kim@example.org")
LEE = Person(id="https://issuer.example/|lee", name="Lee")


def a_file(name="a.jsonl", n=3_000, seed=0):
    random = np.random.default_rng(seed)
    requests = RawRequests(
        unit="ms",
        good=random.random(n) > 0.1,
        cut_off=random.random(n) > 0.9,
        gap_counts=np.full(n, 2),
        gaps=random.random(2 * n),
        **{column: random.random(n) for column in ("ttft", "e2e", "start", "input_tokens", "output_tokens")},
    )
    level = RawLevel(place=Place(name, 1), asked_concurrency=8.0, requests=requests, identity={"tp": 8, "x": 0.5})
    return RawFile(
        name=name, sha256=f"{seed:064x}", format_id="x", format_version=None, kind=Kind.MEASURED, levels=(level,)
    )


def work(**values):
    """Work in which everything is there."""
    step = Step(act=Act.SPLIT, levels=("ab#0",), by=Parting.SETTING, setting="tp")
    return Work(
        **{
            "files": (a_file(), a_file("b.jsonl", seed=1)),
            "opened": (a_run(),),
            "decided": Regrouping(
                steps=(step,), names=(Named(levels=("ab#0",), label="모델"),), excluded={"ab#1": "warm-up"}
            ),
            "told": (Told(levels=("ab#0",), edits=Edits(excluded={8.0: "why"}, conditions={"tp": 8}, gpu_busy=0.5)),),
            "mappings": (A_MAPPING,),
            "tables": (Upload("t.csv", b"load,ttft\n8,0.5\n"),),
            "refused": (Refusal(file="c", code="ingest.empty", what=t("{n} rows", n=0), fix=t("Send another")),),
            "decision": (DecisionColumn(name="lead time", values={"r": "6 weeks"}),),
            "based_on": BasedOn("0" * 32, 3, "Launch"),
        }
        | values
    )


def rows(store, kind=DraftRow):
    with Session(store._engine) as session:
        return session.query(kind).count()


def aged(url, name, age):
    with behind(url) as run:
        run("UPDATE draft SET saved_at = :at WHERE id = :id", {"at": datetime.now(UTC) - age, "id": name})


def test_everything_that_is_held_comes_back_bit_by_bit(store):
    kept = store.drafts.keep(work(), ASKED, runs=["one", "two"])
    found = store.drafts.find(kept.id)
    assert differences(found.work, work()) == []
    assert found.question == ASKED
    assert found.id == kept.id


def test_work_without_anything_comes_back_too(store):
    kept = store.drafts.keep(Work(), {})
    assert differences(store.drafts.find(kept.id).work, Work()) == []


def test_ids_cannot_be_guessed_and_what_is_no_id_finds_nothing(store):
    names = {store.drafts.keep(Work(), {}).id for _ in range(20)}
    assert len(names) == 20
    assert min(map(len, names)) >= 32
    for wrong in ("", "x", "a" * 65, "é" * 8, "' OR 1=1 --", "\x00", f"{names.pop()} "):
        assert store.drafts.find(wrong) is None


def test_an_edit_writes_nothing_large_again(store):
    before = work()
    first = store.drafts.keep(before, ASKED)
    blobs = rows(store, BlobRow)
    edited = replace(before, told=(), decided=Regrouping())
    second = store.drafts.keep(edited, ASKED, parent=first.id, written=first.written)
    assert rows(store, BlobRow) == blobs
    assert [part.thing for part in second.written.parts] == [part.thing for part in first.written.parts]
    assert differences(store.drafts.find(second.id).work, edited) == []


def test_what_was_written_before_and_is_gone_is_written_again(store, url):
    before = work()
    first = store.drafts.keep(before, ASKED)
    with behind(url) as run:
        run("DELETE FROM blob_use")
    assert store.blobs.collect(datetime.now(UTC) + 2 * YOUNG) > 0
    second = store.drafts.keep(before, ASKED, written=first.written)
    assert differences(store.drafts.find(second.id).work, before) == []


def test_a_draft_opens_for_its_owner_only(store):
    kims, lees = store.acting(KIM).drafts, store.acting(LEE).drafts
    kept = kims.keep(Work(), ASKED, runs=["one"])
    assert kims.find(kept.id)
    for other in (lees, store.drafts, store.acting(NOBODY).drafts):
        assert other.find(kept.id) is None
        assert other.mine() == ()
        other.discard(kept.id)
        other.ask(kept.id, {"t": ["taken"]})
    assert [entry.id for entry in kims.mine()] == [kept.id]
    assert kims.find(kept.id).question == ASKED


def test_nobody_keeps_nothing(store):
    with pytest.raises(StoreError) as raised:
        store.acting(NOBODY).drafts.keep(Work(), {})
    assert raised.value.code == "store.sign_in_needed"


def test_a_list_shows_the_last_of_each_line_newest_first(store, url):
    old = store.drafts.keep(work(), ASKED, runs=["one", "two", "three", "four"])
    other = store.drafts.keep(Work(), ASKED)
    aged(url, old.id, timedelta(hours=3))
    aged(url, other.id, timedelta(hours=2))
    new = store.drafts.keep(work(), ASKED, runs=["one"], parent=old.id)
    assert [entry.id for entry in store.drafts.mine()] == [new.id, other.id]
    entry = store.drafts.mine()[0]
    assert (entry.files, entry.file_count, entry.runs, entry.run_count) == (("a.jsonl", "b.jsonl"), 2, ("one",), 1)
    assert entry.saved_at.utcoffset() is not None
    assert (entry.based_on, entry.based_on_version, entry.based_on_name) == ("0" * 32, 3, None)


def listed(store, besides=""):
    return [entry.id for entry in store.drafts.mine(besides=besides)]


def test_the_same_work_begun_several_times_is_listed_once_as_it_was_last(store):
    first = store.drafts.keep(work(), ASKED)
    again = store.drafts.keep(work(), dict(reversed(ASKED.items())) | {"traffic": []})
    assert listed(store) == [again.id]
    # The older one is gone on with: it is the last one now.
    store.drafts.ask(first.id, ASKED)
    assert listed(store) == [first.id]
    # What is in view is left out, whichever of the two it is.
    for here in (first, again):
        assert listed(store, here.id) == []


def test_work_that_differs_in_anything_stays_apart(store):
    kept = [
        store.drafts.keep(work(), ASKED),
        store.drafts.keep(work(), ASKED | {"t": ["ttft-p99-300ms"]}),
        store.drafts.keep(work(files=(a_file(seed=2),)), ASKED),
        store.drafts.keep(work(decided=Regrouping()), ASKED),
        store.drafts.keep(work(told=()), ASKED),
        store.drafts.keep(work(decision=()), ASKED),
    ]
    assert listed(store) == [each.id for each in reversed(kept)]


def test_two_tabs_that_go_on_from_one_draft_otherwise_are_two_entries(store):
    first = store.drafts.keep(work(), ASKED)
    one = store.drafts.keep(work(told=()), ASKED, parent=first.id)
    other = store.drafts.keep(work(decision=()), ASKED, parent=first.id)
    assert listed(store) == [other.id, one.id]


def test_what_was_discarded_does_not_come_back_as_its_double(store):
    store.drafts.keep(work(), ASKED)
    again = store.drafts.keep(work(), ASKED)
    store.drafts.discard(again.id)
    assert listed(store) == []
    store.drafts.bring_back(again.id)
    assert listed(store) == [again.id]


def test_saving_takes_every_double_off_the_list_for_good(store):
    store.drafts.keep(work(based_on=None), ASKED)
    begun = store.drafts.keep(work(based_on=None), ASKED)
    saved = store.drafts.keep(work(), ASKED, parent=begun.id, settled=True)
    assert listed(store) == []
    # Going on from what was saved is one piece of unsaved work, and none again once it is as it was saved.
    store.drafts.ask(saved.id, {"t": ["ttft-p99-300ms"]})
    assert listed(store) == [saved.id]
    store.drafts.ask(saved.id, ASKED)
    assert listed(store) == []


def test_a_change_of_one_scenario_is_unsaved_though_another_holds_the_same(store):
    change = store.drafts.keep(work(), ASKED)
    store.drafts.keep(work(based_on=BasedOn("1" * 32, 1, "Other")), ASKED, settled=True)
    assert listed(store) == [change.id]
    store.drafts.keep(work(), ASKED, settled=True)
    assert listed(store) == []


def test_a_question_that_came_with_the_opening_is_what_was_saved(store):
    opened = store.drafts.keep(work(), {"t": ["ttft-p99-500ms"]}, settled=True)
    store.drafts.ask(opened.id, ASKED, quiet=True)
    store.drafts.ask(opened.id, {"t": ["ttft-p99-300ms"]})
    assert listed(store) == [opened.id]
    store.drafts.ask(opened.id, ASKED)
    assert listed(store) == []


def test_one_person_s_work_hides_nobody_else_s(store):
    kims = store.acting(KIM).drafts.keep(work(), ASKED)
    store.acting(LEE).drafts.keep(work(), ASKED, settled=True)
    assert listed(store.acting(KIM)) == [kims.id]
    assert listed(store.acting(LEE)) == []


def test_work_from_before_contents_were_told_is_listed_by_what_was_kept(store, url):
    for _ in range(2):
        store.drafts.keep(work(), ASKED)
    other = store.drafts.keep(work(told=()), ASKED)
    with behind(url) as run:
        run("UPDATE draft SET label = :old", {"old": '{"files":["a"],"file_count":1,"runs":[],"run_count":0}'})
    assert len(listed(store)) == 2
    assert listed(store)[0] == other.id


def test_a_list_names_the_scenario_only_to_those_who_may_know_of_it(store):
    saved = store.acting(KIM).save(a_scenario("Secret plan"))
    based = work(based_on=BasedOn(saved.id, 1, "Secret plan"))
    for who, name in ((KIM, "Secret plan"), (LEE, None)):
        drafts = store.acting(who).drafts
        drafts.keep(based, ASKED)
        assert [entry.based_on_name for entry in drafts.mine()] == [name]


def test_discarding_can_be_undone_and_a_reload_still_finds_it(store):
    kept = store.drafts.keep(Work(), ASKED)
    store.drafts.discard(kept.id)
    store.drafts.discard(kept.id)
    assert store.drafts.mine() == ()
    assert store.drafts.find(kept.id)
    store.drafts.bring_back(kept.id)
    assert [entry.id for entry in store.drafts.mine()] == [kept.id]


def test_what_was_saved_is_no_unsaved_work_until_its_question_changes(store):
    kept = store.drafts.keep(Work(), ASKED, settled=True)
    assert store.drafts.mine() == ()
    store.drafts.ask(kept.id, {"t": ["ttft-p99-400ms"]}, quiet=True)
    assert store.drafts.mine() == ()
    store.drafts.ask(kept.id, {"t": ["ttft-p99-300ms"]})
    assert [entry.id for entry in store.drafts.mine()] == [kept.id]
    assert store.drafts.find(kept.id).question == {"t": ["ttft-p99-300ms"]}


def test_a_followed_draft_stays_for_an_hour(store, url):
    first = store.drafts.keep(Work(), ASKED)
    second = store.drafts.keep(Work(), ASKED, parent=first.id)
    third = store.drafts.keep(Work(), ASKED, parent=second.id)
    assert store.drafts.find(first.id)
    for name in (first.id, second.id):
        aged(url, name, FOLLOWED + timedelta(minutes=1))
    store.drafts.keep(Work(), ASKED)
    assert store.drafts.find(first.id) is None
    assert store.drafts.find(second.id)
    assert store.drafts.find(third.id)


def test_a_draft_that_nobody_came_back_to_goes_after_a_month(store, url):
    kept = store.acting(KIM).drafts.keep(work(), ASKED)
    aged(url, kept.id, LIFETIME - timedelta(minutes=1))
    store.drafts.keep(Work(), ASKED)
    assert store.acting(KIM).drafts.find(kept.id)
    aged(url, kept.id, LIFETIME + timedelta(minutes=1))
    store.drafts.keep(Work(), ASKED)
    assert store.acting(KIM).drafts.find(kept.id) is None
    assert rows(store, BlobUseRow) == 0
    store.blobs.collect(datetime.now(UTC) + 2 * YOUNG)
    assert rows(store, BlobRow) == 0


def test_nobody_has_more_than_so_many(store, url):
    first = store.drafts.keep(Work(), ASKED)
    with behind(url) as run:
        columns = "owner, saved_at, question, label, payload, payload_sha256"
        for number in range(MOST):
            run(
                f"INSERT INTO draft (id, {columns}) SELECT :id, {columns} FROM draft WHERE id = :from",
                {"id": f"copy{number}", "from": first.id},
            )
    aged(url, first.id, timedelta(minutes=5))
    with Session(writing(store._engine)) as session:
        assert pruned(session, store.blobs, "local") == 1
        session.commit()
    assert store.drafts.find(first.id) is None
    assert rows(store) == MOST


def test_a_damaged_draft_is_said_and_opens_no_other_way(store, url):
    kept = store.drafts.keep(Work(), ASKED)
    with behind(url) as run:
        run("UPDATE draft SET payload_sha256 = :other", {"other": "0" * 64})
    with pytest.raises(StoreError) as raised:
        store.drafts.find(kept.id)
    assert raised.value.code == "store.damaged"


@pytest.mark.parametrize("lie", ["null", "[]", '{"t": 1}', "{", '{"t": [1]}', ""])
def test_a_question_or_label_that_lies_is_none(store, url, lie):
    kept = store.drafts.keep(work(), ASKED, runs=["one"])
    with behind(url) as run:
        run("UPDATE draft SET question = :lie, label = :lie", {"lie": lie})
    assert store.drafts.find(kept.id).question == {}
    assert len(store.drafts.mine()) == 1


def test_work_beyond_the_limit_is_refused_with_the_limit(store, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_DRAFT_MB", "1")
    with pytest.raises(StoreError) as raised:
        store.drafts.keep(work(files=(a_file(n=100_000),)), ASKED)
    assert raised.value.code == "store.draft_too_large"
    assert "1 MB" in str(raised.value)
    assert (rows(store), rows(store, BlobRow)) == (0, 0)


def test_no_prompt_of_a_table_is_kept(store):
    secret = b"PRIVATE-canary"
    tables = (
        Upload("a.csv", b"load,prompt\n8," + secret + b"\n"),
        Upload("b.md", b"| load | prompt |\n|---|---|\n| 8 | " + secret + b" |\n"),
    )
    kept = store.drafts.keep(Work(tables=tables), ASKED)
    assert store.drafts.find(kept.id).work.tables == (Upload("a.csv", b"load,prompt\n8,\n"),)


def test_questions_are_written_later_the_last_one_only(store, monkeypatch):
    written, started = [], []
    monkeypatch.setattr(type(store.drafts), "ask", lambda *told, quiet: written.append((*told[1:], quiet)))
    questions = Questions()
    monkeypatch.setattr(questions._pool, "submit", started.append)
    questions.later(store.drafts, "a", {"t": ["1"]}, quiet=True)
    questions.later(store.drafts, "a", {"t": ["2"]}, quiet=False)
    questions.later(store.drafts, "a", {"t": ["3"]}, quiet=True)
    questions.later(store.drafts, "b", {"t": ["4"]}, quiet=True)
    assert written == []
    questions.flush()
    assert written == [("a", {"t": ["3"]}, False), ("b", {"t": ["4"]}, True)]
    questions.flush()
    assert len(written) == 2
    assert len(started) == 1


def test_a_question_that_cannot_be_written_stops_nobody(store, monkeypatch):
    def away(*_told, **_more):
        raise StoreError("store.unavailable", t("away"), fix=t("wait"))

    monkeypatch.setattr(type(store.drafts), "ask", away)
    questions = Questions(wait_s=0.0)
    questions.later(store.drafts, "a", {}, quiet=False)
    questions.flush()
    questions._pool.shutdown()
