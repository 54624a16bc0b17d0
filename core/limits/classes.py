"""What a `config.json` says under `architectures`, held against its `model_type`: the two may not be of one class."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum

from core.limits.families import FAMILIES, SAME_AS


class Class(StrEnum):
    """How the class that a file names stands to its `model_type`."""

    SAME = "same"
    UNKNOWN = "unknown"
    OTHER = "other"


_TASK = re.compile(r"(?:For(?:CausalLM|ConditionalGeneration|SequenceClassification)|LMHeadModel|TextModel|Model)$")
_ALSO: Mapping[str, tuple[str, ...]] = {
    "falcon": ("rw",),
    "kimi_k2": ("deepseekv3", "kimik25"),
    "mistral": ("mistral3",),
}  # fmt: skip
"""Other stems that classes of a type have."""


def class_of(said: object, kind: str, names: Collection[str]) -> Class:
    """Return how the classes that a file names stand to the type that it is reckoned as.

    Args:
        said: what stands under `architectures`, a list of names mostly; of anything else nothing is told.
        kind: the type, a key of `FAMILIES`.
        names: every `model_type` that the file has for this part.

    >>> class_of(["LlamaForCausalLM"], "llama", ["llama"]).value, class_of(["FooForCausalLM"], "llama", ["llama"]).value
    ('same', 'unknown')
    >>> class_of(["GptOssForCausalLM"], "llama", ["llama"]).value, class_of(None, "llama", ["llama"]).value
    ('other', 'same')
    """
    written = [each for each in said[:20] if isinstance(each, str)] if isinstance(said, list) else []
    if not written:
        return Class.SAME
    stems = {_plain(_TASK.sub("", each[:200])) for each in written if _TASK.search(each[:200])}
    own = {_short(each) for each in (kind, *names)} | set(_ALSO.get(kind, ()))
    if stems & own:
        return Class.SAME
    return Class.OTHER if any(stem in _KNOWN for stem in stems) else Class.UNKNOWN


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _short(kind: str) -> str:
    """Return a type as its classes begin."""
    return _plain(kind.removesuffix("_text"))


_KNOWN = {_short(each) for each in (*FAMILIES, *SAME_AS)}
