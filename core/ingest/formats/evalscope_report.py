"""EvalScope's report of all levels: performance_summary.txt, and the end of what it prints. docs/formats/evalscope.md.

Since 1.14 with three tables; in 2025 with one, whose times per token are rounded to a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.ingest.formats import evalscope_level as level
from core.ingest.formats.evalscope_text import Table, body_of, header_of
from core.ingest.raw import Scalar

_LOAD, _RATE = "Conc.", "Rate"
_OVERVIEW = {"Num": "Total requests", "RPS": "Request throughput (req/s)", "Gen/s": "Output token throughput (tok/s)"}
_STATISTICS = {"avg": "mean", "p50": "p50", "p99": "p99"}
_DETAILS = {
    "RPS": ("mean", "Request throughput (req/s)"),
    "Gen. toks/s": ("mean", "Output token throughput (tok/s)"),
    "Avg Lat.(s)": ("mean", "Average latency (s)"),
    "P99 Lat.(s)": ("p99", "Latency (s)"),
    "Avg TTFT(s)": ("mean", "Average time to first token (s)"),
    "P99 TTFT(s)": ("p99", "TTFT (s)"),
}
_SUCCESS = ("Success", "Success Rate")

Load = tuple[str, str]
Cell = tuple[str, object, int | None]
Rows = dict[Load, dict[str, list[Cell]]]


def model_of(tables: Sequence[Table]) -> str | None:
    """Return the model that the report's first table names."""
    for table in tables:
        for _, cells in table.rows:
            if len(cells) == 2 and cells[0] == "Model" and cells[1]:
                return cells[1]
    return None


def levels_of(tables: Sequence[Table], name: str, conditions: Mapping[str, Scalar]) -> list[level.Said]:
    """Return what the report says of every level, in its order; nothing where there is no report."""
    rows: Rows = {}
    for table in tables:
        header = header_of(table)
        if header[:1] == [_LOAD]:
            _add(rows, table, header)
    return [_said(load, found, name, conditions) for load, found in rows.items()]


def _add(rows: Rows, table: Table, header: list[str]) -> None:
    load: Load = ("", "")
    for number, cells in body_of(table):
        row = dict(zip(header, cells, strict=False))
        # Below the first line of a level its load is not repeated.
        load = (row[_LOAD], row.get(_RATE, "-")) if row.get(_LOAD) else load
        found = rows.setdefault(load, {})
        if "Metric" in row:
            for column, statistic in _STATISTICS.items():
                _put(found, statistic, (row["Metric"], row.get(column, "-"), number))
        for column, label in _OVERVIEW.items():
            if "Num" in row and column in row:
                _put(found, "mean", (label, row[column], number))
        for column, (statistic, label) in _DETAILS.items():
            if "Num" not in row and column in row:
                _put(found, statistic, (label, row[column], number))
        share = next((row[key] for key in _SUCCESS if key in row), "")
        if share.rstrip("%") in ("100", "100.0") and "Num" in row:
            found.setdefault("mean", []).extend(
                [("Succeed requests", row["Num"], number), ("Failed requests", "0", number)]
            )


def _put(found: dict[str, list[Cell]], statistic: str, cell: Cell) -> None:
    found.setdefault(statistic, []).append(cell)


def _said(load: Load, found: dict[str, list[Cell]], name: str, conditions: Mapping[str, Scalar]) -> level.Said:
    concurrency, rate = load
    line = next((at for _, _, at in found.get("mean", []) if at), None)
    asked: list[Cell] = [("Number of concurrency", concurrency, line), ("Request rate (req/s)", rate, line)]
    summary = level.Told([*asked, *_tokens(found.get("mean", []))], name, line)
    percentiles = {
        statistic: level.Told(cells, name, line) for statistic, cells in found.items() if statistic != "mean"
    }
    return level.Said(
        summary=summary, percentiles=percentiles, where=level.beside(name, summary), conditions=conditions
    )


def _tokens(cells: Sequence[Cell]) -> list[Cell]:
    """Give the means of lengths the label that a summary has for them."""
    names = {"Input Tokens": "Average input tokens per request", "Output Tokens": "Average output tokens per request"}
    return [(names.get(label, label), value, line) for label, value, line in cells]
