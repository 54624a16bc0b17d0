"""Formats of files under the names that people know them by."""

from __future__ import annotations

from core.i18n import Text, t
from core.ingest.registry import IMPORTERS
from core.ingest.tools import SIMULATORS, TOOLS
from core.model.run import Run

_OURS = {
    "generic_csv": t("Table with one row per load level"),
    "generic_requests": t("Table with one row per request"),
    "engine_log": t("Start-up log of a server"),
}
"""Formats without a tool's name; the others are called as their tools are."""
_LABELS: dict[str, Text] = {}
for _importer in IMPORTERS:
    # Several importers may read one format: the first is the one that it is called after.
    _LABELS.setdefault(_importer.FORMAT_ID, _OURS.get(_importer.FORMAT_ID, Text(_importer.LABEL)))


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


def format_text(run: Run, language: str = "en") -> str:
    """Return the format of a run's files, with its version where it is known and a number."""
    name = format_name(run.format_id, language)
    version = run.format_version or ""
    if not any(letter.isdigit() for letter in version):
        return name
    return t("{format}, version {version}", format=name, version=version).render(language)
