"""What AIPerf was told: run_config.json beside a result, which may lack it. docs/formats/aiperf.md.

Its addresses, commands and paths are not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.formats.aiperf_config import asked_of, model_of
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.model.run import Kind

FORMAT_ID = names.FORMAT_ID
LABEL = "AIPerf settings"


def match(head: Head) -> float:
    """Recognise the settings of one run: its phases and endpoint under `cfg`."""
    paths = json_paths(head.sample)
    return 1.0 if {"benchmark_id", "cfg.endpoint", "cfg.phases"} <= paths else 0.0


def read(upload: Upload) -> RawFile:
    """Return the conditions that hold for the results in the file's folder; it has no level of its own.

    Raises:
        RefusedFileError: cut off, or a load that is not a number.
    """
    document = json_document(upload)
    place = Place(upload.name)
    config = Fields(document if isinstance(document, Mapping) else {}, place).inner("cfg")
    model, revision = model_in(model_of(config))
    asked = asked_of(config, upload.name, place)
    said = {"model": model, "model_revision": revision, "arrival": asked.arrival, "tool": "AIPerf"}
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="settings",
        kind=Kind.MEASURED,
        levels=(),
        about={name: value for name, value in said.items() if value is not None},
        about_format=FORMAT_ID,
    )
