"""Doubts, findings, refusals and the next measurement in words."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from core.errors import Place
from core.i18n import t
from core.model.answer import Capacity, Doubt, Interval, LoadPoint, Status, TargetAnswer
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.refusal import Refusal
from core.present.doubts import (
    Gathered,
    doubt_text,
    finding_text,
    gathered,
    ordered,
    place_line,
    reasons_text,
    refusal_text,
)
from core.present.measure import engineer_request, next_text
from core.present.reasons import EXCLUSIONS, REASONS, exclusion_text
from core.present.stops import HELPS, stops_table, stops_texts
from core.present.untold import to_know
from tests.present.builders import NEXT, TPOT_P99, WITHIN, answer_of, run_of


def test_the_largest_share_of_the_doubt_is_named_first():
    doubt = Doubt(noise=0.2, levels=0.7, requests=0.1)
    assert doubt_text(doubt) == (
        "Most of the doubt comes from too few levels (70%); the rest: noise between runs 20%, too few requests 10%."
    )


def test_a_doubt_without_a_main_cause_claims_none():
    doubt = Doubt(noise=0.4, levels=0.35, requests=0.25)
    assert doubt_text(doubt) == (
        "The doubt comes from noise between runs (40%), too few levels 35%, too few requests 25%."
    )
    assert doubt_text(None) is None


def finding(severity, what="The clock ran backwards", **more):
    return Finding(code="time.backwards", severity=severity, where=Place("a.json"), what=t(what), **more)


def test_a_finding_reads_as_sentences():
    said = finding(Severity.WARNING, consequence=t("rates are too high"), fix=t("Use a newer version"))
    assert finding_text(said) == "The clock ran backwards. Rates are too high. Use a newer version."


def test_the_gravest_finding_stands_first_and_equals_keep_their_order():
    rows = [finding(Severity.INFO, "a"), finding(Severity.ERROR, "b"), finding(Severity.INFO, "c")]
    assert [str(row.what) for row in ordered(rows)] == ["b", "a", "c"]


def test_a_refused_file_is_named_with_its_place_and_the_way_out():
    refused = Refusal(
        file="b.json", code="json.broken", what=t("It is not JSON"), fix=t("Save it anew"), line=3, field="ttft"
    )
    assert refusal_text(refused) == "b.json: It is not JSON (line 3, ttft). Save it anew."


def codes_in(folder, apart):
    """String constants of the form of a code in a layer, one module apart."""
    found = set()
    for path in set(folder.rglob("*.py")) - {folder / apart}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                word = node.value
                if word.count(".") == 1 and word.replace(".", "").replace("_", "").isalpha() and word.islower():
                    found.add(word)
    return found


def test_every_reason_that_decide_can_give_has_a_clause_and_none_is_left_over(root):
    # writers.py names tools and files, such as "result.json"; evidence of a cause brings its own sentence.
    found = codes_in(root / "core" / "decide", "writers.py")
    assert {code for code in found if not code.startswith("cause.")} == set(REASONS)


def test_every_rule_that_keeps_a_level_out_has_a_clause():
    from core.check.levels import RULES

    assert set(EXCLUSIONS) == set(RULES)


def test_reasons_are_clauses_that_fit_behind_a_colon():
    for clause in REASONS.values():
        assert clause.msgid[0].islower()
        assert not clause.msgid.endswith(".")


def test_a_persons_own_reason_is_shown_as_written_and_an_unknown_rule_by_its_code():
    assert str(exclusion_text("cable was loose")) == "left out: cable was loose"
    assert str(exclusion_text("moon.full")) == "left out by rule (moon.full)"


def test_reasons_become_sentences():
    capacity = Capacity(status=Status.WITHIN, concurrency=None, safe=1, binding=TPOT_P99, reasons=("levels.three",))
    assert reasons_text(capacity) == ("It rests on three levels only.",)


def test_the_next_measurement_says_what_and_why():
    answer = answer_of(next_measurement=NEXT)
    assert next_text(answer) == "Run 400 requests at concurrency 8. It lies at the estimate."
    assert next_text(answer_of()) == ""


def test_the_request_to_an_engineer_says_what_why_and_under_which_conditions():
    text = engineer_request(answer_of(run_of(label="a\nb"), next_measurement=NEXT))
    lines = text.splitlines()
    assert lines[0] == "Please measure a b once more."
    assert "What: 400 requests at concurrency 8, after a warm-up." in lines
    assert "Why: It lies at the estimate." in lines
    assert "Targets: TTFT p99 ≤ 500 ms." in lines
    assert "Measured before: 8 levels, 4–512." in lines
    assert "- Accelerator: GB200" in lines
    assert "- Number of accelerators: 16" in lines
    missing = lines[lines.index("The files do not say these; please write them down:") + 1 :]
    assert "- Precision" in missing
    assert "- Model" not in missing
    assert engineer_request(answer_of()) == ""


def two_targets():
    other = Capacity(
        status=Status.WITHIN, concurrency=Interval(low=80.0, mid=100.0, high=130.0), safe=88, binding=TPOT_P99
    )
    answer = answer_of()
    metrics = {"ttft p99": Interval(low=0.39, mid=0.43, high=0.48)}
    return answer_of(
        per_target=(*answer.per_target, TargetAnswer(target=TPOT_P99, capacity=other)),
        at_capacity=LoadPoint(at=41.0, metrics=metrics, kv_used_fraction=0.93),
    )


def test_what_stops_it_says_its_value_what_the_next_target_allows_and_the_memory():
    said = stops_texts(two_targets())
    assert said[0] == "Stopped by TTFT p99."
    assert said[1] == "At 41 concurrent requests TTFT p99 is 430 ms (390 ms–480 ms); the limit is 500 ms."
    assert said[2] == "Without it, TPOT p99 would stop at 88, safely."
    assert said[3] == str(HELPS[Metric.TTFT])
    assert said[4] == "The KV cache is 93% full at the safe number: memory will stop it soon."


def test_every_metric_has_advice():
    assert set(HELPS) == set(Metric)


def test_the_table_of_targets_leaves_the_unknown_empty():
    frame = stops_table(two_targets())
    assert frame["Target"].tolist() == ["TTFT p99 ≤ 500 ms", "TPOT p99 ≤ 50 ms"]
    assert frame["Safe concurrent requests"].tolist() == [41, 88]
    assert frame["Value at the safe number"].isna().tolist() == [False, True]


@pytest.mark.parametrize("status", list(Status))
def test_what_stops_it_never_fails(status):
    capacity = Capacity(status=status, concurrency=None, safe=None, binding=None)
    assert isinstance(stops_texts(answer_of(capacity=capacity)), tuple)
    assert isinstance(stops_texts(answer_of(capacity=WITHIN)), tuple)


def test_what_to_run_names_the_level_of_the_command_to_the_last_digit():
    answer = answer_of(next_measurement=replace(NEXT, concurrency=1024.0))
    assert "at concurrency 1,024." in next_text(answer)
    assert "at concurrency 1,024, after" in engineer_request(answer)
    assert to_know(answer) == "To know, run 400 requests at concurrency 1,024."


def test_what_to_run_in_open_loop_names_the_rate_and_the_load():
    answer = answer_of(next_measurement=replace(NEXT, concurrency=1024.0, rate=12.3456))
    assert next_text(answer).startswith("Run 400 requests at 12.3456 requests/s, about 1,024 in flight.")
    assert "What: 400 requests at 12.3456 requests/s, about 1,024 in flight, after a warm-up." in engineer_request(
        answer
    )
    assert to_know(answer) == "To know, run 400 requests at 12.3456 requests/s, about 1,024 in flight."


def test_equal_findings_of_many_places_are_one_with_their_count():
    def seen(where, severity=Severity.INFO, consequence=None):
        return Finding(code="a.b", severity=severity, where=Place(where), what=t("Seen"), consequence=consequence)

    notes = [seen("a.json"), seen("b.json"), seen("b.json"), seen("c.json")]
    grave = Finding(code="c.d", severity=Severity.ERROR, where=Place("z.json"), what=t("Grave"))
    telling = Finding(code="e.f", severity=Severity.INFO, where=Place(), what=t("Told"), consequence=t("So"))
    found = gathered([*notes, telling, grave])
    others = [replace(notes[0], what=t("Seen {n}", n=n)) for n in (1, 2)]
    assert len(gathered(others)) == 2
    assert [each.finding.code for each in found] == ["c.d", "e.f", "a.b"]
    assert found[2].places == ("a.json", "b.json", "c.json")
    numbered = Gathered(finding=found[0].finding, places=("(2)/c4.json", "(2)/c8.json"))
    assert place_line(numbered, run="H200 · × 8") == "H200 · × 8: (2)/c4.json and 1 more"
    assert [place_line(each, run="H200") for each in found] == ["z.json", "", "a.json and 2 more"]
    assert [place_line(each) for each in found] == ["z.json", "", "a.json and 2 more"]
