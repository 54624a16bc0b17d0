"""Fields that a tool always writes: without them the file is damaged."""

from __future__ import annotations

from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields


def load_of(row: Fields, key: str) -> float:
    """Return a load above zero.

    Raises:
        RefusedFileError: "ingest.no_load_value", with line and field.
    """
    load = row.not_negative(key)
    if not load:
        raise refusal(
            "ingest.no_load_value",
            t("The row has no load above zero"),
            row.place.file or "",
            t("Send the file again as the tool wrote it"),
            line=row.place.line,
            field=key,
        )
    return load
