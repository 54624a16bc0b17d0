"""The cost at a relaxed limit is that of its own safe number."""

from __future__ import annotations

from core.decide.decide import decide
from core.decide.sensitivity import sensitivities
from core.fit.fit import fit_run
from core.model.price import Price
from core.price.worth import priced
from tests.present.builders import TPOT_P99, TTFT_P99, run_of

HOUR = Price(amount=36.0, per_accelerator=False, accelerators=(), currency="USD")


def found_for(targets, price=HOUR):
    run = run_of()
    fit = fit_run(run)
    return fit, priced(sensitivities(fit, decide(fit, targets)), fit, run, targets, price)


def test_it_is_derived_from_the_throughput_there():
    fit, (one, _) = found_for((TTFT_P99, TPOT_P99))
    for relaxed in one.relaxed:
        rate = fit.rate("output_tok_s", float(relaxed.whole.safe))
        # 36 an hour is a hundredth a second: a million tokens at X tokens/s cost 10,000 / X.
        assert abs(relaxed.cost.mid - 10_000 / rate.mid) < 1e-9
        assert relaxed.cost.low <= relaxed.cost.mid <= relaxed.cost.high


def test_more_load_at_a_looser_limit_is_not_dearer_where_throughput_rises():
    _, (one, _) = found_for((TTFT_P99, TPOT_P99))
    costs = [relaxed.cost.mid for relaxed in one.relaxed]
    assert costs == sorted(costs, reverse=True)


def test_without_a_count_there_is_no_cost():
    price = Price(amount=2.0, per_accelerator=True, accelerators=(), currency="USD")
    run = run_of(accelerator_count=None)
    fit = fit_run(run)
    targets = (TTFT_P99,)
    (one,) = priced(sensitivities(fit, decide(fit, targets)), fit, run, targets, price)
    assert all(relaxed.cost is None for relaxed in one.relaxed)
