"""Whether the name of a model and the `model_type` of a `config.json` speak of lines of models that exclude each other.

A name proves little: people rename models, finetune them, squeeze them, convert them into another line's classes and
name them after a teacher. So a name is held only to the lines that it itself names, each with every class that its
published models have; a class that nobody knows here, and a name that names no line, tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.limits.families import FAMILIES, SAME_AS

_START, _END = r"(?<![a-z])", r"(?![a-z])"

LINES: Mapping[str, tuple[str, ...]] = {
    r"gpt[-_. ]?oss": ("gpt_oss",),
    # Not of a tool that runs models; merges of several are stored as Mixtral, and NVIDIA's have a class of their own.
    rf"{_START}(?:meta[-_ ]?)?(?:code|tiny|open)?[-_ ]?llama(?![-_. ]?(?:cpp|server|swap|stack|factory|file|box))": (
        "llama", "mixtral", "nemotron",
    ),
    rf"{_START}(?:code)?qwen": ("qwen",),
    # Only these are DeepSeek's own class: the first ones are Llama's, and what R1 taught is Llama's or Qwen's.
    r"deepseek[-_. ]?(?:coder[-_. ]?)?(?:v\d|r1[-_. ]?(?:0528|zero|671b))": ("deepseek",),
    r"deepseek": ("deepseek", "llama", "qwen"),
    rf"{_START}kimi": ("kimi", "deepseek", "qwen2"),
    rf"{_START}(?:mistral|ministral|mixtral|magistral|devstral){_END}": ("mistral", "ministral", "mixtral", "deepseek"),
    rf"{_START}(?:code|med|shield|vault|function|translate)?gemma": ("gemma",),
    rf"{_START}(?:chat)?glm": ("glm",),
    rf"{_START}minimax": ("minimax", "mixtral"),
    # Published anew in the classes of Llama and Mistral by those who finetune them.
    rf"{_START}phi[-_. ]?\d": ("phi", "llama", "mistral", "mixtral"),
    rf"{_START}granite": ("granite", "llama", "gpt_bigcode"),
    rf"{_START}falcon": ("falcon", "llama", "mamba"),
}  # fmt: skip
"""How a name says its line, and how the classes begin that models of that line have."""

_TAUGHT = re.compile(r"distil|[a-z]fied|fication|merge|omni|video|draft|specul")
"""Names with one of these may name a teacher, a part or a conversion and not the model itself."""


def other_family(name: str, kind: str) -> bool:
    """Return True where the name of a model names a line, and its file is of a class that no model of it has.

    Args:
        name: as a run has it; of a path or a name with its organisation the last part counts.
        kind: `model_type` of the file.

    >>> other_family("meta-llama/Llama-3.1-70B", "deepseek_v3"), other_family("Llama-3.1-70B", "llama")
    (True, False)
    >>> other_family("DeepSeek-R1-Distill-Llama-70B", "llama"), other_family("Kimi-K2", "deepseek_v3")
    (False, False)
    >>> other_family("dolphin-2.9", "mistral"), other_family("our-assistant", "llama")
    (False, False)
    """
    held = SAME_AS.get(kind, kind)
    plain = name.strip().lower().replace("\\", "/").rstrip("/").rpartition("/")[2]
    if held not in FAMILIES or _TAUGHT.search(plain):
        return False
    named = [(found.span(), classes) for said, classes in LINES.items() if (found := re.search(said, plain))]
    # What is said more closely stands for what it lies in: "deepseek-v3" is no mere "deepseek".
    closest = [classes for at, classes in named if not any(_lies_in(at, other) for other, _ in named)]
    return bool(closest) and not any(held.startswith(each) for classes in closest for each in classes)


def _lies_in(at: tuple[int, int], other: tuple[int, int]) -> bool:
    return at != other and other[0] <= at[0] and at[1] <= other[1]
