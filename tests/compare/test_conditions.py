"""The seven conditions: equal, different, unknown; what may be accepted and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.compare.compare import compare
from core.compare.conditions import FIELDS, Group, State, fields_of, matrix_of
from core.compare.names import same_value
from core.compare.quantity import Question
from core.compare.study import studied
from core.errors import Place
from core.model.compared import Layer, Study
from core.model.metric import Metric
from core.model.run import Conditions, Kind, Run
from core.model.stage import Stage, Statistics
from core.present.compare_causes import way_out
from tests.fleet import fleet_build

WHOLE = Conditions(
    model="org/Llama-70B",
    model_revision="abc",
    precision="FP8",
    kv_precision="fp8",
    input_tokens_mean=1024.0,
    output_tokens_mean=256.0,
    length_distribution="fixed",
    arrival="closed loop",
    max_num_seqs=256,
    ttft_scope="client, with queue and network",
    measured_at="rack 4",
    accelerator="NVIDIA H100 80GB HBM3",
    accelerator_count=8,
    accelerator_memory_gb=80.0,
    interconnect="NVLink",
    network="none",
    tp=8,
    pp=1,
    ep=1,
    dp=1,
    replicas=1,
    serving_mode="aggregated",
    engine="vllm",
    engine_version="0.11.0",
    cache_hit_rate=0.0,
    speculation="none",
    graph_replay="on",
    tool="vllm bench",
    tool_version="0.11.0",
)


def run_of(conditions: Conditions, name: str = "a") -> Run:
    statistics = {Metric.TPOT: Statistics(mean=0.02, n=100, quantiles={0.99: 0.03})}
    stage = Stage(where=Place("a"), asked_concurrency=4.0, requests_failed=0, output_tok_s=100.0, statistics=statistics)
    return Run(
        id=name,
        label=name,
        kind=Kind.MEASURED,
        format_id="x",
        format_version=None,
        files=(),
        conditions=conditions,
        stages=(stage,),
    )


def matrix(*conditions: Conditions, accepted=()):
    return matrix_of([run_of(each, str(i)) for i, each in enumerate(conditions)], accepted)


def test_runs_that_match_in_all_seven_may_be_compared():
    found = matrix(WHOLE, WHOLE, WHOLE)
    assert [found.state(group) for group in Group] == [State.EQUAL] * 7
    assert found.is_comparable
    assert not found.open


def test_names_of_one_thing_are_one_value():
    other = replace(
        WHOLE,
        model="llama-70b",
        precision="fp8",
        accelerator="H100_SXM",
        engine_version="v0.11.0",
        input_tokens_mean=1030.0,
    )
    assert matrix(WHOLE, other).is_comparable


NOT_ASKED_HERE = {"quality", "throughput", "percentiles", "failures"} | {
    "proposer",
    "acceptance_length",
    "verification",
    "prefill_accelerators",
    "decode_accelerators",
}
"""Read from the levels, or without a meaning where there are no drafts and prefill is not apart."""


@pytest.mark.parametrize("field", [f for names in FIELDS.values() for f in names if f not in NOT_ASKED_HERE])
def test_unknown_is_not_equal(field):
    found = matrix(WHOLE, replace(WHOLE, **{field: None}))
    assert [line.field for line in found.open if line.field != "quality"] == [field]
    assert found.open[0].state is State.UNKNOWN
    assert not found.is_comparable
    found = matrix(WHOLE, replace(WHOLE, **{field: None}), accepted=(field,))
    assert found.is_comparable is (field not in ("precision", "kv_precision"))


def test_a_difference_is_accepted_by_name_and_no_other_with_it():
    other = replace(WHOLE, accelerator="B200", engine_version="0.12.0")
    assert [line.field for line in matrix(WHOLE, other).open] == ["accelerator", "engine_version"]
    found = matrix(WHOLE, other, accepted=("accelerator",))
    assert [line.field for line in found.open] == ["engine_version"]
    assert [line.field for line in found.accepted] == ["accelerator"]
    assert matrix(WHOLE, other, accepted=("hardware",)).is_comparable


def test_what_is_equal_is_not_printed_as_accepted():
    assert matrix(WHOLE, WHOLE, accepted=("accelerator", "hardware")).accepted == ()


@pytest.mark.parametrize(
    "change",
    [
        {"precision": "nvfp4"},
        {"kv_precision": "fp16"},
        {"speculation": "eagle3", "proposer": "p", "acceptance_length": 2.5, "verification": "relaxed"},
    ],
)
def test_a_changed_precision_or_a_relaxed_verification_needs_a_typed_quality(change):
    other = replace(WHOLE, **change)
    everything = [group.value for group in Group]
    assert not matrix(WHOLE, other, accepted=everything).is_comparable
    assert matrix(WHOLE, other, accepted=everything).quality_untold
    half = replace(other, quality="MMLU 81.2")
    assert not matrix(WHOLE, half, accepted=everything).is_comparable
    typed = matrix(replace(WHOLE, quality="MMLU 81.4"), half, accepted=everything)
    assert typed.is_comparable
    assert "quality" in [line.field for line in typed.accepted]


def test_the_same_quality_result_closes_it():
    told = replace(WHOLE, quality="MMLU 81.2")
    found = matrix(told, replace(told, precision="bf16"), accepted=("precision",))
    assert found.is_comparable


def test_standard_drafts_leave_the_quality_as_it_is():
    drafts = replace(WHOLE, speculation="eagle3", proposer="p", acceptance_length=2.5, verification="standard")
    assert not matrix(WHOLE, drafts).quality_untold


DRAFTS = {"speculation": "eagle3", "proposer": "p", "acceptance_length": 2.5}
ALL = tuple(group.value for group in Group)


@pytest.mark.parametrize("field", ["precision", "kv_precision"])
def test_a_precision_that_one_run_says_and_another_does_not_needs_a_typed_quality(field):
    silent = replace(WHOLE, **{field: None})
    found = matrix(WHOLE, silent, accepted=ALL)
    assert (found.is_comparable, found.quality_untold, found.unsaid) == (False, True, (field,))
    typed = matrix(*(replace(each, quality="MMLU 81.2") for each in (WHOLE, silent)), accepted=ALL)
    assert (typed.is_comparable, typed.unsaid) == (True, ())
    # Nothing points to a change where no run says it: the person may let that stand.
    nobody = matrix(silent, silent, accepted=(field,))
    assert (nobody.is_comparable, nobody.quality_untold) == (True, False)
    assert not matrix(silent, silent).is_comparable


def test_drafts_of_an_unknown_verification_need_a_typed_quality():
    blind = replace(WHOLE, **DRAFTS)
    exact = replace(blind, verification="standard")
    for other in (WHOLE, exact, replace(blind, proposer="q"), replace(blind, speculation="ngram")):
        found = matrix(other, blind, accepted=ALL)
        assert (found.is_comparable, found.unsaid) == (False, ("verification",))
    # All of the same drafts, with nothing said of any.
    assert matrix(blind, blind, accepted=("verification",)).is_comparable
    # Whether drafts are made at all is a condition of its own, which may be let stand.
    assert matrix(exact, replace(WHOLE, speculation=None), accepted=ALL).is_comparable


def test_what_is_not_said_is_named_with_the_runs_that_lack_it():
    runs = [run_of(WHOLE, "a"), run_of(replace(WHOLE, precision=None, **DRAFTS), "b")]
    found = matrix_of(runs, ALL)
    line = next(each for each in found.lines if each.field == "quality")
    for flags in (False, True):
        said = str(way_out(line, runs, found, flags=flags))
        assert "Precision (b); Verification" in said
        assert "(b)" in said.split("; or ", maxsplit=1)[0].split("Verification")[1]
        assert "the same quality test on a, b" in said


@given(st.permutations([WHOLE, replace(WHOLE, tp=4), replace(WHOLE, engine=None)]))
def test_the_order_of_runs_decides_no_state(conditions):
    found = matrix(*conditions)
    assert found.state(Group.HARDWARE) is State.DIFFERENT
    assert {line.field: line.state for line in found.open} == {"tp": State.DIFFERENT, "engine": State.UNKNOWN}


def test_every_field_of_a_condition_is_one_that_a_run_has():
    known = set(Conditions.__dataclass_fields__) | {"throughput", "percentiles", "failures"}
    assert {field for names in FIELDS.values() for field in names} <= known
    assert fields_of("lengths") == FIELDS[Group.LENGTHS]
    assert fields_of("tp") == ("tp",)
    assert fields_of("colour") == ()


def test_lengths_of_one_distribution_differ_a_little_and_parallelism_does_not():
    assert same_value("output_tokens_mean", 256.0, 251.0)
    assert not same_value("output_tokens_mean", 256.0, 240.0)
    assert not same_value("accelerator_count", 8, 9)


@pytest.mark.parametrize(
    ("typed", "state"),
    [
        ((("a", 8), ("b", 8)), State.EQUAL),
        ((("a", 8), ("b", 16)), State.DIFFERENT),
        ((("a", 8),), State.UNKNOWN),
        ((), State.UNKNOWN),
    ],
)
def test_a_count_typed_beside_the_price_is_known_to_comparison_and_study(typed, state):
    both = tuple(
        replace(fleet_build.named(name), run=run_of(replace(WHOLE, accelerator_count=None), name)) for name in "ab"
    )
    price = replace(fleet_build.PRICE, accelerators=typed)
    found = compare(both, Question(price=price)).matrix
    line = next(each for each in found.lines if each.field == "accelerator_count")
    assert (line.state, line.values) == (state, tuple(dict(typed).get(name) for name in "ab"))
    open_ = [each.field for each in studied(*both, Study(layer=Layer.ENGINE), price).disturbing]
    assert ("accelerator_count" in open_) is (state is not State.EQUAL)
    # A count in a file stays the condition; the other is what the bill is for.
    told = tuple(replace(each, run=run_of(replace(WHOLE, accelerator_count=4), each.run.id)) for each in both)
    line = next(x for x in compare(told, Question(price=price)).matrix.lines if x.field == "accelerator_count")
    assert line.values == (4, 4)
