"""What an engine takes of memory beside weights and cache, and what its share of memory means (data/limits)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from core.catalogue.rows import rows


class Meaning(StrEnum):
    """What an engine's fraction is a share of: the same 0.9 means three things."""

    OF_ALL = "of all"
    WEIGHTS_AND_CACHE = "weights and cache"
    OF_FREE = "of free"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The low and the high end of something that sources tell differently, or nobody measured everywhere."""

    low: float
    high: float
    source: str = ""
    certainty: str = ""

    @property
    def mid(self) -> float:
        """Its middle."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """What an engine takes on one accelerator.

    Attributes:
        meaning: of its fraction. fraction: the default, as a share.
        working: peak of one step beside weights and cache, GiB. other: beside the framework, GiB. graphs: GiB.
        reserve: share of all memory that is kept back besides.
        sources: of these figures.
    """

    engine: str
    meaning: Meaning
    fraction: Span
    working: Span
    other: Span
    graphs: Span
    reserve: float
    sources: tuple[str, ...]


ENGINES = {
    "vllm": ("vLLM", Meaning.OF_ALL),
    "sglang": ("SGLang", Meaning.WEIGHTS_AND_CACHE),
    "tensorrtllm": ("TensorRT-LLM", Meaning.OF_FREE),
    "trtllm": ("TensorRT-LLM", Meaning.OF_FREE),
}
_NONE = Span(low=0.0, high=0.0)
_LARGE_GIB = 70.0
"""Accelerators with less memory than this get a quarter of the tokens in one step by default (vLLM), so that the low
end of working memory is a quarter there."""


def engine_named(word: str | None) -> str | None:
    """Return an engine's name as data/limits writes it, None where it is not among them.

    >>> engine_named("vllm 0.11"), engine_named("TRT-LLM"), engine_named("llama.cpp")
    ('vLLM', 'TensorRT-LLM', None)
    """
    plain = re.sub(r"[^a-z]", "", (word or "").lower())
    return next((name for key, (name, _) in ENGINES.items() if key in plain), None)


def takes(engine: str | None, version: str | None, *, experts: bool, beside: bool, ranks: int, gib: float) -> Takes:
    """Return what an engine takes of an accelerator with `gib` of memory, as spans.

    Args:
        engine: any name; of one that is not known the span holds all that are.
        version: such as "0.11.2"; where it is not known the span holds all versions.
        experts: whether the model has routed experts.
        beside: whether it has a part for pictures or sound.
        ranks: accelerators that talk to each other.
        gib: memory of one of them.
    """
    name = engine_named(engine)
    if name is None:
        each = [
            takes(one, None, experts=experts, beside=beside, ranks=ranks, gib=gib)
            for one in ("vLLM", "SGLang", "TensorRT-LLM")
        ]
        return _spanned(each)
    part = "working_beside" if beside and _spans(name, version, "working_beside") else None
    usual = "working_moe" if experts else "working_dense"
    kinds = [usual] if part is None else [usual, part]
    working = _span([span for kind in kinds for span in _spans(name, version, kind)])
    if gib < _LARGE_GIB and working.high > 0.0:
        working = Span(low=working.low / 4, high=working.high, source=working.source, certainty="uncertain")
    other = _span(_spans(name, version, "other_alone" if ranks == 1 else "other_together"))
    found = [_span(_spans(name, version, "fraction")), working, other, _span(_spans(name, version, "graphs"))]
    return Takes(
        engine=name,
        meaning=next(meaning for one, meaning in ENGINES.values() if one == name),
        fraction=found[0],
        working=found[1],
        other=found[2],
        graphs=found[3],
        reserve=_span(_spans(name, version, "reserve")).high,
        sources=tuple(dict.fromkeys(span.source for span in found if span.source)),
    )


def _spanned(each: list[Takes]) -> Takes:
    """Return the span of several engines: what is taken where nobody says which one it is."""
    return Takes(
        engine="",
        meaning=Meaning.UNKNOWN,
        fraction=_span([one.fraction for one in each]),
        working=_span([one.working for one in each]),
        other=_span([one.other for one in each]),
        graphs=_span([one.graphs for one in each]),
        reserve=max(one.reserve for one in each),
        sources=tuple(dict.fromkeys(source for one in each for source in one.sources)),
    )


def _span(found: list[Span]) -> Span:
    if not found:
        return _NONE
    sources = "; ".join(dict.fromkeys(one.source for one in found if one.source))
    worst = next((word for word in ("uncertain", "partial", "good") if any(one.certainty == word for one in found)), "")
    low, high = min(one.low for one in found), max(one.high for one in found)
    return Span(low=low, high=high, source=sources, certainty=worst)


def _spans(engine: str, version: str | None, part: str) -> list[Span]:
    """Return what the rows say of a part: those of the version, all of them where it is unknown."""
    wanted = numbers(version)
    return [
        span
        for since, until, span in _rows().get((engine, part), ())
        if wanted is None or ((since or (0,)) <= wanted and (until is None or wanted < until))
    ]


@cache
def _rows() -> dict[tuple[str, str], list[tuple[tuple[int, ...] | None, tuple[int, ...] | None, Span]]]:
    found: dict[tuple[str, str], list[tuple[tuple[int, ...] | None, tuple[int, ...] | None, Span]]] = {}
    for row in rows("limits", "engines.csv"):
        span = Span(low=float(row["low"]), high=float(row["high"]), source=row["source"], certainty=row["certainty"])
        found.setdefault((row["engine"], row["part"]), []).append((numbers(row["since"]), numbers(row["until"]), span))
    return found


def numbers(version: str | None) -> tuple[int, ...] | None:
    """Return a version as numbers to compare, None where it holds none.

    >>> numbers("v0.11.2rc1"), numbers("dev")
    ((0, 11, 2), None)
    """
    found = re.match(r"v?(\d{1,4}(?:\.\d{1,4}){0,3})", (version or "").strip())
    return tuple(int(part) for part in found[1].split(".")) if found else None


@cache
def _seen() -> dict[str, float]:
    return {row["accelerator"]: float(row["gib"]) for row in rows("limits", "seen.csv")}


def seen_gib(accelerator: str, usable_mib: float) -> Span:
    """Return the memory that an engine sees of an accelerator, GiB: as measured, else up to 1.5 % less than reported.

    On the one part that was measured the driver kept 1 % of the memory that is sold.
    """
    measured = _seen().get(accelerator)
    if measured is not None:
        return Span(low=measured, high=measured)
    return Span(low=0.985 * usable_mib / 1024, high=usable_mib / 1024)
