"""The next measurement in words: what it should bring, how long it takes, which version a command is for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.i18n import t
from core.model.answer import ToolCommand
from core.present.measure import engineer_request, expected_text, next_text, version_text
from tests.present.builders import NEXT, answer_of, run_of

LINE = ToolCommand(tool="aiperf", version="0.13.0", command="aiperf profile --model m")

HARDLY = "The range will hardly shrink: this run only checks the answer, which stands without it."


@pytest.mark.parametrize(
    ("now", "after", "said"),
    [
        # By hand: the ends of 1.44 and 1.21 are a factor of 1.2 and 1.1 from the middle.
        (1.44, 1.21, "The range should shrink from about ±20% to about ±10%."),
        (4.0, 1.0404, "The range should shrink from about ±100% to about ±2%."),
        (1.44, 1.44, HARDLY),
        (1.44, 1.60, HARDLY),
        # Both ends are told as 5 %.
        (1.105, 1.1, HARDLY),
        (None, None, ""),
        (1.44, None, ""),
    ],
)
def test_the_width_is_told_as_plus_and_minus(now, after, said):
    assert expected_text(replace(NEXT, width_now=now, width_after=after)) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 second"), (75.0, "75 seconds"), (360.0, "6 minutes"), (5400.0, "1.5 hours"), (36_000.0, "10 hours")],
)
def test_the_time_is_told_in_a_unit_that_people_wait_in(seconds, said):
    assert expected_text(replace(NEXT, duration_s=seconds)) == f"It takes about {said}."


def test_what_is_not_known_is_not_said():
    assert expected_text(NEXT) == ""
    assert next_text(answer_of(next_measurement=NEXT)) == "Run 400 requests at concurrency 8. It lies at the estimate."


def test_what_it_brings_follows_what_and_why():
    wanted = replace(NEXT, width_now=1.44, width_after=1.21, duration_s=360.0)
    assert next_text(answer_of(next_measurement=wanted)) == (
        "Run 400 requests at concurrency 8. It lies at the estimate. "
        "The range should shrink from about ±20% to about ±10%. It takes about 6 minutes."
    )


def test_a_command_names_its_version_and_what_may_not_fit():
    assert version_text(LINE) == "Written for AIPerf 0.13.0."
    unsure = replace(LINE, caution=t("Compare it with the help of {version}", version="0.8.0"))
    assert version_text(unsure) == "Written for AIPerf 0.13.0. Compare it with the help of 0.8.0."
    assert version_text(replace(LINE, tool="own")) == "Written for own 0.13.0."


def test_the_request_says_the_warm_up_the_statistics_and_what_to_expect():
    wanted = replace(NEXT, command=LINE.command, commands=(LINE,), width_now=1.44, width_after=1.21, duration_s=360.0)
    lines = engineer_request(answer_of(run_of(), next_measurement=wanted)).splitlines()
    assert "Warm-up: send 8 requests first and leave them out of the result." in lines
    assert "Expected: The range should shrink from about ±20% to about ±10%. It takes about 6 minutes." in lines
    assert "Metrics: TTFT, TPOT, ITL, E2E." in lines
    assert lines[-3:] == ["Command:", "aiperf profile --model m", "Written for AIPerf 0.13.0."]


def test_without_a_command_the_request_ends_with_the_file_to_send():
    lines = engineer_request(answer_of(run_of(), next_measurement=NEXT)).splitlines()
    assert lines[-1].startswith("Please send the load generator's own result file")
    assert not any(line.startswith("Expected:") for line in lines)
