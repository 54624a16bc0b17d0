"""Every golden folder, read and compared with facts that a person checked by hand.

To add a case, add a folder `tests/golden/<format_id>/<case>/` with three files; no code.

* `input.<ending>` (also `.gz`): the file as the tool wrote it.
* `origin.md`: tool, version, command, licence, what was cut, or that it was written by hand.
* `expected.json`: what the file says, in the file's own units. Only the keys that stand there are
  compared, so write down the ones that could go wrong. Never paste our own output.

    {"name": "conc8/profile.json",            upload name, where the importer reads names; optional
     "format_version": "1", "kind": "measured", "findings": ["code", ...],        all optional
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

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.read import HEAD_BYTES, read_file
from core.ingest.registry import IMPORTERS

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent for path in HERE.glob("*/*/expected.json"))
CUTS = 20
LINE_WISE = {".jsonl", ".csv", ".tsv", ".txt"}
READING = re.compile(r"(ttft|itl|tpot|e2e|queue|rtf)_(mean|sd|p[\d.]+)")

every_case = pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.name}")


def expected_of(case: Path) -> dict:
    return json.loads((case / "expected.json").read_text(encoding="utf-8"))


def upload_of(case: Path) -> Upload:
    (source,) = case.glob("input.*")
    return Upload(expected_of(case).get("name", f"{case.name}/{source.name}"), source.read_bytes())


def near(value):
    return pytest.approx(value, rel=1e-6, abs=0.0) if isinstance(value, float) else value


def requests_facts(requests: RawRequests) -> dict:
    """Counts and means of per-request records; a mean is over the good requests that have a value."""
    facts = {"n": requests.good.size, "good": int(requests.good.sum()), "gaps": requests.gaps.size}
    facts |= {"unit": requests.unit, "gaps_mean": float(requests.gaps.mean()) if requests.gaps.size else None}
    if requests.cut_off is not None:
        facts["cut_off"] = int(requests.cut_off.sum())
    for name in ("ttft", "e2e", "start", "input_tokens", "output_tokens", "tpot"):
        values = getattr(requests, name)
        known = values[requests.good & ~np.isnan(values)] if values is not None else np.empty(0)
        facts[f"{name}_mean"] = float(known.mean()) if known.size else None
    return facts


def found_and_wanted(level: RawLevel, key: str, want) -> tuple:
    """One key of expected.json: what was read, and what should have been, in comparable form."""
    if READING.fullmatch(key):
        found = next((r for r in level.readings if f"{r.metric.value}_{r.statistic}" == key), None)
        return found and [found.value, found.unit], want and [near(float(want[0])), want[1]]
    if key == "conditions":
        return {name: level.conditions.get(name) for name in want}, want
    if key == "sample_n":
        return {metric.value: n for metric, n in level.sample_n.items()}, want
    if key == "findings":
        return sorted(f.code for f in level.findings), sorted(want)
    if key == "place":
        return {name: getattr(level.place, name) for name in want}, want
    if key == "requests" and want and level.requests:
        facts = requests_facts(level.requests)
        return {name: facts[name] for name in want}, {name: near(value) for name, value in want.items()}
    value = getattr(level, key)
    return list(value) if isinstance(value, tuple) else value, near(want)


def compare_level(level: RawLevel, expected: dict) -> None:
    names = [(r.metric, r.statistic) for r in level.readings]
    assert len(set(names)) == len(names), "one statistic was read twice"
    for key, wanted in expected.items():
        got, want = found_and_wanted(level, key, wanted)
        assert got == want, key


def compare_file(raw: RawFile, expected: dict) -> None:
    for key in ("format_version", "kind"):
        if key in expected:
            assert getattr(raw, key) == expected[key], key
    if "findings" in expected:
        assert sorted(f.code for f in raw.findings) == sorted(expected["findings"])
    assert len(raw.levels) == len(expected["levels"])
    for level, want in zip(raw.levels, expected["levels"], strict=True):
        compare_level(level, want)


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
    assert [i.FORMAT_ID for i in IMPORTERS if i.match(head) > 0.0] == [case.parent.name]


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


@every_case
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
