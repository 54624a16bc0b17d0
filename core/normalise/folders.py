"""Folders as the last resort: one level measured twice with different results, in two folders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from core.ingest.names import REPETITION as _REPETITION
from core.normalise.level import Level
from core.normalise.signature import folder

REPETITION = _REPETITION
"""Folder names that say "the same again": their levels are repetitions, to be pooled."""


def split_by_folder(levels: Sequence[Level]) -> dict[str, list[Level]]:
    """Part levels by the part of their folders that tells repeated levels apart.

    Returns:
        Levels by that part of the folder; one entry named "" where no level comes twice from
        different folders, or where the folders only count repetitions (pass1, pass2).
    """
    where = {id(level): tuple(REPETITION.sub("", part) for part in folder(level)) for level in levels}
    repeated: dict[object, set[tuple[str, ...]]] = defaultdict(set)
    for level in levels:
        repeated[level.load_key].add(where[id(level)])
    clashes = [paths for paths in repeated.values() if len(paths) > 1]
    if not clashes:
        return {"": list(levels)}
    depths = {len(path) for path in where.values()}
    telling = _differing(clashes) if len(depths) == 1 else None
    parts: dict[str, list[Level]] = defaultdict(list)
    for level in levels:
        path = folder(level)
        parts["/".join(path if telling is None else (path[i] for i in telling))].append(level)
    return _pooled_repetitions(parts)


def _differing(clashes: Sequence[set[tuple[str, ...]]]) -> list[int]:
    """Return the positions in the path at which the folders of one level differ."""
    depth = len(next(iter(clashes[0])))
    return [i for i in range(depth) if any(len({path[i] for path in paths}) > 1 for paths in clashes)]


def _pooled_repetitions(parts: dict[str, list[Level]]) -> dict[str, list[Level]]:
    """Put together folders that differ in nothing but the number of a repetition."""
    pooled: dict[str, list[Level]] = {}
    names: dict[str, str] = {}
    for name in sorted(parts):
        kept = names.setdefault(REPETITION.sub("", name), name)
        pooled.setdefault(kept, []).extend(parts[name])
    return pooled
