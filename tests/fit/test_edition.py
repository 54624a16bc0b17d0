"""The fingerprint of the constants follows their bytes and nothing else."""

from __future__ import annotations

import hashlib

from core.fit.edition import edition, edition_of
from core.fit.method import VERSION
from core.settings import DATA


def test_it_is_the_beginning_of_the_sha256_of_the_file(tmp_path):
    path = tmp_path / "constants.json"
    path.write_bytes(b"{}")
    # sha256 of "{}", by coreutils.
    assert edition_of(path) == "44136fa3"
    path.write_bytes(b"{} ")
    assert edition_of(path) != "44136fa3"


def test_a_file_that_is_missing_has_none(tmp_path):
    assert edition_of(tmp_path / "none.json") == ""


def test_our_own_is_that_of_the_shipped_file():
    whole = hashlib.sha256((DATA / "method" / f"constants-{VERSION}.json").read_bytes()).hexdigest()
    assert whole.startswith(edition())
    assert len(edition()) == 8
