"""What the files of simulators share: no request was ever sent, and many are tables of requests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from core.errors import Place
from core.i18n import Text, t
from core.ingest.raw import RawFile, RawLevel, Upload
from core.ingest.table import Table, table_of
from core.model.finding import Finding, Severity
from core.model.run import Kind


def candidate(name: str, consequence: Text | None = None) -> Finding:
    """Return the finding that marks a file of a simulator.

    Args:
        name: of the file.
        consequence: what this simulator leaves out, if anything is to be said of it.
    """
    return Finding(
        code="simulated.candidate",
        severity=Severity.INFO,
        where=Place(name),
        what=t("These numbers are simulated, not measured: a candidate until a benchmark confirms it"),
        consequence=consequence or t("Measured and simulated levels never share a curve"),
        fix=t("Measure the chosen configuration at the answered load"),
    )


def requests_file(upload: Upload, format_id: str, level_of: Callable[[Table], RawLevel]) -> RawFile:
    """Return the one level of a simulator's table with a request per row.

    Raises:
        RefusedFileError: a damaged table, or a cell that is no number; with line and column.
    """
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=format_id,
        format_version=None,
        kind=Kind.SIMULATED,
        levels=(level_of(table_of(upload)),),
        findings=(candidate(upload.name),),
    )
