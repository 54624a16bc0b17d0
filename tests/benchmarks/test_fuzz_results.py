"""What the figures of damage and fuzzing promise: every file counted, nothing wrong left."""

from __future__ import annotations

import json

from benchmarks.fuzz.publish import KEPT, OUTCOMES, SHOWN, shown


def test_the_page_says_what_was_kept():
    assert SHOWN.read_text(encoding="utf-8") == shown(json.loads(KEPT.read_text(encoding="utf-8")))


def test_every_damaged_file_has_one_outcome_and_none_is_wrong():
    damage = json.loads(KEPT.read_text(encoding="utf-8"))["damage"]
    assert sum(damage["flips"].values()) == damage["files"] * damage["places"]
    assert damage["cuts"].keys() | damage["flips"].keys() <= OUTCOMES.keys() - {"wrong"}
