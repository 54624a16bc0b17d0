"""Models that read all of their weights at every step, by name: what a log says of weights bounds them from below."""

from __future__ import annotations

import re

READ = 0.85
"""Share of a dense model's weights that every step reads at least: all but the input table, which is 7 % of those here
that do not read it as the output layer too."""

_DENSE = re.compile(
    r"(?:meta-)?llama-?(?:2|3(?:\.[123])?)(?:-|_|$)|mistral-7b|mistral-nemo|codestral-22b|"
    r"qwen-?2(?:\.5)?-(?:coder-|math-)?\d|qwen3-(?:0\.6|1\.7|4|8|14|32)b|gemma-(?:2-)?(?:2|7|9|27)b|"
    r"phi-?3(?:\.5)?-(?:mini|medium)|phi-?4(?:-mini)?|falcon-(?:7|40|180)b|yi-(?:1\.5-)?(?:6|9|34)b"
)
_OTHERWISE = re.compile(r"moe|\d+x\d+b|-a\d+(?:\.\d+)?b|vision|\bvl\b|-vl-|omni|multimodal|scout|maverick|distill-moe")


def is_dense(model: str | None) -> bool:
    """Return whether a model's name is of one that reads all its weights at every step; False where unsure.

    >>> [is_dense(name) for name in ("meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-30B-A3B", "Mixtral-8x7B", "ours")]
    [True, False, False, False]
    """
    plain = (model or "").lower().rpartition("/")[2]
    return bool(_DENSE.match(plain)) and not _OTHERWISE.search(plain)
