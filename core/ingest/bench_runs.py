"""Runs in a file of vLLM's benchmark script or a descendant: one document, a list, or one a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from core.errors import Place
from core.i18n import Text, t
from core.ingest.decode import json_document, json_lines, refusal
from core.ingest.fields import Fields
from core.ingest.nested import document_with_nested
from core.ingest.raw import Upload
from core.settings import LIMITS

_SEND_AGAIN = t("Send the file again as the tool wrote it")
_UNREAD = frozenset({"generated_texts"})
_INDENT = 4_096


def runs_in(upload: Upload, is_run: Callable[[Mapping[str, object]], bool], not_a_run: Text) -> list[Fields]:
    """Return every run of a file with its place; at least one.

    Args:
        upload: the file, unpacked.
        is_run: whether an object is a run of the format.
        not_a_run: what to tell a person where it is not.

    Raises:
        RefusedFileError: not JSON, cut off, no run, too many, or something else among the runs.
    """
    found = _documents(upload)
    if not found:
        raise refusal("ingest.no_levels", t("The file holds no run"), upload.name, _SEND_AGAIN)
    if len(found) > LIMITS.levels:
        raise refusal(
            "ingest.too_large",
            t("The file holds more than {limit} runs", limit=LIMITS.levels),
            upload.name,
            t("Split it into several files"),
        )
    runs = []
    for place, run in found:
        if not isinstance(run, Mapping) or not is_run(run):
            raise refusal(
                "ingest.missing_field", not_a_run, upload.name, _SEND_AGAIN, line=place.line, field=place.field
            )
        runs.append(Fields(run, place))
    return runs


def _documents(upload: Upload) -> list[tuple[Place, object]]:
    data = upload.data.removeprefix(b"\xef\xbb\xbf")
    # Appended results are one object a line; a document printed over several lines starts them with a name.
    several = _lines(data)
    if several and (several > 1 or PurePosixPath(upload.name).suffix.lower() == ".jsonl"):
        return [(Place(upload.name, number), run) for number, run in json_lines(upload)]
    detailed = document_with_nested(data, "itls", _UNREAD)
    if detailed is not None:
        return [(Place(upload.name), detailed)]
    document = json_document(upload)
    if isinstance(document, list):
        return [(Place(upload.name, None, f"[{i}]"), run) for i, run in enumerate(document)]
    return [(Place(upload.name), document)]


def _lines(data: bytes) -> int:
    """Return how many lines say something, 0 where one of them is no object; nothing of them is copied."""
    count, at = 0, 0
    while at < len(data):
        end = data.find(b"\n", at) + 1 or len(data)
        # A line of a detailed result is as long as the file.
        start = data[at : min(end, at + _INDENT)].lstrip()[:1]
        if start and start != b"{":
            return 0
        count, at = count + bool(start), end
    return count
