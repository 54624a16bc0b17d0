"""The first advice of a withheld ranking really resolves what it is about: followed step by step, runs are compared."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.compare.close import ahead
from core.compare.compare import Verdict, Why, compare
from core.compare.conditions import FIELDS, Group, matrix_of
from core.compare.quantity import Quantity, Question
from core.model.answer import Interval, Status
from core.model.price import Price, RunPrice
from core.model.scenario import Demand, DemandKind
from core.present.compare_document import compare_document
from core.present.compare_steps import first_step
from core.present.compare_words import next_step
from tests.compare.test_compare import EVERYTHING, PRICE, TARGETS, answers_of

KNOWN = {
    "model_revision": "a", "kv_precision": "bf16", "length_distribution": "fixed", "arrival": "closed loop",
    "max_num_seqs": 256, "ttft_scope": "client", "measured_at": "same host", "tool": "vllm", "tool_version": "0.11",
    "accelerator_memory_gb": 80.0, "interconnect": "NVLink", "network": "100 GbE", "pp": 1, "ep": 1, "dp": 1,
    "replicas": 1, "serving_mode": "aggregated", "cache_hit_rate": 0.0, "speculation": "none", "graph_replay": "on",
}  # fmt: skip
OTHER = {
    "model": "llama-3.1-8b", "precision": "bf16", "accelerator": "H200", "accelerator_count": 4, "tp": 4,
    "input_tokens_mean": 9000.0, "output_tokens_mean": 99.0, "engine": "sglang", "engine_version": "9",
}  # fmt: skip


@pytest.fixture(scope="module")
def pair():
    return tuple(with_(answer, **KNOWN) for answer in answers_of({}, {"slower": 1.5}))


def with_(answer, **conditions):
    return replace(answer, run=replace(answer.run, conditions=replace(answer.run.conditions, **conditions)))


def step(found):
    return next_step(found, flags=True)


def followed(pair):
    """Do what the first advice says until a ranking is said; return what was done."""
    one, other = pair
    accepted, done = set(), []
    while len(done) < 12:
        found = compare((one, other), Question(), accepted)
        if found.matrix.is_comparable:
            return done
        said = step(found)
        done.append(said)
        allowed = re.search(r"--accept (\w+)", said)
        if "--quality" in said:
            one, other = with_(one, quality="MMLU-Pro 0.71"), with_(other, quality="MMLU-Pro 0.71")
        elif " at " in said.partition(". ")[0] and said.startswith("Remeasure"):
            known = one.run.conditions
            both = {name: getattr(known, name) for name in ("input_tokens_mean", "output_tokens_mean")}
            other = with_(other, **both)
        elif "with the tool and the statistics of" in said:
            other = with_(other, tool=one.run.conditions.tool, tool_version=one.run.conditions.tool_version)
        else:
            assert allowed, said
            accepted.add(allowed.group(1))
    raise AssertionError(done)


def test_runs_of_equal_conditions_need_no_step(pair):
    assert followed(pair) == []


TYPED = sorted({*KNOWN, *OTHER} - {"speculation", "serving_mode"})


@pytest.mark.parametrize("field", TYPED)
def test_one_step_settles_one_difference_and_names_no_other(pair, field):
    now = getattr(pair[0].run.conditions, field)
    value = OTHER.get(field) or (now + 1 if isinstance(now, int | float) else f"{now} otherwise")
    done = followed((pair[0], with_(pair[1], **{field: value})))
    if field in ("precision", "kv_precision"):
        # Quality first, and nothing before it; then the difference itself is a choice.
        assert [("--quality" in said, "Remeasure" in said) for said in done] == [(True, False), (False, False)]
        assert done[0].endswith("Then still open: Model and quality")
    else:
        (said,) = done
        assert "Then still open" not in said


@pytest.mark.parametrize("field", [name for name in TYPED if name not in ("input_tokens_mean", "output_tokens_mean")])
def test_what_is_unknown_is_named_with_the_run_that_lacks_it(pair, field):
    blind = with_(pair[1], **{field: None})
    said = step(compare((pair[0], blind), Question()))
    if field in ("precision", "kv_precision"):
        # It may have changed: to say it settles all, and a quality test leaves it to be let stand.
        assert said.startswith("Say on the Data page what is missing: ")
        assert f"({blind.run.label}); or run the same quality test on " in said
        assert "Then still open" not in said
        assert len(followed((pair[0], blind))) == 2
        return
    assert said.startswith(f"Say on the Data page for {blind.run.label}: ")
    assert len(followed((pair[0], blind))) == 1


@pytest.mark.parametrize("group", list(Group))
def test_every_group_that_is_open_is_worked_off(pair, group):
    one = with_(pair[0], **{name: None for name in FIELDS[group] if hasattr(pair[0].run.conditions, name)})
    done = followed((one, pair[1]))
    # A precision that one run does not say asks for a quality test before the rest.
    assert len(done) == {Group.THROUGHPUT: 0, Group.MODEL: 2}.get(group, 1)


def test_many_differences_come_one_after_the_other_and_the_rest_is_announced(pair):
    other = with_(pair[1], precision="bf16", input_tokens_mean=9000.0, network=None, tool="guidellm")
    found = compare((pair[0], other), Question())
    assert step(found).endswith(
        "Then still open: Model and quality, Lengths, Statistics and errors, Hardware and engine"
    )
    done = followed((pair[0], other))
    assert len(done) == 5
    assert "--quality" in done[0]
    assert done[2].startswith("Remeasure")
    assert "Then still open" not in done[-1]


def test_relaxed_verification_asks_for_quality_even_where_both_are_relaxed(pair):
    drafts = {"speculation": "eagle3", "proposer": "p", "acceptance_length": 2.0}
    for relaxed in (("relaxed", "relaxed"), ("standard", "relaxed")):
        both = tuple(with_(a, verification=v, **drafts) for a, v in zip(pair, relaxed, strict=True))
        done = followed(both)
        assert "--quality" in done[0]
        assert not any("Remeasure" in said for said in done)


def test_results_of_a_quality_test_that_differ_are_accepted_and_not_remeasured(pair):
    both = (with_(pair[0], quality="MMLU-Pro 0.72"), with_(pair[1], quality="MMLU-Pro 0.71"))
    (said,) = followed(both)
    assert said.startswith("Results of the quality test differ")
    page = next_step(compare(both, Question()))
    assert 'choose "Let stand" for Model and quality' in page


def test_a_price_that_one_run_lacks_is_asked_for_and_no_measurement(pair):
    own = RunPrice(amount=2.0, per_accelerator=True)
    price = Price(amount=None, per_accelerator=True, by_run=((pair[0].run.id, own),))
    found = compare(pair, Question(price=price), EVERYTHING)
    assert found.deciding.verdict is Verdict.CANNOT_TELL
    assert step(found) == f"Give a price of {pair[1].run.label}: --price {pair[1].run.id}=2.50/gpu-h"
    assert next_step(found) == f'Give a price of {pair[1].run.label} in the panel "Price"'


def test_a_count_that_one_run_lacks_is_asked_for_and_no_measurement(pair):
    blind = with_(pair[1], accelerator_count=None, tp=None)
    found = compare((pair[0], blind), Question(price=PRICE), EVERYTHING)
    assert step(found).startswith(f"Accelerators unknown of {blind.run.label}. Say it with --gpus RUN=N")
    assert 'panel "Price"' in next_step(found)


def test_users_without_pauses_are_asked_for_their_think_time(pair):
    asked = Question(price=PRICE, demand=Demand(peak=500.0, kind=DemandKind.USERS))
    found = compare(pair, asked, EVERYTHING)
    by_quantity = {each.quantity: first_step(found, each, flags=True) for each in found.standings}
    assert str(by_quantity[Quantity.REPLICAS]) == "Say how long users pause between requests: --think-time SECONDS"


def test_each_number_says_what_it_needs(pair):
    found = compare(pair, Question(), EVERYTHING)
    steps = {each["quantity"]: each["next_step"] for each in compare_document(found, TARGETS)["standings"]}
    assert steps["cost"].startswith("Give a price: --price")
    assert steps["replicas"].startswith("Give the demand: --demand")
    assert steps["capacity"] is None
    assert matrix_of([answer.run for answer in pair]).is_comparable


def test_one_more_run_is_advised_only_where_it_may_tell():
    """Gaps of 1 % stay within the ranges after one more run; one of 9 % then leads."""
    answers = []
    for name, slower, mid in (("a", 1.0, 60.0), ("b", 1.01, 59.4), ("c", 1.16, 55.0)):
        (answer,) = answers_of({"slower": slower})
        run = replace(answer.run, id=name, label=name, conditions=replace(answer.run.conditions, **KNOWN))
        wanted = replace(answer.next_measurement, width_now=1.36, width_after=1.1)
        near = replace(answer.capacity, concurrency=Interval(low=mid / 1.12, mid=mid, high=mid * 1.12))
        answers.append(replace(answer, run=run, next_measurement=wanted, capacity=near))
    close, apart = (compare((answers[0], other), Question()) for other in answers[1:])
    assert [each.deciding.why for each in (close, apart)] == [Why.CLOSE, Why.CLOSE]
    assert "will hardly tell them apart" in step(close)
    assert step(apart).startswith("To know, measure ")
    # Of three, one of the two that read best is measured: what the third carries decides nothing.
    three = compare((answers[2], answers[0], answers[1]), Question())
    assert "will hardly tell them apart" in step(three)


@pytest.mark.parametrize("lost", ["below", "cannot_tell"])
def test_a_run_that_has_lost_is_not_measured_to_tell_the_others_apart(lost):
    """A and B carry 60 and 55 with wide ranges; of C it is known only that it carries fewer than 8."""
    answers = []
    for name, mid in (("a", 60.0), ("b", 55.0), ("c", 4.0)):
        (answer,) = answers_of({})
        run = replace(answer.run, id=name, label=name, conditions=replace(answer.run.conditions, **KNOWN))
        run = replace(run, files=tuple(replace(file, sha256=name) for file in run.files))
        wanted = replace(answer.next_measurement, width_now=1.36, width_after=1.1)
        near = replace(answer.capacity, concurrency=Interval(low=mid / 1.2, mid=mid, high=mid * 1.2))
        if name == "c":
            near = replace(near, status=Status(lost), concurrency=Interval(low=None, mid=None, high=8.0), safe=None)
        answers.append(replace(answer, run=run, next_measurement=wanted, capacity=near))
    found = compare(answers, Question())
    chances = found.deciding.chances
    assert chances[2].high < 0.03
    assert (found.deciding.verdict, found.deciding.why) == (Verdict.CANNOT_TELL, Why.CLOSE)
    alone = compare(answers[:2], Question())
    assert step(found) == step(alone)
    assert ahead(found.deciding) == ahead(alone.deciding) == (0, 1)
