"""What can be seen of a JSON object from its first bytes, which may end anywhere."""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|([{\[])|([}\]])')
_SPACE = b" \t\r\n\xef\xbb\xbf"


def json_paths(sample: bytes, depth: int = 3) -> frozenset[str]:
    """Return the dotted paths of the keys down to `depth` of the first object of a sample.

    A list is the step "[]", whatever the index. Anything but an object gives nothing.

    >>> sorted(json_paths(b'{"a": [{"b": 1}, {"c": 2}], "d": {"e": {"f'))
    ['a', 'a.[].b', 'a.[].c', 'd', 'd.e']
    >>> json_paths(b"a,b")
    frozenset()
    """
    if not sample.lstrip(_SPACE).startswith(b"{"):
        return frozenset()
    found: set[str] = set()
    inside: list[str] = []
    key = ""
    for token in _TOKEN.finditer(sample):
        name, colon, opening, closing = token.groups()
        if colon:
            key = name.decode("utf-8", "replace")
            if len(inside) <= depth:
                found.add(inside[-1] + key)
        elif opening:
            # Inside a list there is no key, so that the step "[]" stands for its items.
            inside.append(f"{inside[-1]}{key}." if inside and key else inside[-1] if inside else "")
            inside[-1] += "[]." if opening == b"[" else ""
            key = ""
        elif closing:
            inside.pop()
            key = ""
            if not inside:
                break
    return frozenset(found)
