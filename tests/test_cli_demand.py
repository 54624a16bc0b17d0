"""What a deployment has to carry: typed alike for every command, and never guessed at."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.model.demand_text import parse_demand
from core.model.scenario import Demand, DemandKind
from tests.test_cli import run

COMMANDS = ("compare", "fleet")
SLO = ("--slo", "ttft p99 <= 500ms")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, DemandKind.REQ_S) for text in ("30-req_s", "30 req/s", "30req/s", "30rps", " 30.0-REQ_S ")),
        *((text, DemandKind.USERS) for text in ("30-users", "30 users", "30users", "3e1-users")),
        *((text, DemandKind.CONCURRENCY) for text in ("30-concurrency", "30 concurrent")),
    ],
)
def test_a_demand_is_read_as_people_write_it(text, kind):
    assert parse_demand(text) == Demand(peak=30.0, kind=kind)


@pytest.mark.parametrize("text", ["", "many", "0-users", "-3-users", "nan-users", "1e999-users", "30-req", "3,0 users"])
def test_what_is_no_demand_is_refused(text):
    with pytest.raises(UsageError) as caught:
        parse_demand(text)
    assert caught.value.code == "scenario.demand"


def test_a_file_as_the_demand_is_sent_to_day():
    with pytest.raises(UsageError) as caught:
        parse_demand("demand.csv")
    assert "--day" in str(caught.value.fix)


def test_what_a_number_counts_may_stand_apart_but_not_against_it():
    assert parse_demand("30", "req_s") == parse_demand("30-req_s", "req_s") == parse_demand("30-req_s")
    with pytest.raises(UsageError):
        parse_demand("30-req_s", "users")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_number_alone_is_refused_with_the_three_ways_to_write_it(root, command):
    done = run(command, root / "data" / "samples" / "vllm_cpu", *SLO, "--demand", "30")
    assert done.exit_code == 2
    assert all(way in done.stderr for way in ("30-req_s", "30-users", "30-concurrency", "scenario.demand"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_the_same_words(root, command):
    ways = (("30-req_s",), ("30 req/s",), ("30", "--demand-kind", "req_s"))
    shown = {run(command, root / "data" / "samples" / "vllm_cpu", *SLO, "--demand", *way).stdout for way in ways}
    assert len(shown) == 1
    assert "30 requests/s" in shown.pop()
