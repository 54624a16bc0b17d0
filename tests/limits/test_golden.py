"""Weights and cache of published models against figures that others published, each with its arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.limits.architecture import architecture_of
from core.limits.cache import Cache, Windows, growing_bytes, sequence_bytes
from core.limits.compared import Of, compared, padded_layers
from core.limits.engine_log import read_log
from core.limits.memory import GIB, Memory, memory_of
from core.limits.ranks import Ranks, copies
from core.limits.setup import setup_of
from core.limits.weights import rank_bytes, served_as, total_bytes
from core.model.architecture import Architecture, Mixer
from core.model.sizing import Logged, Sizing
from tests.limits import configs
from tests.limits.configs import Config

PLN = {"accelerator": "H100-SXM", "engine": "vLLM", "engine_version": "0.11.0", "fraction": 0.95}


def parameters(model: Architecture) -> int:
    each = sum(
        count * ((layer.attention or 0) + (layer.feed_forward or 0) + layer.expert * layer.experts + layer.kept)
        + count * layer.replicated
        for layer, count in model.layers()
    )
    return each + model.embedding + model.head + model.beside


# Counted by the publishers from the tensors themselves (the number of parameters on the model's page); without MTP
# layers and without the parts for pictures.
@pytest.mark.parametrize(
    ("config", "published"),
    [
        (configs.LLAMA_8B, 8_030_261_248),
        (configs.LLAMA_70B, 70_553_706_496),
        (configs.LLAMA_7B, 6_738_415_616),
        (configs.MISTRAL_7B, 7_241_732_096),
        (configs.MISTRAL_SMALL, 23_572_403_200),
        (configs.MIXTRAL, 46_702_792_704),
        (configs.QWEN3_32B, 32_762_123_264),
        (configs.QWEN25_7B, 7_615_616_512),
        (configs.QWEN3_06B, 596_049_920),
        (configs.GEMMA2_9B, 9_241_705_984),
        (configs.DEEPSEEK_V3, 671_026_404_352),
    ],
)
def test_parameters_are_counted_to_the_last_one(config: Config, published: int) -> None:
    assert parameters(architecture_of(config)) == published


# Published rounded, in the name of the model or on its card: 80B, 117B, 48B, 52B, 31.6B, 456B, 2.8B, 15.5B, 397B (with
# a part for pictures of 0.5B), 1.03T, 355B (with one MTP layer of 2.9B).
@pytest.mark.parametrize(
    ("config", "billions"),
    [
        (configs.QWEN3_NEXT, 80),
        (configs.GPT_OSS_120B, 116.8),
        (configs.KIMI_LINEAR, 49.1),
        (configs.JAMBA_MINI, 51.6),
        (configs.NEMOTRON_NANO, 31.6),
        (configs.MINIMAX_01, 456),
        (configs.MAMBA_28B, 2.77),
        (configs.STARCODER, 15.5),
        (configs.QWEN35, 396.5),
        (configs.GLM_45, 352.8),
        (configs.GLM_5, 744),
        (configs.KIMI_K25, 1026),
    ],
)
def test_parameters_of_mixed_models_are_those_of_the_card(config: Config, billions: float) -> None:
    assert parameters(architecture_of(config)) / 1e9 == pytest.approx(billions, rel=0.005)


# Loaded by vLLM, GiB, as "Model loading took" printed it (cost.md 3.1, PLN docs/empirical-vllm-memory-results.md).
@pytest.mark.parametrize(
    ("config", "weights", "tp", "loaded"),
    [
        (configs.LLAMA_8B, None, 1, 14.99),
        (configs.QWEN3_32B, None, 1, 61.03),
        (configs.LLAMA_70B, "fp8", 2, 33.88),
        (configs.GPT_OSS_120B, None, 1, 64.38),
    ],
)
def test_weights_are_what_an_engine_loads(config: Config, weights: str | None, tp: int, loaded: float) -> None:
    fullest = memory(config, tp=tp, weights=weights, **PLN).fullest
    assert fullest is not None
    assert fullest.weights.low <= loaded <= fullest.weights.high


def memory(config: Config, **said: object) -> Memory:
    setup = setup_of(Sizing(architecture=architecture_of(config), **said))  # type: ignore[arg-type] # fields of it
    assert setup is not None
    return memory_of(setup)


@pytest.mark.parametrize(
    ("config", "bytes_each"),
    [
        # 61 layers x (512 + 64) x 2 bytes, whatever the 128 heads.
        (configs.DEEPSEEK_V3, 70_272),
        # 40 layers x 2 x 8 heads x 128 x 2 bytes.
        (configs.MISTRAL_SMALL, 163_840),
        # 36 layers x 2 x 8 heads x 64 x 2 bytes, while no window of 128 is full.
        (configs.GPT_OSS_120B, 73_728),
        # 32 layers x 2 x 8 x 128 x 2; every query of Llama-2 has keys of its own: 32 x 2 x 32 x 128 x 2.
        (configs.LLAMA_8B, 131_072),
        (configs.LLAMA_7B, 524_288),
        # 40 layers x 2 x 1 head x 128 x 2.
        (configs.STARCODER, 20_480),
        # 12 of 48 layers x 2 x 2 heads x 256 x 2; 36 keep a state.
        (configs.QWEN3_NEXT, 24_576),
        # 7 of 27 layers x 576 x 2.
        (configs.KIMI_LINEAR, 8_064),
        # 4 of 32 layers x 2 x 8 x 128 x 2.
        (configs.JAMBA_MINI, 16_384),
        # 10 of 80 layers x 2 x 8 x 128 x 2.
        (configs.MINIMAX_01, 40_960),
        # 6 of 52 layers x 2 x 2 x 128 x 2.
        (configs.NEMOTRON_NANO, 6_144),
        # 78 layers x (576 x 2 + index of 128 bytes and its scale of 4).
        (configs.GLM_5, 78 * (1_152 + 132)),
        (configs.MAMBA_28B, 0),
    ],
)
def test_a_token_costs_what_the_heads_say(config: Config, bytes_each: int) -> None:
    assert growing_bytes(architecture_of(config).layers(), Cache()) == bytes_each


def test_mistral_small_holds_the_tokens_of_its_log() -> None:
    # 28.20 GiB (28.195 to 28.205) / 163,840 B = 184,779 to 184,844 tokens; the log says 184,832, which is 28.2031 GiB.
    found = memory(configs.MISTRAL_SMALL, tp=1, logged=Logged(kv_gib=28.20, kv_tokens=184_832), **PLN)
    assert found.kv_tokens is not None
    assert found.kv_tokens.low <= 184_832 <= found.kv_tokens.high
    assert [each.of for each in compared(found) if not each.agrees] == []
    # 79.18 GiB x 0.95 - weights - what the engine takes leaves a span that holds the 28.20 GiB of the log.
    alone = memory(configs.MISTRAL_SMALL, tp=1, **PLN)
    assert alone.fullest is not None
    assert alone.fullest.cache.low < 28.20 < alone.fullest.cache.high


def test_gpt_oss_is_counted_at_full_length() -> None:
    # 78,384 tokens x 73,728 B = 5.3822 GiB; the log rounds to 5.38.
    found = memory(configs.GPT_OSS_120B, tp=1, logged=Logged(kv_gib=5.38, kv_tokens=78_384), **PLN)
    each = {one.of: one for one in compared(found)}
    assert each[Of.EACH].agrees
    assert each[Of.CACHE].agrees
    # hf-mem PR #70: gpt-oss-20b at 262,144 tokens takes 12.00 GiB, with every layer at full length:
    # 24 layers x 2,048 B x 262,144 = 12 x 2^30.
    small = configs.GPT_OSS_120B | {
        "num_hidden_layers": 24,
        "layer_types": ["sliding_attention", "full_attention"] * 12,
    }
    layers = list(architecture_of(small).layers())
    assert sequence_bytes(layers, Cache(windows=Windows.KEPT), 262_144) == 12 * GIB
    # Freed windows: 12 layers x 2,048 x 262,144 + 12 x 2,048 x 128.
    assert sequence_bytes(layers, Cache(windows=Windows.FREED), 262_144) == 6 * GIB + 12 * 2_048 * 128


def test_one_head_is_copied_to_all_of_eight_ranks() -> None:
    model = architecture_of(configs.STARCODER)
    assert [growing_bytes(model.layers(), Cache(), tp) for tp in (1, 2, 8)] == [20_480, 20_480, 20_480]
    assert copies(model, 8) == 8


def test_eight_heads_are_held_twice_by_sixteen_ranks() -> None:
    # 80 layers x 2 x 128 x 2 B = 40,960 B for the one head that a rank has at TP 8 and at TP 16.
    model = architecture_of(configs.LLAMA_70B)
    assert [growing_bytes(model.layers(), Cache(), tp) for tp in (1, 4, 8, 16)] == [327_680, 81_920, 40_960, 40_960]
    assert (copies(model, 8), copies(model, 16)) == (1, 2)


def test_the_latent_of_deepseek_is_on_every_rank() -> None:
    model = architecture_of(configs.DEEPSEEK_V3)
    assert [growing_bytes(model.layers(), Cache(), tp) for tp in (1, 8)] == [70_272, 70_272]
    assert copies(model, 8) == 8
    # Two engines of data parallelism hold twice the requests; more ranks of tensor parallelism only free weights.
    said = {"accelerator": "H200", "engine": "vLLM", "input_tokens": 1000, "output_tokens": 200}
    one, two = memory(configs.DEEPSEEK_V3, tp=8, **said), memory(configs.DEEPSEEK_V3, tp=8, dp=2, **said)
    assert one.steady is not None
    assert two.steady is not None
    assert two.steady.low == pytest.approx(2 * one.steady.low)


def test_windows_of_gemma_stop_growing() -> None:
    # Every sixth of 62 layers looks back all the way: 10; 52 stop at 1,024. A layer: 2 x 16 x 128 x 2 = 8,192 B.
    model = architecture_of(configs.GEMMA3_27B)
    layers = list(model.layers())
    assert {layer.mixer: count for layer, count in layers} == {Mixer.WINDOW: 52, Mixer.FULL: 10}
    freed = sequence_bytes(layers, Cache(windows=Windows.FREED), 32_768)
    kept = sequence_bytes(layers, Cache(windows=Windows.KEPT), 32_768)
    assert freed == 8_192 * (10 * 32_768 + 52 * 1_024) == 3_120_562_176
    assert kept == 8_192 * 62 * 32_768 == 16_642_998_272
    # vLLM puts layers into groups of 10: 52 take 6 groups, so that it has room for 60 + 10.
    assert padded_layers(model) == 70


def test_fields_that_gemma_leaves_out_are_those_of_its_class() -> None:
    model = architecture_of(configs.GEMMA3_4B)
    # 34 layers, every sixth full: 5; a layer: 2 x 4 x 256 x 2 B.
    assert growing_bytes(model.layers(), Cache()) == 34 * 4_096
    assert "limits.class_defaults" in model.unknown
    assert {"num_attention_heads", "num_key_value_heads", "head_dim"} <= set(model.assumed)


def test_states_do_not_grow() -> None:
    # Qwen3-Next: 36 layers x (32 x 128 x 128 of 4 B + (2 x 16 x 128 + 32 x 128) x 3 of 2 B).
    layers = list(architecture_of(configs.QWEN3_NEXT).layers())
    state = 36 * (32 * 128 * 128 * 4 + 8_192 * 3 * 2)
    assert sequence_bytes(layers, Cache(), 0) == state
    assert sequence_bytes(layers, Cache(), 16_384) == state + 16_384 * 24_576


def test_sixteen_gpus_hold_no_more_tokens_each_than_eight() -> None:
    # The cache of Llama-70B at TP 16: a planner that divides by 16 shows twice the tokens (cost.md 3.6).
    sixteen = memory(configs.LLAMA_70B, tp=16, **PLN)
    assert sixteen.token_bytes == 40_960
    assert sixteen.model_token_bytes == 327_680
    assert sixteen.copies == 2


def test_worst_case_is_the_line_of_the_log() -> None:
    log = """
    INFO 08-01 [gpu_worker.py:276] Available KV cache memory: 28.20 GiB
    INFO 08-01 [kv_cache_utils.py:849] GPU KV cache size: 184,832 tokens
    INFO 08-01 [kv_cache_utils.py:853] Maximum concurrency for 16,384 tokens per request: 11.28x
    """
    # 184,832 / 16,384 = 11.28.
    found = memory(configs.MISTRAL_SMALL, tp=1, logged=read_log(log), **PLN)
    assert found.worst is not None
    assert found.worst.low <= 11.285
    assert found.worst.high >= 11.275
    each = {one.of: one for one in compared(found)}
    assert each[Of.TIMES].agrees
    assert each[Of.EACH].agrees


def test_stages_are_cut_by_layers() -> None:
    # 80 layers over 2 stages: half of the cache of a token, and half of the layers' weights, on each.
    model = architecture_of(configs.LLAMA_70B)
    found = memory(configs.LLAMA_70B, tp=4, pp=2, **PLN)
    assert found.token_bytes == 327_680 / 4 / 2
    whole, stored = total_bytes(model, served_as(model)), rank_bytes(model, served_as(model), Ranks(tp=4, pp=2))
    assert whole is not None
    # Norms are whole on every rank: 80 layers x 2 x 8,192 x 2 B more on each of three ranks beside the first.
    assert sum(4 * (each or 0) for each in stored) == pytest.approx(whole + 3 * 80 * 2 * 8_192 * 2, rel=1e-4)


def test_the_type_of_the_cache_is_not_that_of_the_weights() -> None:
    found = memory(configs.DEEPSEEK_V3, tp=8, **PLN)
    assert found.setup.storage.name == "FP8"
    assert found.token_bytes == 70_272
    narrow = memory_of(replace(found.setup, kv="fp8"))
    assert narrow.token_bytes == 70_272 / 2
    # The sparse kernels of DeepSeek V3.2 keep 656 B a token and layer.
    assert memory_of(replace(found.setup, kv="fp8_ds_mla")).token_bytes == 61 * 656
