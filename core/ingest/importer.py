"""What every format module provides, and how one of them is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.tools import SIMULATORS, TOOLS


class Importer(Protocol):
    """One file format: a module of `core.ingest.formats` satisfies it.

    FORMAT_ID is stored with every run; LABEL is the tool's name as people write it.
    """

    FORMAT_ID: str
    LABEL: str

    def match(self, head: Head) -> float:
        """How sure this is our format: 0 no, 1 a version stamp says so. Never raises."""
        ...

    def read(self, upload: Upload) -> RawFile:
        """Return what the file says.

        Raises:
            RefusedFileError: with a place; never a partial result.
        """
        ...


UNSURE = 0.3
"""Up to here a match rests on words that any table may hold; above, on what one tool alone writes."""


def ranked(importers: Sequence[Importer], head: Head) -> list[tuple[float, Importer]]:
    """Return how sure each importer is, the surest first; those for any tool's tables (`GENERIC`) come last.

    Words that any table may hold never outweigh a tool's own mark and are the slowest to look for, so that
    such an importer is asked only where nobody is sure.
    """
    scored = [(i.match(head), i) for i in importers if not _is_generic(i)]
    if max((score for score, _ in scored), default=0.0) <= UNSURE:
        scored += [(i.match(head), i) for i in importers if _is_generic(i)]
    return sorted(scored, key=lambda pair: -pair[0])


def _is_generic(importer: Importer) -> bool:
    return getattr(importer, "GENERIC", False)


def choose(scored: Sequence[tuple[float, Importer]], head: Head) -> Importer:
    """Return the one best match of those that `ranked` gives.

    Raises:
        RefusedFileError: nobody matches, or the two best are equally sure.
    """
    best, chosen = scored[0]
    if best <= 0.0:
        raise RefusedFileError(
            "ingest.unknown_format",
            t("Plimsoll does not know what this file is"),
            fix=t(
                "Plimsoll reads results of {tools}, and any table with a load and a latency column",
                tools=", ".join((*TOOLS, *SIMULATORS)),
            ),
            place=Place(file=head.name),
        )
    if len(scored) > 1 and scored[1][0] == best:
        raise RefusedFileError(
            "ingest.ambiguous_format",
            t("{one} and {other} could both read this file", one=chosen.LABEL, other=scored[1][1].LABEL),
            fix=t("Send the file as the tool wrote it, with its own name"),
            place=Place(file=head.name),
        )
    return chosen
