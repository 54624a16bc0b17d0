"""Every file of the two collections is claimed by its own importer and by no other of ours."""

import csv
from collections import Counter

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.formats import sglang_bench, vllm_bench
from core.ingest.raw import Head, Upload
from core.ingest.read import HEAD_BYTES
from core.ingest.registry import IMPORTERS
from core.ingest.tools import SIMULATORS, TOOLS

OWN_FORMATS = {"vllm_benchmark_serving_json", "inferencemax_benchmark_serving_seconds_json"}


def claims(path, root) -> set[str]:
    try:
        plain = unpacked(Upload(str(path.relative_to(root)), path.read_bytes()))
    except RefusedFileError:
        return set()
    head = Head(plain.name, plain.data[:HEAD_BYTES])
    return {importer.FORMAT_ID for importer in (vllm_bench, sglang_bench) if importer.match(head) > 0.0}


def test_public_files_are_claimed_exactly(shared_data):
    root = shared_data / "public"
    with (root / "INDEX.csv").open(encoding="utf-8") as index:
        rows = list(csv.DictReader(index))
    assert len(rows) == 391
    seen = Counter()
    for row in rows:
        own = row["format"] in OWN_FORMATS
        seen[own] += 1
        assert claims(root / row["path"], root) == ({"vllm_bench"} if own else set()), row["path"]
    assert seen[True] == 23 + 44


def test_files_of_the_tools_are_claimed_exactly(shared_data):
    root = shared_data / "generated" / "tools"
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
    own = [path for path in paths if path.parts[len(root.parts)].startswith("vllm-bench")]
    assert len(own) > 150
    for path in paths:
        assert claims(path, root) == ({"vllm_bench"} if path in own else set()), path


def test_every_tool_is_named_to_people():
    ours = {"generic_csv", "generic_requests", "engine_log"}
    for importer in IMPORTERS:
        named = any(tool.casefold() in importer.LABEL.casefold() for tool in (*TOOLS, *SIMULATORS))
        assert named or importer.FORMAT_ID in ours, importer.LABEL
