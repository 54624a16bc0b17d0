"""What can be seen of a JSON or YAML document from its first bytes, which may end anywhere."""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|([{\[])|([}\]])')
_SPACE = b" \t\r\n\xef\xbb\xbf"
_YAML_KEY = re.compile(rb"^( *)((?:- +)*)([\"']?)([A-Za-z_][\w./-]*)\3:(?=\s)", re.MULTILINE)


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


def yaml_paths(sample: bytes, depth: int = 3) -> frozenset[str]:
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
