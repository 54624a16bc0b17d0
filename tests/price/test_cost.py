"""Cost at a load: which tokens, how many accelerators, what stays unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.answer import Interval
from core.model.price import Exchange, Price
from core.model.run import Conditions
from core.model.target import parse_target
from core.price.cost import cached_share, cost_at
from core.price.count import accelerators
from core.price.findings import price_findings
from tests.price.price_build import exact, point, requests, run, stage

WHOLE = Price(amount=36.0, per_accelerator=False)
EACH = Price(amount=2.5, per_accelerator=True)
TTFT = parse_target("ttft p99 <= 500ms")


def test_the_three_figures_of_one_bill():
    """36/h is 0.01/s; 1,000 output and 4,000 input tokens/s."""
    at = point(output_tok_s=exact(1000.0), input_tok_s=exact(4000.0), total_tok_s=exact(5000.0))
    cost = cost_at(at, run(), WHOLE, ())
    assert cost.per_hour == 36.0
    assert cost.per_million_output.mid == pytest.approx(10.0)
    assert cost.per_million_total.mid == pytest.approx(2.0)
    assert cost.per_million_weighted_output.mid == pytest.approx(5.0)
    assert cost.per_million_weighted_input.mid == pytest.approx(1.25)


def test_the_published_day_of_deepseek_comes_out():
    """$87,072 for 608 B input (342 B cached) and 168 B output: 0.518, 0.112, 0.371 out and 0.093 in."""
    day = 86_400.0
    price = Price(amount=87_072.0 / 24, per_accelerator=False)
    at = point(output_tok_s=exact(168e9 / day), total_tok_s=exact(776e9 / day))
    cost = cost_at(at, run(conditions=Conditions(cache_hit_rate=342 / 608)), price, ())
    assert cost.per_million_output.mid == pytest.approx(0.518, abs=5e-4)
    assert cost.per_million_total.mid == pytest.approx(0.112, abs=5e-4)
    assert cost.per_million_weighted_output.mid == pytest.approx(0.371, abs=5e-4)
    assert cost.per_million_weighted_input.mid == pytest.approx(0.093, abs=5e-4)
    unaware = cost_at(at, run(), price, ())
    assert unaware.per_million_weighted_output.mid == pytest.approx(0.272, abs=5e-4)


def test_a_cached_token_can_be_given_a_share_of_the_price():
    """Half of 800 cached at a quarter: 400 + 100 input count; (100 + 500 / 4) tokens/s = 225."""
    price = Price(amount=36.0, per_accelerator=False, cached_weight=0.25)
    at = point(output_tok_s=exact(100.0), input_tok_s=exact(800.0))
    cost = cost_at(at, run(conditions=Conditions(cache_hit_rate=0.5)), price, ())
    assert cost.per_million_weighted_output.mid == pytest.approx(1e4 / 225)


def test_low_cost_comes_from_high_throughput():
    at = point(output_tok_s=Interval(low=500.0, mid=1000.0, high=2000.0))
    cost = cost_at(at, run(), WHOLE, ()).per_million_output
    assert (cost.low, cost.mid, cost.high, cost.level) == pytest.approx((5.0, 10.0, 20.0, 0.9))


def test_unknown_input_leaves_the_weighted_figures_unknown_and_not_zero():
    cost = cost_at(point(output_tok_s=exact(1000.0)), run(), WHOLE, ())
    assert cost.per_million_weighted_output is None
    assert cost.per_million_weighted_input is None
    assert cost.per_million_total is None
    assert cost.per_million_output.mid == pytest.approx(10.0)


def test_no_input_at_all_is_a_value():
    cost = cost_at(point(output_tok_s=exact(1000.0), input_tok_s=exact(0.0)), run(), WHOLE, ())
    assert cost.per_million_weighted_output.mid == pytest.approx(10.0)


def test_input_is_total_less_output_and_a_negative_one_is_unknown():
    fine = cost_at(point(output_tok_s=exact(1000.0), total_tok_s=exact(5000.0)), run(), WHOLE, ())
    assert fine.per_million_weighted_output.mid == pytest.approx(5.0)
    odd = cost_at(point(output_tok_s=exact(1000.0), total_tok_s=exact(900.0)), run(), WHOLE, ())
    assert odd.per_million_weighted_output is None


def test_total_is_output_and_input_where_the_file_has_no_total():
    cost = cost_at(point(output_tok_s=exact(1000.0), input_tok_s=exact(4000.0)), run(), WHOLE, ())
    assert cost.per_million_total.mid == pytest.approx(2.0)


def test_no_throughput_means_no_figure_but_still_a_bill():
    cost = cost_at(point(output_tok_s=exact(0.0)), run(), WHOLE, ())
    assert cost.per_hour == 36.0
    assert cost.per_million_output == Interval(low=None, mid=None, high=None)


def test_an_unknown_count_gives_no_cost_and_a_finding():
    assert cost_at(point(output_tok_s=exact(1000.0)), run(), EACH, ()) is None
    assert [f.code for f in price_findings(run(), EACH)] == ["price.count_unknown"]
    assert price_findings(run(), WHOLE) == ()
    assert price_findings(run(), None) == ()


def test_the_persons_count_goes_before_the_files_and_the_difference_is_said():
    own = run(conditions=Conditions(accelerator_count=8))
    assert accelerators(own, EACH) == 8
    assert price_findings(own, EACH) == ()
    said = Price(amount=2.5, per_accelerator=True, accelerators=(("r", 16), ("other", 4)))
    assert accelerators(own, said) == 16
    assert cost_at(point(), own, said, ()).per_hour == 40.0
    assert [f.code for f in price_findings(own, said)] == ["price.count_differs"]


def test_both_pools_of_a_disaggregated_run_are_on_the_bill():
    pools = {"prefill_accelerators": 4, "decode_accelerators": 12}
    assert accelerators(run(conditions=Conditions(**pools)), EACH) == 16
    assert accelerators(run(conditions=Conditions(accelerator_count=12, **pools)), EACH) == 16
    assert accelerators(run(conditions=Conditions(accelerator_count=32, **pools)), EACH) == 32
    assert (
        accelerators(run(conditions=Conditions(accelerator_count=12, **pools), asked=("accelerator_count",)), EACH)
        == 12
    )
    assert accelerators(run(conditions=Conditions(decode_accelerators=12)), EACH) is None


def test_pools_are_to_be_confirmed_before_the_bill_is_believed():
    both = run(conditions=Conditions(prefill_accelerators=4, decode_accelerators=12))
    assert [f.code for f in price_findings(both, EACH)] == ["price.pools_unconfirmed"]
    confirmed = Price(amount=2.5, per_accelerator=True, pools=(("r", 4, 12),))
    assert price_findings(both, confirmed) == ()
    half = run(conditions=Conditions(serving_mode="disaggregated", accelerator_count=12, decode_accelerators=12))
    assert [f.code for f in price_findings(half, EACH)] == ["price.pools_unknown"]
    assert price_findings(half, WHOLE) == ()


def test_only_tokens_inside_the_limits_are_paid_for():
    """Three of four tokens-weighted requests are in time: 750 of 1,000 tokens/s are good."""
    level = stage(8.0, requests([0.1, 0.2, 0.3, 0.9], [100, 100, 100, 100]))
    cost = cost_at(point(output_tok_s=exact(1000.0)), run(level), WHOLE, [TTFT])
    assert cost.per_million_output.mid == pytest.approx(10.0 / 0.75)
    assert cost.upper_bound_of_good is False


def test_without_records_the_cost_says_that_it_counts_every_completed_token():
    cost = cost_at(point(output_tok_s=exact(1000.0)), run(stage(8.0)), WHOLE, [TTFT])
    assert cost.per_million_output.mid == pytest.approx(10.0)
    assert cost.upper_bound_of_good is True


def test_a_target_that_records_cannot_judge_leaves_an_upper_bound():
    level = stage(8.0, requests([0.1, 0.9], [100, 100]))
    cost = cost_at(point(output_tok_s=exact(1000.0)), run(level), WHOLE, [TTFT, parse_target("itl p99 <= 50ms")])
    assert cost.per_million_output.mid == pytest.approx(20.0)
    assert cost.upper_bound_of_good is True


def test_the_cache_hit_rate_is_taken_from_the_levels_around_the_load():
    levels = (stage(4.0, cache_hit_rate=0.2), stage(8.0, cached_input_tokens_mean=60.0, input_tokens_mean=100.0))
    assert cached_share(run(*levels), 6.0) == pytest.approx(0.4)
    assert cached_share(run(*levels), 100.0) == pytest.approx(0.6)
    assert cached_share(run(stage(4.0), conditions=Conditions(cache_hit_rate=0.1)), 6.0) == 0.1
    assert cached_share(run(stage(4.0)), 6.0) is None


@pytest.mark.parametrize(
    ("currency", "quoted", "rate", "doubtful"),
    [
        ("KRW", "USD", 1380.0, False),
        ("USD", "KRW", 1380.0, True),  # 1,380 dollars for one won
        ("USD", "KRW", 1 / 1380.0, False),
        ("KRW", "USD", 1 / 1380.0, True),
        ("USD", "USD", 1380.0, True),
        ("EUR", "USD", 0.9, False),
        ("credits", "USD", 1380.0, False),  # nobody knows
    ],
)
def test_a_rate_the_wrong_way_round_is_found(currency, quoted, rate, doubtful):
    for price in (EACH, WHOLE):
        said = replace(price, currency=currency, exchange=Exchange(quoted=quoted, rate=rate), accelerators=(("a", 8),))
        codes = [f.code for f in price_findings(run(), said)]
        assert ("price.exchange_doubtful" in codes) is doubtful
