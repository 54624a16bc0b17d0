"""Files that tools write beside their results: recognised, and refused with the file to send instead.

A folder of results holds logs, settings, time series and pooled summaries too. None of them is a
load level. Each tool's are in a module of `core.ingest.beside`, listed in `core.ingest.registry`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.errors import Place, RefusedFileError
from core.i18n import Text
from core.ingest.raw import Head

CODE = "ingest.by_product"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByProduct:
    """One kind of file that holds no load level.

    Attributes:
        recognise: whether a head shows it; looks at content first, at the name only where content cannot tell.
            Never raises.
        what: what the file is, as a sentence.
        fix: which file of the same folder holds the results, as a sentence.
    """

    recognise: Callable[[Head], bool]
    what: Text
    fix: Text


def explained(by_products: Iterable[ByProduct], head: Head) -> RefusedFileError | None:
    """Return (not raise) the refusal of a file that holds no results, None where it is no known by-product."""
    for kind in by_products:
        if kind.recognise(head):
            return RefusedFileError(CODE, kind.what, fix=kind.fix, place=Place(head.name))
    return None


def named(head: Head, pattern: re.Pattern[str]) -> bool:
    """Return whether a file's own name, without its folders, is one that a pattern describes as a whole."""
    return pattern.fullmatch(head.name.rsplit("/", 1)[-1].removesuffix(".gz")) is not None
