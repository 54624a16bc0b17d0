"""NVIDIA AISimulate: prediction.json, the report of one simulated deployment; docs/formats/aisimulate.md.

Source: the tool's guide to its reports and the schema of its comparisons (fields, units, populations). All
times are milliseconds. `wall_time_ms` is how long the simulator ran. What load was simulated stands only in
the input, so it is taken from the folder's name, else from what was reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from core.errors import Place
from core.ingest.decode import json_document
from core.ingest.fields import Fields
from core.ingest.formats.aisimulate_report import TELLING, level_of
from core.ingest.named_load import named_load
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.simulated import candidate
from core.model.run import Kind

FORMAT_ID = "aisimulate"
LABEL = "NVIDIA AISimulate prediction"


def match(head: Head) -> float:
    """0.95 where every key that tells the report is there."""
    return 0.95 if json_paths(head.sample, 1) >= TELLING else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level that was simulated.

    Raises:
        RefusedFileError: cut off, or a field that is no number.
    """
    document = json_document(upload)
    report = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    concurrency, rate, findings = named_load(report.place)
    level = level_of(report)
    level = replace(level, asked_concurrency=concurrency, asked_rate=rate, findings=(*report.findings, *findings))
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.SIMULATED,
        levels=(level,),
        findings=(candidate(upload.name),),
    )
