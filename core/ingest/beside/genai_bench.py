"""What genai-bench writes beside its results. docs/formats/genai_bench.md."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.raw import Head

_ENTRY = struct.Struct("<4sHHHHHIIIHH")
_START, _DEFLATED = b"PK\x03\x04", 8
_ENTRIES, _PART_BYTES = 8, 65_536
_SHEET = (b"server_engine", b"traffic_scenario")


def _is_workbook(head: Head) -> bool:
    """Whether a sheet at the start of a workbook lists the metadata of an experiment."""
    return any(all(mark in part for mark in _SHEET) for part in _sheets(head.sample))


def _sheets(sample: bytes) -> Iterator[bytes]:
    """Yield the first bytes of the sheets that begin in the sample; a packed part is unfolded up to a limit."""
    at = 0 if sample.startswith(_START) else -1
    for _ in range(_ENTRIES):
        if at < 0 or len(sample) < at + _ENTRY.size:
            return
        _, _, _, method, *_, name_bytes, extra_bytes = _ENTRY.unpack_from(sample, at)
        body = at + _ENTRY.size + name_bytes + extra_bytes
        if method == _DEFLATED and sample[at + _ENTRY.size :].startswith(b"xl/worksheets/"):
            try:
                yield zlib.decompressobj(-zlib.MAX_WBITS).decompress(sample[body:], _PART_BYTES)
            except zlib.error:
                return
        at = sample.find(_START, body)


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_workbook,
        what=t("This is genai-bench's workbook: the same results again, put together for reading"),
        fix=t("Send the JSON files of the same folder, with experiment_metadata.json"),
    ),
)
"""Kinds of file that hold no load level."""
