"""Golden inputs as a starting point: read one, change it, read it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.ingest.importer import ranked
from core.ingest.raw import Head, RawFile, RawLevel, Upload
from core.ingest.read import read_file
from core.ingest.registry import IMPORTERS

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


def golden_bytes(case: str) -> bytes:
    """Return the input of a case such as "guidellm/v1_poisson"."""
    (path,) = (GOLDEN / case).glob("input.*")
    return path.read_bytes()


def changed(case: str, change: Callable[[Any], object], name: str = "report.json") -> RawFile:
    """Read a JSON case after `change` has altered its document in place."""
    document = json.loads(golden_bytes(case))
    change(document)
    return read_file(Upload(name, json.dumps(document).encode()))


def readings_of(level: RawLevel) -> dict[str, tuple[float, str]]:
    """Return value and unit by "metric statistic"."""
    return {f"{r.metric.value} {r.statistic}": (r.value, r.unit) for r in level.readings}


def codes_of(level: RawLevel | RawFile) -> list[str]:
    """Return the codes of the findings, sorted."""
    return sorted(finding.code for finding in level.findings)


def claimants(head: Head) -> list[str]:
    """Return the formats that could read a file, of all that there are, as reading asks them."""
    return [importer.FORMAT_ID for score, importer in ranked(IMPORTERS, head) if score > 0.0]
