"""GenAI-Perf's summary: profile_export_genai_perf.json, one level per file. docs/formats/genai_perf.md.

Its `input_config` was flat until 2025 and nested afterwards. Addresses and headers are not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from core.errors import Place
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats import genai_perf_level as level
from core.ingest.formats.aiperf_names import Stats, endpoint_key, load_from_name
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.finding import Finding
from core.model.run import Kind

FORMAT_ID = level.FORMAT_ID
LABEL = "GenAI-Perf JSON"

_RESULTS = frozenset({"request_latency.unit", "request_latency.avg", "input_config"})
_OURS = frozenset(
    f"input_config.{key}" for key in ("formatted_model_name", "profile_export_file", "service_kind", "perf_analyzer")
)
# Flat name, then the section and name of the nested settings.
_IDENTITY = {
    "endpoint_type": ("endpoint", "type"),
    "service_kind": ("endpoint", "service_kind"),
    "synthetic_input_tokens_mean": ("input", "synthetic_tokens", "mean"),
    "synthetic_input_tokens_stddev": ("input", "synthetic_tokens", "stddev"),
    "output_tokens_mean": ("input", "output_tokens", "mean"),
    "output_tokens_stddev": ("input", "output_tokens", "stddev"),
}


def match(head: Head) -> float:
    """Recognise a latency beside its unit, with settings that only this tool has; AIPerf's file names itself."""
    paths = json_paths(head.sample)
    return 1.0 if paths >= _RESULTS and paths & _OURS and "aiperf_version" not in paths else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a summary.

    Raises:
        RefusedFileError: cut off, no latency in it, or a value that is not a number.
    """
    document = json_document(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    stats = _stats(top)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="json",
        kind=Kind.MEASURED,
        levels=(level.level_of(stats, top.place, _told(top, upload.name)),),
        findings=tuple(top.findings),
        calls=level.calls_of(stats),
    )


def _told(top: Fields, name: str) -> level.Told:
    config = top.inner("input_config")
    asked = config.inner("perf_analyzer").inner("stimulus") if "perf_analyzer" in config.values else config
    rate, concurrency = asked.rate("request_rate"), asked.not_negative("concurrency")
    findings: tuple[Finding, ...] = ()
    if rate is None and concurrency is None:
        concurrency, rate, findings = load_from_name(top.place, name)
    streaming = _at(config, "streaming", ("endpoint", "streaming"))
    model, revision = model_in(_model(config))
    conditions: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "arrival": "closed loop" if concurrency is not None and rate is None else None,
        "engine": _engine(config),
        "tool": "GenAI-Perf",
    }
    return level.Told(
        asked_concurrency=concurrency,
        asked_rate=rate,
        streaming=streaming if isinstance(streaming, bool) else None,
        memory_used_fraction=_memory_used(top.inner("telemetry_stats")),
        conditions=accelerators_from_name(top, {key: value for key, value in conditions.items() if value is not None}),
        identity=_identity(config),
        findings=findings,
    )


def _stats(top: Fields) -> Stats:
    return {
        name: Fields(row, top.at(name))
        for name, row in top.values.items()
        if isinstance(row, Mapping) and "unit" in row and "avg" in row
    }


def _at(config: Fields, flat: str, nested: Sequence[str]) -> object:
    """Return a setting by its flat name, else by the path of the nested settings."""
    if flat in config.values and not isinstance(config.values[flat], Mapping):
        return config.values[flat]
    *sections, key = nested
    for section in sections:
        config = config.inner(section)
    return config.values.get(key)


def _model(config: Fields) -> str | None:
    told = _at(config, "model", ("model_names",))
    names = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    return ", ".join(name for name in names if isinstance(name, str) and name)[:300] or None


def _engine(config: Fields) -> str | None:
    """Return Triton's backend; against other servers the tool writes its default here."""
    kind = _at(config, "service_kind", ("endpoint", "service_kind"))
    backend = _at(config, "backend", ("endpoint", "backend"))
    return backend.lower()[:300] if kind == "triton" and isinstance(backend, str) and backend else None


def _identity(config: Fields) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {"endpoint": endpoint_key(_at(config, "u", ("endpoint", "url")))}
    for flat, nested in _IDENTITY.items():
        value = _at(config, flat, nested)
        found[flat] = value if isinstance(value, str | int | float) else None
    extras = config.values.get("extra_inputs")
    found["extra_inputs"] = endpoint_key(sorted(map(str, extras.items()))) if isinstance(extras, Mapping) else None
    return {name: value for name, value in found.items() if value is not None}


def _memory_used(telemetry: Fields) -> float | None:
    """Return the share of memory in use on the fullest accelerator, 0 to 1; None where it is not known."""
    used, total = telemetry.inner("gpu_memory_used"), telemetry.inner("total_gpu_memory")
    shares = []
    for gpu in used.values:
        part, whole = used.inner(gpu).not_negative("avg"), total.inner(gpu).not_negative("avg")
        if part is not None and whole and part <= whole:
            shares.append(part / whole)
    return max(shares, default=None)
