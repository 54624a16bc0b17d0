"""Answers and runs as plain text for a terminal, in English."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.model.answer import RunAnswer
from core.model.finding import Finding
from core.model.metric import Metric
from core.model.price import Price, price_for
from core.model.run import Run
from core.model.run_name import with_id
from core.model.stage import Stage
from core.normalise.doubts import GroupingDoubt, ReadingRun
from core.present.admission import admission_texts
from core.present.bill import paid_text
from core.present.causes import told_of
from core.present.grouping import question, reading_title, why
from core.present.headline import headline
from core.present.measure import next_text
from core.present.names import target_text, value_text
from core.present.numbers import concurrency, plain
from core.present.price_words import marked
from core.present.units import unit_lines
from core.present.users import active_users
from core.present.worth import worth_line

_COLUMNS = (
    (Metric.TTFT, "p50"),
    (Metric.TTFT, "p99"),
    (Metric.TPOT, "mean"),
    (Metric.TPOT, "p99"),
    (Metric.ITL, "mean"),
    (Metric.ITL, "p99"),
    (Metric.E2E, "mean"),
    (Metric.E2E, "p99"),
)
"""Columns of a level, each only where some level of the run has it."""


def plan_table(
    answers: Sequence[RunAnswer], think_time_s: float | None, price: Price | None, *, today: date | None = None
) -> str:
    """Return what the Plan screen says of every run, then one row for each target; `today` tells an old price."""
    several = len(answers) > 1
    return "\n\n".join(_answer(answer, think_time_s, price, today, named=several) for answer in answers)


def import_table(runs: Sequence[Run], doubts: Sequence[GroupingDoubt] = ()) -> str:
    """Return levels and findings of every run, and where the files could be read as other runs."""
    return "\n\n".join([*(_run(run) for run in runs), *(_doubt(doubt) for doubt in doubts if not doubt.settled)])


def _doubt(doubt: GroupingDoubt) -> str:
    readings = [
        f"  {reading_title(doubt, i)}: {', '.join(_reading(run) for run in each.runs)}"
        for i, each in enumerate(doubt.readings)
    ]
    return _lines([f"{question(doubt)} {why(doubt)}", *readings])


def _reading(run: ReadingRun) -> str:
    loads = " ".join(_load(load) for load in run.loads)
    return f"{run.name} at {loads}".strip()


def _answer(
    answer: RunAnswer, think_time_s: float | None, price: Price | None, today: date | None, *, named: bool
) -> str:
    users = active_users(answer, think_time_s) if think_time_s is not None else None
    said = headline(answer, users=users, price=price)
    doubt = (said.estimate, said.stopped_by, said.throughput, *said.beside)
    first = (said.lead, said.safe, *doubt, *said.meaning, said.measured, said.widened)
    cost = marked(said.cost, price_for(price, answer.run.id), today) if said.cost and answer.cost else said.cost
    paid = paid_text(answer, price)
    last = (cost, f"Paid: {paid}" if paid else None, said.caution, said.source)
    name = with_id(answer.run.label, answer.run.id) if named else answer.run.label
    lines = [name, *(f"  {part}" for part in (*first, *last) if part), ""]
    rows = [["target", "status", "safe", "low", "estimate", "high", "reasons"]]
    for each in answer.per_target:
        found = each.capacity.concurrency
        bounds = [_load(getattr(found, bound) if found else None) for bound in ("low", "mid", "high")]
        safe = "" if each.capacity.safe is None else concurrency(each.capacity.safe)
        reasons = " ".join(each.capacity.reasons)
        rows.append([target_text(each.target), each.capacity.status.value, safe, *bounds, reasons])
    lines += _aligned(rows) if answer.per_target else []
    lines += _cause(answer)
    lines += _limit(answer)
    worth = worth_line(answer)
    if worth:
        lines += ["", f"  Worth{', for the traffic as measured' if answer.for_traffic else ''}: {worth}"]
    units = unit_lines(answer, price, think_time_s)
    if any(line.known for line in units):
        lines += ["", "  Cost of:", *(f"    {line.name}: {line.amount}" for line in units)]
    wanted = answer.next_measurement
    if wanted:
        lines += ["", f"  Next: {next_text(answer)}"]
        lines += [f"    {line}" for line in (wanted.command or "").splitlines()]
    return _lines([*lines, *_findings(answer.findings)])


def _cause(answer: RunAnswer) -> list[str]:
    """Return what stops it, why that is thought, and what fits it, one line each."""
    told = told_of(answer)
    if told is None:
        return []
    helps = [f"    Helps: {remedy.text}" for remedy in told.remedies]
    how = [f"    How: {told.profile}"] if told.profile else []
    return ["", f"  Cause: {told.sentence}", *(f"    {sentence}" for sentence in told.evidence), *helps, *how]


def _limit(answer: RunAnswer) -> list[str]:
    """Return the first sentence about the limit to configure: how many requests to let in."""
    said = admission_texts(answer)
    return ["", f"  Limit: {said[0]}"] if said else []


def _run(run: Run) -> str:
    known = ", ".join(f"{name} {value}" for name, value in run.conditions.known().items())
    lines = [f"{with_id(run.label, run.id)} ({run.kind.value}, {run.format_id})", f"  {known}", ""]
    columns = [
        (metric, name) for metric, name in _COLUMNS if any(s.value(metric, name) is not None for s in run.stages)
    ]
    heads = ["load", "good", "failed", "output tok/s", *(f"{metric.value} {name}" for metric, name in columns)]
    return _lines([*lines, *_aligned([heads, *(_stage(s, columns) for s in run.stages)]), *_findings(run.findings)])


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(printable(line) for line in lines)


def _stage(stage: Stage, columns: Sequence[tuple[Metric, str]]) -> list[str]:
    values = [(metric, stage.value(metric, name)) for metric, name in columns]
    shown = ["" if value is None else value_text(metric, value) for metric, value in values]
    counts = ["" if n is None else concurrency(n) for n in (stage.requests_good, stage.requests_failed)]
    return [_load(stage.load), *counts, _number(stage.output_tok_s), *shown]


def _findings(findings: Sequence[Finding]) -> list[str]:
    said = []
    for finding in findings:
        parts = (finding.what, finding.consequence, finding.fix)
        sentence = ". ".join(str(part) for part in parts if part)
        said.append(f"  {finding.severity.value}: {sentence} [{finding.code}] {finding.where}".rstrip())
    return ["", *said] if said else []


def _number(value: float | None) -> str:
    return "" if value is None else plain(value)


def _load(value: float | None) -> str:
    return "" if value is None else concurrency(value, decimals=1)


def printable(text: str) -> str:
    r"""Return text of a file for a terminal: what would move the cursor, colour or reorder it shows as a mark.

    >>> printable("a\x1b[31m\nb\u202e")
    'a\ufffd[31m\ufffdb\ufffd'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
