"""What the columns of GuideLLM's tables mean, and a row of them in the shape of the JSON report."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import Place, RefusedFileError
from core.i18n import t

PERCENTILES = ("min", "p001", "p01", "p05", "p10", "p25", "p75", "p90", "p95", "p99", "max")
"""Order inside a cell: the tables hold no p50 there, it is the median."""

ROUNDED = 0.005 + 1e-9
"""How far a rate with two decimals may be from the one it stands for."""

STATISTICS = {"mean": "mean", "median": "median", "std dev": "std_dev", "percentiles": "percentiles"}
_METRICS = {
    ("Request Latency", "Sec"): "request_latency",
    ("Time to First Token", "ms"): "time_to_first_token_ms",
    ("Inter Token Latency", "ms"): "inter_token_latency_ms",
    ("Server Throughput", "Requests/Sec"): "requests_per_second",
    ("Server Throughput", "Concurrency"): "request_concurrency",
    ("Token Metrics", "Input Tokens"): "prompt_token_count",
    ("Token Metrics", "Output Tokens"): "output_token_count",
    ("Token Throughput", "Output Tokens/Sec"): "output_tokens_per_second",
    ("Token Throughput", "Total Tokens/Sec"): "tokens_per_second",
}
_WANTED = frozenset(_METRICS.values())
_STATUS = re.compile(r"(Successful|Incomplete|Errored|Total) (.+)")
_EARLY = re.compile(r"(Successful|Incomplete|Errored|Total) (.+?) (mean|median|std dev|\[min, 0\.1, 1, 5.*\])")
_ENDINGS = {"Successful": "successful", "Incomplete": "incomplete", "Errored": "errored", "Total": "total"}
_RATED = re.compile(r"([a-z_]+)@([0-9.]+)")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a statistic of a metric by how requests ended, or a plain value.

    Attributes:
        name: the group and field as written, or a plain column's own name.
        metric, ending, statistic: None where it is a plain value; metric is "" where none of ours.
    """

    name: tuple[str, str]
    metric: str | None = None
    ending: str | None = None
    statistic: str | None = None


Header = list[Column]


def header_of_three(rows: Sequence[Sequence[str]]) -> Header:
    """Return the columns of the later layout: group, field and statistic stand below each other."""
    wide = max(len(row) for row in rows)
    padded = [[*row, *[""] * (wide - len(row))] for row in rows]
    return [_column(group, field, statistic) for group, field, statistic in zip(*padded, strict=True)]


def early_header(cells: Sequence[str]) -> Header:
    """Return the columns of 0.2 and 0.3: "Successful Request latency mean"."""
    found = []
    for cell in cells:
        parts = _EARLY.fullmatch(cell.strip())
        if not parts:
            found.append(Column(("", cell.strip())))
            continue
        metric = parts[2].lower().replace(" ", "_")
        statistic = "percentiles" if parts[3].startswith("[") else STATISTICS[parts[3]]
        found.append(Column(("", cell), metric if metric in _WANTED else "", _ENDINGS[parts[1]], statistic))
    return found


def shifted(header: Header, cells: Sequence[str]) -> bool:
    """Whether a row has values for requests that it says there were none of: its columns are other ones."""
    counts = _counts(header, cells)
    for column, cell in zip(header, cells, strict=True):
        known = counts.get(column.ending or "")
        if column.metric is not None and known == 0.0 and cell.strip() and _nonzero(cell):
            return True
    return False


def report_of(header: Header, cells: Sequence[str], place: Place) -> dict[str, object]:
    """Return a row as a report of one level, its level under "benchmark".

    Raises:
        RefusedFileError: a list of percentiles or settings that cannot be read, with its place.
    """
    plain = {column.name: cell for column, cell in zip(header, cells, strict=True) if column.metric is None}
    counts = _counts(header, cells)
    totals = {ending: counts.get(ending) for ending in _ENDINGS.values()}
    early = ("", "Id") in plain
    settings = _early_settings(plain, place) if early else _settings(plain, place)
    metrics = _metrics(header, cells, place, totals)
    benchmark: dict[str, object] = {
        **settings,
        "duration": plain.get(("", "Duration") if early else ("Timings", "Duration")),
        "metrics": {**metrics, "request_totals": totals},
    }
    if early:
        return {"benchmark": benchmark}
    version = _object(plain, "Runtime Info", "Metadata", place)
    arguments = _object(plain, "Runtime Info", "Arguments", place)
    key = "config" if "spec" in arguments else "args"
    return {"benchmark": benchmark, "metadata": version, key: arguments}


def _column(group: str, field: str, statistic: str) -> Column:
    parts, known = _STATUS.fullmatch(field), STATISTICS.get(statistic.lower())
    if not parts or (known is None and " CI" not in statistic):
        return Column((group, field))
    metric = _METRICS.get((group, parts[2]), "") if known else ""
    return Column((group, field), metric, _ENDINGS[parts[1]], known)


def _counts(header: Header, cells: Sequence[str]) -> dict[str, float]:
    found = {}
    for column, cell in zip(header, cells, strict=True):
        group, field = column.name
        word = field.removesuffix(" Requests") if group == "" else field if group == "Request Counts" else ""
        if column.metric is None and word in _ENDINGS and (group or field.endswith(" Requests")):
            found[_ENDINGS[word]] = _number(cell)
    return {ending: count for ending, count in found.items() if count is not None}


def _metrics(
    header: Header, cells: Sequence[str], place: Place, totals: Mapping[str, float | None]
) -> dict[str, dict[str, dict[str, object]]]:
    found: dict[str, dict[str, dict[str, object]]] = {}
    for column, cell in zip(header, cells, strict=True):
        if not column.metric or column.ending is None or column.statistic is None or not cell.strip():
            continue
        block = found.setdefault(column.metric, {}).setdefault(column.ending, {"count": totals.get(column.ending)})
        if column.statistic == "percentiles":
            values = _list(cell, place, column)
            block |= {"max": values["max"], "percentiles": {k: v for k, v in values.items() if k[0] == "p"}}
        else:
            block[column.statistic] = cell
    _add_total(found.get("request_concurrency", {}))
    return found


def _add_total(by_ending: dict[str, dict[str, object]]) -> None:
    """Requests in flight of every ending together: their means add up, since time is the same for all."""
    means = [_number(str(block.get("mean"))) for ending, block in by_ending.items() if ending != "total"]
    if "total" not in by_ending and means and None not in means:
        by_ending["total"] = {"mean": sum(mean or 0.0 for mean in means), "count": None}


def _settings(plain: Mapping[tuple[str, str], str], place: Place) -> dict[str, object]:
    profile = _object(plain, "Run Info", "Profile", place)
    index = _number(plain.get(("Run Info", "Run Index"), ""))
    return {
        "config": {
            "id_": plain.get(("Benchmark", "ID")),
            "run_id": plain.get(("Run Info", "Run ID")),
            "backend": _object(plain, "Run Info", "Backend", place),
            "profile": profile,
            "strategy": _strategy(plain.get(("Benchmark", "Strategy"), ""), profile, index),
        }
    }


def _early_settings(plain: Mapping[tuple[str, str], str], place: Place) -> dict[str, object]:
    profile = _object(plain, "", "Profile", place)
    backend = _object(plain, "", "Backend", place)
    return {
        "id_": plain.get(("", "Id")),
        "run_id": plain.get(("", "Run Id")),
        "args": {"profile": profile, "strategy": _strategy(plain.get(("", "Name"), ""), profile, None)},
        "worker": {"backend_model": backend.get("model"), "backend_target": backend.get("target")},
        "request_loader": {"data": _any(plain.get(("", "Generator Data"), ""))},
    }


def _strategy(text: str, profile: Mapping[str, object], index: float | None) -> dict[str, object]:
    """Return a strategy such as "concurrent@4"; 0.4 to 0.6 write its kind and leave the load to the profile."""
    named = _RATED.fullmatch(text.strip())
    kind = named[1] if named else text.strip()
    load: object = named[2] if named else None
    steps = profile.get("streams") if kind == "concurrent" else profile.get("rate")
    # The profile has the rate in full, the strategy's name two decimals of it.
    if isinstance(steps, list) and index is not None and 0 <= int(index) < len(steps):
        exact, rounded = steps[int(index)], _number(str(load))
        near = _number(str(exact))
        if load is None or (near is not None and rounded is not None and abs(near - rounded) <= ROUNDED):
            load = exact
    return {"type_": kind, "streams" if kind == "concurrent" else "rate": load}


def _object(plain: Mapping[tuple[str, str], str], group: str, field: str, place: Place) -> dict[str, object]:
    """Return a setting that is an object written as JSON, {} where there is none."""
    cell = plain.get((group, field), "")
    if not cell.strip():
        return {}
    found = _any(cell)
    if not isinstance(found, dict):
        raise _unreadable(place, f"{group} {field}".strip())
    return found


def _list(cell: str, place: Place, column: Column) -> dict[str, object]:
    found = _any(cell.replace("None", "null"))
    if not isinstance(found, list) or len(found) != len(PERCENTILES):
        raise _unreadable(place, " ".join(column.name).strip())
    return dict(zip(PERCENTILES, found, strict=True))


def _any(cell: str) -> object:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _nonzero(cell: str) -> bool:
    return _number(cell) != 0.0 and any(digit in cell for digit in "123456789")


def _unreadable(place: Place, field: str) -> RefusedFileError:
    return RefusedFileError(
        "ingest.unexpected",
        t("{field} does not hold what it should", field=field),
        fix=t("Check the file: it may have been edited or mixed with another"),
        place=Place(place.file, place.line, field),
    )
