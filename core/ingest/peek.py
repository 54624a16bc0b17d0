"""What can be seen of a JSON or YAML document from its first bytes, which may end anywhere."""

from __future__ import annotations

import re
from functools import lru_cache

_DEPTH = 3
# A string that is still open ends with the sample: looked for at every quote, its end would cost the square.
_TOKEN = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"(\s*+:)?|\\?\Z)|([{\[])|([}\]])', re.DOTALL)
_SPACE = b" \t\r\n\xef\xbb\xbf"
_YAML_KEY = re.compile(rb"^( *)((?:- +)*)([\"']?)([A-Za-z_][\w./-]*)\3:(?=\s)", re.MULTILINE)


def json_paths(sample: bytes, depth: int = _DEPTH) -> frozenset[str]:
    """Return the dotted paths of the keys down to `depth` of the first object of a sample.

    A list is the step "[]", whatever the index. Anything but an object gives nothing.

    >>> sorted(json_paths(b'{"a": [{"b": 1}, {"c": 2}], "d": {"e": {"f'))
    ['a', 'a.[].b', 'a.[].c', 'd', 'd.e']
    >>> json_paths(b"a,b")
    frozenset()
    """
    return _paths_to(sample, max(depth, _DEPTH))[depth]


# Every importer looks at the same few bytes.
@lru_cache(maxsize=64)
def _paths_to(sample: bytes, depth: int) -> tuple[frozenset[str], ...]:
    """Return the paths down to each depth from 0 to `depth`."""
    levels: list[set[str]] = [set() for _ in range(depth + 1)]
    if sample.lstrip(_SPACE).startswith(b"{"):
        _fill(levels, sample)
    found = [frozenset[str]()]
    for level in levels[1:]:
        found.append(found[-1] | level)
    return tuple(found)


def _fill(levels: list[set[str]], sample: bytes) -> None:
    inside: list[str] = []
    key = ""
    for token in _TOKEN.finditer(sample):
        name, colon, opening, closing = token.groups()
        if colon:
            key = ""
            if len(inside) < len(levels):
                key = name.decode("utf-8", "replace")
                levels[len(inside)].add(inside[-1] + key)
        elif opening:
            # Nothing below is told, so that its steps are not spelt out.
            above = inside[-1] if inside and len(inside) < len(levels) else ""
            # Inside a list there is no key, so that the step "[]" stands for its items.
            inside.append((f"{above}{key}." if key else above) + ("[]." if opening == b"[" else ""))
            key = ""
        elif closing:
            inside.pop()
            key = ""
            if not inside:
                break


@lru_cache(maxsize=64)
def yaml_paths(sample: bytes, depth: int = _DEPTH) -> frozenset[str]:
    r"""Return the dotted paths of the keys down to `depth` of a YAML mapping in block style, by indentation.

    The items of a list have no step of their own.

    >>> sorted(yaml_paths(b"a:\n- b: 1\n  c:\n    d: 2\ne: 3\n"))
    ['a', 'a.b', 'a.c', 'a.c.d', 'e']
    """
    found: set[str] = set()
    above: list[tuple[int, str]] = []
    for line in _YAML_KEY.finditer(sample):
        indent = len(line[1]) + len(line[2])
        while above and above[-1][0] >= indent:
            above.pop()
        path = f"{above[-1][1]}.{line[4].decode()}" if above else line[4].decode()
        above.append((indent, path))
        if len(above) <= depth:
            found.add(path)
    return frozenset(found)
