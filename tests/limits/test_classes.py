"""A class that a file names beside its type, and fields that files leave out: nothing is taken for more than it is."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import RefusedFileError
from core.limits import gaps
from core.limits.architecture import architecture_of
from core.limits.cache import Cache, growing_bytes
from core.limits.weights import served_as, total_bytes
from core.model.architecture import Architecture, Mixer
from tests.limits import configs


def token(model: Architecture) -> float:
    return growing_bytes(model.layers(), Cache())


@pytest.mark.parametrize(
    ("config", "classes"),
    [
        (configs.LLAMA_8B, ["LlamaForCausalLM"]),
        (configs.MIXTRAL, ["MixtralForCausalLM"]),
        (configs.STARCODER, ["GPTBigCodeForCausalLM"]),
        (configs.QWEN3_32B, ["Qwen3ForCausalLM"]),
        (configs.QWEN3_NEXT, ["Qwen3NextForCausalLM"]),
        # The outer class says how the parts are put together.
        (configs.MISTRAL_SMALL, ["Mistral3ForConditionalGeneration"]),
        (configs.LLAMA_8B | {"model_type": "kimi_k2"}, ["DeepseekV3ForCausalLM"]),
        (configs.LLAMA_8B, None),
        (configs.LLAMA_8B, []),
    ],
)
def test_published_classes_are_taken_as_they_are(config: Any, classes: Any) -> None:
    found = architecture_of(config | {"architectures": classes})
    assert gaps.UNVERIFIED not in found.unknown
    assert found.kinds == architecture_of(config).kinds


def test_a_class_that_nobody_knows_is_reckoned_as_its_type_and_said() -> None:
    found = architecture_of(configs.LLAMA_8B | {"architectures": ["FooForCausalLM"]})
    assert gaps.UNVERIFIED in found.unknown
    assert found.kinds == architecture_of(configs.LLAMA_8B).kinds


@pytest.mark.parametrize("name", ["GptOssForCausalLM", "MixtralForCausalLM", "DeepseekV3ForCausalLM"])
def test_a_class_of_another_type_leaves_the_layers_unknown(name: str) -> None:
    found = architecture_of(configs.LLAMA_8B | {"architectures": [name]})
    assert gaps.ARCHITECTURE in found.unknown
    assert {layer.mixer for layer in found.kinds} == {Mixer.UNKNOWN}


def test_a_draft_model_is_no_model_of_its_class() -> None:
    found = architecture_of(configs.LLAMA_8B | {"architectures": ["LlamaForCausalLMEagle3"]})
    assert gaps.UNVERIFIED in found.unknown


def test_a_text_part_of_an_unknown_type_is_not_taken_for_the_whole() -> None:
    inner = configs.MISTRAL_SMALL["text_config"] | {"model_type": "quite_new"}
    assert gaps.ARCHITECTURE in architecture_of(configs.MISTRAL_SMALL | {"text_config": inner}).unknown


def without(config: configs.Config, *fields: str) -> configs.Config:
    return {key: value for key, value in config.items() if key not in fields}


def test_a_text_part_saved_without_its_defaults_stays_the_same() -> None:
    # transformers leaves fields out of a nested part that equal the class's: of Mistral 32 heads, 8 of keys.
    inner = without(configs.MISTRAL_SMALL["text_config"], "num_attention_heads", "num_key_value_heads")
    found = architecture_of(configs.MISTRAL_SMALL | {"text_config": inner})
    assert token(found) == 163_840
    assert gaps.CLASS_DEFAULTS in found.unknown
    assert set(found.assumed) == {"num_attention_heads", "num_key_value_heads"}


def test_heads_of_a_class_with_a_size_of_its_own() -> None:
    # Qwen3-32B: 64 layers x 2 x 8 heads x 128 x 2 B = 262,144; 5,120 / 64 would be heads of 80.
    found = architecture_of(without(configs.QWEN3_32B, "head_dim"))
    assert token(found) == 262_144
    assert "head_dim" in found.assumed


def test_a_window_left_out_is_the_class_s_and_a_null_is_none() -> None:
    left = architecture_of(without(configs.MISTRAL_7B, "sliding_window"))
    assert [layer.window for layer in left.kinds] == [4096]
    assert "sliding_window" in left.assumed
    null = architecture_of(configs.MISTRAL_7B | {"sliding_window": None})
    assert [layer.window for layer in null.kinds] == [None]


def test_a_width_that_no_class_tells_is_asked_for() -> None:
    with pytest.raises(RefusedFileError, match="intermediate_size") as caught:
        architecture_of(without(configs.LLAMA_8B, "intermediate_size"))
    assert caught.value.code == "limits.missing_field"
    # Of a class without gates four times the model's width is meant, and that it was taken is said.
    plain = architecture_of(configs.STARCODER)
    left = architecture_of(without(configs.STARCODER, "n_inner"))
    assert total_bytes(left, served_as(left)) == total_bytes(plain, served_as(plain))
    assert "intermediate_size" in left.assumed


def test_the_type_of_the_values_says_nothing_against_a_quantised_file() -> None:
    said = {"quantization_config": {"quant_method": "mxfp4"}, "torch_dtype": "bfloat16"}
    assert architecture_of(configs.LLAMA_8B | said).storage.name == "MXFP4"
    # Of a method that nobody knows the size is not that of the values.
    unclear = architecture_of(configs.LLAMA_8B | {"quantization_config": {"quant_method": "quark"}})
    assert unclear.storage.bits is None


def test_a_layer_of_an_unknown_kind_among_known_ones_is_not_passed_over() -> None:
    kinds = ["full_attention"] * 31 + ["of tomorrow"]
    assert gaps.LAYERS in architecture_of(configs.LLAMA_8B | {"layer_types": kinds}).unknown
