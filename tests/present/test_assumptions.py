"""What a saved answer rests on, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.scenario import DecisionColumn, Demand, DemandKind
from core.model.traffic import Profile, Traffic
from core.model.workload import Job, Workload, WorkloadKind
from core.present.assumptions import assumptions, conditions_table, decision_table
from tests.store.store_build import a_scenario


def told(scenario, **more):
    return dict(assumptions(scenario, scenario.runs[0], **more))


def test_everything_that_was_asked_is_named_and_what_was_not_said_is_said_to_be_so():
    said = told(replace(a_scenario(), price=None))
    assert said == {
        "Targets": "TTFT p99 ≤ 300 ms",
        "Price": "no price given",
        "Traffic": "as it was measured",
        "Pause of a user": "12.5 s",
        "Method": "1",
    }


def test_what_was_paid_is_told_unless_it_is_hidden():
    scenario = a_scenario()
    assert "2.5" in told(scenario)["Price"]
    assert told(replace(scenario, price=None), prices_hidden=True)["Price"] == "prices are hidden in this view"


def test_the_services_own_demand_traffic_and_job_are_told():
    job = Job(requests=12_000, deadline_s=7200.0)
    scenario = replace(
        a_scenario(),
        workload=Workload(kind=WorkloadKind.BATCH, job=job),
        traffic=Traffic(profiles=(Profile(input_tokens=2000.0, output_tokens=400.0),)),
        demand=Demand(peak=1234.0, kind=DemandKind.USERS),
        constants_version="abc",
    )
    said = told(scenario)
    assert said["Made for"].startswith("Batch · 12,000 requests · done within ")
    assert said["Traffic"] == "2,000 in, 400 out"
    assert said["Demand"] == "1,234 active users at the peak"
    assert said["Method"] == "1 · abc"


@pytest.mark.parametrize("kind", list(DemandKind))
def test_every_kind_of_demand_has_words_in_both_languages(kind):
    scenario = replace(a_scenario(), demand=Demand(peak=50.0, kind=kind))
    english, korean = (assumptions(scenario, scenario.runs[0], language)[-2][1] for language in ("en", "ko"))
    assert english.startswith("50 ")
    assert "50" in korean
    assert korean != english


def test_only_known_conditions_are_listed_each_with_its_source():
    run = replace(a_scenario().runs[0], asked=("accelerator_count",))
    table = conditions_table(run)
    rows = {row[0]: row[1:] for row in table.itertuples(index=False)}
    assert rows["Model"] == ("gpt-oss-120b", "the files")
    assert rows["Number of accelerators"] == ("8", "given by hand")
    assert rows["Cache hit rate"] == ("0", "the files")
    assert "Engine" not in rows


def test_a_persons_own_columns_stand_beside_the_runs_and_an_unknown_value_stays_unknown():
    scenario = a_scenario()
    assert decision_table(scenario) is None
    columns = (DecisionColumn(name="Lead time", values={"r": "6 weeks"}), DecisionColumn(name="Run", values={}))
    table = decision_table(replace(scenario, decision=columns))
    assert list(table.columns)[:2] == ["Run", "Lead time"]
    assert table.shape == (1, 3)
    assert table.iloc[0, 1] == "6 weeks"
    assert table.isna().iloc[0, 2]
