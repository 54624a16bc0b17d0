"""The JSON documents of the command line, key by key as their schemas promise.

Sentences are in English here: a script reads codes, and a log has one language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from core import VERSION
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.admission import Admission
from core.model.answer import (
    BatchAnswer,
    Capacity,
    Cost,
    Interval,
    LoadPoint,
    NextMeasurement,
    RunAnswer,
    TrafficAnswer,
)
from core.model.finding import Finding
from core.model.metric import quantile_name
from core.model.refusal import Refusal
from core.model.run import Run
from core.model.stage import Stage, Statistics
from core.model.target import Target
from core.model.traffic import Traffic
from core.normalise.doubts import GroupingDoubt
from core.present.causes import sureness, told_of
from core.present.sensitivity_document import sensitivity_document

Json = dict[str, Any]


def plan_document(
    answers: Sequence[RunAnswer],
    targets: Sequence[Target],
    refused: Sequence[Refusal],
    *,
    generator: Json | None = None,
) -> Json:
    """Return the document of `plan`, valid against plan.schema.json.

    `generator` names version, method and constants that answered, where that was not this program now.
    """
    return {
        "schema": "plimsoll.plan/1",
        "generator": generator or {"version": VERSION, "method": METHOD, "constants": edition()},
        "targets": [target_document(target) for target in targets],
        "traffic": next((traffic_document(a.for_traffic.traffic) for a in answers if a.for_traffic), None),
        "runs": [_run(answer) for answer in answers],
        "refused": [refusal_document(refusal) for refusal in refused],
    }


def import_document(runs: Sequence[Run], refused: Sequence[Refusal], doubts: Sequence[GroupingDoubt] = ()) -> Json:
    """Return the document of `import`, valid against import.schema.json."""
    return {
        "schema": "plimsoll.import/1",
        "generator": {"version": VERSION},
        "runs": [
            {
                "id": run.id,
                "label": run.label,
                "kind": run.kind.value,
                "format": run.format_id,
                "format_version": run.format_version,
                "files": [asdict(file) for file in run.files],
                "load_axis": run.load_axis,
                "conditions": asdict(run.conditions),
                "calls": {metric.value: word for metric, word in run.calls.items()},
                "stages": [_stage(stage) for stage in run.stages],
                "findings": [_finding(finding) for finding in run.findings],
            }
            for run in runs
        ],
        "refused": [refusal_document(refusal) for refusal in refused],
        "doubts": [_doubt(doubt) for doubt in doubts],
    }


def target_document(target: Target) -> Json:
    """Return one target with its operator."""
    return {"metric": target.metric.value, "statistic": target.statistic, "limit": target.limit, "op": target.op}


def capacity_document(capacity: Capacity) -> Json:
    """Return one capacity; `supported` stands beside a quantile that cannot be told."""
    doubt = capacity.doubt
    return {
        "status": capacity.status.value,
        "concurrency": interval_document(capacity.concurrency),
        "safe_concurrency": capacity.safe,
        "binding": target_document(capacity.binding) if capacity.binding else None,
        "reasons": list(capacity.reasons),
        "doubt": {"noise": doubt.noise, "levels": doubt.levels, "requests": doubt.requests} if doubt else None,
        "supported": capacity_document(capacity.supported) if capacity.supported else None,
    }


def interval_document(interval: Interval | None) -> Json | None:
    """Return an interval, or null."""
    if interval is None:
        return None
    return {"low": interval.low, "mid": interval.mid, "high": interval.high, "level": interval.level}


def _run(answer: RunAnswer) -> Json:
    run = answer.run
    return {
        "id": run.id,
        "label": run.label,
        "kind": run.kind.value,
        "files": [file.name for file in run.files],
        "format": run.format_id,
        "format_version": run.format_version,
        "conditions": asdict(run.conditions),
        "load_axis": run.load_axis,
        "levels": list(answer.levels),
        "findings": [_finding(finding) for finding in answer.findings],
        "capacity": capacity_document(answer.capacity),
        "per_target": [
            {"target": target_document(each.target), "capacity": capacity_document(each.capacity)}
            for each in answer.per_target
        ],
        "at_capacity": _point(answer.at_capacity, None),
        "at_estimate": _point(answer.at_estimate, answer.cost_at_estimate),
        "cost": _cost(answer.cost),
        "next_measurement": _next(answer.next_measurement),
        "sensitivity": sensitivity_document(answer.sensitivity),
        "admission": _admission(answer.admission),
        "cause": _cause(answer),
        "workload": answer.workload.kind.value if answer.workload else None,
        "job": _job(answer),
        "throughput": _throughput(answer.batch),
        "for_your_traffic": _for_traffic(answer.for_traffic),
    }


def _point(point: LoadPoint | None, cost: Cost | None) -> Json | None:
    if point is None:
        return None
    rates = ("output_tok_s", "input_tok_s", "total_tok_s", "req_s", "tok_s_user")
    document: Json = {"at": point.at}
    document |= {name: interval_document(getattr(point, name)) for name in rates}
    document["metrics"] = {name: interval_document(interval) for name, interval in point.metrics.items()}
    document["memory_used_fraction"] = point.memory_used_fraction
    document["kv_used_fraction"] = point.kv_used_fraction
    if cost:
        document["cost"] = _cost(cost)
    return document


def _cost(cost: Cost | None) -> Json | None:
    return {f.name: _plain(getattr(cost, f.name)) for f in fields(Cost)} if cost else None


def _plain(value: object) -> object:
    return interval_document(value) if isinstance(value, Interval) else value


def _next(measurement: NextMeasurement | None) -> Json | None:
    if measurement is None:
        return None
    return {
        "concurrency": measurement.concurrency,
        "requests": measurement.requests,
        "why": str(measurement.why),
        "command": measurement.command,
        "rate": measurement.rate,
        "duration_s": measurement.duration_s,
        "width_now": measurement.width_now,
        "width_after": measurement.width_after,
        "commands": [
            {
                "tool": each.tool,
                "version": each.version,
                "command": each.command,
                "caution": str(each.caution) if each.caution else None,
            }
            for each in measurement.commands
        ],
    }


def _cause(answer: RunAnswer) -> Json | None:
    """Return what stops it; sentences are for people, codes for scripts."""
    cause, told, sure = answer.cause, told_of(answer), sureness(answer)
    if cause is None or told is None or sure is None:
        return None
    return {
        "kind": cause.kind.value,
        "confidence": sure.value,
        "at": cause.at,
        "sentence": told.sentence,
        "evidence": [{"code": sign.code, "text": str(sign.text)} for sign in cause.evidence],
        "also_possible": [kind.value for kind in cause.also_possible],
        "remedies": [{"code": r.code, "text": str(r.text), "source": r.source} for r in told.remedies],
        "profile": told.profile,
        "gpu_busy": answer.run.gpu_busy,
    }


def traffic_document(traffic: Traffic) -> Json:
    """Return the service's own traffic as it was given; null is unknown."""
    return asdict(traffic) | {"profiles": [asdict(profile) for profile in traffic.profiles]}


def _for_traffic(found: TrafficAnswer | None) -> Json | None:
    """Return the answer for the service's own traffic, null where nothing was said of it."""
    if found is None:
        return None
    return {
        "capacity": capacity_document(found.capacity),
        "per_target": [
            {"target": target_document(each.target), "capacity": capacity_document(each.capacity)}
            for each in found.per_target
        ],
        "differences": [asdict(each) for each in found.differences],
        "widened": found.widened,
        "findings": [_finding(finding) for finding in found.findings],
        "next_measurement": _next(found.next_measurement),
    }


def _admission(admission: Admission | None) -> Json | None:
    if admission is None:
        return None
    return {**asdict(admission), "waits": admission.waits.value, "reasons": list(admission.reasons)}


def _job(answer: RunAnswer) -> Json | None:
    """Return the job as asked with its time, cost and verdict, null where none was asked for."""
    asked = answer.workload.job if answer.workload else None
    found = answer.batch.job if answer.batch else None
    if asked is None or found is None:
        return None
    return {
        **asdict(asked),
        "completion_s": interval_document(found.completion_s),
        "deadline": found.deadline.value if found.deadline else None,
        "cost": interval_document(found.cost),
        "currency": found.currency,
        "reasons": list(found.reasons),
    }


def _throughput(batch: BatchAnswer | None) -> Json | None:
    if batch is None:
        return None
    best = batch.throughput
    return {
        "status": best.status.value,
        "rate": best.rate_name,
        "at": best.at,
        "highest": interval_document(best.rate),
        "enough": interval_document(best.enough),
        "limited_by": target_document(best.limited_by) if best.limited_by else None,
        "at_highest": _point(best.point, batch.cost),
        "reasons": list(best.reasons),
    }


def _doubt(doubt: GroupingDoubt) -> Json:
    """Return where the files could be read as other runs; the first reading is the one taken."""
    return {
        "kind": doubt.kind.value,
        "about": doubt.about or None,
        "files": list(doubt.files),
        "settled": doubt.settled,
        "chosen": doubt.chosen,
        "readings": [
            [{"name": run.name or None, "loads": list(run.loads), "requests": run.requests} for run in reading.runs]
            for reading in doubt.readings
        ],
    }


def _finding(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": str(finding.where),
        "what": str(finding.what),
        "consequence": str(finding.consequence) if finding.consequence else None,
        "fix": str(finding.fix) if finding.fix else None,
    }


def refusal_document(refusal: Refusal) -> Json:
    """Return one file that was not used."""
    return {
        "file": refusal.file,
        "line": refusal.line,
        "field": refusal.field,
        "code": refusal.code,
        "what": str(refusal.what),
        "fix": str(refusal.fix),
    }


def _stage(stage: Stage) -> Json:
    skipped = {"where", "statistics", "requests", "active_load_by_worker"}
    document: Json = {f.name: getattr(stage, f.name) for f in fields(Stage) if f.name not in skipped}
    workers = stage.active_load_by_worker
    document["active_load_by_worker"] = list(workers) if workers is not None else None
    document["where"] = str(stage.where)
    document["statistics"] = {metric.value: _statistics(found) for metric, found in stage.statistics.items()}
    document["percentile_rule"] = {metric.value: found.rule for metric, found in stage.statistics.items()}
    document["per_request_records"] = len(stage.requests) if stage.requests is not None else None
    return document


def _statistics(statistics: Statistics) -> Json:
    known: Json = {"mean": statistics.mean, "sd": statistics.sd, "n": statistics.n}
    known |= {quantile_name(q): value for q, value in sorted(statistics.quantiles.items())}
    # Only what the file gives or its requests allow: an unknown statistic has no key at all.
    return {name: value for name, value in known.items() if value is not None}
