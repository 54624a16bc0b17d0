"""What AIPerf was told: load, arrival, lengths and model, from `input_config`. docs/formats/aiperf.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import Place
from core.i18n import Text, t
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.notices import no_load
from core.ingest.raw import Scalar
from core.model.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Load and length of one run as asked; None where the file does not say it, or says several."""

    concurrency: float | None = None
    rate: float | None = None
    arrival: str | None = None
    requests: float | None = None
    duration_s: float | None = None
    findings: tuple[Finding, ...] = ()


def asked_of(config: Fields, name: str, place: Place) -> Asked:
    """Return the load that was asked: of `phases` (0.9 and later), of `loadgen`, else of the file's name.

    Raises:
        RefusedFileError: a load that is not a number.
    """
    phases = [phase for phase in config.each("phases") if not _is_warmup(phase)]
    if phases:
        return _of_phases(phases, place)
    loadgen = config.inner("loadgen")
    rate, concurrency = loadgen.rate("request_rate"), loadgen.not_negative("concurrency")
    if rate is None and concurrency is None:
        concurrency, rate, findings = names.load_from_name(place, name)
        return Asked(concurrency=concurrency, rate=rate, findings=findings)
    mode = loadgen.text("arrival_pattern") or loadgen.text("request_rate_mode")
    return Asked(
        # Beside a rate the concurrency is a ceiling: a stage tells whether it was reached.
        concurrency=concurrency,
        rate=rate,
        arrival="closed loop" if rate is None else mode,
        requests=loadgen.not_negative("request_count"),
        duration_s=loadgen.not_negative("benchmark_duration"),
    )


def model_of(config: Fields) -> str | None:
    """Return the model's name, several joined by commas, None where none is given."""
    found = [model.text("name") for model in config.inner("models").each("items")]
    early = config.inner("endpoint").values.get("model_names")
    found += [name for name in early if isinstance(name, str)] if isinstance(early, Sequence) else []
    return ", ".join(name for name in found if name)[:300] or None


def identity_of(config: Fields) -> dict[str, Scalar]:
    """Return the settings beside load, model and seed that tell configurations apart."""
    endpoint = config.inner("endpoint")
    found: dict[str, Scalar] = {
        "endpoint": names.endpoint_key(endpoint.values.get("urls") or endpoint.values.get("url")),
        "endpoint_type": endpoint.text("type"),
        "streaming": endpoint.values.get("streaming") is True,
        **_lengths(config),
    }
    return {name: value for name, value in found.items() if value is not None}


def _lengths(config: Fields) -> dict[str, Scalar]:
    """Asked lengths: of the first data set (0.9 and later), or of `input.prompt`."""
    found: dict[str, Scalar] = {}
    datasets = config.each("datasets")
    if datasets:
        prompts = datasets[0].inner("prompts")
        pairs = (("isl", prompts.inner("isl")), ("osl", prompts.inner("osl")))
        found |= {"dataset": datasets[0].text("type"), "dataset_format": datasets[0].text("format")}
    else:
        prompt = config.inner("input").inner("prompt")
        pairs = (("isl", prompt.inner("input_tokens")), ("osl", prompt.inner("output_tokens")))
    for name, lengths in pairs:
        for key in ("mean", "stddev"):
            found[f"{name}_{key}"] = lengths.number(key)
    return found


def _of_phases(phases: Sequence[Fields], place: Place) -> Asked:
    every = [_of_phase(phase) for phase in phases]
    if any((one.concurrency, one.rate) != (every[0].concurrency, every[0].rate) for one in every):
        return Asked(findings=(_several(place, len(every)),))
    first = every[0]
    return first if first.concurrency is not None or first.rate is not None else _without_load(first, place)


def _of_phase(phase: Fields) -> Asked:
    kind = phase.text("type")
    rate = phase.rate("rate")
    closed = kind in (None, "concurrency") and rate is None
    return Asked(
        # Beside a rate the concurrency is a ceiling, beside a schedule it says nothing of the load.
        concurrency=phase.not_negative("concurrency") if closed or rate is not None else None,
        rate=rate,
        arrival="closed loop" if closed else kind,
        requests=phase.not_negative("requests"),
        duration_s=phase.not_negative("duration"),
    )


def _without_load(asked: Asked, place: Place) -> Asked:
    return Asked(arrival=asked.arrival, findings=(no_load(place),))


def _is_warmup(phase: Fields) -> bool:
    kind = phase.text("kind") or phase.text("name")
    return kind == "warmup" or phase.values.get("exclude_from_results") is True


def _several(place: Place, count: int) -> Finding:
    return Finding(
        code="aiperf.several_phases",
        severity=Severity.WARNING,
        where=place,
        what=t("The numbers mix {count} phases of different load", count=count),
        consequence=t("Its place on the load axis is taken from what was measured, where that is known"),
        fix=t("Run each load by itself"),
    )


def cut_short(top: Fields, asked: Asked, *, duration_s: float | None, requests: int | None) -> tuple[Finding, ...]:
    """Say where a run ended before what was asked of it, or was marked invalid by the tool."""
    found = []
    stopped = top.values.get("was_cancelled") is True or top.values.get("is_complete") is False
    in_time = asked.duration_s is None or duration_s is None or duration_s >= 0.9 * asked.duration_s
    enough = asked.requests is not None and requests is not None and requests >= asked.requests
    if not in_time and not enough and asked.duration_s is not None and duration_s is not None:
        what = t("The run ended at {got} s of {asked} s", got=round(duration_s), asked=round(asked.duration_s))
        found.append(_short(top.place, what))
    elif stopped and asked.requests is not None and requests is not None:
        what = t("The run was stopped after {got} of {asked} requests", got=requests, asked=round(asked.requests))
        found.append(_short(top.place, what))
    elif stopped:
        found.append(_short(top.place, t("The run was stopped before its end")))
    metadata: object = top.values.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("submission_valid") is False:
        found.append(_short(top.place, t("AIPerf marks this run as not valid")))
    return tuple(found)


def _short(place: Place, what: Text) -> Finding:
    return Finding(
        code="aiperf.cut_short",
        severity=Severity.WARNING,
        where=place,
        what=what,
        consequence=t("The level rests on less than was planned"),
        fix=t("Repeat this level"),
    )
