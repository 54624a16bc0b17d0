"""Stages and targets as the command line's JSON writes them: one line of `batch`.

A missing key means null. Only `statistics` and one of `asked_concurrency`, `asked_rate`,
`achieved_concurrency` are needed in a stage (contracts of the command line, batch).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from core.errors import Place, UsageError
from core.i18n import t
from core.model.metric import MEASURED, Metric, fraction
from core.model.stage import Stage, Statistics
from core.model.target import Target
from core.settings import LIMITS

Positive = Annotated[float, Meta(gt=0.0)]
NotNegative = Annotated[float, Meta(ge=0.0)]

_SINGLE = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT})


class StageRecord(Struct, frozen=True, kw_only=True):
    """One level; names, units and nulls as in the import document."""

    statistics: dict[str, dict[str, float | str | None]]
    where: str | None = None
    asked_concurrency: Positive | None = None
    asked_rate: Positive | None = None
    applied_rate: NotNegative | None = None
    achieved_concurrency: NotNegative | None = None
    achieved_rate: NotNegative | None = None
    requests_sent: NotNegative | None = None
    requests_good: NotNegative | None = None
    requests_failed: NotNegative | None = None
    requests_cut_off: NotNegative | None = None
    duration_s: NotNegative | None = None
    input_tokens_mean: NotNegative | None = None
    output_tokens_mean: NotNegative | None = None
    output_tok_s: NotNegative | None = None
    total_tok_s: NotNegative | None = None
    max_num_seqs: NotNegative | None = None
    excluded: str | None = None


class TargetRecord(Struct, frozen=True, kw_only=True):
    """One target; `op` follows the metric when absent."""

    metric: str
    statistic: str
    limit: Positive
    op: str | None = None


class LineRecord(Struct, frozen=True, kw_only=True):
    """One line of `batch`."""

    id: str
    stages: list[StageRecord]
    target_sets: list[list[TargetRecord]]


class _Id(Struct, frozen=True):
    id: str | None = None


@dataclass(frozen=True, slots=True)
class SweepQuestion:
    """One sweep, and the sets of targets that are asked of it."""

    id: str
    stages: tuple[Stage, ...]
    target_sets: tuple[tuple[Target, ...], ...]


_LINE = msgspec.json.Decoder(LineRecord)
_ID = msgspec.json.Decoder(_Id)


def read_line(line: bytes) -> SweepQuestion:
    """Read one line of `batch`.

    Raises:
        UsageError: not JSON, a missing or wrong key, an unknown metric or statistic.
    """
    try:
        record = _LINE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            "batch.malformed_line",
            t("The line is not a question that can be read: {error}", error=str(error)),
            fix=t('Write one JSON object a line, with "id", "stages" and "target_sets"'),
        ) from error
    if len(record.stages) > LIMITS.levels:
        raise UsageError(
            "batch.too_many_levels",
            t("The line holds {count} levels, more than {limit}", count=len(record.stages), limit=LIMITS.levels),
            fix=t("Split the sweep"),
        )
    stages = tuple(_stage(stage, f"stages[{i}]") for i, stage in enumerate(record.stages))
    sets = tuple(_targets(targets, f"target_sets[{i}]") for i, targets in enumerate(record.target_sets))
    return SweepQuestion(record.id, stages, sets)


def line_id(line: bytes) -> str | None:
    """Return the id of a line that could not be read as a whole, None where even that cannot be told."""
    try:
        return _ID.decode(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def stage_of(record: object) -> Stage:
    """Return the stage that a decoded JSON object means.

    Raises:
        UsageError: a missing or wrong key, an unknown metric or statistic.
    """
    try:
        return _stage(msgspec.convert(record, StageRecord), "stage")
    except msgspec.ValidationError as error:
        raise UsageError(
            "batch.malformed_line",
            t("The line is not a question that can be read: {error}", error=str(error)),
            fix=t("Write a stage as `import --json` prints it"),
        ) from error


def _stage(record: StageRecord, place: str) -> Stage:
    if record.asked_concurrency is None and record.asked_rate is None and record.achieved_concurrency is None:
        raise UsageError(
            "batch.load_missing",
            t("A level does not say its load"),
            fix=t("Give one of asked_concurrency, asked_rate or achieved_concurrency"),
            place=Place(field=place),
        )
    statistics = {
        _metric(name, place): _statistics(values, f"{place}.statistics.{name}")
        for name, values in record.statistics.items()
    }
    return Stage(
        where=Place(field=record.where or place),
        statistics=statistics,
        asked_concurrency=record.asked_concurrency,
        asked_rate=record.asked_rate,
        applied_rate=record.applied_rate,
        achieved_concurrency=_in_flight(record, statistics),
        achieved_rate=record.achieved_rate,
        requests_sent=_count(record.requests_sent),
        requests_good=_count(record.requests_good),
        requests_failed=_count(record.requests_failed),
        requests_cut_off=_count(record.requests_cut_off),
        duration_s=record.duration_s,
        input_tokens_mean=record.input_tokens_mean,
        output_tokens_mean=record.output_tokens_mean,
        output_tok_s=record.output_tok_s,
        total_tok_s=record.total_tok_s,
        max_num_seqs=record.max_num_seqs,
        excluded=record.excluded,
    )


def _in_flight(record: StageRecord, statistics: dict[Metric, Statistics]) -> float | None:
    """Return the requests in flight; in open loop rate x mean e2e where they were not measured (Little's law)."""
    found = statistics.get(Metric.E2E)
    if record.achieved_concurrency is not None or record.asked_rate is None or not found or not found.mean:
        return record.achieved_concurrency
    rates = (record.achieved_rate, record.applied_rate, record.asked_rate)
    return found.mean * next(rate for rate in rates if rate is not None)


def _count(value: float | None) -> int | None:
    return None if value is None else int(value)


def _metric(name: str, place: str) -> Metric:
    if name not in MEASURED:
        raise UsageError(
            "batch.unknown_metric",
            t('"{name}" is not a metric that a level can hold', name=name),
            fix=t("Use one of: {names}", names=", ".join(sorted(MEASURED))),
            place=Place(field=place),
        )
    return Metric(name)


def _statistics(values: dict[str, float | str | None], place: str) -> Statistics:
    """Read mean, sd, n and every pNN; "rule" is kept, null is unknown."""
    quantiles: dict[float, float] = {}
    plain: dict[str, float] = {}
    for name, value in values.items():
        if value is None or name == "rule":
            continue
        if isinstance(value, str) or not (math.isfinite(value) and value >= 0.0):
            raise _bad_statistic(f"{name} = {value}", place)
        if name in ("mean", "sd", "n"):
            plain[name] = value
            continue
        try:
            q = fraction(name)
        except ValueError:
            raise _bad_statistic(name, place) from None
        if q is None or not 0.0 < q < 1.0:
            raise _bad_statistic(name, place)
        quantiles[q] = value
    n = plain.get("n")
    rule = values.get("rule")
    return Statistics(
        mean=plain.get("mean"),
        sd=plain.get("sd"),
        n=None if n is None else int(n),
        quantiles=quantiles,
        rule=rule if isinstance(rule, str) else "given",
    )


def _bad_statistic(text: str, place: str) -> UsageError:
    return UsageError(
        "batch.bad_statistic",
        t('"{text}" is not a statistic', text=text),
        fix=t("Use mean, sd, n, or a percentile such as p50, p95, p99 or p99.9, with a number of seconds or null"),
        place=Place(field=place),
    )


def _targets(records: Sequence[TargetRecord], place: str) -> tuple[Target, ...]:
    if not records:
        raise UsageError(
            "batch.no_targets",
            t("A target set is empty"),
            fix=t("Give one or more targets in each set"),
            place=Place(field=place),
        )
    return tuple(_target(record, place) for record in records)


def _target(record: TargetRecord, place: str) -> Target:
    try:
        metric = Metric(record.metric)
        q = fraction(record.statistic)
    except ValueError:
        raise _bad_target(record, place) from None
    wrong_kind = (metric in _SINGLE) != (record.statistic == "value")
    if wrong_kind or (q is not None and not 0.0 < q < 1.0) or not math.isfinite(record.limit):
        raise _bad_target(record, place)
    try:
        target = Target(metric, record.statistic, record.limit)
    except ValueError:
        raise _bad_target(record, place) from None
    if record.op not in (None, target.op):
        raise _bad_target(record, place)
    return target


def _bad_target(record: TargetRecord, place: str) -> UsageError:
    return UsageError(
        "batch.bad_target",
        t(
            'Not a target: "{metric} {statistic} {op} {limit}"',
            metric=record.metric,
            statistic=record.statistic,
            op=record.op or "",
            limit=record.limit,
        ),
        fix=t("Name a metric, one of its statistics and a limit above zero; <= for times, >= for rates and shares"),
        place=Place(field=place),
    )
