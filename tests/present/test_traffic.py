"""The service's own traffic in words: the headline, the table of differences, the presets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.admission import Admission, Waits
from core.model.answer import Capacity, Interval, Status, TrafficAnswer
from core.model.difference import Difference, Effect, Match
from core.model.traffic import Profile, Traffic
from core.model.traffic_text import parse_traffic
from core.present.account import account
from core.present.admission import admission_texts
from core.present.headline import headline, one_line
from core.present.traffic import differences_table, effect_text, traffic_text, widened_text
from core.present.traffic_presets import traffic_presets
from tests.present.builders import TTFT_P99, WITHIN, answer_of, run_of

TRAFFIC = parse_traffic(["isl=2000 osl=400 arrivals=poisson"])
LOWER = replace(WITHIN, concurrency=Interval(low=20.0, mid=31.4, high=53.2), safe=22)
DIFFERENCES = (
    Difference(
        condition="input_tokens",
        measured=1024.0,
        yours=2000.0,
        match=Match.DIFFERENT,
        effect=Effect.LOWERS,
        safe=25,
    ),
    Difference(condition="hit_rate", measured=None, yours=None, match=Match.NOT_SAID),
    Difference(
        condition="arrivals", measured="closed loop", yours="poisson", match=Match.DIFFERENT, effect=Effect.WIDENS
    ),
)


def answer(capacity=LOWER, **more):
    found = TrafficAnswer(traffic=TRAFFIC, differences=DIFFERENCES, capacity=capacity, per_target=(), **more)
    run = run_of(input_tokens_mean=1024.0, output_tokens_mean=256.0)
    return answer_of(capacity=WITHIN, run=run, for_traffic=found)


def test_the_headline_speaks_of_the_services_traffic_and_keeps_the_measured_answer():
    said = headline(answer(widened=0.62))
    assert said.lead == "For your traffic (2,000 in, 400 out, arrivals at random):"
    assert said.safe == "22 concurrent requests, safely"
    assert said.number == "22"
    assert said.estimate == "estimate 31, range 20–53"
    assert said.measured.startswith("As measured (1,024 in, 256 out): 41 concurrent requests, safely (estimate 47")
    assert said.widened == "62% of the doubt comes from traffic that was not measured."


def test_without_traffic_nothing_is_added():
    said = headline(replace(answer(), for_traffic=None))
    assert (said.lead, said.measured, said.widened) == (None, None, None)


def test_one_line_and_the_whole_account_say_for_whom():
    assert ": For your traffic (2,000 in, 400 out, arrivals at random): 22 concurrent" in one_line(answer())
    assert "For your traffic (2,000 in" in account(answer())
    assert "As measured (1,024 in, 256 out)" in account(answer())


def test_a_lower_bound_is_not_called_the_highest_load_measured():
    bound = Capacity(
        status=Status.AT_LEAST, concurrency=Interval(low=300.0, mid=None, high=None), safe=300, binding=TTFT_P99
    )
    said = headline(answer(bound))
    assert said.safe == "At least 300 concurrent requests"
    assert said.estimate == "range 300 or more"


def test_what_cannot_be_told_says_why():
    untold = Capacity(
        status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99, reasons=("traffic.too_far",)
    )
    said = headline(answer(untold))
    assert said.safe.startswith(
        "Cannot tell TTFT p99: your requests differ from the measured ones by more than a factor of 2."
    )
    assert said.number == "?"


def test_the_table_names_each_condition_and_what_it_does():
    rows = differences_table(answer().for_traffic).values.tolist()
    assert rows[0] == ["Input tokens, mean", "1,024", "2,000", "lowers the safe number to 25"]
    assert rows[1][3] == "nothing: yours is not given"
    assert rows[2] == ["Arrival of requests", "fixed number in flight", "at random", "widens the range"]


@pytest.mark.parametrize("effect", list(Effect))
@pytest.mark.parametrize("match", list(Match))
def test_every_effect_has_words_in_both_languages(effect, match):
    row = Difference(condition="hit_rate", measured=0.1, yours=0.2, match=match, effect=effect, safe=3)
    assert effect_text(row, "ko").render("ko") != effect_text(row).render("en")


def test_no_share_of_doubt_is_said_where_nothing_is_widened():
    assert widened_text(answer().for_traffic) is None
    assert widened_text(answer(widened=0.001).for_traffic) is None


def test_traffic_in_words_leaves_out_what_is_unknown():
    assert traffic_text(Traffic()) == ""
    assert traffic_text(parse_traffic(["hit=0"])) == "0% cached"
    mix = parse_traffic(["isl=1000 osl=100 share=3", "isl=3000 osl=500 share=1"])
    assert traffic_text(mix) == "1,500 in, 200 out, 2 kinds of requests"


def test_presets_have_lengths_and_a_source_and_nothing_that_is_the_services_own():
    found = traffic_presets()
    assert len({preset.id for preset in found}) == len(found) >= 6
    for preset in found:
        profile = preset.profile
        assert profile == Profile(input_tokens=profile.input_tokens, output_tokens=profile.output_tokens)
        assert profile.input_tokens
        assert profile.output_tokens
        assert preset.source
        assert preset.url or not preset.as_published


def test_where_the_own_traffic_cannot_be_told_no_limit_is_called_impossible():
    untold = Capacity(
        status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99, reasons=("traffic.too_far",)
    )
    unknown = dict.fromkeys(("endpoint", "replicas", "per_replica", "batch_limit", "full_at", "waiting"))
    none = Admission(waits=Waits.UNKNOWN, **unknown)
    (said,) = admission_texts(replace(answer(untold), admission=none))
    assert said == (
        "No limit can be given for your own traffic before it is measured. For the traffic as measured it would be "
        "41 requests at once."
    )
    (measured,) = admission_texts(replace(answer(untold), for_traffic=None, admission=none))
    assert measured == "No limit keeps the targets: not one request can be promised within them."
