"""One file from bytes to raw levels: what is refused, and with which words."""

from __future__ import annotations

import gzip

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.json", b"", "ingest.empty"),
        ("a.json", b" \n\t", "ingest.empty"),
        ("a.json", b'{"mean_ttft_ms": 12', "ingest.truncated"),
        ("a.json", b'[{"a": 1}, {"b"', "ingest.truncated"),
        ("a.json", b'{"recipe": "soup"}', "ingest.unknown_format"),
        ("a.jsonl", b'{"recipe": "soup"}\n{"recipe": "bread"}\n', "ingest.unknown_format"),
        ("a.json", b'{"recipe": soup}', "ingest.unknown_format"),
        ("a.txt", b"a letter", "ingest.unknown_format"),
        ("a.json.gz", gzip.compress(b'{"mean_ttft_ms": 12', mtime=0)[:-6], "ingest.truncated"),
        ("a.json.gz", gzip.compress(b"", mtime=0), "ingest.empty"),
    ],
)
def test_what_cannot_be_used_is_refused_with_file_and_next_step(name, data, code):
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload(name, data))
    assert refused.value.code == code
    assert refused.value.place.file in (name, name.removesuffix(".gz"))
    assert str(refused.value.fix)


def test_the_hash_is_of_the_bytes_as_they_came(root):
    path = next((root / "data" / "samples" / "emulator").glob("*.json"))
    plain = read_file(Upload(path.name, path.read_bytes()))
    packed = read_file(Upload(path.name + ".gz", gzip.compress(path.read_bytes())))
    assert packed.levels[0].asked_concurrency == plain.levels[0].asked_concurrency
    assert packed.sha256 != plain.sha256
    assert packed.name == path.name + ".gz"
