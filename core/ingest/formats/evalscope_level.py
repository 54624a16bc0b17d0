"""What EvalScope's labels mean, by age; shared by its JSON, its database and what it prints. docs/formats/evalscope.md.

Source: EvalScope 1.14 as run by this project, its source since October 2024, and output that people published.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import all_from_name
from core.ingest.notices import no_load, none_completed, not_measured
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.finding import Finding, Severity
from core.model.metric import Metric

FORMAT_ID = "evalscope"

_NAMES = {
    "duration": ("test duration", "time taken for tests"),
    "concurrency": ("concurrency", "number of concurrency"),
    "rate": ("request rate",),
    "sent": ("total requests",),
    "good": ("success requests", "succeed requests"),
    "failed": ("failed requests",),
    "streamed": ("stream requests",),
    "request_rate": ("req throughput", "request throughput", "average qps"),
    "output_tok_s": (
        "output throughput",
        "output token throughput",
        "throughput(average output tokens per second)",
        "throughput(average tokens/s)",
    ),
    "total_tok_s": ("total throughput", "total token throughput"),
    "input_tokens": ("avg input tokens", "average input tokens per request"),
    "output_tokens": ("avg output tokens", "average output tokens per request"),
    "e2e": ("avg latency", "average latency", "latency"),
    "ttft": ("avg ttft", "ttft", "average time to first token"),
    "tpot": ("avg tpot", "tpot", "average time per output token"),
    "itl": ("avg itl", "itl", "average inter-token latency"),
}
_BY_NAME = {name: key for key, names in _NAMES.items() for name in names}
_METRICS = {"e2e": Metric.E2E, "ttft": Metric.TTFT, "tpot": Metric.TPOT, "itl": Metric.ITL}
_STREAMED = ("ttft", "tpot", "itl")
_LABEL = re.compile(r"(?P<name>.*?)\s*(?:\((?P<unit>s|ms|req/s|tok/s|tokens/s)\))?")
_PERCENTILE = re.compile(r"p?(?P<q>\d{1,2}(?:\.\d+)?)%?")
_FOLDER = re.compile(r"(?P<by>parallel|rate)_(?P<load>\d+(?:\.\d+)?)(?:_number_\d+)?")
_OF_ALL_LEVELS = frozenset({"performance_summary.txt", "benchmark.log"})
_SAME_S = 1e-4
"""Times that differ by less are one time: the tool prints four decimals of a second."""


class Told(Fields):
    """Values by our name for them; a place names the label that the tool wrote, and its line.

    Attributes:
        units: of times, by the same names: "s" or "ms".
    """

    def __init__(self, cells: Iterable[tuple[str, object, int | None]], file: str, line: int | None = None) -> None:
        """Take (label, value, line) of what is told; labels that mean nothing here are left out."""
        self._labels: dict[str, tuple[str, int | None]] = {}
        self.units: dict[str, str] = {}
        values: dict[str, object] = {}
        for label, value, at in cells:
            key, unit = meaning_of(label)
            if key is not None and key not in values:
                values[key], self._labels[key], self.units[key] = value, (label[:80], at), unit
        super().__init__(values, Place(file, line))

    def at(self, key: str) -> Place:
        """Return the label and line of a value."""
        label, line = self._labels.get(key, (key, self.place.line))
        return Place(self.place.file, line, label)

    def seconds(self, key: str) -> float | None:
        """Return a time in seconds; None where it is unknown, which the tool writes as -1 too."""
        value = self.known(key)
        return None if value is None else value / 1e3 if self.units[key] == "ms" else value

    def known(self, key: str) -> float | None:
        """Return a number; -1 stands for none."""
        value = self.number(key)
        return value if value is not None and value >= 0.0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """What a file's place says: load and execution."""

    concurrency: float | None = None
    rate: float | None = None
    run_key: str | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One level's summary and its percentiles by statistic, "p99"; either may be missing."""

    summary: Told
    percentiles: Mapping[str, Told] = field(default_factory=dict)
    where: Where = field(default_factory=Where)
    conditions: Mapping[str, Scalar] = field(default_factory=dict)


def meaning_of(label: str) -> tuple[str | None, str]:
    """Return our name for a label, None where there is none, and the unit of a time.

    >>> meaning_of("Average latency (s)"), meaning_of("Avg TTFT (ms)"), meaning_of("Average latency")
    (('e2e', 's'), ('ttft', 'ms'), ('e2e', 's'))
    """
    plain = " ".join(label.lower().split())
    if plain in _BY_NAME:
        return _BY_NAME[plain], "s"
    found = _LABEL.fullmatch(plain)
    return (_BY_NAME.get(found["name"]), found["unit"] or "s") if found else (None, "s")


def statistic_of(label: str) -> str | None:
    """Return the statistic of a percentile's label, "p99"; None for min and max.

    >>> statistic_of("99%"), statistic_of("p50"), statistic_of("max")
    ('p99', 'p50', None)
    """
    found = _PERCENTILE.fullmatch(label.strip())
    return f"p{float(found['q']):g}" if found else None


def where_of(name: str, stem: str) -> Where:
    """Return load and execution of a file that lies in its level's folder, "parallel_16_number_160".

    Summary, percentiles and database share nothing but the folder. Copies in one folder
    ("benchmark_summary (1).json") are different executions.
    """
    folder, _, own = name.replace("\\", "/").rpartition("/")
    key = f"{FORMAT_ID}|{folder}|{own.split('.')[0].removeprefix(stem)}" if folder else None
    found = _FOLDER.fullmatch(folder.rsplit("/", 1)[-1])
    if not found or float(found["load"]) <= 0.0:
        return Where(run_key=key)
    load = float(found["load"])
    if found["by"] == "rate":
        return Where(rate=load, run_key=key, findings=(all_from_name(Place(name), {"request_rate": load}),))
    return Where(concurrency=load, run_key=key, findings=(all_from_name(Place(name), {"concurrency": load}),))


def beside(name: str, summary: Told) -> Where:
    """Return the execution of a level that the tool's own file beside the levels' folders tells of.

    A copy from a terminal may lie anywhere and be of anything.
    """
    if name.replace("\\", "/").rpartition("/")[2] not in _OF_ALL_LEVELS:
        return Where()
    concurrency, rate, sent = summary.known("concurrency"), summary.known("rate"), summary.known("sent")
    folder = name.replace("\\", "/").rpartition("/")[0]
    if concurrency is None or rate is not None or sent is None:
        return Where()
    level = f"parallel_{concurrency:g}_number_{sent:g}"
    return Where(run_key=f"{FORMAT_ID}|{folder}/{level}|" if folder else f"{FORMAT_ID}|{level}|")


def level_of(said: Said) -> RawLevel:
    """Return one level.

    Raises:
        RefusedFileError: a value that is no number.
    """
    told, where = said.summary, said.where
    rate = told.known("rate") or where.rate
    concurrency = None if where.rate is not None else told.known("concurrency") or where.concurrency
    from_folder = where.findings if told.known("concurrency") is None and told.known("rate") is None else ()
    sent, good, failed = (told.count(key) for key in ("sent", "good", "failed"))
    readings, findings = _readings(said) if good != 0 else ([], [none_completed(told.at("good"))])
    if concurrency is None and rate is None:
        findings.append(no_load(told.place))
    return RawLevel(
        place=told.place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        duration_s=told.known("duration"),
        request_rate=told.known("request_rate"),
        input_tokens_mean=told.known("input_tokens"),
        output_tokens_mean=told.known("output_tokens"),
        output_tok_s=told.known("output_tok_s"),
        total_tok_s=told.known("total_tok_s"),
        readings=tuple(readings),
        conditions={"tool": "EvalScope", **said.conditions},
        run_key=where.run_key,
        findings=(
            *from_folder,
            *findings,
            *told.findings,
            *(f for row in said.percentiles.values() for f in row.findings),
        ),
    )


def _readings(said: Said) -> tuple[list[Reading], list[Finding]]:
    found: dict[str, list[Reading]] = {key: [] for key in _METRICS}
    for statistic, row in (("mean", said.summary), *said.percentiles.items()):
        for key, metric in _METRICS.items():
            value = row.known(key)
            if value is not None:
                found[key].append(Reading(metric, statistic, value, row.units[key], row.at(key).field or key))
    findings = [*_unclear(said.summary, found, {"mean"}), *_unclear_percentiles(said, found)]
    whole = _whole(said)
    for key in _STREAMED:
        if found[key] and (whole or all(reading.value == 0.0 for reading in found[key])):
            findings.append(not_measured(_told_in(said, key), _METRICS[key]))
            found[key] = []
    return [reading for readings in found.values() for reading in readings], findings


def _unclear(row: Told, found: dict[str, list[Reading]], statistics: set[str]) -> list[Finding]:
    """Drop the time per token of versions that do not tell gaps and TPOT apart: it meant four things by age."""
    keys = {"tpot", "itl"} & row.values.keys()
    # Since the tool prints milliseconds, both words mean what they mean elsewhere.
    if len(keys) != 1 or any(row.units[key] == "ms" for key in keys):
        return []
    (key,) = keys
    dropped = [reading for reading in found[key] if reading.statistic in statistics]
    found[key] = [reading for reading in found[key] if reading.statistic not in statistics]
    return [_older(row.at(key), _METRICS[key])] if dropped else []


def _unclear_percentiles(said: Said, found: dict[str, list[Reading]]) -> list[Finding]:
    first = next(iter(said.percentiles.values()), None)
    return [] if first is None else _unclear(first, found, set(said.percentiles))


def _whole(said: Said) -> bool:
    """Return whether nothing was streamed: the tool then writes the whole latency as time to the first token."""
    if said.summary.known("streamed") == 0.0:
        return True
    rows: Sequence[Told] = [said.summary, *said.percentiles.values()]
    pairs = [(row.seconds("ttft"), row.seconds("e2e")) for row in rows if {"ttft", "e2e"} <= row.values.keys()]
    known = [(ttft, e2e) for ttft, e2e in pairs if ttft is not None and e2e is not None]
    return bool(known) and all(abs(ttft - e2e) <= _SAME_S for ttft, e2e in known)


def _told_in(said: Said, key: str) -> Place:
    rows = (said.summary, *said.percentiles.values())
    return next((row.at(key) for row in rows if key in row.values), said.summary.place)


def _older(place: Place, metric: Metric) -> Finding:
    return Finding(
        code="evalscope.older_time_per_token",
        severity=Severity.WARNING,
        where=place,
        what=t("This version of EvalScope does not tell gaps and time per token apart"),
        consequence=t(
            "{metric} stays unknown: by age it was the inverse of the whole server's throughput, the latency per "
            "token, or the gap between packets",
            metric=metric.value.upper(),
        ),
        fix=t("Measure again with a version that prints both, or send benchmark_data.db of the level's folder"),
    )
