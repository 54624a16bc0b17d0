"""Damage of one kind each, the same every time, and what it may change in what is read."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.ingest.raw import RawFile, RawLevel

PLACES = 20
_NOT_FACTS = {"place", "findings", "run_key", "readings", "requests", "conditions", "identity", "sample_n"}


def cuts(data: bytes) -> Iterator[int]:
    """Offsets, evenly spread, at which a file ends early."""
    yield from sorted({len(data) * part // (PLACES + 1) for part in range(1, PLACES + 1)})


def flips(data: bytes, seed: str) -> Iterator[tuple[int, bytes]]:
    """(offset, the whole file with the byte there replaced by another)."""
    chance = random.Random(seed)
    for _ in range(PLACES):
        at = chance.randrange(len(data))
        other = chance.choice([value for value in range(256) if value != data[at]])
        yield at, data[:at] + bytes([other]) + data[at + 1 :]


def changed(before: RawFile, after: RawFile) -> tuple[set[object], set[object]]:
    """Return (rows, fields) in which two readings of a file differ.

    A row is a level, or a request of a level; a field is a statistic, a count, a condition or a
    column of requests, whichever row it is in.
    """
    if len(before.levels) != len(after.levels):
        return _levels_gone(before, after)
    rows: set[object] = set()
    fields: set[object] = set()
    for index, (one, other) in enumerate(zip(before.levels, after.levels, strict=True)):
        mine, theirs = _facts(one), _facts(other)
        for name in mine.keys() | theirs.keys():
            if mine.get(name) != theirs.get(name):
                rows.add(index)
                fields.add(name)
        hit = set(_requests(one, other))
        fields |= {name for _, name in hit}
        if len({row for row, _ in hit} - {"gaps"}) == 1:
            # One request: its gaps are pooled with others', and the counts of its level follow.
            rows.add(index)
            continue
        rows |= {(index, row) for row, _ in hit}
    return rows, _renamed(before, after, fields)


def _renamed(before: RawFile, after: RawFile, fields: set[object]) -> set[object]:
    """Return the fields with a column that only got another name counted once."""
    had = {name for level in before.levels for name in _facts(level)}
    has = {name for level in after.levels for name in _facts(level)}
    gained = fields - had
    return fields - gained if len(gained) == 1 and len((fields & had) - has) == 1 else fields


def _levels_gone(before: RawFile, after: RawFile) -> tuple[set[object], set[object]]:
    """One level more or fewer is one row; any other level must be as it was."""
    few, many = sorted((before.levels, after.levels), key=len)
    kept = [_facts(level) for level in few]
    rows = {index for index, level in enumerate(many) if _facts(level) not in kept}
    return rows, {"level", *(["levels"] if len(many) - len(few) > 1 else [])}


def _facts(level: RawLevel) -> dict[object, object]:
    facts: dict[object, object] = {
        field.name: getattr(level, field.name) for field in dataclasses.fields(level) if field.name not in _NOT_FACTS
    }
    facts |= {(reading.metric, reading.statistic): (reading.value, reading.unit) for reading in level.readings}
    facts |= {("condition", name): value for name, value in level.conditions.items()}
    facts |= {("identity", name): value for name, value in level.identity.items()}
    facts |= {("sample_n", metric): n for metric, n in level.sample_n.items()}
    return {name: value for name, value in facts.items() if value is not None}


def _requests(one: RawLevel, other: RawLevel) -> Iterator[tuple[object, str]]:
    """Yield (request, column) of every value that differs."""
    if one.requests is None or other.requests is None:
        if (one.requests is None) != (other.requests is None):
            yield "all", "requests"
        return
    for field in dataclasses.fields(one.requests):
        mine, theirs = getattr(one.requests, field.name), getattr(other.requests, field.name)
        if not isinstance(mine, np.ndarray) or not isinstance(theirs, np.ndarray):
            if mine is not theirs and mine != theirs:
                yield "all", field.name
        elif field.name == "gaps":
            # Pooled over requests: one request's gaps may be others, or fewer.
            if mine.shape != theirs.shape or not np.array_equal(mine, theirs):
                yield "gaps", "gaps"
        elif mine.shape != theirs.shape:
            yield "one" if abs(mine.size - theirs.size) == 1 else "all", field.name
        else:
            for row in np.flatnonzero((mine != theirs) & ~(np.isnan(mine) & np.isnan(theirs))):
                yield int(row), field.name


def smallest_per_format(cases: list[Path]) -> list[Path]:
    """One golden case of each format: the one with the shortest input."""
    best: dict[str, Path] = {}
    for case in sorted(cases, key=lambda path: next(path.glob("input.*")).stat().st_size):
        best.setdefault(case.parent.name, case)
    return sorted(best.values())
