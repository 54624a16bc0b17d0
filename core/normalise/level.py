"""One raw level to one stage: units, exact statistics, counts and rates. Unknown stays None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.ingest.raw import RawFile, RawLevel, Scalar
from core.model.finding import Finding
from core.model.metric import Metric
from core.model.run import FileRef, Kind
from core.model.sound import MOST_SHARE
from core.model.stage import FloatArray, Requests, Stage, Statistics
from core.normalise.agreement import disagreements
from core.normalise.counts import Counts, counts_of
from core.normalise.given import given_statistics
from core.normalise.rates import Rates, in_flight, rates_of
from core.normalise.records import gap_statistics, requests_of, sketched, statistics_of

UNBOUNDED = "load.unbounded"
"""Why a burst of everything at once is kept out: the load of such a level only drains."""

_AS_GIVEN = (
    "cached_input_tokens_mean",
    "cache_hit_rate",
    "max_num_seqs",
    "acceptance_length",
    "active_load_by_worker",
    "measured_on",
)

_ENDINGS = frozenset({"csv", "json", "jsonl", "yaml", "records", "summary", "sweep", "console"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """A stage on its way into a run, with all that decides which run that is.

    Attributes:
        stage: the converted level.
        gaps_s: pooled gaps between output tokens, seconds, shape (m,); empty if not kept.
        file, format_id, format_version, kind: where it came from.
        conditions, identity, run_key: as in `RawLevel`.
        findings: of the importer and of the conversion.
        also: other files that were merged into it.
        akin: as in `RawLevel`.
        loop: "open" where requests were sent at a rate, "closed" where so many were kept in
            flight, "unstated" where neither is known; levels of different loops are no one run.
        keys: names of the raw levels that it was made of, for what a person decides about it
            (`core.normalise.regrouping`); the first is its own.
    """

    stage: Stage
    gaps_s: FloatArray
    file: FileRef
    format_id: str
    format_version: str | None
    kind: Kind
    conditions: Mapping[str, Scalar]
    identity: Mapping[str, Scalar]
    run_key: str | None
    findings: tuple[Finding, ...]
    loop: str
    also: tuple[FileRef, ...] = ()
    akin: frozenset[Metric] = frozenset()
    keys: tuple[str, ...] = ()

    @property
    def load_key(self) -> tuple[str, float | None, float | None]:
        """What was asked for: levels of one run with equal keys are the same level, run again."""
        stage = self.stage
        if stage.asked_rate is None and stage.asked_concurrency is None:
            return "achieved", stage.achieved_concurrency, None
        return "asked", stage.asked_concurrency, stage.asked_rate


def family(format_id: str) -> str:
    """Return the tool's part of a format's name: its JSON, CSV and records are one family.

    >>> family("aiperf_csv"), family("aiperf"), family("vllm_bench")
    ('aiperf', 'aiperf', 'vllm_bench')
    """
    stem, _, ending = format_id.rpartition("_")
    return stem if stem and ending in _ENDINGS else format_id


def level_of(raw: RawLevel, file: RawFile) -> Level:
    """Convert one raw level; records win over the file's own summary of the same requests."""
    requests: Requests | None = None
    gaps_s, findings = np.empty(0), list(raw.findings)
    if raw.requests is not None:
        requests, gaps_s, wrong = requests_of(raw.requests, raw.place)
        findings += wrong
    given, unreadable = given_statistics(raw)
    exact = statistics_of(requests, gaps_s) if requests is not None else dict(raw.exact)
    if raw.requests is not None and requests is not None and raw.requests.sketch is not None:
        pooled = gap_statistics(gaps_s, raw.requests.sketch, raw.requests.unit, int(requests.good.sum()))
        exact |= {Metric.ITL: pooled} if pooled else {}
        findings.append(sketched(raw.place))
    comparable = {metric: found for metric, found in given.items() if metric not in raw.akin}
    findings += [*unreadable, *disagreements(comparable, exact, raw.place)]
    counts = counts_of(raw, requests)
    # Where nothing came back, the zeros that some tools write for it are no latencies.
    statistics = {**given, **exact} if counts.good != 0 else {}
    rates = rates_of(raw, requests, counts)
    load, told = in_flight(raw, requests, statistics, rates)
    return Level(
        stage=_stage(raw, requests, counts, rates, statistics, load),
        gaps_s=gaps_s,
        file=FileRef(file.name, file.sha256),
        format_id=file.format_id,
        format_version=file.format_version,
        kind=file.kind,
        conditions=raw.conditions,
        identity=raw.identity,
        run_key=raw.run_key,
        findings=(*findings, *told),
        loop="open" if raw.asked_rate is not None else "closed" if raw.asked_concurrency else "unstated",
        also=tuple(FileRef(name, sha256) for name, sha256 in raw.beside),
        akin=raw.akin,
    )


def _share(value: float | None) -> float | None:
    """Return a share of memory in use; what cannot be one is unknown."""
    return None if value is None or value > MOST_SHARE else value


def _stage(
    raw: RawLevel,
    requests: Requests | None,
    counts: Counts,
    rates: Rates,
    statistics: Mapping[Metric, Statistics],
    load: float | None,
) -> Stage:
    return Stage(
        where=raw.place,
        statistics=statistics,
        asked_concurrency=raw.asked_concurrency,
        asked_rate=raw.asked_rate,
        applied_rate=raw.applied_rate,
        achieved_concurrency=load,
        achieved_rate=rates.requests,
        requests_sent=counts.sent,
        requests_good=counts.good,
        requests_failed=counts.failed,
        requests_cut_off=counts.cut_off,
        duration_s=rates.duration_s,
        input_tokens_mean=rates.input_tokens_mean,
        output_tokens_mean=rates.output_tokens_mean,
        output_tok_s=rates.output_tok_s,
        total_tok_s=rates.total_tok_s,
        requests=requests,
        excluded=UNBOUNDED if raw.conditions.get("arrival") == "unbounded" else None,
        **{name: getattr(raw, name) for name in _AS_GIVEN},
        memory_used_fraction=_share(raw.memory_used_fraction),
        kv_used_fraction=_share(raw.kv_used_fraction),
    )
