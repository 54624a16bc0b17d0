"""Laws of regrouping: nothing is lost or doubled, order does not matter, and everything can be taken back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.normalise.doubts import chosen
from core.normalise.partings import Parting
from core.normalise.regrouping import Act, Named, Regrouping, Step
from core.normalise.runs import arranged, runs_of
from core.present.grouping import FEW_ROWS, alike, reading_table, run_name
from tests.normalise.raw_build import file, summary

levels = st.tuples(
    st.sampled_from(["a", "b", "pass1", "pass2", ""]),
    st.sampled_from(["h100", "l40", ""]),
    st.sampled_from([2, 4, 8]),
    st.integers(50, 150),
    st.sampled_from([None, 4, 8]),
    st.sampled_from([100.0, 109.0, 115.0]),
)
drops = st.lists(levels, min_size=1, max_size=9, unique_by=lambda one: one[:4])


def files_of(drawn):
    return [
        file(
            summary(n, float(ttft), conditions={"model": "m", "tp": tp}, input_tokens_mean=tokens),
            name=f"{folder}/{name}_c{n}_{ttft}.json",
        )
        for folder, name, n, ttft, tp, tokens in drawn
    ]


def members(found):
    return sorted(key for stages in found.members.values() for stage in stages for key in stage)


@st.composite
def decisions(draw, keys):
    some = st.lists(st.sampled_from(keys), max_size=4, unique=True).map(lambda found: tuple(sorted(found)))
    step = st.builds(
        Step,
        act=st.sampled_from(Act),
        levels=some,
        by=st.sampled_from(Parting),
        setting=st.sampled_from(["tp", "model", "nothing"]),
    )
    return Regrouping(
        steps=tuple(draw(st.lists(step, max_size=5))),
        names=tuple(draw(st.lists(st.builds(Named, levels=some, label=st.sampled_from(["x", "y"])), max_size=2))),
        excluded=draw(st.dictionaries(st.sampled_from(keys), st.just("because"), max_size=3)),
    )


@settings(max_examples=60, deadline=None)
@given(drops, st.data())
def test_no_decision_loses_or_doubles_a_level(drawn, data):
    files = files_of(drawn)
    fresh = arranged(files)
    found = arranged(files, data.draw(decisions(members(fresh))))
    assert members(found) == members(fresh)
    sent = [sum(stage.requests_sent for run in each.runs for stage in run.stages) for each in (fresh, found)]
    assert sent[0] == sent[1]
    assert len({run.id for run in found.runs}) == len({run.label for run in found.runs}) == len(found.runs)


@settings(max_examples=40, deadline=None)
@given(drops, st.data(), st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(drawn, data, random):
    files = files_of(drawn)
    decided = data.draw(decisions(members(arranged(files))))
    shuffled = files.copy()
    random.shuffle(shuffled)
    one, other = arranged(files, decided), arranged(shuffled, decided)
    assert sorted(map(repr, one.runs)) == sorted(map(repr, other.runs))
    assert one.members == other.members
    assert one.doubts == other.doubts
    assert [doubt.id for doubt in one.doubts] == [doubt.id for doubt in other.doubts]


one_file = st.lists(
    st.tuples(
        st.sampled_from([2, 4, 8]),
        st.integers(50, 150),
        st.sampled_from([4, 8]),
        st.sampled_from([100.0, 112.0, 126.0]),
    ),
    min_size=2,
    max_size=9,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(drops, st.lists(one_file, max_size=2))
def test_no_two_doubts_have_one_id(drawn, tables):
    rows = [
        file(
            *(
                summary(n, float(ttft), conditions={"model": "m", "tp": tp}, input_tokens_mean=tokens, n=2000)
                for n, ttft, tp, tokens in table
            ),
            name=f"table{i}/all.json",
        )
        for i, table in enumerate(tables)
    ]
    doubts = arranged([*files_of(drawn), *rows]).doubts
    assert len({doubt.id for doubt in doubts}) == len(doubts)
    asked = [each for same in alike(doubts) for each in same]
    assert sorted(each.id for each in asked) == sorted(each.id for each in doubts)
    for same in alike(doubts):
        for i, reading in enumerate(same[0].readings):
            rows = reading_table(same, i).iloc[:, 0].tolist()
            assert len({*rows}) == len(rows) <= FEW_ROWS + 1
            assert len({run_name(same[0], run) for run in reading.runs}) == len(reading.runs)


@settings(max_examples=40, deadline=None)
@given(drops)
def test_nothing_decided_is_fresh_grouping(drawn):
    files = files_of(drawn)
    assert repr(arranged(files, Regrouping()).runs) == repr(runs_of(files))


@settings(max_examples=40, deadline=None)
@given(drops, st.data())
def test_merging_and_splitting_as_found_gives_the_runs_back(drawn, data):
    files = files_of(drawn)
    fresh = arranged(files)
    some = data.draw(st.lists(st.sampled_from(members(fresh)), min_size=1, unique=True))
    steps = (Step(act=Act.MERGE, levels=tuple(some)), Step(act=Act.SPLIT, levels=tuple(some), by=Parting.FOUND))
    back = arranged(files, Regrouping(steps=steps))
    assert repr(back.runs) == repr(fresh.runs)
    assert back.members == fresh.members


@settings(max_examples=60, deadline=None)
@given(drops, st.data())
def test_choosing_a_reading_settles_the_doubt_and_can_be_changed(drawn, data):
    files = files_of(drawn)
    fresh = arranged(files)
    for doubt in fresh.doubts:
        assert (doubt.chosen, doubt.settled) == (0, False)
        i = data.draw(st.integers(0, len(doubt.readings) - 1))
        once = chosen(Regrouping(), doubt, i)
        now = next(
            each for each in arranged(files, once).doubts if (each.kind, each.levels) == (doubt.kind, doubt.levels)
        )
        assert (now.chosen, now.settled) == (i, True)
        assert chosen(once, now, i) == once
        back = arranged(files, chosen(once, now, 0))
        assert back.members == fresh.members
