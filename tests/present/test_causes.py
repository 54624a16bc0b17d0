"""What stops a run in words: every kind can be told, remedies fit their cause and promise no number."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.i18n import t
from core.model.cause import Cause, CauseKind, Confidence, Sign
from core.present.causes import NAMES, SENTENCES, cause_sentence, evidence_title, sureness_text, told_of
from core.present.documents import plan_document
from core.present.remedies import REMEDIES, profile_command, remedies_of
from core.present.stops import stops_texts, targets_frame
from tests.present.builders import TTFT_P99, answer_of, run_of

SIGN = Sign(code="cause.waiting", text=t("Of {load} requests half wait", load="40"))


def cause(kind=CauseKind.QUEUE, confidence=Confidence.CLEAR, **more):
    return Cause(kind=kind, confidence=confidence, at=47.0, evidence=(SIGN,), **more)


def test_every_kind_has_a_name_a_sentence_and_remedies():
    assert set(NAMES) == set(SENTENCES) == set(REMEDIES) == set(CauseKind)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("kind", list(CauseKind))
def test_every_kind_is_told_in_both_languages(kind, language):
    confidence = Confidence.CANNOT_TELL if kind is CauseKind.UNKNOWN else Confidence.LIKELY
    told = told_of(answer_of(cause=cause(kind, confidence, also_possible=(CauseKind.PREFILL,))), language)
    assert told.sentence.startswith(SENTENCES[kind].render(language))
    assert NAMES[CauseKind.PREFILL].render(language) in told.sentence


def test_no_remedy_promises_a_number():
    every = {remedy.code: str(remedy.text) for remedies in REMEDIES.values() for remedy in remedies}
    assert [code for code, text in every.items() if re.search(r"\d|\bpercent\b|%", text)] == []


def test_graphs_and_fusion_are_two_remedies_of_launch_overhead():
    first, second, *_ = (str(remedy.text) for remedy in REMEDIES[CauseKind.LAUNCH])
    assert "fixed shapes and addresses" in first
    assert "does not run the host's code again" in first
    assert "another remedy" in second


def test_memory_pressure_has_its_four_remedies():
    codes = {remedy.code for remedy in REMEDIES[CauseKind.KV_MEMORY]}
    wanted = {"quantise", "cache_management", "shorter_requests", "larger_memory"}
    assert {f"remedy.{name}" for name in wanted} <= codes


def test_nothing_is_recommended_before_the_cause_is_known():
    for kind in (CauseKind.UNKNOWN, CauseKind.BANDWIDTH_OR_LAUNCH):
        assert remedies_of(cause(kind, Confidence.LIKELY), run_of()) == ()
    unknown = cause(CauseKind.UNKNOWN, Confidence.CANNOT_TELL, also_possible=(CauseKind.PREFILL, CauseKind.QUEUE))
    assert remedies_of(unknown, run_of()) == ()


def test_where_prompts_are_read_apart_already_that_pool_can_grow():
    together, apart = (
        {remedy.code for remedy in remedies_of(cause(CauseKind.PREFILL), run)}
        for run in (run_of(), run_of(serving_mode="disaggregated"))
    )
    assert together - apart == {"remedy.disaggregation", "remedy.chunked_prefill"}
    assert apart - together == {"remedy.more_prefill"}


def test_a_profile_is_asked_for_only_where_it_tells():
    asked = {kind for kind in CauseKind if told_of(answer_of(cause=cause(kind))).profile}
    assert asked == {CauseKind.BANDWIDTH_OR_LAUNCH}


def test_the_command_of_a_profile_fits_engine_and_load():
    wanted = cause(CauseKind.BANDWIDTH_OR_LAUNCH)
    assert "--cuda-graph-trace=node" in profile_command(wanted, "vLLM")
    assert "--max-concurrency 47" in profile_command(wanted, None)
    assert "SGLANG_TORCH_PROFILER_DIR" in profile_command(wanted, "SGLang 0.5")


def test_where_no_target_is_missed_nothing_stops_it():
    sign = Sign(code="cause.nothing_missed", text=t("No target was missed"))
    found = replace(cause(CauseKind.UNKNOWN, Confidence.CANNOT_TELL), evidence=(sign,))
    assert cause_sentence(found) == "Nothing stops it yet."


def test_the_cause_leads_what_stops_it_and_takes_the_place_of_general_advice():
    said = stops_texts(answer_of(cause=cause()))
    assert said[0] == "The running batch is full: requests wait for a place in it."
    assert said[1] == "Of 40 requests half wait."
    assert said[2] == "Stopped by TTFT p99."
    assert evidence_title(cause()) == "What shows it, at 47 requests in flight"


def test_the_document_holds_kind_codes_and_words():
    answer = answer_of(cause=cause(CauseKind.KV_MEMORY, Confidence.LIKELY, also_possible=(CauseKind.QUEUE,)))
    found = plan_document([replace(answer, run=replace(answer.run, gpu_busy=0.62))], [TTFT_P99], [])["runs"][0]["cause"]
    assert (found["kind"], found["confidence"], found["at"]) == ("kv_memory", "likely", 47.0)
    assert found["evidence"] == [{"code": "cause.waiting", "text": "Of 40 requests half wait"}]
    assert found["also_possible"] == ["queue"]
    assert found["gpu_busy"] == 0.62
    assert "remedy.quantise" in {remedy["code"] for remedy in found["remedies"]}
    assert plan_document([answer_of()], [TTFT_P99], [])["runs"][0]["cause"] is None


def test_the_short_table_says_what_each_target_carries():
    frame = targets_frame(answer_of())
    assert frame["Target"].tolist() == ["TTFT p99 ≤ 500 ms"]
    assert frame["Carries safely"].tolist() == ["41 (range 36–53)"]


@pytest.mark.parametrize(
    ("kind", "confidence", "said"),
    [
        (CauseKind.QUEUE, Confidence.CLEAR, "clear"),
        (CauseKind.BANDWIDTH_OR_LAUNCH, Confidence.CLEAR, "one of two"),
        (CauseKind.BANDWIDTH_OR_LAUNCH, Confidence.LIKELY, "likely"),
    ],
)
def test_what_leaves_two_things_possible_is_not_called_clear(kind, confidence, said):
    assert sureness_text(answer_of(cause=cause(kind, confidence))) == said
    assert sureness_text(answer_of()) is None
