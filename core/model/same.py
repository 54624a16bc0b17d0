"""Whether two values of the model say the same: by content, whatever objects they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def same(one: object, other: object, ignoring: frozenset[str] = frozenset()) -> bool:
    """Return True where both hold the same; NaN is the same as NaN, since both say "unknown".

    Args:
        one: anything made of the model's dataclasses, mappings, tuples, arrays and plain values.
        other: the same.
        ignoring: names of fields that do not count, at any depth.

    >>> same((1.0, float("nan")), (1, float("nan"))), same({"a": 1}, {"a": 2})
    (True, False)
    """
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_array(one, other)
    if is_dataclass(one):
        if type(one) is not type(other):
            return False
        names = (f.name for f in fields(one) if f.name not in ignoring)
        return all(same(getattr(one, name), getattr(other, name), ignoring) for name in names)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key], ignoring) for key in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(same(a, b, ignoring) for a, b in zip(one, other, strict=True))
    return one == other or (one != one and other != other)  # noqa: PLR0124 - only NaN is unlike itself


def paired(
    before: Iterable[T],
    after: Iterable[T],
    key: Callable[[T], object],
    alike: Callable[[T, T], bool] = same,
) -> Iterator[tuple[T | None, T | None]]:
    """Pair what has the same key: first what is alike, then in the order given; None stands where one is alone.

    Swapping both sides swaps each pair.

    >>> list(paired(["a1", "b1"], ["a2"], key=lambda name: name[0]))
    [('a1', 'a2'), ('b1', None)]
    """
    groups: dict[object, tuple[list[T], list[T]]] = {}
    for side, each in enumerate((before, after)):
        for one in each:
            groups.setdefault(key(one), ([], []))[side].append(one)
    for old, new in groups.values():
        rest = []
        for one in old:
            at = next((i for i, other in enumerate(new) if alike(one, other)), None)
            if at is None:
                rest.append(one)
            else:
                yield one, new.pop(at)
        yield from zip_longest(rest, new)


def _same_array(one: object, other: object) -> bool:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray) or one.dtype.kind != other.dtype.kind:
        return False
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))
