"""Every real file beside the checkout: it reads as expected, or is refused for the reason that docs/formats.md gives.

Expected values are in `tests/given/<name>.json`, each worked out by a second route that does not
import `core` (`tests/given/second_route/<name>.py`, run as a script; by hand where it says so):

    {"how": "python tests/given/second_route/llmperf.py", "files": {
        "public/llmperf_json/x.json": {"format_id": "llmperf", ...the keys of a golden expected.json...}}}

A path may end in "*" where many files share facts. The files themselves are never copied.
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from tests.conftest import SHARED_DATA
from tests.reading import compare_file

HERE = Path(__file__).resolve().parent
EXPECTED: dict[str, dict] = {
    path: facts
    for source in sorted(HERE.glob("*.json"))
    for path, facts in json.loads(source.read_text(encoding="utf-8"))["files"].items()
}
# Questions and answers of the accuracy figures, and what describes the data, are no results of a tool.
NOT_RESULTS = (
    "README.md",
    "*/README.md",
    "public/INDEX.csv",
    "generated/accuracy_*",
    "generated/tools/summary.tsv",
    "*/NO_FILES_WRITTEN.txt",
)


def given() -> list[str]:
    """Paths of every given result file, relative to the folder of data."""
    if not SHARED_DATA.is_dir():
        return []
    paths = (path.relative_to(SHARED_DATA).as_posix() for path in sorted(SHARED_DATA.rglob("*")) if path.is_file())
    return [path for path in paths if not any(fnmatchcase(path, pattern) for pattern in NOT_RESULTS)]


def expected_of(path: str) -> dict | None:
    found = EXPECTED.get(path)
    return found or next((facts for pattern, facts in EXPECTED.items() if fnmatchcase(path, pattern)), None)


def short(path: str) -> str:
    """An id that pytest keeps (it replaces long ones by a number): the folders that tell files apart, and the name."""
    *folders, name = path.split("/")
    return "/".join([*folders[:3], name[-40:]])[:99]


@pytest.mark.parametrize("path", given(), ids=short)
def test_a_given_file_reads_as_expected_or_is_refused_in_words(path):
    upload = Upload(path, (SHARED_DATA / path).read_bytes())
    expected = expected_of(path)
    if expected is None:
        with pytest.raises(RefusedFileError) as refused:
            read_file(upload)
        assert refused.value.code not in ("ingest.unknown_format", "ingest.fault"), "say what it is, and why not"
        assert refused.value.place.file
        assert str(refused.value.fix)
        return
    raw = read_file(upload)
    assert raw.format_id == expected.get("format_id", raw.format_id)
    compare_file(raw, expected)


def test_every_expected_file_is_there(shared_data):
    assert [path for path in EXPECTED if "*" not in path and not (shared_data / path).is_file()] == []
