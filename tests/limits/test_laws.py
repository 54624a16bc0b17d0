"""Laws of memory and of floors, for any model that could be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.limits.architecture import architecture_of, read_architecture
from core.limits.cache import Cache, Windows, growing_bytes, mean_sequence_bytes, sequence_bytes
from core.limits.compared import compared
from core.limits.floors import experts_read, itl_floor, ttft_floor
from core.limits.memory import Memory, memory_of
from core.limits.ranks import Ranks, stages
from core.limits.setup import setup_of
from core.limits.weights import rank_bytes, served_as, total_bytes
from core.model.architecture import Architecture, Layer, Mixer
from core.model.sizing import Logged, Sizing
from tests.limits import configs

ALL = [value for name, value in vars(configs).items() if name.isupper()]
TP = st.sampled_from([1, 2, 4, 8, 16, 32])
TOKENS = st.integers(0, 300_000)


@st.composite
def models(draw: Any) -> Architecture:
    """A published model, or one of attention with some of its layers under a window."""
    if draw(st.booleans()):
        return architecture_of(draw(st.sampled_from(ALL)))
    kv = draw(st.sampled_from([1, 2, 4, 8, 16]))
    layers = draw(st.integers(1, 90))
    config = {
        "model_type": draw(st.sampled_from(["llama", "mistral", "gemma2", "gpt_oss", "mixtral"])),
        "hidden_size": 128 * draw(st.integers(1, 64)), "intermediate_size": draw(st.integers(64, 40_000)),
        "num_hidden_layers": layers, "num_attention_heads": kv * draw(st.sampled_from([1, 2, 4, 8])),
        "num_key_value_heads": kv, "head_dim": draw(st.sampled_from([64, 128, 256])),
        "vocab_size": draw(st.integers(1_000, 260_000)), "torch_dtype": "bfloat16",
        "sliding_window": draw(st.sampled_from([None, 100, 128, 4096])),
    }  # fmt: skip
    if config["model_type"] == "mixtral" or draw(st.booleans()):
        experts = draw(st.integers(2, 64))
        config |= {"num_local_experts": experts, "num_experts_per_tok": draw(st.integers(1, experts))}
    return architecture_of(config)


@given(models(), TP, TP, TOKENS)
def test_more_ranks_never_hold_more_each(model: Architecture, one: int, other: int, tokens: int) -> None:
    few, many = sorted((one, other))
    layers = list(model.layers())
    assert growing_bytes(layers, Cache(), many) <= growing_bytes(layers, Cache(), few)
    assert sequence_bytes(layers, Cache(), tokens, many) <= sequence_bytes(layers, Cache(), tokens, few)
    # And all ranks together never hold less than the model has.
    assert many * sequence_bytes(layers, Cache(), tokens, many) >= sequence_bytes(layers, Cache(), tokens) * (1 - 1e-12)


@given(models(), TOKENS)
def test_a_cache_of_eight_bits_is_half_as_large(model: Architecture, tokens: int) -> None:
    layers = [(replace(layer, index_bytes=0, state=0, conv=0), count) for layer, count in model.layers()]
    wide, narrow = (sequence_bytes(layers, Cache(kind=kind), tokens) for kind in ("bf16", "fp8"))
    assert narrow == wide / 2


@given(models(), TOKENS, TP)
def test_freed_windows_never_cost_more_than_kept_ones(model: Architecture, tokens: int, tp: int) -> None:
    layers = list(model.layers())
    freed, kept = (sequence_bytes(layers, Cache(windows=each), tokens, tp) for each in (Windows.FREED, Windows.KEPT))
    assert freed <= kept
    if all(layer.window is None for layer, _ in layers):
        assert freed == kept


@given(models(), TOKENS, st.integers(1, 5_000))
def test_the_mean_of_a_growing_sequence_is_that_of_its_tokens(model: Architecture, first: int, more: int) -> None:
    layers = list(model.layers())
    found = mean_sequence_bytes(layers, Cache(), first, first + more)
    points = [first + more * (i + 0.5) / 400 for i in range(400)]
    counted = sum(sequence_bytes(layers, Cache(), tokens) for tokens in points) / len(points)
    assert found == pytest.approx(counted, rel=2e-3)


def memory(model: Architecture, **said: Any) -> Memory:
    lengths = {"longest": 8192, "input_tokens": 1000.0, "output_tokens": 300.0}
    given_ = {"accelerator": "H200", "engine": "vLLM", "engine_version": "0.11"} | lengths
    setup = setup_of(Sizing(architecture=model, **(given_ | said)))
    assert setup is not None
    return memory_of(setup)


@given(models(), TP, st.integers(1, 100_000), st.integers(1, 100_000))
def test_longer_requests_are_never_more_at_once(model: Architecture, tp: int, one: int, other: int) -> None:
    short, long = sorted((one, other))
    for name in ("longest", "input_tokens", "output_tokens"):
        few, many = (memory(model, tp=tp, **{name: value}) for value in (long, short))
        for least, most in ((few.worst, many.worst), (few.steady, many.steady)):
            if least is not None and most is not None:
                assert least.low <= most.low * (1 + 1e-9)
                assert least.high <= most.high * (1 + 1e-9)


@given(models(), st.sampled_from([1, 2, 4, 8]), st.floats(0.3, 0.9), st.floats(0.01, 0.1))
def test_more_memory_for_the_engine_never_holds_less(model: Architecture, tp: int, share: float, more: float) -> None:
    low, high = memory(model, tp=tp, fraction=share), memory(model, tp=tp, fraction=share + more)
    if low.worst is not None and high.worst is not None:
        assert low.worst.low <= high.worst.low
        assert low.worst.high <= high.worst.high
    for each in (low, high):
        for span in (each.worst, each.steady, each.kv_tokens, each.fullest and each.fullest.cache):
            assert span is None or span.low <= span.high


@given(models(), st.integers(1, 3), TP)
def test_data_parallel_engines_add_up(model: Architecture, dp: int, tp: int) -> None:
    one, several = memory(model, tp=tp), memory(model, tp=tp, dp=dp)
    if dp > 1 and tp == 1:
        # A second accelerator talks to the first: what the engine takes differs.
        return
    if one.worst is not None and several.worst is not None:
        assert several.worst.low == pytest.approx(dp * one.worst.low)


@given(st.integers(1, 200), st.integers(1, 16))
def test_stages_hold_every_layer_once(layers: int, pp: int) -> None:
    if pp > layers:
        return
    cut = stages(layers, pp)
    assert [each.first for each in cut[1:]] == [each.last for each in cut[:-1]]
    assert (cut[0].first, cut[-1].last) == (0, layers)
    sizes = [each.last - each.first for each in cut]
    assert max(sizes) - min(sizes) <= 1


@given(models(), TP, st.sampled_from([1, 2, 4]))
def test_ranks_together_hold_the_whole_model(model: Architecture, tp: int, pp: int) -> None:
    storage = served_as(model)
    whole, cut = total_bytes(model, storage), rank_bytes(model, storage, Ranks(tp=tp, pp=min(pp, len(model.order))))
    if whole is None:
        return
    assert sum(tp * (each or 0.0) for each in cut) >= whole * (1 - 1e-12)
    assert max(each or 0.0 for each in cut) <= whole * (1 + 1e-12)


@given(st.integers(1, 512), st.floats(1, 5_000), st.floats(1, 5_000))
def test_more_sequences_read_more_experts_and_never_all_of_them_twice(experts: int, one: float, other: float) -> None:
    layer = Layer(mixer=Mixer.FULL, experts=experts, chosen=max(1, experts // 16))
    few, many = sorted((one, other))
    assert layer.chosen * (1 - 1e-9) <= experts_read(layer, few) <= experts_read(layer, many) <= experts


@given(models(), TP, st.floats(1, 1_000), st.floats(0, 100_000))
def test_floors_rise_with_work_and_fall_with_ranks(model: Architecture, tp: int, batch: float, context: float) -> None:
    def floor(ranks: int, sequences: float, tokens: float) -> float:
        setup = setup_of(Sizing(architecture=model, accelerator="H100-SXM", tp=ranks))
        assert setup is not None
        found = itl_floor(setup, sequences, tokens)
        return found.seconds if found else 0.0

    # Stays equal where one more block of bytes is lost in rounding.
    assert floor(tp, batch, context) <= floor(tp, batch + 1, context) * (1 + 1e-9)
    assert floor(tp, batch, context) <= floor(tp, batch, context + 1) * (1 + 1e-9)
    assert floor(2 * tp, batch, context) <= floor(tp, batch, context) * (1 + 1e-9)
    setup = setup_of(Sizing(architecture=model, accelerator="H100-SXM", tp=tp))
    assert setup is not None
    short, long = ttft_floor(setup, 1 + context), ttft_floor(setup, 2 + 2 * context)
    assert short is None or long is None or short.seconds <= long.seconds


def test_experts_of_a_batch_are_those_of_the_formula() -> None:
    # cost.md 4: with 128 experts and 4 of them a token, half of them are read at a batch of 22.
    layer = Layer(mixer=Mixer.FULL, experts=128, chosen=4)
    assert experts_read(layer, 22) / 128 == pytest.approx(0.5, abs=0.005)
    assert experts_read(layer, 1) == pytest.approx(4)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
    max_leaves=12,
)
FIELDS = sorted({name for config in ALL for name in (*config, *config.get("text_config", {}))})


def answered(document: dict[str, Any]) -> Architecture | None:
    """Read it, or be refused with one of the codes that are meant for that."""
    codes = ("limits.bad_field", "limits.missing_field", "limits.not_a_config")
    with suppress_refusal(codes):
        return architecture_of(document)
    return None


@contextmanager
def suppress_refusal(codes: tuple[str, ...]) -> Iterator[None]:
    try:
        yield
    except RefusedFileError as refused:
        if refused.code not in codes:
            raise


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(ALL), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3), TP, st.integers(1, 200))
def test_a_hostile_file_is_refused_or_answered(config: dict[str, Any], broken: Any, tp: int, pp: int) -> None:
    inner = config.get("text_config")
    document = config | ({"text_config": inner | broken} if isinstance(inner, dict) else broken)
    model = answered(document)
    if model is None:
        return
    said = Sizing(architecture=model, accelerator="H100-SXM", tp=tp, pp=pp, logged=Logged(kv_gib=1.0, kv_tokens=16))
    setup = setup_of(said)
    assert setup is not None
    compared(memory_of(setup))
    itl_floor(setup, 4, 100)
    ttft_floor(setup, 100)


@given(st.binary(max_size=400) | JSON.map(lambda each: json.dumps(each).encode()))
def test_any_bytes_are_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(RefusedFileError):
        read_architecture(Upload("config.json", data))


def test_an_unknown_class_says_so_and_tells_nothing() -> None:
    found = memory(architecture_of(configs.LLAMA_8B | {"model_type": "quite_new"}))
    assert "limits.unknown_architecture" in found.unknown
    assert (found.weights_gib, found.token_bytes, found.worst, found.fits) == (None, None, None, None)


@pytest.mark.parametrize("field", ["compress_ratios", "num_kv_shared_layers", "cross_attention_layers"])
def test_fields_that_change_a_cache_unknown_here_are_not_passed_over(field: str) -> None:
    found = memory(architecture_of(configs.LLAMA_8B | {field: [1] if field != "num_kv_shared_layers" else 4}))
    assert "limits.unknown_architecture" in found.unknown
    assert found.token_bytes is None


def test_a_window_of_no_known_layers_is_not_guessed() -> None:
    found = memory(architecture_of(configs.LLAMA_8B | {"sliding_window": 1024}))
    assert "limits.unknown_window" in found.unknown
    assert found.token_bytes is None


@pytest.mark.parametrize(
    ("change", "gap"),
    [
        ({"linear_key_head_dim": None}, "limits.unknown_state"),
        ({"full_attention_interval": None}, "limits.unknown_layers"),
        ({"quantization_config": {"quant_method": "of tomorrow"}}, "limits.unknown_storage"),
    ],
)
def test_what_a_file_leaves_out_is_named(change: dict[str, Any], gap: str) -> None:
    assert gap in memory(architecture_of(configs.QWEN3_NEXT | change)).unknown


def test_a_token_of_gemma_4_is_that_of_its_full_layers() -> None:
    # 10 full layers x 2 x 4 heads x 512 x 2 B = 80 KiB; configiq #112 measured 80.8 KiB a token with the windows.
    config = {
        "model_type": "gemma4_text", "hidden_size": 5376, "intermediate_size": 21504, "num_hidden_layers": 60,
        "num_attention_heads": 32, "num_key_value_heads": 16, "num_global_key_value_heads": 4, "head_dim": 256,
        "global_head_dim": 512, "attention_k_eq_v": True, "sliding_window": 1024, "vocab_size": 262144,
        "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 10, "torch_dtype": "bfloat16",
    }  # fmt: skip
    model = architecture_of(config)
    layers = list(model.layers())
    long, longer = (sequence_bytes(layers, Cache(), tokens) for tokens in (100_000, 200_000))
    assert (longer - long) / 100_000 == 80 * 1024
    assert memory(model).weights_gib is None
