"""`python -m core fleet`: its schema, its exit codes, and the numbers of the screen."""

from __future__ import annotations

import jsonschema
import pytest

from tests.test_cli import document, run, schema  # noqa: F401 - a fixture

SLO = ("--slo", "ttft p99 <= 500ms")
DAY = "hour,requests\n" + "".join(f"{hour},{3600 * (hour + 1)}\n" for hour in range(24))
FLEET = "growth=5% ahead=6 spares=1 ceiling=80% out=2% budget=9000 reserved=1.6 api=0.5/1.5/0.1 own=capex:30000,years:4"


@pytest.fixture
def samples(root):
    """The sweep of one small deployment."""
    return [root / "data" / "samples" / "vllm_cpu"]


@pytest.fixture
def day(tmp_path):
    path = tmp_path / "day.csv"
    path.write_text(DAY, encoding="utf-8")
    return path


def test_a_fleet_is_valid_against_its_schema(samples, schema, day):  # noqa: F811 - a fixture
    found = document("fleet", *samples, *SLO, "--price", "2.5/h", "--day", day, "--fleet", FLEET)
    jsonschema.validate(found, schema("fleet"))
    (fleet,) = found["fleets"]
    # The highest hour asks for 24 requests a second.
    assert fleet["demand"] == {"peak": 24.0, "counted_in": "req_s"}
    assert fleet["replicas"]["fewest"] <= fleet["replicas"]["count"] <= fleet["replicas"]["most"]
    assert fleet["cost_per_month"]["mid"] == pytest.approx(fleet["replicas"]["count"] * 2.5 * 730)
    assert len(fleet["over_time"]["in_flight"]) == 24
    over = fleet["over_time"]
    assert over["per_month_perfect"]["mid"] <= over["per_month_autoscaled"]["mid"] <= fleet["cost_per_month"]["mid"]
    growing = fleet["growing"]
    assert [row["month"] for row in growing["by_month"]] == list(range(growing["months"]))
    assert growing["by_month"][0]["replicas"] == fleet["replicas"]
    assert growing["cost"]["mid"] == pytest.approx(sum(row["cost_of_month"]["mid"] for row in growing["by_month"]))
    assert found["budget"][0]["replicas_bought"] == 4  # 9,000 / (2.5 * 730) = 4.9
    assert {way["way"] for way in fleet["ways"]} >= {"rent", "autoscale", "perfect", "reserve", "own", "api"}


def test_what_cannot_be_told_is_said_and_exits_with_one(samples, schema):  # noqa: F811 - a fixture
    done = run("fleet", *samples, *SLO, "--demand", "400-users")
    assert done.exit_code == 1
    assert "how long users pause between requests is not given" in done.stdout
    assert "--think-time SECONDS" in done.stdout
    assert "the field" not in done.stdout
    found = document("fleet", *samples, *SLO, "--demand", "400-users")
    jsonschema.validate(found, schema("fleet"))
    assert found["fleets"][0]["cannot_tell"] == "think_time"
    assert found["fleets"][0]["cost_per_month"] is None


def test_the_table_says_what_the_screen_says(samples):
    done = run(
        "fleet", *samples, *SLO, "--demand", "4000-users", "--think-time", "30", "--price", "2.5/h", "--fleet", FLEET
    )
    # 7 by the middles; the doubt about the rate takes one more.
    assert "8 replicas for 4,000 active users" in done.stdout
    assert "Paid for one replica: at $2.50 per hour for the whole deployment" in done.stdout
    assert "Rented, fixed" in done.stdout
    assert "A reservation pays for each replica" in done.stdout or "it never pays" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), "fleet.no_demand"),
        (("--demand", "many"), "scenario.demand"),
        (("--demand", "-3-users"), "scenario.demand"),
        (("--demand", "4-users", "--fleet", "speed=3"), "fleet.unreadable"),
        (("--demand", "4-users", "--day", "no such file.csv"), "fleet.unknown_day"),
    ],
)
def test_what_is_written_wrongly_is_told(samples, arguments, code):
    done = run("fleet", *samples, *SLO, *arguments)
    assert done.exit_code == 2
    assert code in done.stderr


def test_a_damaged_day_is_told_with_its_place(samples, tmp_path):
    path = tmp_path / "half.csv"
    path.write_text(DAY[:60], encoding="utf-8")
    done = run("fleet", *samples, *SLO, "--day", path)
    assert done.exit_code == 2
    assert "demand.hours_missing" in done.stderr
    assert "half.csv" in done.stderr
