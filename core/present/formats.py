"""Formats of files under the names that people know them by."""

from __future__ import annotations

from collections.abc import Sequence

from core.i18n import Text, t
from core.ingest.registry import IMPORTERS
from core.ingest.tools import SIMULATORS, TOOLS
from core.model.run import FileRef, Run

_OURS = {
    "generic_csv": t("Table with one row per load level"),
    "generic_requests": t("Table with one row per request"),
    "engine_log": t("Start-up log of a server"),
}
"""Formats without a tool's name; the others are called as their tools are."""


def _shared(labels: Sequence[str]) -> str:
    """Return the words that several labels begin with: "AIPerf JSON" and "AIPerf CSV" are AIPerf."""
    first, *others = (label.split() for label in labels)
    same = 0
    while same < len(first) and all(other[: same + 1] == first[: same + 1] for other in others):
        same += 1
    return " ".join(first[:same]) or labels[0]


_EVERY: dict[str, list[str]] = {}
for _importer in IMPORTERS:
    _EVERY.setdefault(_importer.FORMAT_ID, []).append(_importer.LABEL)
_LABELS = {format_id: _OURS.get(format_id, Text(_shared(labels))) for format_id, labels in _EVERY.items()}

WELL_KNOWN = 6
"""So many tools are named before the rest is only counted."""


def what_is_read() -> tuple[Text, Text]:
    """Return what can be dropped, in a line and in full."""
    others = len(TOOLS) + len(SIMULATORS) - WELL_KNOWN
    line = t(
        "Reads results of {tools} and {count} other tools, any table in CSV, XLSX or Markdown, and a zip of them",
        tools=", ".join(TOOLS[:WELL_KNOWN]),
        count=others,
    )
    full = t(
        "Measured: {tools}. Simulated: {simulators}. Tables need a load and a latency column, or a request per row.",
        tools=", ".join(TOOLS),
        simulators=", ".join(SIMULATORS),
    )
    return line, full


def format_name(format_id: str, language: str = "en") -> str:
    """Return a format under the name that people know it by."""
    found = _LABELS.get(format_id)
    return found.render(language) if found else format_id


def format_text(run: Run, file: FileRef, language: str = "en") -> str:
    """Return the format of a file of a run, with its version where it is known and a number."""
    if file.format_id not in (None, run.format_id):
        return format_name(file.format_id or "", language)
    name = format_name(run.format_id, language)
    version = run.format_version or ""
    if not any(letter.isdigit() for letter in version):
        return name
    return t("{format}, version {version}", format=name, version=version).render(language)
