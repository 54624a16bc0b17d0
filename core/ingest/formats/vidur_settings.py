"""What Vidur simulated: config.json beside its request_metrics.csv. docs/formats/vidur.md."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats.vidur import FORMAT_ID as REQUESTS
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = REQUESTS
LABEL = "Vidur settings"

_REPLICA = "cluster_config.replica_config"
_MARKS = frozenset({f"{_REPLICA}.model_name", f"{_REPLICA}.tensor_parallel_size"})


def match(head: Head) -> float:
    """0.95 where the cluster that Vidur describes is there."""
    return 0.95 if json_paths(head.sample) >= _MARKS else 0.0


def read(upload: Upload) -> RawFile:
    """Return the conditions of the results in the file's folder; it has no level of its own.

    Raises:
        RefusedFileError: cut off, or a count that is no number.
    """
    document = json_document(upload)
    cluster = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name)).inner("cluster_config")
    replica, scheduler = cluster.inner("replica_config"), cluster.inner("replica_scheduler_config")
    model, revision = model_in(replica.text("model_name"))
    replicas, tp, pp = (
        cluster.count("num_replicas"),
        replica.count("tensor_parallel_size"),
        replica.count("num_pipeline_stages"),
    )
    said: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "accelerator": replica.text("device"),
        "accelerator_count": replicas * tp * pp if replicas and tp and pp else None,
        "tp": tp,
        "pp": pp,
        "replicas": replicas,
        "max_num_seqs": scheduler.count("batch_size_cap"),
        "network": replica.text("network_device"),
    }
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="settings",
        kind=Kind.SIMULATED,
        levels=(),
        about={name: value for name, value in said.items() if value is not None},
        about_format=FORMAT_ID,
    )
