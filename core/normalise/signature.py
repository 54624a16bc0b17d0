"""What makes two levels part of one configuration, and what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import PurePosixPath

from core.ingest.raw import Scalar
from core.model.run import Conditions
from core.normalise.level import Level, family

MEASURED_AT_START = frozenset({"kv_cache_tokens", "kv_cache_gib", "weights_gib"})
"""Conditions that a server measures anew at every start, each time a little different."""

LOAD_DEPENDENT = MEASURED_AT_START | {
    "input_tokens_mean",
    "output_tokens_mean",
    "cache_hit_rate",
    "acceptance_length",
}
"""Conditions that are measured anew at every level or start, so that they cannot tell configurations apart exactly."""

_ENGINES = {name.casefold(): name for name in ("vLLM", "SGLang", "TensorRT-LLM", "TGI", "llama.cpp", "LMDeploy")}
"""One spelling for each: a log that says "vllm" and a result that says "vLLM" mean the same server."""

Items = frozenset[tuple[str, Scalar]]


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything about a level that does not change with load.

    Attributes:
        source: kind of number and family of format: never mixed.
        conditions: the known ones; what one file does not say, another may.
        identities: by format, the settings that tell configurations apart. Within one
            format a setting that is absent differs from one that is there.
    """

    source: tuple[str, str]
    conditions: Items
    identities: tuple[tuple[str, Items], ...]

    def fits(self, other: Signature) -> bool:
        """Return True if nothing that both know differs."""
        if self.source != other.source or not _agree(self.conditions, other.conditions):
            return False
        mine, theirs = dict(self.identities), dict(other.identities)
        if any(mine[name] != theirs[name] for name in mine.keys() & theirs.keys()):
            return False
        return all(_agree(a, b) for a in mine.values() for b in theirs.values())

    def joined(self, other: Signature) -> Signature:
        """Return what both know together; they have to fit."""
        identities = {**dict(self.identities), **dict(other.identities)}
        return Signature(self.source, self.conditions | other.conditions, tuple(sorted(identities.items(), key=str)))

    @property
    def known(self) -> int:
        """How much is known: the fuller signature collects the emptier ones."""
        return len(self.conditions) + sum(len(items) for _, items in self.identities)

    @property
    def order(self) -> tuple[int, str]:
        """Sort key that depends on content alone, fullest first."""
        parts = [str(self.source), *sorted(map(str, self.conditions))]
        parts += [name + str(sorted(map(str, items))) for name, items in self.identities]
        return -self.known, "|".join(parts)


def signature_of(level: Level, *, batch_follows_load: bool = False) -> Signature:
    """Return the signature of one level.

    Args:
        level: the level.
        batch_follows_load: True where the server was restarted with a batch limit equal to each
            level: the limit is then part of the load, not of the configuration.
    """
    conditions = dict(known_conditions(level.conditions))
    # A burst without any limit is neither open nor closed: it must not join another curve.
    conditions["loop"] = level.loop
    if batch_follows_load:
        conditions.pop("max_num_seqs", None)
    items = frozenset((name, value) for name, value in conditions.items() if name not in LOAD_DEPENDENT)
    identity = frozenset((name, value) for name, value in level.identity.items() if value is not None)
    return Signature((level.kind.value, family(level.format_id)), items, ((level.format_id, identity),))


def batch_follows_load(levels: Sequence[Level]) -> bool:
    """Return True if the batch limit equals the asked concurrency at all of several levels."""
    limits = [(level.conditions.get("max_num_seqs"), level.stage.asked_concurrency) for level in levels]
    known = [(limit, load) for limit, load in limits if limit is not None]
    return len({limit for limit, _ in known}) > 1 and all(limit == load for limit, load in known)


def known_conditions(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return the values that are conditions of a run and known, whole numbers as int."""
    known: dict[str, Scalar] = {}
    for name, value in values.items():
        kind = _kinds().get(name)
        if kind is None or value is None:
            continue
        if "str" in kind:
            known[name] = _ENGINES.get(str(value).casefold(), str(value)) if name == "engine" else str(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            whole = "int" in kind and float(value).is_integer()
            known[name] = int(value) if whole else float(value)
    return known


def folder(level: Level) -> tuple[str, ...]:
    """Return the folders above the file that a level was read from, outermost first."""
    return PurePosixPath(level.file.name).parts[:-1]


@cache
def _kinds() -> dict[str, str]:
    return {f.name: str(f.type) for f in fields(Conditions)}


def _agree(one: Items, other: Items) -> bool:
    mine = dict(one)
    return all(mine.get(name, value) == value for name, value in other)
