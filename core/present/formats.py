"""Formats of files under the names that people know them by."""

from __future__ import annotations

from collections.abc import Sequence

from core.i18n import Text, t
from core.ingest.registry import IMPORTERS
from core.model.run import Run

_OURS = {"generic_csv": t("CSV table with one row per load level")}
"""Formats without a tool's name; the others are called as their tools are."""
_LABELS: dict[str, Text] = {}
for _importer in IMPORTERS:
    # Several importers may read one format: the first is the one that it is called after.
    _LABELS.setdefault(_importer.FORMAT_ID, _OURS.get(_importer.FORMAT_ID, Text(_importer.LABEL)))


def format_names(language: str = "en") -> Sequence[str]:
    """Return every format that can be read, sorted."""
    return sorted(label.render(language) for label in _LABELS.values())


def format_name(format_id: str, language: str = "en") -> str:
    """Return a format under the name that people know it by."""
    found = _LABELS.get(format_id)
    return found.render(language) if found else format_id


def format_text(run: Run, language: str = "en") -> str:
    """Return the format of a run's files, with its version where it is known and a number."""
    name = format_name(run.format_id, language)
    if not any(letter.isdigit() for letter in run.format_version or ""):
        return name
    return t("{format}, version {version}", format=name, version=run.format_version).render(language)
