"""Floors against published examples and measurements, each with its arithmetic."""

from __future__ import annotations

import pytest

from core.limits.architecture import architecture_of
from core.limits.floors import itl_floor, mbu, prefill_operations, ttft_floor
from core.limits.setup import Setup, setup_of
from core.limits.told import reached
from core.model.metric import Metric
from core.model.run import Conditions
from core.model.sizing import Sizing
from tests.check.run_build import run, stage
from tests.limits import configs


def setup(config: configs.Config, **said: object) -> Setup:
    found = setup_of(Sizing(architecture=architecture_of(config), **said))  # type: ignore[arg-type] # fields of it
    assert found is not None
    return found


def test_seventy_billion_in_fp8_on_two_h100() -> None:
    # cost.md 4: 70.6 GB / (2 x 3.35 TB/s) = 10.5 ms. Without the input table of 2.1 GB in 16 bit: 70.56 GB in all.
    floor = itl_floor(setup(configs.LLAMA_70B, accelerator="H100-SXM", tp=2, weights="fp8"), 1, 0)
    assert floor is not None
    assert floor.seconds == pytest.approx(0.0105, abs=0.0001)


def test_eight_billion_on_an_l4_cannot_meet_fifty_milliseconds() -> None:
    # cost.md 4: 16.06 GB / 300 GB/s = 53.5 ms. The input table, 128,256 x 4,096 x 2 B = 1.05 GB, is not read: 15.01 GB.
    floor = itl_floor(setup(configs.LLAMA_8B, accelerator="L4", tp=1), 1, 0)
    assert floor is not None
    assert floor.seconds == pytest.approx((16.0605e9 - 1.0507e9) / 300e9, rel=1e-4)
    assert floor.seconds > 0.050


def test_a_prompt_of_two_thousand_tokens_on_an_l4() -> None:
    # cost.md 4: 2 x 8.03e9 x 2,048 / (121e12 x 0.4) = 0.68 s, counting the tables of words with every token.
    # Ours: 6.979e9 parameters of the layers x 2 x 2,048, attention 32 x 2 x 32 x 256 x 1,024 x 2,048, and the output
    # layer once.
    attention = 32 * 2 * 32 * 256 * 1_024 * 2_048
    layers = 2 * (8_030_261_248 - 2 * 525_336_576 - 65 * 4_096) * 2_048
    found = prefill_operations(architecture_of(configs.LLAMA_8B), 2_048)
    assert found == pytest.approx(layers + attention + 2 * 525_336_576, rel=1e-9)
    floor = ttft_floor(setup(configs.LLAMA_8B, accelerator="L4", tp=1), 2_048)
    assert floor is not None
    assert floor.seconds == pytest.approx(found / 121e12)
    assert floor.expected.low < 0.68 < floor.expected.high


def test_the_cache_of_a_batch_is_read_with_the_weights() -> None:
    # 100 sequences of 2,000 tokens x 131,072 B = 26.2 GB more than the 15.01 GB of one without any.
    of = setup(configs.LLAMA_8B, accelerator="H100-SXM", tp=1)
    alone, together = itl_floor(of, 1, 0), itl_floor(of, 100, 2_000)
    assert alone is not None
    assert together is not None
    assert together.work - alone.work == pytest.approx(100 * 2_000 * 131_072)


# gpt-fast's README on A100-80 (2,039 GB/s), batch 1: GB/s reached on each accelerator (cost.md 4), its weights in GB.
@pytest.mark.parametrize(
    ("reached", "weights_gb", "bits"),
    [
        (1397, 13.2, 16.0),  # Llama-2-7B
        (1069, 6.7, 8.0),
        (863, 3.6, 4.16),
        (1323, 69.0, 8.0),  # 70B
        (1098, 36.0, 4.16),
        (1482, 69.0, 16.0),  # 70B on two, four, eight
        (1341, 34.5, 16.0),
        (1135, 17.2, 16.0),
    ],
)
def test_measured_shares_of_bandwidth_lie_in_the_band(reached: float, weights_gb: float, bits: float) -> None:
    band = mbu(weights_gb * 1e9, bits)
    assert band.low <= reached / 2039 <= band.high


def test_small_shards_reach_less() -> None:
    # gpt-fast: 7B on eight, 1.65 GB each, reaches 704 GB/s = 34.5 %: the low end of the band, rounded.
    assert round(704 / 2039, 2) == mbu(1.65e9, 16.0).low == 0.35


def test_what_a_measurement_reaches_is_told_at_the_lowest_load() -> None:
    # Half of the bandwidth: 15.0098 GB, and 1,100 tokens x 131,072 B of one request, at 300 GB/s take 50.51 ms.
    floor = (15.0098e9 + 1_100 * 131_072) / 300e9
    known = Conditions(accelerator="L4", accelerator_count=1, input_tokens_mean=1_000.0, output_tokens_mean=200.0)
    levels = (stage(1, tpot=2 * floor, ttft=1.0), stage(8, tpot=1.0))
    found = reached(run(*levels, conditions=known, sizing=Sizing(architecture=architecture_of(configs.LLAMA_8B))))
    assert [each.metric for each in found] == [Metric.TPOT, Metric.TTFT]
    assert found[0].share == pytest.approx(0.5, rel=1e-4)
    assert reached(run(*levels, conditions=known)) == ()
