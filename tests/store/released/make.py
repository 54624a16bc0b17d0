"""Make the stored database of the schema that is current: run once, when a schema is released.

    PYTHONPATH=. .venv/bin/python tests/store/released/make.py NAME

Writes NAME.db.gz and NAME.json beside this file. Files of earlier schemas are never made again:
they stand for the databases that people have.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

from core.model.mapping import content_hash
from core.store.store import open_store
from tests.store.store_build import A_MAPPING, a_scenario, url_of

HERE = Path(__file__).parent


def make(name: str) -> None:
    """Save two scenarios, one of them in two versions, share the first version, and keep a column mapping."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plimsoll.db"
        store = open_store(url_of(path))
        first = store.save(a_scenario("Launch in spring"))
        other = store.save(a_scenario("두 번째 계획"))
        second = store.save(a_scenario("Launch in autumn"), first.id)
        token = store.shares.make(first.id, 1).token
        (kept,) = store.mappings.keep(A_MAPPING)
        listing = [
            {"id": s.id, "name": s.name, "version": s.version, "saved_at": s.saved_at.isoformat()}
            for s in (second, other, first)
        ]
        store.close()
        (HERE / f"{name}.db.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    expected = {
        "versions": listing,
        "shared": {"id": first.id, "version": 1, "token": token},
        "mapping": {"id": kept.id, "name": kept.mapping.name, "content": content_hash(kept.mapping)},
    }
    (HERE / f"{name}.json").write_text(json.dumps(expected, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(sys.argv[1])
