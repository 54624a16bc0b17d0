"""Write what was measured: results.json, results.md, the diagram, the table of docs/method.md, the app's summary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.accuracy.questions import HERE, SETS
from benchmarks.accuracy.reliability import drawing
from core.fit.edition import edition
from core.fit.method import METHOD, VERSION
from core.settings import DATA, ROOT

COMMAND = "python -m benchmarks.accuracy.run"
COLUMNS = (
    "refused",
    "median_error",
    "p90_error",
    "coverage",
    "width",
    "interval_score",
    "safe_unsafe",
    "safe_unsafe5",
    "safe_loss",
)
RANGED = ("coverage", "width")
"""Figures that mean nothing for a method without a range."""

GROUPS = ("grid", "statistic", "metric", "slope")
SMALL, FEW = ("median_error", "p90_error", "safe_unsafe5"), 500
COVERED = (0.86, 0.95)
"""A cell of `FEW` questions or more whose coverage lies outside is marked."""

NAMES = {
    "this": "**this method**",
    "best_pass": "best pass: the largest level that passed",
    "linear": "straight lines",
    "log_linear": "straight lines in ln N",
    "pchip": "PCHIP",
    "isotonic_pchip": "PAVA + PCHIP, as AIPerf searches",
    "cubic": "cubic, last crossing",
    "quadratic": "quadratic, last crossing",
    "usl": "universal scalability law",
}
LINE_NAMES = {"low": "low end", "safe": "safe number", "mid": "estimate", "high": "high end"}

DOC = ROOT / "docs" / "method.md"
BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"
GAINS_BEGIN, GAINS_END = "<!-- gains: begin -->", "<!-- gains: end -->"
SEVERAL_BEGIN, SEVERAL_END = "<!-- several: begin -->", "<!-- several: end -->"
SUMMARY = DATA / "method" / f"accuracy-{VERSION}.json"
DIAGRAM = HERE / "reliability.svg"

Document = Mapping[str, Any]


def publish(document: Document) -> None:
    """Write every place that shows the figures."""
    _write(HERE / "results.json", json.dumps(document, indent=1) + "\n")
    _write(HERE / "results.md", markdown(document))
    _write(DIAGRAM, diagram(document))
    _write(SUMMARY, summary(document))
    publish_page(section(document), BEGIN, END)


def publish_page(body: str, begin: str, end: str) -> None:
    """Put a text between its markers on the page of the method."""
    _write(DOC, inserted(DOC.read_text(encoding="utf-8"), body, begin, end))


def gains_text(found: Document) -> str:
    """The sentence of docs/method.md on gains."""
    parts = []
    for dataset, rows in found.items():
        for factor, row in rows.items():
            more = f"{100 * (float(factor) - 1):.0f} % looser"
            parts.append(f"{_percent(row['coverage'])} of {row['n']} {dataset} questions ({more})")
    return f"The range of a gain held the true one in {', '.join(parts)}."


def several_text(found: Document, close: float) -> str:
    """The sentence of docs/method.md on several targets together."""
    alone, both, near = (found[name] for name in ("single", "pairs", "close"))
    return (
        f"Measured on simulated sweeps, the safe number was too much for {_percent(alone['too_much'])} of {alone['n']} "
        f"single targets, {_percent(both['too_much'])} of {both['n']} pairs of targets on two metrics, and "
        f"{_percent(near['too_much'])} of the {near['n']} pairs whose estimates lie within a factor of {close:g}."
    )


def outside(document: Document, dataset: str) -> list[str]:
    """Return the cells of `FEW` questions or more whose coverage is outside `COVERED`."""
    low, high = COVERED
    return [
        f"{group} {name}"
        for group in GROUPS
        for name, cell in document[dataset][group].items()
        if cell["n"] >= FEW and not low <= cell.get("coverage", -1.0) <= high
    ]


def diagram(document: Document) -> str:
    return drawing({dataset: document[dataset]["reliability"] for dataset in SETS})


def markdown(document: Document) -> str:
    """The full table: overall, against simple methods, by cell, and how often each line holds."""
    out = ["# Accuracy", "", f"Made by `{COMMAND}` (constants cross-fitted by deployment: see docs/method.md).", ""]
    out += ["A baseline has no range, so it has no coverage and no width.", ""]
    for dataset in SETS:
        own = document[dataset]
        rows = {"this method": own["overall"]} | {
            name: {key: value for key, value in row.items() if key not in RANGED}
            for name, row in own["baselines"].items()
        }
        out += [f"## {dataset}", "", *_table(rows, "method")]
        marked = outside(document, dataset)
        said = ", ".join(marked) if marked else "none"
        out += [f"Cells of {FEW} questions or more with a coverage outside {COVERED[0]}–{COVERED[1]}: {said}.", ""]
        for group in GROUPS:
            shown = {f"{name} (!)" if f"{group} {name}" in marked else name: row for name, row in own[group].items()}
            out += [f"### by {group}", "", *_table(shown, group), *_beside(own, group)]
        out += ["### how often each line holds", "", *_lines(own["reliability"]), ""]
    return "\n".join(out)


def section(document: Document) -> str:
    """The tables of docs/method.md."""
    rows = [
        (
            "| on | method | no answer | error: median | 90 % of answers | range holds | interval score "
            "| safe number unsafe by > 5 % | safe number gives away |"
        ),
        "| --- " * 9 + "|",
    ]
    for dataset in SETS:
        own = document[dataset]
        for name, row in ({"this": own["overall"]} | own["baselines"]).items():
            ranged = name == "this"
            rows.append(
                f"| {dataset} | {NAMES[name]} | {_percent(row['refused'])} | {_percent(row['median_error'])} "
                f"| {_percent(row['p90_error'])} | {_percent(row['coverage']) if ranged else '-'} "
                f"| {row['interval_score']} | {_percent(row['safe_unsafe5'])} "
                f"| {_percent(row['safe_loss'])} |"
            )
    marked = {dataset: outside(document, dataset) for dataset in SETS}
    said = "; ".join(f"{dataset}: {', '.join(cells)}" for dataset, cells in marked.items() if cells)
    rows += ["", f"Cells of {FEW} questions or more whose range holds less often than {_whole(COVERED[0])} "]
    rows[-1] += f"or more often than {_whole(COVERED[1])}: {said or 'none'}."
    rows += ["", "| on | line | truths below it, as promised | as found | ± |", "| --- " * 5 + "|"]
    for dataset in SETS:
        for name, one in document[dataset]["reliability"]["below"].items():
            least = "at most " if name == "safe" else ""
            rows.append(
                f"| {dataset} | {LINE_NAMES[name]} | {least}{_whole(one['nominal'])} | {_percent(one['found'])} "
                f"| {_percent(one['error'])} |"
            )
    return "\n".join([*rows, "", "![How often each line holds](../benchmarks/accuracy/reliability.svg)"])


def inserted(text: str, body: str, begin: str = BEGIN, end: str = END) -> str:
    """Return a page with what stands between its markers replaced.

    >>> inserted(f"a\\n{BEGIN}\\nold\\n{END}\\nb", "new").splitlines()[2]
    'new'
    """
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{begin} and {end} do not both stand on the page")
    return f"{before}{begin}\n{body}\n{end}{after}"


def summary(document: Document) -> str:
    """The figures that the app shows, one method or cell a line."""
    sets = []
    for dataset in SETS:
        own = document[dataset]
        rows = [{"name": "this", **own["overall"]}]
        rows += [
            {"name": name, **{key: value for key, value in row.items() if key not in RANGED}}
            for name, row in own["baselines"].items()
        ]
        cells = [{"group": group, "name": name, **cell} for group in GROUPS for name, cell in own[group].items()]
        sets.append({"name": dataset, **own["counts"], "rows": rows, "cells": cells, **own["reliability"]})
    head = {"version": VERSION, "method": METHOD, "constants": edition(), "sets": sets}
    return _compact(head) + "\n"


def _compact(value: object, depth: int = 0) -> str:
    """JSON with one line for each innermost object."""
    nested = isinstance(value, (dict, list)) and any(
        isinstance(one, (dict, list)) for one in (value.values() if isinstance(value, dict) else value)
    )
    if not nested:
        return json.dumps(value)
    pad = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        inner = f",{pad}".join(f"{json.dumps(key)}: {_compact(one, depth + 1)}" for key, one in value.items())
        return "{" + pad + inner + "\n" + " " * depth + "}"
    return "[" + pad + f",{pad}".join(_compact(one, depth + 1) for one in value) + "\n" + " " * depth + "]"


def _beside(own: Document, group: str) -> list[str]:
    """The simple methods in the same cells: median and p90 error, and how often more than 5 % over the limit."""
    cells = own["baselines_by_cell"][group]
    names = list(own["baselines"])
    lines = [f"| {group} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for cell, by_name in cells.items():
        shown = (" / ".join(str(by_name[name][key]) for key in SMALL) for name in names)
        lines.append(f"| {cell} | " + " | ".join(shown) + " |")
    return ["median error / p90 error / share over the limit by more than 5 %", "", *lines, ""]


def _lines(found: Document) -> list[str]:
    rows = ["| line or range | promised | found | ± |", "|---|---|---|---|"]
    for part in ("below", "inside"):
        rows += [f"| {part} {name} | {v['nominal']} | {v['found']} | {v['error']} |" for name, v in found[part].items()]
    return rows


def _table(rows: Mapping[str, Mapping[str, float]], first: str) -> list[str]:
    names = ("n", *COLUMNS)
    lines = [f"| {first} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for name, values in rows.items():
        lines.append(f"| {name} | " + " | ".join(str(values.get(column, "-")) for column in names) + " |")
    return [*lines, ""]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _whole(share: float) -> str:
    return f"{100 * share:.0f} %"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
