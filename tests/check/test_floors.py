"""Floors: a latency below what the hardware can do is told, and nothing that anybody could explain otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.check.floors import check_floors
from core.limits.architecture import architecture_of
from core.model.run import Conditions, Run
from core.model.sizing import Sizing
from tests.check.run_build import run, stage
from tests.limits import configs

CONDITIONS = Conditions(model="m", accelerator="NVIDIA L4", accelerator_count=1, input_tokens_mean=2048.0)
# Llama-3.1-8B in 16 bit without its input table: 7.505 billion parameters x 2 B = 15.01 GB; at 300 GB/s 50.0 ms.
FLOOR_S = 0.05003


def of(tpot: float, ttft: float = 2.0, **more: object) -> Run:
    known = replace(CONDITIONS, **more)  # type: ignore[arg-type] # fields of it
    sizing = Sizing(architecture=architecture_of(configs.LLAMA_8B))
    return run(stage(1, tpot=tpot, ttft=ttft, input_tokens_mean=2048.0), conditions=known, sizing=sizing)


def codes(found: Run) -> list[str]:
    return [finding.code for finding in check_floors(found)]


def test_tokens_faster_than_the_weights_are_read_are_told() -> None:
    (finding,) = check_floors(of(0.9 * FLOOR_S))
    assert finding.code == "limits.itl_below_floor"
    assert "50 ms" in str(finding.what)
    assert "15 GB at 0.3 TB/s" in str(finding.what)


@pytest.mark.parametrize("share", [0.96, 1.0, 1.5])
def test_tokens_at_the_floor_or_above_are_not(share: float) -> None:
    assert codes(of(share * FLOOR_S)) == []


def test_speculation_explains_several_tokens_a_step() -> None:
    fast = 0.5 * FLOOR_S
    assert codes(of(fast, speculation="eagle3")) == []
    assert codes(of(fast, speculation="eagle3", acceptance_length=2.5)) == []
    assert codes(of(fast, speculation="eagle3", acceptance_length=1.5)) == ["limits.itl_below_floor"]
    assert codes(of(fast, speculation="none")) == ["limits.itl_below_floor"]


def test_more_accelerators_or_narrower_weights_explain_it() -> None:
    fast = 0.6 * FLOOR_S
    assert codes(of(fast, accelerator_count=2)) == []
    assert codes(of(fast, precision="fp8")) == []


@pytest.mark.parametrize(
    "unsure",
    [
        {"accelerator": None},
        {"accelerator": "a card of our own"},
        {"accelerator_count": None},
        {"prefill_accelerators": 4, "decode_accelerators": 4},
    ],
)
def test_what_is_not_known_well_tells_nothing(unsure: dict[str, object]) -> None:
    assert codes(of(0.1 * FLOOR_S, ttft=0.001, **unsure)) == []


def test_a_run_without_a_model_tells_nothing() -> None:
    assert check_floors(replace(of(0.001), sizing=None)) == ()


def test_a_first_token_sooner_than_its_arithmetic_is_told() -> None:
    # 6.98 billion parameters of the layers x 2 x 2,048 tokens, and attention 32 layers x 2 x 32 heads x 256 x 1,024 x
    # 2,048 = 29.7 trillion operations; L4 does 121 (a second source: 125) a second in 16 bit: 245 (238) ms.
    assert codes(of(0.06, ttft=0.260)) == []
    (finding,) = check_floors(of(0.06, ttft=0.150))
    assert finding.code == "limits.ttft_below_floor"
    assert "29.7 trillion" in str(finding.what)


def test_known_hits_are_taken_off_the_question() -> None:
    assert codes(of(0.06, ttft=0.150, cache_hit_rate=0.5)) == []
    assert codes(of(0.06, ttft=0.150, cache_hit_rate=0.1)) == ["limits.ttft_below_floor"]


def test_of_experts_only_those_of_one_token_count() -> None:
    # Mixtral: 2 of 8 experts; reading all of them would take four times as long.
    sizing = Sizing(architecture=architecture_of(configs.MIXTRAL), accelerator="H100-SXM", tp=2)
    fast = run(stage(1, tpot=0.0045), conditions=Conditions(), sizing=sizing)
    # 12.6 billion active x 2 B / 2 / 3.35 TB/s = 3.8 ms.
    assert [finding.code for finding in check_floors(fast)] == []
    faster = run(stage(1, tpot=0.0030), conditions=Conditions(), sizing=sizing)
    assert [finding.code for finding in check_floors(faster)] == ["limits.itl_below_floor"]


LOGGED = Conditions(model="meta-llama/Llama-3.1-8B-Instruct", accelerator="NVIDIA L4", weights_gib=14.99)


def test_weights_of_a_log_bound_a_dense_model() -> None:
    # 0.85 x 14.99 GiB = 13.68 GB / 0.3 TB/s = 45.6 ms.
    def found(tpot: float, **more: object) -> list[str]:
        known = replace(LOGGED, **more)  # type: ignore[arg-type] # fields of it
        return [finding.code for finding in check_floors(run(stage(1, tpot=tpot), conditions=known))]

    assert found(0.040) == ["limits.itl_below_floor"]
    assert found(0.046) == []
    # Of a name that may hold experts, without a log, or with several tokens a step nothing is known.
    assert found(0.040, model="Qwen/Qwen3-30B-A3B") == []
    assert found(0.040, model="a model of our own") == []
    assert found(0.040, weights_gib=None) == []
    assert found(0.040, speculation="eagle3") == []
