"""The watched folder: what is offered, and that no name leads out of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from core import settings
from core.errors import RefusedFileError
from core.ingest.inbox import chosen, entries
from core.ingest.read import read_file
from core.ingest.source import OnDisk

ROW = b'{"request_id": 1, "ttft_ms": 5.0, "output_tokens": 2}\n'


@pytest.fixture
def folder(tmp_path) -> Path:
    inbox = tmp_path / "inbox"
    (inbox / "run" / "conc4").mkdir(parents=True)
    (inbox / "big.jsonl").write_bytes(ROW * 3)
    (inbox / "run" / "conc4" / "log.jsonl").write_bytes(ROW)
    (inbox / "run" / ".hidden").write_bytes(ROW)
    (inbox / ".part").write_bytes(ROW)
    os.utime(inbox / "big.jsonl", (1_800_000_000, 1_800_000_000))
    (tmp_path / "secret.jsonl").write_bytes(ROW)
    return inbox


def test_files_and_folders_are_listed_with_size_and_date(folder):
    found = {entry.name: entry for entry in entries(folder)}
    assert set(found) == {"big.jsonl", "run"}
    assert (found["big.jsonl"].size, found["big.jsonl"].files, found["big.jsonl"].folder) == (3 * len(ROW), 1, False)
    assert (found["run"].files, found["run"].folder) == (1, True)
    assert f"{found['big.jsonl'].changed:%Y-%m-%d}" == "2027-01-15"


def test_a_folder_is_taken_in_with_its_names(folder):
    (file,) = chosen(folder, ["run"])
    assert file.name == "run/conc4/log.jsonl"
    assert read_file(file).levels[0].asked_concurrency == 4


@pytest.mark.parametrize(
    "name", ["../secret.jsonl", "..", ".", "", "/etc/passwd", "run/../../secret.jsonl", "big.jsonl/", ".part", "big\0"]
)
def test_a_name_that_is_not_listed_is_refused(folder, name):
    with pytest.raises(RefusedFileError) as refused:
        chosen(folder, [name])
    assert refused.value.code == "inbox.not_there"


def test_links_are_neither_offered_nor_followed(folder, tmp_path):
    (folder / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (folder / "out").symlink_to(tmp_path)
    (folder / "run" / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (folder / "run" / "out").symlink_to(tmp_path)
    assert {entry.name for entry in entries(folder)} == {"big.jsonl", "run"}
    assert [file.name for file in chosen(folder, ["run"])] == ["run/conc4/log.jsonl"]


def test_a_file_that_became_a_link_after_it_was_listed_is_refused(folder, tmp_path):
    (file,) = chosen(folder, ["big.jsonl"])
    file.path.unlink()
    file.path.symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(RefusedFileError) as refused:
        read_file(file)
    assert refused.value.code == "inbox.outside"
    file.path.unlink()
    file.path.symlink_to(folder / "run" / "conc4" / "log.jsonl")
    with pytest.raises(RefusedFileError):
        read_file(file)


def test_a_file_in_a_folder_that_became_a_link_is_refused(folder, tmp_path):
    (file,) = chosen(folder, ["run"])
    away = tmp_path / "away"
    (folder / "run").rename(away)
    (folder / "run").symlink_to(away)
    with pytest.raises(RefusedFileError) as refused:
        read_file(file)
    assert refused.value.code == "inbox.outside"


def test_a_pipe_is_not_offered(folder):
    os.mkfifo(folder / "pipe")
    assert "pipe" not in {entry.name for entry in entries(folder)}


def test_a_folder_that_is_not_there_is_told_of(tmp_path):
    with pytest.raises(RefusedFileError) as refused:
        entries(tmp_path / "gone")
    assert refused.value.code == "ingest.unreadable"


def test_what_has_to_be_read_at_once_has_its_limit_on_disk_too(folder, monkeypatch):
    path = folder / "summary.json"
    path.write_bytes(b"{" + b" " * 2_000 + b"}")
    monkeypatch.setattr("core.ingest.source.LIMITS", replace(settings.LIMITS, file_bytes=1_000))
    with pytest.raises(RefusedFileError) as refused:
        read_file(OnDisk("summary.json", path))
    assert refused.value.code == "ingest.too_large"


def test_the_folder_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.delenv("PLIMSOLL_INBOX", raising=False)
    assert settings.inbox() is None
    monkeypatch.setenv("PLIMSOLL_INBOX", str(tmp_path))
    assert settings.inbox() == tmp_path
