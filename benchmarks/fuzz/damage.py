"""Damage every golden file and count what becomes of it: python -m benchmarks.fuzz.damage"""

from __future__ import annotations

from collections import Counter

from benchmarks.fuzz.publish import publish
from core.ingest.decode import unpacked
from core.ingest.raw import RawFile, Upload
from tests.fuzz.damage import PLACES, changed, cuts, flips
from tests.fuzz.test_damage import has_more_findings, read
from tests.golden.test_golden import CASES, may_pass_when_cut, upload_of


def outcome_of_cut(source: Upload, offset: int) -> str:
    """Return what becomes of a file that ends at an offset."""
    raw = read(Upload(source.name, source.data[:offset]))
    if raw is None:
        return "refused"
    return "shorter" if may_pass_when_cut(source, offset) else "wrong"


def outcome_of_flip(whole: RawFile, name: str, data: bytes) -> str:
    """Return what becomes of a file with one byte replaced."""
    raw = read(Upload(name, data))
    if raw is None:
        return "refused"
    if has_more_findings(whole, raw):
        return "finding"
    rows, fields = changed(whole, raw)
    if not rows and not fields:
        return "same"
    return "hit" if len(rows) <= 1 or len(fields) <= 1 else "wrong"


def main() -> None:
    """Count, and publish."""
    cut: Counter[str] = Counter()
    flipped: Counter[str] = Counter()
    for case in CASES:
        source = unpacked(upload_of(case))
        whole = read(source)
        assert whole is not None
        cut.update(outcome_of_cut(source, offset) for offset in cuts(source.data))
        flipped.update(outcome_of_flip(whole, source.name, data) for _, data in flips(source.data, case.name))
    formats = len({case.parent.name for case in CASES})
    publish("damage", {"files": len(CASES), "formats": formats, "places": PLACES, "cuts": cut, "flips": flipped})


if __name__ == "__main__":
    main()
