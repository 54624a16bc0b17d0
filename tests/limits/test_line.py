"""Names of real models beside the class of their own published file, and beside files of others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.limits.families import FAMILIES
from core.limits.line import other_family

OWN = [
    # name as benchmarks have it, `model_type` of its published config.json
    ("openai/gpt-oss-120b", "gpt_oss"),
    ("unsloth/gpt-oss-20b-BF16", "gpt_oss"),
    ("meta-llama/Llama-3.3-70B-Instruct", "llama"),
    ("meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama4_text"),
    ("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w4a16", "llama"),
    ("codellama/CodeLlama-34b-Instruct-hf", "llama"),
    ("NousResearch/Hermes-3-Llama-3.1-8B", "llama"),
    ("deepseek-ai/deepseek-coder-33b-instruct", "llama"),
    ("deepseek-ai/deepseek-llm-67b-chat", "llama"),
    ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "qwen2"),
    ("deepseek-r1:70b", "llama"),
    ("deepseek-r1:8b", "qwen3"),
    ("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "qwen3"),
    ("deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v32"),
    ("deepseek-ai/DeepSeek-Coder-V2-Lite-Instruct", "deepseek_v2"),
    ("moonshotai/Kimi-K2-Instruct", "kimi_k2"),
    ("moonshotai/Kimi-VL-A3B-Instruct", "deepseek_v3"),
    ("moonshotai/Kimi-Dev-72B", "qwen2"),
    ("mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistral"),
    ("mistralai/Mistral-Large-3-675B-Instruct-2512", "deepseek_v3"),
    ("Mistral-4x7B-merged", "mixtral"),
    ("mlabonne/Beyonder-4x7B-v3", "mixtral"),
    ("tiiuae/Falcon3-10B-Instruct", "llama"),
    ("tiiuae/falcon-mamba-7b", "falcon_mamba"),
    ("microsoft/phi-4", "phi3"),
    ("unsloth/phi-4", "llama"),
    ("unsloth/Phi-3-mini-4k-instruct", "mistral"),
    ("ibm-granite/granite-8b-code-instruct", "llama"),
    ("ibm-granite/granite-34b-code-base", "gpt_bigcode"),
    ("ibm-granite/granite-4.0-h-small", "granitemoehybrid"),
    ("cognitivecomputations/dolphin-2.9.4-llama3.1-8b", "llama"),
    ("cognitivecomputations/dolphin-2.8-mistral-7b-v02", "mistral"),
    ("cognitivecomputations/Dolphin3.0-R1-Mistral-24B", "mistral"),
    ("dolphin-70b", "llama"),
    ("01-ai/Yi-1.5-34B-Chat", "llama"),
    ("Qwen/QwQ-32B", "qwen2"),
    ("nvidia/Llama-3.1-Nemotron-70B-Instruct-HF", "llama"),
    ("nvidia/OpenReasoning-Nemotron-32B", "qwen2"),
    ("nvidia/Mistral-NeMo-Minitron-8B-Base", "mistral"),
    ("MiniMaxAI/MiniMax-M2", "minimax_m2"),
    ("zai-org/GLM-4.5-Air-FP8", "glm4_moe"),
    ("zai-org/GLM-5-FP8", "glm_moe_dsa"),
    ("google/medgemma-27b-text-it", "gemma3_text"),
    ("mistralai/Mamba-Codestral-7B-v0.1", "mamba2"),
    ("cloudyu/TinyLlama-4x1.1B-MoE", "mixtral"),
    ("ICTNLP/LLaMA-Omni2-7B", "qwen2"),
    ("llama.cpp", "qwen3"),
    ("/srv/llama_models/our-own", "gpt_oss"),
    ("Qwen3-8B-gpt-oss-distill", "llama"),
    ("gpt-3.5-turbo", "llama"),
    ("our-assistant-v2", "deepseek_v3"),
]

OTHERS = [
    ("openai/gpt-oss-120b", "llama"),
    ("gptoss120b", "llama"),
    ("meta-llama/Llama-3.1-8B-Instruct", "gpt_oss"),
    ("meta.llama2-70b-chat-v1", "qwen3_moe"),
    ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "llama"),
    ("deepseek-ai/DeepSeek-V3", "llama"),
    ("deepseek-ai/DeepSeek-R1-0528", "qwen2"),
    ("deepseek-ai/DeepSeek-R1", "gemma3_text"),
    ("Kimi K2 Thinking", "llama"),
    ("mistralai/Mistral-7B-Instruct-v0.2", "llama"),
    ("zai-org/GLM-5-FP8", "deepseek_v3"),
    ("MiniMaxAI/MiniMax-M2.5", "llama"),
    ("google/gemma-3-27b-it", "llama"),
    ("microsoft/phi-4", "gpt_oss"),
]


@pytest.mark.parametrize(("name", "kind"), OWN)
def test_no_model_is_accused_of_its_own_file(name: str, kind: str) -> None:
    assert kind in FAMILIES
    assert not other_family(name, kind)


@pytest.mark.parametrize(("name", "kind"), OTHERS)
def test_a_file_of_another_family_is_told(name: str, kind: str) -> None:
    assert other_family(name, kind)


KINDS = st.sampled_from(sorted(FAMILIES))


@given(st.sampled_from(OTHERS), st.sampled_from(["-AWQ", "-FP8-dynamic", ".w4a16", "-GGUF", "_finetuned", " (ours)"]))
def test_what_is_done_to_a_model_changes_nothing(case: tuple[str, str], suffix: str) -> None:
    name, kind = case
    assert other_family(name + suffix, kind)
    assert other_family(f"/models/{name}{suffix}/", kind)
    assert other_family(name.upper() + suffix, kind)


@given(st.text(alphabet="0123456789-_ .:/", max_size=40) | st.sampled_from(["a", "ours", "model", "x1-70b"]), KINDS)
def test_a_name_that_says_nothing_accuses_nobody(name: str, kind: str) -> None:
    assert not other_family(name, kind)


@given(st.sampled_from(OWN + OTHERS), st.text(max_size=20))
def test_a_class_that_nobody_knows_is_not_accused(case: tuple[str, str], kind: str) -> None:
    if kind not in FAMILIES:
        assert not other_family(case[0], f"{kind}?")


@given(st.sampled_from(OWN + OTHERS), KINDS)
def test_a_name_of_both_families_is_no_contradiction(case: tuple[str, str], kind: Any) -> None:
    # A model that is made of two has the names of both: one of them is of the file.
    named = {"gpt_oss": "gpt-oss", "qwen3": "Qwen3", "llama": "Llama-3", "gemma2": "Gemma-2"}.get(kind)
    if named:
        assert not other_family(f"{case[0].rpartition('/')[2]} {named}", kind)
