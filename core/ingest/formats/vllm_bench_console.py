"""vLLM's printed result, copied or logged: of `vllm bench serve`, formerly `benchmark_serving.py`.

Forks that print the same labels are read the same way. Details: docs/formats/vllm_bench_console.md.
"""

from __future__ import annotations

from core.ingest.console_block import first_block, has_block
from core.ingest.console_file import console_file, printed_start
from core.ingest.raw import Head, RawFile, Upload

FORMAT_ID = "vllm_bench_console"
LABEL = "vLLM bench serve (printed result)"

_EARLY = (
    "Starting initial single prompt test run",
    "Initial test run completed. Starting main benchmark run",
)


def match(head: Head) -> float:
    """Return how sure this is: by the first result's lines, or by what the tool prints before it."""
    text = printed_start(head)
    if not has_block(text):
        return 0.9 if any(line in text for line in _EARLY) else 0.0
    first = first_block(text)
    return 0.95 if "backend" not in first else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per printed result.

    Raises:
        RefusedFileError: no result, one that is cut off, or text where a number belongs; with its line.
    """
    return console_file(upload, FORMAT_ID)
