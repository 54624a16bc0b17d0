"""The difference of two scenarios: none with itself, whole, and the same from both sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.model.codec import decode, encode
from core.model.compared import Layer
from core.model.metric import Metric
from core.model.run import Conditions, FileRef
from core.model.same import same
from core.model.scenario import DecisionColumn, Demand, DemandKind, Scenario
from core.model.target import Target
from core.model.workload import Job, Workload, WorkloadKind
from core.run_diff import DERIVED
from core.scenario_diff import scenario_difference
from tests.model.rich_scenario import RICH, changed
from tests.present.builders import TPOT_P99, TTFT_P99, run_of


def meaning(scenario):
    """What a scenario says: counts by run, conditions given by hand as a set, columns by name."""
    price = scenario.price and replace(
        scenario.price,
        accelerators=tuple(sorted(dict(scenario.price.accelerators).items())),
        pools=tuple(sorted({run: (run, *counts) for run, *counts in scenario.price.pools}.values())),
    )
    names = {f.name for f in fields(Conditions)}
    runs = tuple(replace(run, asked=tuple(sorted(names & set(run.asked)))) for run in scenario.runs)
    in_order = sorted(scenario.answers, key=lambda answer: answer.run.id)
    answers = tuple(replace(answer, run=run_of(), findings=(), workload=None) for answer in in_order)
    return replace(scenario, price=price, runs=runs, answers=answers)


def counted(changes):
    return Counter(repr(change) for change in changes)


@given(st.data())
@settings(max_examples=150)
def test_whatever_a_person_changes_is_told(data):
    other = changed(data.draw, RICH)
    assume(not same(meaning(RICH), meaning(other), DERIVED))
    assert not scenario_difference(RICH, other).empty


@given(st.data())
@settings(max_examples=40)
def test_what_says_the_same_does_not_differ(data):
    """Also as it is read back from its written form, where every object is another one."""
    scenario = changed(data.draw, RICH)
    assert scenario_difference(scenario, scenario).empty
    assert scenario_difference(scenario, decode(encode(scenario), Scenario)).empty


@given(st.data())
@settings(max_examples=40)
def test_both_sides_tell_the_same_difference(data):
    one = changed(data.draw, RICH)
    other = changed(data.draw, one)
    there, back = scenario_difference(one, other), scenario_difference(other, one)
    assert counted(there.inputs) == counted(change.swapped for change in back.inputs)
    words = [
        Counter((answer.run, tuple(sorted(answer.words.items()))) for answer in answers)
        for answers in (there.answers, (answer.swapped for answer in back.answers))
    ]
    assert words[0] == words[1]


@given(st.permutations(range(4)), st.data())
@settings(max_examples=24)
def test_runs_are_found_again_in_any_order_and_under_any_name(order, data):
    """A run is known by its files: turned around and renamed, nothing is added and nothing is gone."""
    runs = tuple(
        replace(run_of((2.0, 4.0), label=f"run {i}"), id=f"r{i}", files=(FileRef(f"{i}.json", f"{i}" * 64),))
        for i in range(4)
    )
    name = data.draw(st.sampled_from(["run 0", "run 1", "new"]))
    moved = tuple(replace(runs[i], id=f"s{i}", label=name if i == 2 else runs[i].label) for i in order)
    base = replace(RICH, runs=runs, answers=(), price=None, decision=())
    found = scenario_difference(base, replace(base, runs=moved))
    told = [(change.about.value, change.before, change.after) for change in found.inputs]
    assert [each for each in told if each[0] != "order"] == [("run_name", "run 2", name)]


def test_each_input_has_a_change_of_its_own():
    """By hand: one change of each kind, told as itself and as nothing else."""
    one, other = RICH.runs
    conditions = replace(one.conditions, precision="fp8")
    given_by_hand = replace(one, conditions=conditions, asked=(*one.asked, "precision"))
    taken_back = replace(other, stages=(*other.stages[:2], replace(other.stages[2], excluded=None)))
    renamed_file = replace(one, files=(replace(one.files[0], name="d/c4.json"), one.files[1]))
    cases = {
        ("name", "", "Launch", "Review"): replace(RICH, name="Review"),
        ("think_time", "", 30.0, None): replace(RICH, think_time_s=None),
        ("target", "ttft p99", 0.5, 0.3): replace(RICH, targets=(Target(Metric.TTFT, "p99", 0.3), TPOT_P99)),
        ("target", "tpot p99", 0.05, None): replace(RICH, targets=(TTFT_P99,)),
        ("price", "amount", 2.5, 3.0): replace(RICH, price=replace(RICH.price, amount=3.0)),
        ("count", "", 8, 4): replace(RICH, price=replace(RICH.price, accelerators=((one.id, 16), ("other", 4)))),
        ("demand", "peak", 300.0, 400.0): replace(RICH, demand=Demand(peak=400.0, kind=DemandKind.USERS)),
        ("fleet", "spares", 1, 2): replace(RICH, fleet=replace(RICH.fleet, spares=2)),
        ("fleet", "curve", "day.csv (3)", None): replace(RICH, fleet=replace(RICH.fleet, curve=None)),
        ("accepted", "tp", False, True): replace(
            RICH, compared=replace(RICH.compared, accepted=("accelerator", "engine_version", "tp"))
        ),
        ("study", "layer", "routing", "cache"): replace(
            RICH, compared=replace(RICH.compared, study=replace(RICH.compared.study, layer=Layer.CACHE))
        ),
        ("study", "kv_transfer_s", 0.02, 0.05): replace(
            RICH, compared=replace(RICH.compared, study=replace(RICH.compared.study, kv_transfer_s=(("other", 0.05),)))
        ),
        ("study", "worker_loads", "120, 98, 110", None): replace(
            RICH, compared=replace(RICH.compared, study=replace(RICH.compared.study, worker_loads=()))
        ),
        ("condition", "precision", None, "fp8"): replace(RICH, runs=(given_by_hand, other)),
        ("excluded", "", "warm-up", None): replace(RICH, runs=(one, taken_back)),
        ("file_name", "", "c4.json", "d/c4.json"): replace(RICH, runs=(renamed_file, other)),
        ("file", "", "c8.json", None): replace(RICH, runs=(replace(one, files=one.files[:1]), other)),
        ("gpu_busy", "", 0.6, None): replace(RICH, runs=(replace(one, gpu_busy=None), other)),
        ("run", "", "other", None): replace(RICH, runs=(one,), decision=(), price=None, compared=None),
        ("traffic", "profiles.1.hit_rate", 0.3, 0.5): replace(
            RICH, traffic=replace(RICH.traffic, profiles=(replace(RICH.traffic.profiles[0], hit_rate=0.5),))
        ),
        ("workload", "job.requests", 1000, 5): replace(
            RICH, workload=Workload(kind=WorkloadKind.BATCH, job=Job(requests=5, deadline_s=60.0))
        ),
        ("cell", "Lead time", "now", "2 weeks"): replace(
            RICH,
            decision=(
                DecisionColumn(name="Lead time", values={one.id: "12 weeks", "other": "2 weeks"}),
                RICH.decision[1],
            ),
        ),
        ("version", "method_version", "m/1", "m/2"): replace(RICH, method_version="m/2"),
    }
    for expected, after in cases.items():
        base = replace(RICH, decision=(), price=None, compared=None) if expected[0] == "run" else RICH
        found = scenario_difference(base, after)
        told = [(change.about.value, change.name, change.before, change.after) for change in found.inputs]
        assert told == [expected]
        assert not found.answers


def test_runs_with_the_same_id_and_other_files_are_the_same_run_measured_again():
    one, other = RICH.runs
    again = replace(one, files=(FileRef("new.json", "9" * 64),))
    found = scenario_difference(RICH, replace(RICH, runs=(again, other)))
    assert [(c.about.value, c.before, c.after) for c in found.inputs] == [
        ("file", "c4.json", None),
        ("file", "c8.json", None),
        ("file", None, "new.json"),
    ]
