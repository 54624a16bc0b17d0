"""Names of runs where there is little room: cut in the middle, and so that different names stay different.

Runs are named after models, folders and files, and what tells them apart stands at the end as often as at the beginning
("vllm-h100-llama-70b-…-fp8" beside "…-bf16").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

CUT = "…"
LEAST = 8
"""Fewer characters hold no name, a mark and a number."""

IN_BOX, IN_COLUMN = 44, 30
"""Characters that a box for choosing shows, over the width of the page and beside two others."""

IN_LEGEND, AT_CURVE = 40, 26
"""Characters that a chart has room for."""


def cut_names(names: Iterable[str], longest: int) -> dict[str, str]:
    """Return each name in at most `longest` characters; different names stay different.

    Names that fit stay whole. A longer one loses its middle, or, where that would make it the same as another one, the
    part that both share; where nothing else helps it is numbered.

    Args:
        names: that stand beside one another.
        longest: `LEAST` or more.

    >>> list(cut_names(["vllm-h100-llama-70b-sweep-fp8", "vllm-h100-llama-70b-sweep-bf16"], 20).values())
    ['vllm-h10…b-sweep-fp8', 'vllm-h10…-sweep-bf16']
    >>> list(cut_names(["a-long-beginning-fp8-and-a-long-end", "a-long-beginning-awq-and-a-long-end"], 20).values())
    ['a-lon…-fp8-and-a-lo…', 'a-lon…-awq-and-a-lo…']
    """
    every = list(dict.fromkeys(names))
    found = {name: name for name in every if len(name) <= longest}
    long = [name for name in every if name not in found]
    ways: Sequence[Callable[[str, Sequence[str]], str]] = (
        lambda name, _: _middle(name, longest),
        lambda name, alike: _differing(name, alike, longest),
    )
    for way in ways:
        tried = {name: way(name, [each for each in long if each != name]) for name in long}
        taken = [*found.values(), *tried.values()]
        found |= {name: cut for name, cut in tried.items() if taken.count(cut) == 1}
        long = [name for name in long if name not in found]
    for name in long:
        found[name] = _numbered(_middle(name, longest), set(found.values()), longest)
    return {name: found[name] for name in every}


def cut_labels(labels: Mapping[str, str], longest: int) -> dict[str, str]:
    """Return the label of each run, by id, cut as `cut_names` cuts it."""
    cut = cut_names(labels.values(), max(longest, LEAST))
    return {run: cut[label] for run, label in labels.items()}


def _middle(name: str, longest: int) -> str:
    """Return both ends of a name; the end gets more, since settings stand there."""
    tail = (longest - 1) * 3 // 5
    return f"{name[: longest - 1 - tail]}{CUT}{name[-tail:]}"


def _differing(name: str, others: Sequence[str], longest: int) -> str:
    """Return the beginning of a name, and what of it begins where it leaves the name that it is most alike."""
    shared = max((_alike(name, other) for other in others), default=0)
    head = (longest - 2) // 3 - 1
    # One character more than differs, so that the part is read as part of something.
    start = max(head, shared - 1)
    room = longest - head - 1
    part = name[start:]
    return f"{name[:head]}{CUT}{part if len(part) <= room else part[: room - 1] + CUT}"


def _alike(one: str, other: str) -> int:
    """Return how many characters two names begin with alike."""
    ends = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(ends, min(len(one), len(other)))


def _numbered(cut: str, taken: set[str], longest: int) -> str:
    """Return a name that nothing else has, with the first number that is free."""
    number = 1
    while True:
        mark = f" ({number})"
        tried = f"{cut[: longest - len(mark)]}{mark}"
        if tried not in taken:
            return tried
        number += 1
