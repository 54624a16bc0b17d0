"""Cost at a given speed per user, on published InferenceX sweeps, against values worked out by hand.

By hand, as InferenceX's dashboard does it: take the two measured points of the front (no other point is faster for a
user and yields more) between which the speed lies, interpolate *throughput* between them on a straight line over
tokens/s per user, and divide the price by it. Its dashboard bends that line a little (a monotone spline), which moves
a value by a few per cent. Prices per accelerator and hour: InferenceX's three-year rental (H100 1.30, H200 1.60, B200
2.90, MI355X 2.10). Where a file does not say the accelerator, the one named here is an assumption of the test.

Where the answer of the product differs, and why:

* It looks for the *load* at which a request reaches the time per token, and takes the throughput of that load. The
  curve over load is logarithmic, so the estimate lies within a few per cent of the straight line, not on it.
* It plans with the safe number, where a token costs more than at the estimate: the answer's first figure is not this.
* Per output and per total are two figures. With prompts of 8,192 and answers of 128 tokens they differ by 65.
* Prefill accelerators are paid for. InferenceX's result files divide output by the decode accelerators alone.
"""

from __future__ import annotations

import pytest

from core.decide.point import point_at
from core.fit.fit import fit_run
from core.model.metric import Metric
from core.model.price import Price
from core.model.target import Target
from core.pipeline import answer_run, load
from core.price.cost import cost_at

CLOSE = 0.05
"""How far the estimate may lie from the straight line between two levels a factor of two apart."""


@pytest.fixture
def run_in(shared_data, upload):
    def found(pattern, label=""):
        files = sorted((shared_data / "public").glob(pattern))
        (run,) = [run for run in load([upload(path) for path in files]).runs if label in run.label]
        return run

    return found


def at_speed(run, statistic, tok_s_user, price):
    return answer_run(run, (Target(Metric.TOK_S_USER, statistic, tok_s_user),), price)


def price_of(amount, run, accelerators=None):
    """A price for each accelerator; where the file does not count them, a person did."""
    said = ((run.id, accelerators),) if accelerators else ()
    return Price(amount=amount, per_accelerator=True, accelerators=said)


def test_long_prompts_on_eight_accelerators(run_in):
    """GLM-5 FP8, 8,192 in and 128 out, TP 8, as on H200 at 1.60; median speed of 12 tokens/s per user.

    16 in flight: 0.118060 s a token, 8.4703 tokens/s per user, 115.274 output tokens/s.
    8 in flight: 0.062005 s, 16.1277 and 102.512.
    (12 - 8.4703) / (16.1277 - 8.4703) = 0.46096; 115.274 - 0.46096 * 12.762 = 109.391 output tokens/s.
    Eight at 1.60 are 12.80 an hour: 12.80e6 / (3600 * 109.391) = 32.503 per million output tokens.
    Each request has 8,192 + 128 = 65 * 128 tokens: 32.503 / 65 = 0.50005 per million of all tokens.
    """
    run = run_in("inferencemax_benchmark_serving_seconds_json/**/glm5_fp8_vllm_tp8_isl8192_osl128_*.json")
    answer = at_speed(run, "p50", 12.0, price_of(1.60, run, 8))
    cost = answer.cost_at_estimate
    assert cost.per_hour == pytest.approx(12.80)
    assert cost.per_million_output.mid == pytest.approx(32.503, rel=CLOSE)
    assert cost.per_million_total.mid == pytest.approx(0.50005, rel=CLOSE)
    assert cost.per_million_output.low < 32.503 < cost.per_million_output.high
    # The safe number is below the estimate and dearer; both lie between what the levels beside them cost.
    dearest, cheapest = 12.80e6 / (3600 * 102.512), 12.80e6 / (3600 * 115.274)
    assert cheapest < cost.per_million_output.mid < answer.cost.per_million_output.mid < dearest
    assert 8 <= answer.capacity.safe < answer.capacity.concurrency.mid < 16


def test_a_replay_of_conversations_over_five_levels(run_in):
    """Several turns, eight accelerators, no offload, as on H100 at 1.30; mean speed of 50 tokens/s per user.

    128 in flight: 0.0242156 s a token, 41.2956 tokens/s per user, 5375.893 output and 23,428.11 of all tokens/s.
    64 in flight: 0.0165539 s, 60.4089, 3880.457 and 17,077.33.
    (50 - 41.2956) / 19.1132 = 0.45541; 5375.893 - 0.45541 * 1495.435 = 4694.86 output tokens/s.
    10.40e6 / (3600 * 4694.86) = 0.61533 per million output tokens.
    23,428.11 - 0.45541 * 6350.78 = 20,535.9; 10.40e6 / (3600 * 20,535.9) = 0.14068 per million of all tokens.
    """
    run = run_in("inferencemax_multiturn_csv/**/sweep_results_*.csv", "× 8 · off")
    cost = at_speed(run, "mean", 50.0, price_of(1.30, run)).cost_at_estimate
    assert cost.per_hour == pytest.approx(10.40)
    assert cost.per_million_output.mid == pytest.approx(0.61533, rel=CLOSE)
    assert cost.per_million_total.mid == pytest.approx(0.14068, rel=CLOSE)
    assert cost.per_million_output.low < 0.61533 < cost.per_million_output.high
    assert cost.per_million_total.low < 0.14068 < cost.per_million_total.high


def test_a_restless_replay_of_agents(run_in):
    """DeepSeek-R1 FP4, TP 4 on B200 at 2.90, offload on; mean speed of 32.5 tokens/s per user.

    The front has two points: at 48, 64 and 128 in flight users are slower and the system yields less.
    16 in flight: 0.0321810 s a token, 31.0742 tokens/s per user, 362.733 output tokens/s.
    12 in flight: 0.0292158 s, 34.2280 and 307.382. Between two points the spline is the straight line itself:
    (32.5 - 31.0742) / 3.1538 = 0.45209; 362.733 - 0.45209 * 55.351 = 337.709 output tokens/s.
    Four at 2.90 are 11.60 an hour: 11.60e6 / (3600 * 337.709) = 9.5414 per million output tokens.
    """
    run = run_in("inferencemax_multiturn_csv/**/summary.csv", "b200 · tp 4 · on")
    answer = at_speed(run, "mean", 32.5, price_of(2.90, run, 4))
    cost = answer.cost_at_estimate.per_million_output
    assert cost.mid == pytest.approx(9.5414, rel=CLOSE)
    assert cost.low < 9.5414 < cost.high
    # These levels contradict each other by far more than a clean sweep's: the range says so.
    assert cost.high / cost.low > 2.0
    assert "load.bottom_within_noise" in answer.capacity.reasons


def test_a_measured_level_costs_what_its_own_rates_say_in_every_division(run_in):
    """Kimi-K2.5, TP 8 on MI355X at 2.10, 64 in flight: for each accelerator 26.01291 output and 234.47463 of all.

    2.10e6 / (3600 * 26.01291) = 22.425 per million output, 2.10e6 / (3600 * 234.47463) = 2.4878 per million of all.
    Input takes 208.46171: 2.10e6 / (3600 * 208.46171) = 2.7983 if the whole hour is charged to it as well, which is
    InferenceX's third view; that and the first one pay the hour twice. Weighted, four input tokens for one output:
    26.01291 + 208.46171 / 4 = 78.12834, 7.4664 per million output and 1.8666 per million input, which add up:
    26.01291 * 7.4664 + 208.46171 * 1.8666 = 583.3 = 2.10e6 / 3600.
    """
    run = run_in("inferencemax_agg_json/**/agg_kimik2.5_8k1k_*.json")
    cost = cost_at(point_at(fit_run(run), 64.0, ()), run, price_of(2.10, run), ())
    assert cost.per_hour == pytest.approx(16.80)
    assert cost.per_million_output.mid == pytest.approx(22.425, rel=1e-4)
    assert cost.per_million_total.mid == pytest.approx(2.4878, rel=1e-4)
    assert cost.per_million_weighted_output.mid == pytest.approx(7.4664, rel=1e-4)
    assert cost.per_million_weighted_input.mid == pytest.approx(1.8666, rel=1e-4)


def test_prefill_accelerators_are_paid_for(run_in):
    """gpt-oss-120b, 8 prefill and 8 decode accelerators, as on H100 at 1.30; mean speed of 50 tokens/s per user.

    512 in flight: 0.0220555 s a token, 45.3402 tokens/s per user, 22,534.15 output tokens/s.
    256 in flight: 0.0177450 s, 56.3539 and 13,975.94.
    (50 - 45.3402) / 11.0137 = 0.42309; 22,534.15 - 0.42309 * 8558.21 = 18,913.3 output tokens/s.
    Sixteen at 1.30 are 20.80 an hour: 20.80e6 / (3600 * 18,913.3) = 0.30549 per million output tokens.
    Divided by the eight decode accelerators alone, as InferenceX's files do: 0.15274, half of the bill.
    """
    run = run_in("vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX/gpt-oss-120b_16gpu_1p1d/*.json")
    cost = at_speed(run, "mean", 50.0, price_of(1.30, run)).cost_at_estimate
    assert cost.per_hour == pytest.approx(20.80)
    assert cost.per_million_output.mid == pytest.approx(0.30549, rel=CLOSE)
    assert cost.per_million_output.low < 0.30549 < cost.per_million_output.high
    assert cost.per_million_output.low > 0.15274
