"""Per-request records as JSON Lines of tools whose fields are known by name, as columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_lines, refusal
from core.ingest.fields import Fields
from core.ingest.raw import Upload
from core.ingest.request_table import UNKNOWN, known
from core.model.stage import FloatArray


def records_in(
    upload: Upload, marks: frozenset[str], numbers: Sequence[str], word: str
) -> tuple[dict[str, FloatArray], list[str]]:
    """Return the columns of a file, each of shape (records,), and one text per record.

    Args:
        upload: the file.
        marks: fields that every record of the tool has.
        numbers: fields to return, NaN where one is missing or no clock or counter gives it.
        word: field of the text, "" where it is missing; in lower case.

    Raises:
        RefusedFileError: "ingest.not_a_record", or a field that is no number; with the line.
    """
    columns: dict[str, list[float]] = {key: [] for key in numbers}
    words: list[str] = []
    for line, document in json_lines(upload):
        if not isinstance(document, Mapping) or not document.keys() >= marks:
            raise refusal(
                "ingest.not_a_record",
                t("The line is no record of a request"),
                upload.name,
                t("Send the file again as the tool wrote it"),
                line=line,
            )
        fields = Fields(document, Place(upload.name, line))
        words.append((fields.text(word) or "").lower())
        for key in numbers:
            value = fields.number(key)
            columns[key].append(UNKNOWN if value is None else value)
    return {key: known(np.array(values)) for key, values in columns.items()}, words
