"""Conditions and identity of an InferenceX row, and those that an experiment's name spells out."""

from __future__ import annotations

import re

from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.raw import Scalar

_TEXTS = ("scenario_type", "offloading", "kv_offloading", "kv_offload_backend", "prefill_hw", "decode_hw")
_NUMBERS = ("isl", "osl", "dcp_size", "pcp_size", "allocated_cpu_dram_gb")
_POOLS = tuple(
    f"{pool}_{what}"
    for pool in ("prefill", "decode")
    for what in ("num_workers", "tp", "pp", "ep", "dp_attention", "dcp_size", "pcp_size")
)
_TAG = re.compile(r".*:(?P<tag>[^/:]+)")
_EXPERIMENT = re.compile(
    r"_(?P<precision>[a-z]+\d+)_(?P<framework>[a-z0-9-]+)_tp\d+-ep(?P<ep>\d+)-dpa(?P<dpa>true|false)"
    r"_disagg-(?P<disagg>true|false)_spec-(?P<spec>[a-z0-9]+)_conc\d+_(?P<runner>[a-z0-9]+)",
    re.IGNORECASE,
)


def settings_of(row: Fields, accelerators: int | None) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return conditions by our name and identity by the file's."""
    model, revision = model_in(row.text("model"))
    several = row.values.get("is_multinode") is True
    conditions: dict[str, Scalar] = {
        "model": model or row.text("infmax_model_prefix"),
        "model_revision": revision,
        "precision": row.text("precision"),
        "engine": row.text("framework"),
        "engine_version": _version(row.text("image")),
        "accelerator": accelerator_of(row.text("hw")),
        "accelerator_count": accelerators,
        # Over several nodes "tp" adds that of both pools up, which is nobody's parallelism.
        "tp": None if several else row.count("tp") or None,
        "pp": None if several else row.count("pp") or None,
        "ep": None if several else row.count("ep") or None,
        "serving_mode": _mode(row.values.get("disagg")),
        "prefill_accelerators": row.count("num_prefill_gpu") or None,
        "decode_accelerators": row.count("num_decode_gpu") or None,
        "speculation": _said(row.values.get("spec_decoding")) or _said(row.values.get("mtp")),
        "arrival": "closed loop",
        "tool": "InferenceX",
    }
    # "none" is an answer here: no offloading, which differs from not saying.
    identity: dict[str, Scalar] = {key: _said(row.values.get(key)) for key in (*_TEXTS, "dp_attention", *_POOLS)}
    identity |= {key: row.not_negative(key) for key in _NUMBERS}
    return _known(conditions), _known(identity)


def settings_in_name(experiment: str) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return conditions and identity that an experiment's name spells out; none where it follows no pattern.

    >>> found, _ = settings_in_name("x_fp4_vllm_tp4-ep4-dpafalse_disagg-false_spec-none_conc8_b200-a_0")
    >>> found["precision"], found["engine"], found["ep"], found["serving_mode"], found["accelerator"]
    ('fp4', 'vllm', 4, 'aggregated', 'b200')
    """
    found = _EXPERIMENT.search(experiment)
    if not found:
        return {}, {}
    conditions: dict[str, Scalar] = {
        "precision": found["precision"],
        "engine": found["framework"],
        "ep": int(found["ep"]) or None,
        "serving_mode": _mode(found["disagg"].lower() == "true"),
        "speculation": found["spec"],
        "accelerator": accelerator_of(found["runner"]),
    }
    return _known(conditions), {"dp_attention": found["dpa"].lower()}


def accelerator_of(hardware: str | None) -> str | None:
    """Return the accelerator that a runner's label begins with: the rest of it names a cluster.

    >>> accelerator_of("mi355x"), accelerator_of("b200-cluster-3"), accelerator_of("")
    ('mi355x', 'b200', None)
    """
    return (hardware or "").split("-")[0].strip() or None


def _version(image: str | None) -> str | None:
    tag = _TAG.fullmatch(image or "")
    return tag["tag"] if tag else None


def _mode(disaggregated: object) -> str | None:
    if not isinstance(disaggregated, bool):
        return None
    return "disaggregated" if disaggregated else "aggregated"


def _said(value: object) -> str | None:
    """Return a setting as text; the tool writes true and false as texts too, and "" for what was not set."""
    if value is None or isinstance(value, list | dict):
        return None
    return str(value).strip().lower()[:300] or None


def _known(values: dict[str, Scalar]) -> dict[str, Scalar]:
    return {name: value for name, value in values.items() if value is not None}
