"""What an importer returns: the file's own numbers, each with the unit it was written in.

Nothing here is converted, derived or guessed: that is `core.normalise`. An importer
fills only what the file says; every other attribute keeps its "unknown".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.errors import Place
from core.model.finding import Finding
from core.model.metric import Metric
from core.model.run import Kind
from core.model.sketch import Sketch
from core.model.stage import FloatArray, Statistics

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it arrived: its name (with folders where known) and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Head:
    """All that sniffing may look at: the name and the first bytes, decompressed."""

    name: str
    sample: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """One statistic of one metric as the file gives it.

    Attributes:
        metric: the canonical metric that the file's field means (see formats.md).
        statistic: "mean", "sd", or a quantile such as "p50", "p99.9" (a median is "p50").
        value: finite, in `unit`.
        unit: "s", "ms", "us", "ns", or "ratio" for rtf.
        field: the file's own name, for tracing.
    """

    metric: Metric
    statistic: str
    value: float
    unit: str
    field: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RawRequests:
    """Per-request records, arrays of shape (n,), NaN where the file has no value.

    Attributes:
        unit: of start, ttft, e2e, tpot and gaps: "s", "ms", "us" or "ns".
        good: False where the request failed, was cut off or cancelled.
        cut_off: True where it was ended by the tool (window over, cancelled), not by an error.
        tpot: as the file gives it; where absent it is derived from ttft, e2e and tokens.
        gaps: every gap between output tokens of good requests, pooled, shape (m,); empty if not kept.
        gap_counts: how many of `gaps` are of each request, in order, shape (n,); None where that is not known.
        sketch: of the gaps where they are too many to keep.
    """

    unit: str
    good: npt.NDArray[np.bool_]
    ttft: FloatArray
    e2e: FloatArray
    start: FloatArray
    input_tokens: FloatArray
    output_tokens: FloatArray
    cut_off: npt.NDArray[np.bool_] | None = None
    tpot: FloatArray | None = None
    gaps: FloatArray = field(default_factory=lambda: np.empty(0))
    gap_counts: npt.NDArray[np.int64] | None = None
    sketch: Sketch | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpilledRequests:
    """Per-request records of one level that are too many for memory; the fields are those of `RawRequests`.

    Attributes:
        parts: yields the named columns part by part, in the order of the rows: "ttft", "e2e", "start", "tpot",
            "input_tokens", "output_tokens", and "state" (0 good, 1 failed, 2 cut off).
        has_tpot: whether the file gives it; else it is derived.
        close: gives the space on disk back.
    """

    unit: str
    parts: Callable[[Sequence[str]], Iterator[list[FloatArray]]]
    has_tpot: bool
    close: Callable[[], None]
    gaps: FloatArray = field(default_factory=lambda: np.empty(0))
    sketch: Sketch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLevel:
    """One load level as one file says it. Rates per second, durations in seconds.

    Attributes:
        place: file, line and field that it was read from.
        asked_concurrency, asked_rate, applied_rate, measured_concurrency: the three loads.
            An unlimited rate is None. A rate in the file means open loop even where a
            ceiling on concurrency stands beside it.
        readings: statistics with their units.
        sample_n: observations behind each metric's statistics where the file says so;
            otherwise the good requests.
        requests: per-request records, None where the file holds summaries only.
        spilled: per-request records that are too many for memory; `core.normalise.condense` turns them into
            `exact` and gives the disk back.
        exact: exact statistics of records that were too many to keep, in seconds.
        conditions: values for fields of `core.model.run.Conditions`, by name.
        identity: every other setting that tells configurations apart, by the file's name
            for it. Levels with equal kind, format family, conditions and identity are one run.
            Never load, counts, dates, seeds or results.
        run_key: names one execution where summary and records of it may both be in a drop:
            equal keys of one level mean "the same run twice". None where nothing tells.
        measured_on: day on which it was measured, ISO 8601 (`core.ingest.day`).
        akin: metrics whose readings follow a definition close to ours but not the same (a client's count of
            tokens, an end at the last token): they are not held against those of the records.
        position: place in the order in which one execution ran its levels (a stage's number).
        findings: what the importer noticed (a level from a file name, a NaN that was left out).
        beside: (name, sha256) of other files that gave some of it; set when files are brought together.
    """

    place: Place
    asked_concurrency: float | None = None
    asked_rate: float | None = None
    applied_rate: float | None = None
    measured_concurrency: float | None = None
    requests_sent: int | None = None
    requests_good: int | None = None
    requests_failed: int | None = None
    requests_cut_off: int | None = None
    duration_s: float | None = None
    request_rate: float | None = None
    input_tokens_mean: float | None = None
    output_tokens_mean: float | None = None
    output_tok_s: float | None = None
    total_tok_s: float | None = None
    cached_input_tokens_mean: float | None = None
    cache_hit_rate: float | None = None
    max_num_seqs: float | None = None
    memory_used_fraction: float | None = None
    kv_used_fraction: float | None = None
    acceptance_length: float | None = None
    active_load_by_worker: tuple[float, ...] | None = None
    readings: tuple[Reading, ...] = ()
    sample_n: Mapping[Metric, int] = field(default_factory=dict)
    requests: RawRequests | None = None
    spilled: SpilledRequests | None = None
    exact: Mapping[Metric, Statistics] = field(default_factory=dict)
    conditions: Mapping[str, Scalar] = field(default_factory=dict)
    identity: Mapping[str, Scalar] = field(default_factory=dict)
    run_key: str | None = None
    measured_on: str | None = None
    akin: frozenset[Metric] = frozenset()
    position: int | None = None
    findings: tuple[Finding, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """Everything one file says.

    Attributes:
        about: conditions that hold for every result in the file's folder and below it (a settings
            file of the tool, a server's start-up log), by the names of `core.model.run.Conditions`.
            Such a file may have no levels of its own.
        about_format: the format whose results `about` is for; None for any.
        measured: figures of the one run whose files lie in the same folder, by the names of `RawLevel`
            ("kv_used_fraction"), for what that run does not hold itself.
        calls: what the tool calls a metric where its word means something else with us:
            {Metric.TPOT: "ITL"} for AIPerf, whose "ITL" is our TPOT.
        pool: records of every level of its folder together, where nothing in the file parts them
            (`core.normalise.pooled_records`). Such a file has no levels of its own.
    """

    name: str
    sha256: str
    format_id: str
    format_version: str | None
    kind: Kind
    levels: tuple[RawLevel, ...]
    findings: tuple[Finding, ...] = ()
    about: Mapping[str, Scalar] = field(default_factory=dict)
    about_format: str | None = None
    measured: Mapping[str, float] = field(default_factory=dict)
    calls: Mapping[Metric, str] = field(default_factory=dict)
    pool: RawRequests | None = None
