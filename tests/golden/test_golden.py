"""Every golden folder, read and compared with facts that a person checked by hand.

To add a case, add a folder `tests/golden/<format_id>/<case>/` with three files; no code.

* `input.<ending>` (also `.gz`): the file as the tool wrote it.
* `origin.md`: tool, version, command, licence, what was cut, or that it was written by hand.
* `expected.json`: what the file says, in the file's own units. Only the keys that stand there are
  compared, so write down the ones that could go wrong. Never paste our own output.

    {"name": "conc8/profile.json",            upload name, where the importer reads names; optional
     "format_version": "1", "kind": "measured", "findings": ["code", ...],        all optional
     "pool": {"n": 70, "good": 66},                 as "requests", of the requests of all levels; optional
     "levels": [{                                          as many as the file holds, in its order
        "asked_concurrency": 8, "requests_good": 80, "asked_rate": null,    attributes of RawLevel
        "ttft_mean": [33.8, "ms"], "e2e_p99.9": null,        <metric>_<statistic>; null: no reading
        "conditions": {"model": "m", "tp": null},           the named ones; null: not known
        "identity": {"backend": "openai"},                  all of them
        "sample_n": {"ttft": 80},                           all of them
        "findings": ["ingest.from_file_name"],              codes, all of them, in any order
        "requests": {"n": 80, "good": 70, "gaps": 2170, "unit": "s",     counts and unit, or null
                     "ttft_mean": 0.0338},       mean of an array over good requests, NaN left out
        "place": {"line": 2, "field": null}}]}

Each input must be claimed by exactly one importer, and cut off at any of 20 offsets it must be
refused with a place. A text table or JSON Lines file cut at the end of a line is merely shorter.
"""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.read import HEAD_BYTES, read_file
from tests.fuzz.damage import smallest_per_format
from tests.ingest.golden_files import claimants
from tests.reading import compare_file

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent for path in HERE.glob("*/*/expected.json"))
CUTS = 20
LINE_WISE = {".jsonl", ".csv", ".tsv", ".txt", ".log", ".md", ".yaml", ".yml"}

FIRST = set(smallest_per_format(CASES))
"""One case of each format is cut in every run of the tests; all of them with `make fuzz`."""

every_case = pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")


def expected_of(case: Path) -> dict:
    return json.loads((case / "expected.json").read_text(encoding="utf-8"))


def upload_of(case: Path) -> Upload:
    (source,) = case.glob("input.*")
    return Upload(expected_of(case).get("name", f"{case.name}/{source.name}"), source.read_bytes())


def may_pass_when_cut(source: Upload, offset: int) -> bool:
    """Whether nobody can see that a file was cut here: the end of a line, or of a table's last cell."""
    before, after = source.data[:offset], source.data[offset:]
    if not after.strip():
        return True
    suffix = Path(source.name).suffix
    if suffix not in LINE_WISE:
        return False
    rest = after.split(b"\n", 1)[0].strip()
    last_cell = suffix != ".jsonl" and not re.search(rb"[,;\t]", rest)
    return before.endswith(b"\n") or not rest or last_cell


def advice(claimed: list[str], wanted: str) -> str:
    """Say which step of CONTRIBUTING.md is missing where others than the one format claim a file."""
    if wanted not in claimed:
        return f"{wanted} does not claim it: is it in core/ingest/registry.py, and is its `match` above 0?"
    return f"{claimed} all claim it: they need marks that the others do not have"


def read_or_refusal(source: Upload) -> RawFile | RefusedFileError:
    try:
        return read_file(source)
    except RefusedFileError as error:
        return error


def test_there_are_golden_cases():
    assert CASES


@every_case
def test_a_golden_file_says_where_it_comes_from(case):
    assert (case / "origin.md").read_text(encoding="utf-8").strip()


@every_case
def test_exactly_one_importer_claims_a_golden_file(case):
    source = unpacked(upload_of(case))
    head = Head(source.name, source.data[:HEAD_BYTES])
    claimed = claimants(head)
    assert claimed == [case.parent.name], advice(claimed, case.parent.name)


@every_case
def test_a_golden_file_reads_as_expected(case):
    raw = read_file(upload_of(case))
    assert raw.format_id == case.parent.name
    compare_file(raw, expected_of(case))


@every_case
def test_reading_a_golden_file_twice_gives_the_same(case):
    first, second = (read_file(upload_of(case)) for _ in range(2))
    plain = [[dataclasses.replace(level, requests=None) for level in raw.levels] for raw in (first, second)]
    assert plain[0] == plain[1]
    assert first.findings == second.findings


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in FIRST else pytest.mark.fuzz) for case in CASES],
    ids=lambda path: f"{path.parent.name}-{path.name}",
)
@pytest.mark.parametrize("part", range(1, CUTS + 1))
def test_a_golden_file_that_was_cut_off_is_refused_with_its_place(case, part):
    source = upload_of(case)
    offset = len(source.data) * part // (CUTS + 1)
    cut = Upload(source.name, source.data[:offset])
    if may_pass_when_cut(source, offset):
        assert read_or_refusal(cut)
        return
    with pytest.raises(RefusedFileError) as refused:
        read_file(cut)
    assert refused.value.place.file
    assert str(refused.value.fix)
