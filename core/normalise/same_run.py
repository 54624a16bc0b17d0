"""Several files about one execution (summary, table, per-request records) are one level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from core.i18n import t
from core.ingest.execution import NUMBERS
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.stage import Stage, Statistics
from core.normalise.agreement import disagreements
from core.normalise.level import Level, family
from core.normalise.printed import is_printed, with_keys_of_results
from core.normalise.signature import LOAD_DEPENDENT

_KEPT = frozenset({"where", "statistics", "requests", "replicates", "replicate_spread", "excluded"})


def one_per_execution(levels: Sequence[Level]) -> list[Level]:
    """Merge the levels whose run key, family and load are the same; records win over summaries.

    A key made of numbers alone holds across families: one tool's report may be rewritten by another.
    A level without a run key is an execution of its own. The result does not depend on the order of
    `levels`, except that it keeps it.
    """
    buckets: dict[object, list[Level]] = defaultdict(list)
    for position, level in enumerate(with_keys_of_results(levels)):
        buckets[_bucket(level, position)].append(level)
    merged: list[Level] = []
    for bucket in buckets.values():
        merged.extend(_merged(part) for same in _by_load(bucket) for part in _not_contradicting(same))
    return merged


def _bucket(level: Level, position: int) -> object:
    if level.run_key is None:
        return position
    tool = None if level.run_key.startswith(NUMBERS) else family(level.format_id)
    return level.kind, tool, level.run_key


def _not_contradicting(levels: Sequence[Level]) -> list[list[Level]]:
    """Part levels so that two files of one format never contradict each other: copied figures are no second report."""
    parts: list[list[Level]] = []
    for level in levels:
        fitting = (part for part in parts if not any(_contradict(level, other) for other in part))
        part = next(fitting, None)
        if part is None:
            parts.append([level])
        else:
            part.append(level)
    return parts


def _contradict(one: Level, other: Level) -> bool:
    if one.format_id != other.format_id:
        return False
    mine, theirs = _known(one.conditions), _known(other.conditions)
    return any(mine[name] != theirs[name] for name in (mine.keys() & theirs.keys()) - LOAD_DEPENDENT)


Load = tuple[float | None, float | None]
"""Concurrency and rate as asked for, None where a file does not say it."""


def _by_load(levels: Sequence[Level]) -> list[list[Level]]:
    """Part levels of one key by the load they name; one that says less goes with the only one that says more."""
    parts: dict[Load, list[Level]] = defaultdict(list)
    for level in levels:
        parts[level.stage.asked_concurrency, level.stage.asked_rate].append(level)
    for said in sorted(parts, key=_told, reverse=True):
        fuller = [other for other in parts if _says_more(other, said)]
        if len(fuller) == 1:
            parts[fuller[0]] += parts.pop(said)
    return list(parts.values())


def _told(load: Load) -> int:
    return sum(value is not None for value in load)


def _says_more(other: Load, said: Load) -> bool:
    agree = all(mine is None or mine == theirs for mine, theirs in zip(said, other, strict=True))
    return agree and _told(other) > _told(said)


def _merged(levels: list[Level]) -> Level:
    ranked = sorted(levels, key=_rank)
    first = ranked[0]
    for other in ranked[1:]:
        first = _joined(first, other)
    return first


def _rank(level: Level) -> tuple[bool, bool, bool, int, str, str]:
    stage = level.stage
    known = sum(len(found.quantiles) for found in stage.statistics.values())
    # A report that does not say at which load it was measured is a part of another one.
    unnamed = stage.asked_concurrency is None and stage.asked_rate is None
    return stage.requests is None, is_printed(level), unnamed, -known, level.file.name, level.file.sha256


def _joined(first: Level, other: Level) -> Level:
    filled: dict[str, Any] = {
        f.name: getattr(other.stage, f.name)
        for f in fields(Stage)
        if f.name not in _KEPT and getattr(first.stage, f.name) is None
    }
    statistics = _statistics(first.stage.statistics, other.stage.statistics)
    told = tuple(
        replace(
            finding, code="same_run.disagree", what=t("{what} (in another file of the same run)", what=finding.what)
        )
        for finding in disagreements(_comparable(first, other), first.stage.statistics, other.stage.where)
    )
    stage = replace(first.stage, statistics=statistics, load_from_name=_only_named(first, other), **filled)
    return replace(
        first,
        stage=stage,
        gaps_s=first.gaps_s if first.gaps_s.size else other.gaps_s,
        conditions={**_known(other.conditions), **_known(first.conditions)},
        identity=_settings(first, other),
        findings=_still_true((*first.findings, *other.findings, *told, _noted(first, other)), stage),
        loop=_loop(first, other, stage),
        also=(*first.also, other.file, *other.also),
        keys=(*first.keys, *other.keys),
    )


def _settings(first: Level, other: Level) -> Mapping[str, Any]:
    """Return what tells the configuration apart: records say less of it than the summary in the same format."""
    same = first.format_id == other.format_id
    return {**_known(other.identity), **_known(first.identity)} if same else first.identity


def _loop(first: Level, other: Level, stage: Stage) -> str:
    """Return the loop; where one file names a ceiling and the other the rate, requests were sent at the rate."""
    if stage.asked_rate is not None:
        return "open"
    return other.loop if first.loop == "unstated" else first.loop


def _still_true(findings: Sequence[Finding], stage: Stage) -> tuple[Finding, ...]:
    """Leave out that nobody said the load where another file did."""
    unsaid = stage.asked_rate is None and stage.asked_concurrency is None
    return tuple(finding for finding in findings if unsaid or finding.code != "ingest.no_load")


def _comparable(first: Level, other: Level) -> dict[Metric, Statistics]:
    """Return what the other says of metrics that both define alike."""
    return {m: found for m, found in other.stage.statistics.items() if m not in first.akin | other.akin}


def _only_named(first: Level, other: Level) -> bool:
    """Return True where no content of either file says the load."""
    telling = [each.stage for each in (first, other) if each.stage.asked_concurrency or each.stage.asked_rate]
    return bool(telling) and all(stage.load_from_name for stage in telling)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _statistics(first: Mapping[Metric, Statistics], other: Mapping[Metric, Statistics]) -> dict[Metric, Statistics]:
    merged = {**other, **first}
    for metric in first.keys() & other.keys():
        mine, theirs = first[metric], other[metric]
        if mine.rule == theirs.rule == "given":
            merged[metric] = replace(
                mine,
                mean=theirs.mean if mine.mean is None else mine.mean,
                sd=theirs.sd if mine.sd is None else mine.sd,
                n=theirs.n if mine.n is None else mine.n,
                quantiles={**theirs.quantiles, **mine.quantiles},
            )
    return merged


def _noted(first: Level, other: Level) -> Finding:
    return Finding(
        code="same_run.merged",
        severity=Severity.INFO,
        where=other.stage.where,
        what=t("{one} and {other} are about the same run", one=first.file.name, other=other.file.name),
        consequence=t("They are one level; per-request records come first, then the fuller summary"),
    )
