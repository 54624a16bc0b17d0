"""`python -m core fleet`: its schema, its exit codes, and the numbers of the screen."""

from __future__ import annotations

import jsonschema
import pytest

from tests.test_cli import document, gpt_oss, run, schema  # noqa: F401 - fixtures

SLO = ("--slo", "ttft p99 <= 500ms")
DAY = "hour,requests\n" + "".join(f"{hour},{3600 * (hour + 1)}\n" for hour in range(24))
OWN = "own=capex:30000,years:4"
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


def test_a_trace_says_how_it_was_read_and_what_its_steps_hide(samples, tmp_path):
    """The command line tells of a trace what the page does: here single requests, all in one minute of each hour."""
    path = tmp_path / "requests.csv"
    seconds = (1_700_000_400 + 3600 * hour + second for hour in range(6) for second in range(60))
    path.write_text("time\n" + "\n".join(map(str, seconds)), encoding="utf-8")
    done = run("fleet", *samples, *SLO, "--price", "2.5/h", "--day", path)
    assert "Read from requests.csv" in done.stdout
    assert "Inside its steps the highest rate is 60 times the highest mean" in done.stdout
    assert "for bursts as short as that it is no bound" in done.stdout
    over = document("fleet", *samples, *SLO, "--price", "2.5/h", "--day", path)["fleets"][0]["over_time"]
    assert (over["inside_steps"], over["missing_steps"]) == (pytest.approx(60.0), 0)


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


def test_an_old_rate_of_exchange_is_told_beside_the_bill(samples):
    terms = ("--currency", "KRW", "--terms", "exchange=USD:1380:2020-01-02")
    done = run("fleet", *samples, *SLO, "--price", "20/h", *terms, "--demand", "400-concurrency")
    assert "old rate of exchange" in done.stdout


@pytest.mark.parametrize(
    "terms",
    [("--terms", "as-of=2020-01-02"), ("--price", "own/h", "--terms", OWN, "--terms", "as-of=2020-01-02")],
)
def test_an_old_price_is_told_in_the_table_and_to_programs_whoever_owns_the_hardware(samples, schema, terms):  # noqa: F811
    asked = (*samples, *SLO, *(() if "--price" in terms else ("--price", "20/h")), *terms, "--demand", "40-concurrency")
    assert "old price" in run("fleet", *asked).stdout
    found = document("fleet", *asked)
    jsonschema.validate(found, schema("fleet"))
    told = found["fleets"][0]["pools"][0]["price"]
    assert (told["as_of"], told["age"]) == ("2020-01-02", "stale")
    assert told["age_days"] > 2000
    assert told["marks"][0].startswith("old price")


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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        # What a person typed is named, and what it may be; never a name that only the code knows.
        (
            ("--price", "1e300/gpu-h"),
            'Price per hour cannot be "1e+300". Give a number above 0, up to 1,000,000,000,000,000,000',
        ),
        (("--price", ""), 'Cannot read the price ""'),
        (("--price", "2/h", "--terms", "discount=200%"), 'Discount cannot be "200%". Give 0% to below 100%'),
        (("--price", "2/h", "--terms", "ratio=0"), 'Input : output cannot be "0"'),
        (("--price", "2/h", "--terms", "own=capex:10,residual:20,years:4"), 'Worth at the end cannot be "20"'),
        (("--price", "2/h", "--terms", "pools=gone:1:1"), 'There is no run named "gone"'),
        (("--price", "2/gpu-h", "--gpus", "1e300"), "Write a whole number from 1 to 1,000,000 such as 8"),
        (("--fleet", "out=95%"), "out=95% is out of range. Give a number from 0% to 90%"),
        (("--fleet", "own=capex:9,years:200"), "own years=200 is out of range. Give a number above 0, up to 100"),
        (("--fleet", "growth=200% ahead=120"), "growth=200% over ahead=120 months makes the demand 1.8e+57 times"),
        (
            ("--fleet", "own=capex:9,years:2", "--price", "own/gpu-h", "--terms", OWN),
            "own= in the fleet is another way",
        ),
        (("--fleet", "own=capex:9,years:2,interest:8"), "own interest=800% is out of range. Give 0% to 100%"),
        (("--fleet", "serve=nobody growth=5%"), 'There is no run named "nobody". Use one of: tiny-llama'),
        (("--fleet", "serve=tiny-llama"), "--traffic has 0 kinds of requests"),
        (("--demand", "1e300-users"), "is more than any service carries. Give a number above 0, up to 1,000,000,000"),
        (("--think-time", "nan"), "nan is no number of seconds"),
        (("--think-time", "inf"), "is not in the range"),
        (("--day", ""), '"" is neither a file nor a known day'),
    ],
)
def test_what_is_refused_is_named_as_it_was_typed_with_what_it_may_be(samples, arguments, told):
    done = run("fleet", *samples, *SLO, "--demand", "40-users", "--think-time", "3", *arguments)
    assert done.exit_code == 2
    assert told in done.stderr


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe\x81", b"PK\x03\x04\x14\x00\x90\xff", b"\0" * 99]
)
def test_a_day_that_is_no_text_is_told_to_be_no_table(samples, tmp_path, data):
    path = tmp_path / "day.csv"
    path.write_bytes(data)
    done = run("fleet", *samples, *SLO, "--day", path)
    assert done.exit_code == 2
    assert "The file is no table in plain text (day.csv). Send a CSV in UTF-8" in done.stderr
    assert "demand.not_a_table" in done.stderr


def test_kinds_of_requests_go_to_runs_by_their_labels(samples):
    mix = ("--traffic", "isl=32 osl=32 share=3", "--traffic", "isl=32 osl=32 share=1")
    asked = ("fleet", *samples, *SLO, "--demand", "40-concurrency", *mix, "--rename", "tiny-llama=two words, one run")
    named = document(*asked, "--fleet", "serve=two words, one run,tiny-llama growth=5%")
    assert [one["runs"] for one in named["fleets"]] == [["tiny-llama"]]
    done = run(*asked, "--fleet", "serve=two words,tiny-llama")
    assert done.exit_code == 2
    assert 'There is no run named "two words"' in done.stderr


def test_one_count_for_all_runs_does_not_change_what_a_file_says(gpt_oss):  # noqa: F811 - a fixture
    priced = ("fleet", gpt_oss, "--slo", "tpot p99 <= 16ms", "--demand", "64-concurrency", "--price", "2/gpu-h")
    own = document(*priced)["fleets"][0]["runs"][0]
    done = run(*priced, "--gpus", "8")
    assert done.exit_code == 2
    assert "price.count_conflict" in done.stderr
    assert "says 16 (" in done.stderr
    assert f"--gpus {own}=8" in done.stderr
    # The same number changes nothing, and a number that names the run is what somebody meant.
    said, unsaid = (document(*priced, *more)["fleets"][0] for more in (("--gpus", "16"), ()))
    doubts = [each["pools"][0]["price"].pop("findings") for each in (said, unsaid)]
    assert said == unsaid
    # But for the question whether both pools are on the bill, which a person has answered then.
    assert set(doubts[0]) < set(doubts[1])
    meant = document(*priced, "--gpus", f"{own}=8")["fleets"][0]
    assert meant["pools"][0]["accelerators_each"] == 8


def test_each_run_is_judged_by_its_own_ways_to_pay(tmp_path):
    """Another way is within the budget of the run whose bill it is: here of the faster one alone."""
    for name, times in (("fast", 1.0), ("slow", 4.0)):
        rows = "\n".join(f"{n},{n / times},{0.01 * n * times},{0.02 * times}" for n in (1, 2, 4, 8, 16, 32, 64))
        text = f"concurrency,request_throughput,p99_ttft_s,p99_tpot_s\n{rows}\n"
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    asked = ("--slo", "ttft p99 <= 0.4s", "--demand", "200 concurrency", "--price", "10/h")
    done = run("fleet", tmp_path / "fast.csv", tmp_path / "slow.csv", *asked, "--fleet", "reserved=5 budget=60000")
    parts = done.stdout.split("buys")
    assert len(parts) == 3
    bills = [one["ways"][1]["per_month"]["high"] for one in document_of(tmp_path, asked)]
    assert bills[0] <= 60_000 < bills[1]
    assert "Another way to pay is within the budget" in parts[1]
    assert "Another way to pay is within the budget" not in parts[2]


def document_of(folder, asked):
    found = document("fleet", folder / "fast.csv", folder / "slow.csv", *asked, "--fleet", "reserved=5 budget=60000")
    return found["fleets"]


@pytest.mark.parametrize(
    ("word", "example"),
    [("reserved=1.60/gpu-h", "reserved=1.60"), ("budget=100,000", "budget=100000"), ("api=$1/$2", "api=0.5/2/0.1")],
)
def test_an_amount_that_cannot_be_read_says_how_one_is_written(samples, word, example):
    done = run("fleet", *samples, *SLO, "--price", "2.5/h", "--demand", "9 concurrency", "--fleet", word)
    assert done.exit_code != 0
    assert word in done.stderr
    assert f"such as {example}" in done.stderr
