"""A damaged file: a refusal with its place, a finding, the same result, or one that differs only where it was hit.

One golden case per format here, every one with `make fuzz`. Cuts of every golden case are in
tests/golden/test_golden.py.
"""

from __future__ import annotations

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.raw import RawFile, Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from tests.fuzz.damage import changed, cuts, flips, smallest_per_format
from tests.golden.test_golden import CASES, may_pass_when_cut, upload_of

CHOSEN = set(smallest_per_format(CASES))
every_case = pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in CHOSEN else pytest.mark.fuzz) for case in CASES],
    ids=lambda path: f"{path.parent.name}-{path.name}",
)


def read(source: Upload) -> RawFile | None:
    """What a file says, None where it is refused as it should be; its runs are made too."""
    try:
        raw = read_file(source)
    except RefusedFileError as error:
        refused = error
    else:
        runs_of([raw])
        return raw
    assert refused.place.file
    assert str(refused.fix)
    return None


@every_case
def test_one_wrong_byte_changes_no_more_than_the_field_or_row_it_is_in(case):
    source = unpacked(upload_of(case))
    whole = read(source)
    assert whole is not None
    for offset, data in flips(source.data, case.name):
        raw = read(Upload(source.name, data))
        if raw is None or has_more_findings(whole, raw):
            continue
        rows, fields = changed(whole, raw)
        assert len(rows) <= 1 or len(fields) <= 1, (offset, source.data[offset], data[offset], rows, fields)


@every_case
def test_a_file_that_ends_early_is_refused_or_loses_only_its_last_rows(case):
    source = unpacked(upload_of(case))
    whole = read(source)
    assert whole is not None
    for offset in cuts(source.data):
        raw = read(Upload(source.name, source.data[:offset]))
        assert raw is None or may_pass_when_cut(source, offset), offset


def has_more_findings(before: RawFile, after: RawFile) -> bool:
    """Whether a file or its levels have something to say that they had not."""
    return len(after.findings) > len(before.findings) or _of_levels(after) > _of_levels(before)


def _of_levels(raw: RawFile) -> int:
    return sum(len(level.findings) for level in raw.levels)
