"""SGLang's printed result, copied or logged: `python -m sglang.bench_serving`: blocks that name their backend.

Details: docs/formats/sglang_bench_console.md.
"""

from __future__ import annotations

from core.ingest.console_block import first_block, has_block
from core.ingest.console_file import console_file, printed_start
from core.ingest.raw import Head, RawFile, Upload

FORMAT_ID = "sglang_bench_console"
LABEL = "SGLang bench_serving (printed result)"

_EARLY = ("benchmark_args=Namespace(", "#Input tokens: ", "Starting warmup with ")


def match(head: Head) -> float:
    """Return how sure this is: by the first result's lines, or by what the tool prints before it."""
    text = printed_start(head)
    if not has_block(text):
        return 0.9 if any(line in text for line in _EARLY) else 0.0
    first = first_block(text)
    return 0.95 if "backend" in first else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per printed result.

    Raises:
        RefusedFileError: no result, one that is cut off, or text where a number belongs; with its line.
    """
    return console_file(upload, FORMAT_ID)
