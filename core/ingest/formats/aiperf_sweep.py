"""AIPerf's aggregate of a sweep: profile_export_aiperf_sweep.json. docs/formats/aiperf_sweep.md.

It holds a level per combination. With one run of each it repeats the summaries of its levels, percentiles
included; where those lie beside it they are the same execution (`run_key`). Over several runs its "p99" is a
mean of p99s, which is a percentile of nothing, so that such a file is refused for the summaries of the runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.notices import no_load
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = "aiperf_sweep"
LABEL = "AIPerf sweep"

_COMBINATIONS = "per_combination_metrics"
_CONCURRENCY, _RATES = "concurrency", ("request_rate", "rate")
# How much was sent at a level says nothing of the configuration.
_COUNTS = frozenset({"requests", "request_count", "duration", "benchmark_duration", "random_seed"})
# Beside percentiles of requests its "std" is that of the runs' means.
_OF_RUNS = frozenset({"std", "cv", "se", "ci_low", "ci_high", "mean"})


def match(head: Head) -> float:
    """Recognise the list of combinations beside the kind of aggregation."""
    return 1.0 if {"aggregation_type", _COMBINATIONS} <= json_paths(head.sample) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the levels of a sweep.

    Raises:
        RefusedFileError: over several runs per level, no combination, or a value that is not a number.
    """
    document = json_document(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    if _runs_per_level(top) > 1:
        raise refusal("aiperf.means_of_runs", _MEANS, upload.name, _SEND_RUNS, field="metadata.num_trials_per_value")
    combinations = top.each(_COMBINATIONS)
    if not combinations:
        raise refusal("ingest.no_levels", t("The sweep holds no level"), upload.name, _SEND_RUNS, field=_COMBINATIONS)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(one) for one in combinations),
        calls=names.CALLS,
    )


def _level(combination: Fields) -> RawLevel:
    asked = combination.inner("parameters")
    concurrency = asked.not_negative(_CONCURRENCY)
    rate = next((rate for key in _RATES if (rate := asked.rate(key)) is not None), None)
    unknown = concurrency is None and rate is None
    said = names.Said(
        asked_concurrency=concurrency,
        asked_rate=rate,
        conditions={"tool": "AIPerf"},
        identity=_identity(asked),
        findings=(*asked.findings, *([no_load(combination.place)] if unknown else [])),
    )
    return names.level_of(_stats(combination.inner("metrics")), combination.place, said)


def _stats(metrics: Fields) -> names.Stats:
    found = {}
    for name, row in metrics.values.items():
        if isinstance(row, Mapping) and "unit" in row:
            kept = {key: value for key, value in row.items() if key not in _OF_RUNS}
            found[name] = Fields({"avg": row.get("mean"), **kept}, metrics.at(name))
    return found


def _identity(asked: Fields) -> dict[str, Scalar]:
    load = {_CONCURRENCY, *_RATES, *_COUNTS}
    return {
        key: value
        for key, value in asked.values.items()
        if key not in load and isinstance(value, str | int | float | bool)
    }


def _runs_per_level(top: Fields) -> int:
    told = top.inner("metadata").count("num_trials_per_value")
    return 1 if told is None else told


_MEANS = t("Every percentile in this file is a mean over the percentiles of several runs")
_SEND_RUNS = t("Send the profile_export_aiperf.json of every run instead")
