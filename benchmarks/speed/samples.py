"""Six runs of the sample's levels, as files and as runs."""

from __future__ import annotations

import json
from pathlib import Path

from core.ingest.raw import Upload
from core.model.run import Run
from core.pipeline import load

ROOT = Path(__file__).resolve().parents[2]
COPIES = 3


def six_run_files() -> list[tuple[str, bytes]]:
    """Return (name, content) of both samples, three times over under different model names.

    Times are stretched by 2 % from copy to copy, so that no two answers are alike.
    """
    files = []
    for path in sorted((ROOT / "data" / "samples").rglob("*.json")):
        values = json.loads(path.read_bytes())
        files += [(f"{path.parent.name}-{copy}-{path.name}", _stretched(values, copy)) for copy in range(COPIES)]
    return files


def six_runs() -> list[Run]:
    """Return the runs of these files.

    Raises:
        RuntimeError: they are not six.
    """
    runs = list(load([Upload(name, data) for name, data in six_run_files()]).runs)
    if len(runs) != 2 * COPIES:
        raise RuntimeError(f"{len(runs)} runs")
    return runs


def _stretched(values: dict[str, object], copy: int) -> bytes:
    factor = 1.02**copy
    changed = {
        key: value * factor if key.endswith("_ms") and isinstance(value, float) else value
        for key, value in values.items()
    }
    return json.dumps({**changed, "model_id": f"{values['model_id']}-{copy}"}).encode()
