"""vLLM `bench sweep serve`, `serve_workload` (once `serve_sla`): summary.csv, the runs of a sweep flattened to rows.

Its columns are the keys of the runs' JSON, then `run_number` and the swept settings of server and benchmark.
Source: vllm/benchmarks/sweep/serve.py, 2025 to 2026; docs/formats/vllm_bench.md.
"""

from __future__ import annotations

import re

from core.errors import Place
from core.ingest.fields import Fields
from core.ingest.formats import vllm_bench
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.ingest.table import header_of, table_of
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "vllm_bench_csv"
LABEL = "vLLM bench sweep (summary.csv)"

_STAMPS = frozenset({"model_id", "num_prompts", "completed", "duration", "total_input_tokens", "request_throughput"})
_WHOLE, _NUMBER = re.compile(r"[+-]?\d{1,18}"), re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORDS: dict[str, Scalar] = {"": None, "True": True, "False": False}


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header holds the keys of vLLM's runs."""
    return frozenset(header) >= _STAMPS


def match(head: Head) -> float:
    """0.95 where every column that tells the format is there."""
    return 0.95 if claims(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per row; a run that is also there as JSON has the same key.

    Raises:
        RefusedFileError: a damaged table, or a cell that is no number; with line and column.
    """
    table = table_of(upload, LIMITS.levels)
    rows = [
        Fields(
            {name: _value(cell) for name, cell in zip(table.header, row.cells, strict=True) if name},
            Place(table.name, row.line),
        )
        for row in table.rows
    ]
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(vllm_bench.level_of(row, alone=len(rows) == 1) for row in vllm_bench.without_warm_up(rows)),
    )


def _value(cell: str) -> Scalar:
    """Return a cell as the JSON had it; a list is left out, because only the JSON keeps requests in order."""
    text = cell.strip()
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith(("[", "{")):
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
