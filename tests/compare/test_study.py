"""A change before and after: what moved beyond noise, what is judged together, and what makes it "cannot tell"."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.compare.conditions import Group
from core.compare.measures import Judged, Measure
from core.compare.study import studied
from core.errors import UsageError
from core.model.compared import Compared, Layer, Study, compared_texts, parse_compared
from core.model.metric import Metric
from core.model.run import Kind
from core.model.target import parse_target
from core.present.study import changed_text, evidence_table, origin_table, step_text, verdict_text, walk
from tests.compare.test_compare import answers_of

EVERYTHING = tuple(group.value for group in Group)
NETWORK = {"network": "400G InfiniBand"}


def pair(before=None, after=None, **sweeps):
    """Two answers, with conditions and levels changed by hand."""
    both = answers_of({}, {"slower": sweeps.get("slower", 0.8), "engine_version": "0.12.0"})
    return tuple(_changed(a, change or {}) for a, change in zip(both, (before, after), strict=True))


def _changed(answer, change):
    levels = change.pop("levels", {}) if isinstance(change, dict) else {}
    run = answer.run
    stages = tuple(replace(stage, **levels) for stage in run.stages)
    return replace(answer, run=replace(run, stages=stages, conditions=replace(run.conditions, **change)))


def judged(found, measure):
    return next(each for each in found.evidence if each.measure is measure).judged


def test_a_faster_engine_is_better_and_says_what_changed():
    before, after = pair()
    found = studied(before, after, Study(layer=Layer.ENGINE), None, EVERYTHING)
    assert found.verdict is Judged.BETTER
    assert [line.field for line in found.changed] == ["engine_version"]
    assert judged(found, Measure.TTFT) is Judged.BETTER
    assert judged(found, Measure.THROUGHPUT) is Judged.BETTER
    ttft = next(each for each in found.evidence if each.measure is Measure.TTFT)
    # Both at 32, the largest level that both promise: (60 + 4 x 32) x 1.6 ms, and 0.8 of it.
    assert found.load == 32
    assert ttft.before == pytest.approx(0.3008)
    assert ttft.after == pytest.approx(0.3008 * 0.8)
    assert ttft.change.mid == pytest.approx(0.8)
    assert ttft.change.low < 0.8 < ttft.change.high


def test_the_way_back_is_worse():
    after, before = pair()
    assert studied(before, after, Study(layer=Layer.ENGINE), None, EVERYTHING).verdict is Judged.WORSE


def at_rates(answer, in_flight):
    """The same levels, sent as 1, 2, 3 … requests/s; what is then in flight is the run's own."""
    stages = tuple(
        replace(stage, asked_concurrency=None, asked_rate=float(place), achieved_concurrency=stage.load * in_flight)
        for place, stage in enumerate(answer.run.stages, 1)
    )
    return replace(answer, run=replace(answer.run, stages=stages))


def test_runs_that_were_sent_the_same_rates_are_compared_at_one_rate():
    before, after = pair()
    found = studied(at_rates(before, 1.0), at_rates(after, 0.7), Study(layer=Layer.ENGINE), None, EVERYTHING)
    assert found.load is None
    place = next(i for i, stage in enumerate(before.run.stages, 1) if stage.load == 32)
    assert found.rate == place
    assert judged(found, Measure.TTFT) is Judged.BETTER
    assert f"Both sent {place} requests per second" in dict(walk(found))["Remeasured"]


def test_a_rate_is_no_number_of_requests_in_flight():
    before, after = pair()
    found = studied(before, at_rates(after, 1.0), Study(layer=Layer.ENGINE), None, EVERYTHING)
    assert (found.load, found.rate) == (None, None)
    assert "share no level" in dict(walk(found))["Remeasured"]


def test_what_differs_beside_the_change_forbids_a_verdict():
    before, after = pair()
    found = studied(before, after, Study(layer=Layer.BATCHING), None, ())
    assert found.verdict is Judged.CANNOT_TELL
    assert "engine_version" in [line.field for line in found.disturbing]


def test_what_may_stand_beside_the_change_is_said_with_the_verdict():
    before, after = pair()
    elsewhere = verdict_text(studied(before, after, Study(layer=Layer.BATCHING), None, EVERYTHING))
    assert "No file says a change of Batching" in elsewhere
    assert "0.12.0" in elsewhere
    both = pair(after={"max_num_seqs": 512}, before={"max_num_seqs": 256})
    assert "so that part of it may be theirs: Engine version" in verdict_text(
        studied(*both, Study(layer=Layer.BATCHING), None, EVERYTHING)
    )
    assert "beside" not in verdict_text(studied(before, after, Study(layer=Layer.ENGINE), None, EVERYTHING))


def test_without_a_layer_there_is_no_verdict():
    before, after = pair()
    assert studied(before, after, Study(), None, EVERYTHING).verdict is Judged.CANNOT_TELL


EVEN = {"cache_hit_rate": 0.6, "levels": {"active_load_by_worker": (10.0, 10.0)}}
SKEWED = {"cache_hit_rate": 0.3, "levels": {"active_load_by_worker": (16.0, 4.0)}}


def test_routing_is_judged_on_four_measures_together():
    before, after = pair(dict(SKEWED), dict(EVEN))
    found = studied(before, after, Study(layer=Layer.ROUTING), None, EVERYTHING)
    assert found.verdict is Judged.BETTER
    worker = next(each for each in found.evidence if each.measure is Measure.WORKER_LOAD)
    # 16 of (16 + 4) / 2 = 1.6 times the mean before, even after.
    assert (worker.before, worker.after) == (1.6, 1.0)


@pytest.mark.parametrize("without", ["cache_hit_rate", "levels"])
def test_routing_with_one_measure_missing_cannot_be_told(without):
    known = {name: value for name, value in EVEN.items() if name != without}
    before, after = pair(dict(SKEWED), known)
    found = studied(before, after, Study(layer=Layer.ROUTING), None, EVERYTHING)
    assert found.verdict is Judged.CANNOT_TELL
    assert found.missing == ((Measure.HIT_RATE,) if without == "cache_hit_rate" else (Measure.WORKER_LOAD,))


def test_more_hits_on_an_overloaded_worker_is_no_plain_gain():
    before, after = pair({**EVEN, "cache_hit_rate": 0.3}, {**SKEWED, "cache_hit_rate": 0.6})
    assert studied(before, after, Study(layer=Layer.ROUTING), None, EVERYTHING).verdict is Judged.MIXED


def without(answer, *metrics):
    stages = tuple(
        replace(s, statistics={m: found for m, found in s.statistics.items() if m not in metrics})
        for s in answer.run.stages
    )
    return replace(answer, run=replace(answer.run, stages=stages))


@pytest.mark.parametrize(
    ("metrics", "measure"), [((Metric.TTFT,), Measure.TTFT), ((Metric.ITL, Metric.TPOT), Measure.ITL)]
)
@pytest.mark.parametrize("layer", [Layer.ROUTING, Layer.DISAGGREGATION])
def test_judged_together_without_a_latency_of_one_run_cannot_be_told(metrics, measure, layer):
    network = NETWORK if layer is Layer.DISAGGREGATION else {}
    before, after = pair({**SKEWED, **network}, {**EVEN, **network})
    study = Study(layer=layer, kv_transfer_s=((before.run.id, 0.01), (after.run.id, 0.01)))
    assert studied(before, after, study, None, EVERYTHING).missing == ()
    found = studied(before, without(after, *metrics), study, None, EVERYTHING)
    assert (found.verdict, found.missing) == (Judged.CANNOT_TELL, (measure,))


def test_tpot_in_place_of_itl_is_named():
    before, after = pair(dict(SKEWED), dict(EVEN))
    found = studied(before, after, Study(layer=Layer.ROUTING), None, EVERYTHING)
    itl = next(each for each in found.evidence if each.measure is Measure.ITL)
    assert (itl.metric, itl.stands_in) == (Metric.TPOT, True)
    assert "TPOT p99, in place of ITL, which the files do not share" in list(evidence_table(found)["Measure"])


def with_itl(answer):
    """The same run with gaps between tokens too, each twice as long as its TPOT."""
    stages = []
    for stage in answer.run.stages:
        tpot = stage.statistics[Metric.TPOT]
        itl = replace(tpot, quantiles={q: 2.0 * value for q, value in tpot.quantiles.items()})
        stages.append(replace(stage, statistics={**stage.statistics, Metric.ITL: itl}))
    return replace(answer, run=replace(answer.run, stages=tuple(stages)))


def test_what_the_targets_promise_is_looked_at_first_and_tpot_beside_itl():
    # Promised are TPOT, then TTFT. Without ITL in the files TPOT stands in for it, at the place of the promise.
    both, study = pair(), Study(layer=Layer.ENGINE)
    plain = [each.measure for each in studied(*both, study, None, EVERYTHING).evidence]
    assert plain == [Measure.ITL, Measure.TTFT, Measure.THROUGHPUT]
    found = studied(*(with_itl(each) for each in both), study, None, EVERYTHING).evidence
    assert [each.measure for each in found] == [Measure.TPOT, Measure.TTFT, Measure.ITL, Measure.THROUGHPUT]
    tpot, _, itl, _ = found
    assert (tpot.statistic, itl.statistic) == ("p99", "p99")
    assert itl.before == pytest.approx(2.0 * tpot.before)
    assert not any(each.stands_in for each in found)


@pytest.mark.parametrize(
    ("target", "metric", "measure"),
    [
        ("e2e p90 <= 9 s", Metric.E2E, Measure.E2E),
        ("queue p99 <= 1 s", Metric.QUEUE, Measure.QUEUE),
        ("rtf p99 <= 0.5", Metric.RTF, Measure.RTF),
    ],
)
def test_whatever_is_promised_and_measured_of_both_comes_first(target, metric, measure):
    before, after = (
        replace(
            each,
            per_target=tuple(replace(one, target=parse_target(target)) for one in each.per_target[:1]),
            run=replace(
                each.run,
                stages=tuple(
                    replace(s, statistics={**s.statistics, metric: s.statistics[Metric.TTFT]}) for s in each.run.stages
                ),
            ),
        )
        for each in pair()
    )
    first = studied(before, after, Study(), None, EVERYTHING).evidence[0]
    ttft = next(e for e in studied(*pair(), Study(), None, EVERYTHING).evidence if e.measure is Measure.TTFT)
    assert (first.measure, first.metric) == (measure, metric)
    assert first.before is not None
    assert first.change.mid == pytest.approx(ttft.change.mid)
    assert measure is Measure.RTF or measure not in [
        e.measure for e in studied(*pair(), Study(), None, EVERYTHING).evidence
    ]


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_simulated_side_is_named_everywhere_and_measures_nothing(side):
    both = dict(zip(("before", "after"), pair(), strict=True))
    both[side] = replace(both[side], run=replace(both[side].run, kind=Kind.SIMULATED))
    study = Study(layer=Layer.ENGINE)
    found = studied(both["before"], both["after"], study, None, EVERYTHING)
    assert found.simulated == (side,)
    told = f"The run {side} is simulated: to be confirmed by a benchmark"
    assert verdict_text(found).startswith(told)
    assert dict(walk(found))["Remeasured"].startswith(f"Open: not measured yet. {told}. Both at 32")
    assert f"{side.capitalize()} (simulated)" in evidence_table(found).columns
    kinds = list(origin_table(found, study)["Kind"])
    assert kinds == (["simulated", "measured"] if side == "before" else ["measured", "simulated"])
    measured = studied(*pair(), study, None, EVERYTHING)
    assert "simulated" not in verdict_text(measured) + str(walk(measured)) + str(evidence_table(measured))


AGGREGATED = {"serving_mode": "aggregated", **NETWORK}
APART = {"serving_mode": "disaggregated", "prefill_accelerators": 8, "decode_accelerators": 8, **NETWORK}


def test_apart_counts_both_pools_and_needs_the_time_to_move_the_cache():
    before, after = pair(dict(AGGREGATED), dict(APART))
    study = Study(layer=Layer.DISAGGREGATION)
    untold = studied(before, after, study, None, EVERYTHING)
    assert untold.verdict is Judged.CANNOT_TELL
    assert untold.missing == (Measure.KV_TRANSFER,)
    known = studied(before, after, replace(study, kv_transfer_s=((after.run.id, 0.012),)), None, EVERYTHING)
    rate = next(each for each in known.evidence if each.measure is Measure.THROUGHPUT)
    stage = next(s for s in after.run.stages if s.load == known.load)
    assert rate.after == pytest.approx(stage.output_tok_s / 16)
    assert known.verdict is Judged.MIXED
    transfer = next(each for each in known.evidence if each.measure is Measure.KV_TRANSFER)
    assert (transfer.before, transfer.after) == (0.0, 0.012)


def test_apart_needs_an_equal_network():
    before, after = pair(dict(AGGREGATED), {**APART, "network": "100G"})
    others = tuple(name for name in EVERYTHING if name != Group.HARDWARE.value)
    study = Study(layer=Layer.DISAGGREGATION, kv_transfer_s=((after.run.id, 0.012),))
    found = studied(before, after, study, None, others)
    assert found.verdict is Judged.CANNOT_TELL
    assert "network" in [line.field for line in found.disturbing]


def test_relaxed_verification_needs_a_quality_result():
    before, after = pair({}, {"speculation": "eagle", "verification": "relaxed"})
    found = studied(before, after, Study(layer=Layer.SPECULATION), None, EVERYTHING)
    assert found.quality_untold
    assert found.verdict is Judged.CANNOT_TELL


def test_a_verification_that_nobody_knows_needs_a_quality_result():
    before, after = pair({}, {"speculation": "eagle", "verification": None})
    found = studied(before, after, Study(layer=Layer.SPECULATION), None, EVERYTHING)
    assert (found.verdict, found.unsaid) == (Judged.CANNOT_TELL, ("verification",))
    assert verdict_text(found).startswith("Cannot tell: Verification of drafts is not known of both")


def test_runs_without_a_common_level_compare_no_latency():
    both = answers_of({}, {"levels": (3, 6, 12, 24, 48, 96), "engine_version": "0.12.0"})
    found = studied(*both, Study(layer=Layer.ENGINE), None, EVERYTHING)
    assert found.load is None
    assert all(each.judged is Judged.CANNOT_TELL for each in found.evidence)


def test_what_is_said_survives_an_address():
    said = Compared(
        accepted=("accelerator", "engine_version"),
        runs=("a", "b"),
        study=Study(
            before="a",
            after="b~x",
            layer=Layer.ROUTING,
            dates=(("a", "2026-11-03"),),
            kv_transfer_s=(("b~x", 0.02),),
            worker_loads=(("a", "3, 4.5"), ("b~x", "120,98 ,110")),
        ),
    )
    assert parse_compared(compared_texts(said)) == said
    assert parse_compared(compared_texts(Compared(study=Study()))) == Compared(study=Study())
    assert parse_compared(("nonsense", "kv~nan~a", "date~soon~a", "layer~love")).accepted == ()


def test_what_is_no_day_and_no_time_is_refused_in_words():
    with pytest.raises(UsageError, match="soon"):
        Study(dates=(("a", "soon"),))
    with pytest.raises(UsageError):
        Study(kv_transfer_s=(("a", float("nan")),))


@pytest.mark.parametrize("text", ["", "12", "0, 0", "1, -1", "1, nan", "1, inf", "some, more", "1 " * 1001])
def test_what_is_no_load_of_workers_is_refused_in_words(text):
    with pytest.raises(UsageError, match="load of two workers") as caught:
        Study(worker_loads=(("a", text),))
    assert caught.value.code == "compare.bad_workers"
    assert parse_compared(("layer~routing", f"workers~{text}~a")).study.workers("a") is None


def test_loads_of_workers_that_no_file_tells_are_taken_as_typed():
    before, after = pair({"cache_hit_rate": 0.3}, {"cache_hit_rate": 0.6})
    study = Study(layer=Layer.ROUTING)
    untold = studied(before, after, study, None, EVERYTHING)
    assert untold.missing == (Measure.WORKER_LOAD,)
    assert step_text(untold) == "To know: type the requests of each worker below"
    half = replace(study, worker_loads=((before.run.id, "16, 4"),))
    assert studied(before, after, half, None, EVERYTHING).missing == (Measure.WORKER_LOAD,)
    told = studied(
        before, after, replace(half, worker_loads=(*half.worker_loads, (after.run.id, "10; 10"))), None, EVERYTHING
    )
    worker = next(each for each in told.evidence if each.measure is Measure.WORKER_LOAD)
    assert (worker.before, worker.after, told.verdict) == (1.6, 1.0, Judged.BETTER)
    assert step_text(told) is None


def test_loads_that_the_files_tell_stand_above_typed_ones():
    before, after = pair(dict(SKEWED), dict(EVEN))
    study = Study(layer=Layer.ROUTING, worker_loads=((before.run.id, "1, 1"),))
    found = studied(before, after, study, None, EVERYTHING)
    assert next(each for each in found.evidence if each.measure is Measure.WORKER_LOAD).before == 1.6


@pytest.mark.parametrize("network", ["100G", None])
def test_apart_needs_an_equal_network_whatever_is_let_stand(network):
    before, after = pair(dict(AGGREGATED), {**APART, "network": network})
    study = Study(layer=Layer.DISAGGREGATION, kv_transfer_s=((after.run.id, 0.012),))
    found = studied(before, after, study, None, EVERYTHING)
    assert found.verdict is Judged.CANNOT_TELL
    assert [line.field for line in found.disturbing] == ["network"]


def test_what_the_change_itself_differs_in_is_written_as_elsewhere():
    before, after = pair(dict(AGGREGATED), {**APART, "accelerator_count": 16})
    study = Study(layer=Layer.DISAGGREGATION, kv_transfer_s=((after.run.id, 0.012),))
    said = changed_text(studied(before, after, study, None, EVERYTHING), "ko")
    assert "None" not in said
    assert "disaggregated" not in said
