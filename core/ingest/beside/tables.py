"""What scripts write beside their tables: an error in place of results, statistics of the accelerator."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head
from core.ingest.table import start_of

_ERRORS = frozenset({"error", "errors", "error message", "오류", "에러", "错误"})
_SHORT = 20
_OLE, _OPEN_DOCUMENT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"application/vnd.oasis.opendocument.spreadsheet"


def _is_error_only(head: Head) -> bool:
    """A table of one column called "error", with a few words in it."""
    lines = [line.strip() for line in start_of(head.sample).splitlines() if line.strip()]
    return bool(lines) and len(lines) <= _SHORT and lines[0].strip('"').casefold() in _ERRORS


def _is_accelerator_statistics(head: Head) -> bool:
    names = {path.rpartition(".")[2] for path in json_paths(head.sample, depth=2)}
    return {"avg_utilization", "max_memory_used", "avg_power"} <= names


def _is_old_workbook(head: Head) -> bool:
    return head.sample.startswith(_OLE) or (head.sample.startswith(b"PK") and _OPEN_DOCUMENT in head.sample[:200])


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_old_workbook,
        what=t("This is a workbook of another kind than XLSX, or one that is locked with a password"),
        fix=t("Save it as XLSX without a password, or its sheet with the results as CSV"),
    ),
    ByProduct(
        recognise=_is_error_only,
        what=t("The tool wrote an error in place of results: no request was completed"),
        fix=t("Look into the server's log and measure this level again"),
    ),
    ByProduct(
        recognise=_is_accelerator_statistics,
        what=t("These are statistics of the accelerator during a run: its use, memory and power"),
        fix=t("Send the table of results or of requests of the same run"),
    ),
)
