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
from scripts.formats import on_page, section
from tests.conftest import SHARED_DATA
from tests.given.files import given
from tests.reading import compare_file

HERE = Path(__file__).resolve().parent
EXPECTED: dict[str, dict] = {
    path: facts
    for source in sorted(HERE.glob("*.json"))
    for path, facts in json.loads(source.read_text(encoding="utf-8"))["files"].items()
}
OUTCOMES: dict[str, str | RefusedFileError] = {}
"""What became of each file, in the order of the tests."""


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
        OUTCOMES[path] = refused.value
        assert refused.value.code not in ("ingest.unknown_format", "ingest.fault"), "say what it is, and why not"
        assert refused.value.place.file
        assert str(refused.value.fix)
        return
    raw = read_file(upload)
    OUTCOMES[path] = raw.format_id
    assert raw.format_id == expected.get("format_id", raw.format_id)
    compare_file(raw, expected)


def test_the_page_of_formats_says_what_became_of_every_file(root):
    if not given() or set(OUTCOMES) != set(given()):
        pytest.skip("only where every given file was read before")
    page = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    assert on_page(page) == section(OUTCOMES), "renew it: python scripts/formats.py --write"


def test_every_expected_file_is_there(shared_data):
    assert [path for path in EXPECTED if "*" not in path and not (shared_data / path).is_file()] == []
