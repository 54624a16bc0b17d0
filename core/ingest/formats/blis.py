"""BLIS (inference-sim): the JSON of a simulated run, of its leaderboard, and lists of runs; docs/formats/blis.md.

Source: the Go sources that write it (sim/metrics.go, sim/metrics_utils.go) and published runs. Milliseconds,
arrival in seconds; ITL pools every gap of every request, so it is ours; the scheduling delay is our queue time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats.blis_metrics import Asked, level_of
from core.ingest.named_load import named_load
from core.ingest.names import without_load
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.ingest.simulated import candidate
from core.model.run import Kind

FORMAT_ID = "blis"
LABEL = "BLIS (inference-sim)"

_RUN = frozenset({"completed_requests", "total_output_tokens", "vllm_estimated_duration_s"})
_RECORD = frozenset({"group.workload", "deployment.hardware", "metrics.completed_requests"})
_LIST = frozenset({"tests.[].approach", "tests.[].rate", "tests.[].metrics"})
# What a run was given besides its load; the sizes of the cache and fitted numbers belong to the simulator.
_TEST = ("approach", "workload", "prefix_tokens", "prompt_tokens", "output_tokens", "max-num-batched-tokens")
_DEPLOYMENT = ("latency_model", "scheduler", "routing_policy", "admission_policy", "max_num_batched_tokens")


def match(head: Head) -> float:
    """0.95 where every key that tells one of the three kinds is there."""
    paths = json_paths(head.sample)
    return 0.95 if any(marks <= paths for marks in (_RUN, _RECORD, _LIST)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per simulated run.

    Raises:
        RefusedFileError: cut off, a field that is no number, or a list without a run.
    """
    document = json_document(upload)
    root = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    levels = _levels(root)
    if not levels:
        raise refusal(
            "ingest.no_levels", t("The list holds no run"), upload.name, t("Send the file again as the tool wrote it")
        )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.SIMULATED,
        levels=levels,
        findings=(candidate(upload.name),),
    )


def _levels(root: Fields) -> tuple[RawLevel, ...]:
    if "tests" in root.values:
        return tuple(_of_list(test) for test in root.each("tests"))
    if "metrics" in root.values:
        return (_of_record(root),)
    return (_of_run(root),)


def _of_run(run: Fields) -> RawLevel:
    """A run's own output says what came out, not what was asked, nor of which deployment: only its name may."""
    concurrency, rate, findings = named_load(run.place)
    name = PurePosixPath(run.place.file or "").stem
    return level_of(run, Asked(concurrency=concurrency, rate=rate), {}, {"file": without_load(name)}, findings)


def _of_record(record: Fields) -> RawLevel:
    workload, deployment = record.inner("group").inner("workload"), record.inner("deployment")
    load = workload.inner("load")
    value, kind = load.rate("value") or None, load.text("kind")
    asked = Asked(concurrency=value if kind == "concurrency" else None, rate=value if kind == "rate" else None)
    instances, tp, dp = (deployment.count(key) for key in ("num_instances", "tp", "dp"))
    conditions = {
        **_model(deployment),
        "dp": dp,
        "replicas": instances,
        "accelerator_count": instances * tp * (dp or 1) if instances and tp else None,
        "kv_precision": _said(deployment.text("kv_cache_dtype")),
        "max_num_seqs": deployment.count("max_num_seqs"),
        "arrival": workload.text("arrival_process"),
    }
    lengths = {key: workload.number(key) for key in ("prompt_tokens", "output_tokens")}
    return level_of(record.inner("metrics"), asked, conditions, {**lengths, **_plain(deployment, _DEPLOYMENT)})


def _of_list(test: Fields) -> RawLevel:
    asked = Asked(rate=test.rate("rate") or None, sent=test.count("num-requests"))
    conditions = {**_model(test), "max_num_seqs": test.count("max-num-seqs")}
    return level_of(test.inner("metrics"), asked, conditions, _plain(test, _TEST))


def _model(fields: Fields) -> dict[str, Scalar]:
    return {"model": fields.text("model"), "accelerator": fields.text("hardware"), "tp": fields.count("tp")}


def _plain(fields: Fields, keys: tuple[str, ...]) -> dict[str, Scalar]:
    values = ((key, fields.values.get(key)) for key in keys)
    return {key: value for key, value in values if isinstance(value, str | int | float)}


def _said(value: str | None) -> str | None:
    return None if value == "auto" else value
