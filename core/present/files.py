"""The files of a drop in words: those without results of their own apart from those that failed, names cut to tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from core.i18n import Text, t
from core.ingest.byproduct import CODE
from core.model.refusal import Refusal

LONGEST_NAME = 48


def sorted_refusals(refused: Iterable[Refusal]) -> tuple[tuple[Refusal, ...], tuple[Refusal, ...]]:
    """Return (files that should have been read and were not, files that tools write beside their results)."""
    every = tuple(refused)
    return tuple(each for each in every if each.code != CODE), tuple(each for each in every if each.code == CODE)


def by_products_text(count: int) -> Text:
    """Return the quiet line about files that hold no results."""
    return (
        t("1 file holds no results of its own")
        if count == 1
        else t("{count} files hold no results of their own", count=count)
    )


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return each name without the folders that all share, and where it is still long, with its end.

    The end of a name tells more than its beginning: the level stands there.

    >>> list(short_names(["drop/a/c4.json", "drop/b/c4.json"]).values())
    ['a/c4.json', 'b/c4.json']
    >>> short_names(["x" * 60 + "_conc16.json"])["x" * 60 + "_conc16.json"][-13:]
    'x_conc16.json'
    """
    every = list(dict.fromkeys(names))
    shared = _shared([PurePosixPath(name).parts[:-1] for name in every])
    return {name: _end("/".join(PurePosixPath(name).parts[shared:]) or name) for name in every}


def _shared(folders: Sequence[tuple[str, ...]]) -> int:
    depth = min(map(len, folders), default=0)
    return next((i for i in range(depth) if len({parts[i] for parts in folders}) > 1), depth)


def _end(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"
