"""What the name of a setting says: whether it is a label, or a condition under which was measured."""

from __future__ import annotations

import re

from core.model.run import Conditions

_CONDITION = re.compile(
    r"isl|osl|ilen|olen|inputs?|outputs?|prompts?|tokens?|lens?|lengths?|ctx|context|prefix"
    r"|gpus?|xpus?|npus?|tpus?|accelerators?|devices?|chips?|cards?|nodes?|instances?|workers?|replicas?|ranks?"
    r"|[etpdcs]p\d*|tp\d*pp.*|parallel\w*|world|batch\w*|bs|seqs?|concurren\w*|max|limit"
    r"|dtype|precision|quant\w*|kvcache|gemm|moe|fmha|comm|hardware|hw|model",
    re.IGNORECASE,
)
"""Words in the name of a setting that is a condition: lengths, counts, parallelism, limits of the batch, precision."""

_LABEL = re.compile(
    r"(?:.*[_.\- ])?(?:label|tag|title|notes?|description|desc|comment|experiment|exp|name|variant|suite|campaign)",
    re.IGNORECASE,
)
_CONDITIONS = frozenset(Conditions.__dataclass_fields__)


def is_label(name: str) -> bool:
    """Return True where a setting is called as labels are, such as "tag" or "experiment_name"."""
    return _LABEL.fullmatch(name) is not None


def is_condition(name: str) -> bool:
    """Return True where a word in the name of a setting says what was measured, on what, or how much at once."""
    spaced = re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", name)
    return name in _CONDITIONS or any(_CONDITION.fullmatch(word) for word in re.findall(r"[^\W_]+", spaced))
