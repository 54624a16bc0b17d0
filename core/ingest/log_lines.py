"""The few lines of a long log that say something, found without a pattern being tried on all the others."""

from __future__ import annotations

from collections.abc import Iterable


def lines_with(text: str, marks: Iterable[str]) -> str:
    r"""Return the lines that hold any of the marks, in order, each once and with its end.

    >>> lines_with("a 1\nb 2\nc 3\n", ("c ", "a"))
    'a 1\nc 3\n'
    """
    spans: set[tuple[int, int]] = set()
    for mark in marks:
        at = text.find(mark)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end + 1
            spans.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(mark, end)
    return "".join(text[begin:end] for begin, end in sorted(spans))
