"""Names for one execution that several files of a folder describe, made of what all of them say."""

from __future__ import annotations

NUMBERS = "numbers|"
"""Begins a key that is made of a folder, counts and means alone: it holds across formats, since one tool's
report may be rewritten by another."""


def by_numbers(name: str | None, good: int | None, e2e_mean_s: float | None, ttft_mean_s: float | None) -> str | None:
    """Return a key for files that share no id but lie in one folder and hold the same three numbers.

    Args:
        name: of the file, with its folders.
        good: requests that were completed.
        e2e_mean_s: seconds; without it there is no key.
        ttft_mean_s: seconds.

    >>> by_numbers("run/stage_0.json", 20, 0.18745153515, 0.04323842589)
    'numbers|run|20|0.187452|0.0432384'
    """
    if not good or not e2e_mean_s:
        return None
    folder = (name or "").replace("\\", "/").rpartition("/")[0]
    ttft = "" if ttft_mean_s is None else f"{ttft_mean_s:.6g}"
    return f"{NUMBERS}{folder}|{good}|{e2e_mean_s:.6g}|{ttft}"
