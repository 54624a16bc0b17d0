"""Where what was said of a deployment contradicts itself, the model or the run that it is said of."""

from __future__ import annotations

import re

from core.limits import gaps
from core.limits.setup import Setup

FAMILIES = ("llama", "deepseek", "qwen", "gptoss", "mixtral", "mistral", "gemma", "phi", "minimax", "glm")
"""Words that stand in the name of a model and in the `model_type` of its own file alike."""


def doubts_of(setup: Setup) -> tuple[str, ...]:
    """Return what is to be minded, as codes of `core.limits.gaps`."""
    model, found = setup.architecture, []
    if setup.model is not None and other_family(setup.model, model.kind):
        found.append(gaps.OTHER_MODEL)
    if setup.longest is not None and model.longest is not None and setup.longest > model.longest:
        found.append(gaps.BEYOND_MODEL)
    if beyond_longest(setup):
        found.append(gaps.BEYOND_LONGEST)
    if any(layer.heads % setup.ranks.tp for layer in model.kinds):
        found.append(gaps.UNEVEN_HEADS)
    return tuple(found)


def beyond_longest(setup: Setup) -> bool:
    """Return True where requests are longer on average than the longest one may be."""
    if setup.longest is None or setup.input_tokens is None or setup.output_tokens is None:
        return False
    return setup.input_tokens + setup.output_tokens > setup.longest


def other_family(name: str, kind: str) -> bool:
    """Return True where the name of a model names a family, and its file another one.

    A model that is made of another one has the names of both: that is no contradiction.

    >>> other_family("meta-llama/Llama-3.1-70B", "deepseek_v3"), other_family("Llama-3.1-70B", "llama")
    (True, False)
    >>> other_family("DeepSeek-R1-Distill-Llama-70B", "llama"), other_family("Kimi-K2", "deepseek_v3")
    (False, False)
    """
    named, filed = ({word for word in FAMILIES if word in _letters(text)} for text in (name, kind))
    return bool(named and filed) and not named & filed


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())
