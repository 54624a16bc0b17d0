"""However a valid file is damaged, it is read or refused with a place: nothing else, and never in part."""

from __future__ import annotations

import copy
import json
import math
from functools import cache

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.formats import aiperf_csv, aiperf_json, aiperf_records, aiperf_settings, guidellm
from core.ingest.raw import RawFile, Upload
from tests.ingest.golden_files import GOLDEN, golden_bytes

READERS = {"json": aiperf_json, "csv": aiperf_csv, "records": aiperf_records, "settings": aiperf_settings}
CASES = sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in GOLDEN.glob("*/*/origin.md"))
CASES = [case for case in CASES if case.startswith(("aiperf/", "guidellm/"))]
LINES = ("aiperf/csv", "aiperf/records")
# YAML shows no end, so that no law holds for where it is cut; tests/fuzz cuts it.
YAML = {case for case in CASES if list((GOLDEN / case).glob("input.y*ml*"))}
DOCUMENTS = [case for case in CASES if case not in YAML and not case.startswith(LINES)]
ODD = [None, True, -1, 0, 1.5, 1e400, -1e308, 10**400, float("nan"), "", "many", [], [[]], {}, {"avg": []}]


def reader_of(case: str):
    family, _, rest = case.partition("/")
    return guidellm if family == "guidellm" else READERS[rest.split("_")[0]]


def outcome(case: str, data: bytes) -> RawFile | RefusedFileError:
    try:
        return reader_of(case).read(Upload("folder_8/file", data))
    except RefusedFileError as error:
        return error


def read_or_refuse(case: str, data: bytes) -> RawFile | None:
    raw = outcome(case, data)
    if isinstance(raw, RefusedFileError):
        assert raw.place.file == "folder_8/file"
        return None
    for level in raw.levels:
        assert all(math.isfinite(reading.value) and reading.value >= 0.0 for reading in level.readings)
        if level.requests is not None:
            assert level.requests.good.size == level.requests.ttft.size == level.requests.e2e.size
    return raw


@pytest.mark.parametrize("case", CASES)
@given(data=st.data())
def test_bytes_changed_anywhere_never_raise_anything_else(case, data):
    whole = bytearray(golden_bytes(case))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    read_or_refuse(case, bytes(whole))


@pytest.mark.parametrize("case", DOCUMENTS)
@given(data=st.data())
def test_a_document_cut_anywhere_is_refused(case, data):
    whole = golden_bytes(case).rstrip()
    assert read_or_refuse(case, whole[: data.draw(st.integers(0, len(whole) - 1))] or b" ") is None


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("aiperf/csv")])
@given(data=st.data())
def test_a_table_cut_inside_a_line_is_refused(case, data):
    whole = golden_bytes(case)
    offset = data.draw(st.integers(1, len(whole) - 1))
    if whole[offset - 1 : offset] not in (b"\n", b"\r"):
        assert read_or_refuse(case, whole[:offset]) is None


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("aiperf/records")])
@given(data=st.data())
def test_records_cut_inside_a_line_are_refused(case, data):
    whole = golden_bytes(case)
    offset = data.draw(st.integers(1, len(whole) - 1))
    if whole[offset - 1 : offset] != b"\n" and whole[offset : offset + 1] != b"\n":
        assert read_or_refuse(case, whole[:offset]) is None


@pytest.mark.parametrize("case", [case for case in CASES if not case.startswith("aiperf/csv")])
@given(data=st.data())
def test_values_swapped_for_odd_ones_never_raise_anything_else(case, data):
    documents = copy.deepcopy(documents_of(case))
    dump = yaml_dump if case in YAML else json.dumps
    for _ in range(data.draw(st.integers(1, 3))):
        spoil(data, data.draw(st.sampled_from(documents)))
    read_or_refuse(case, "\n".join(dump(document) for document in documents).encode())


def yaml_load(text):
    """Read YAML with the parser in C: the one in Python takes most of this test's time."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def yaml_dump(document):
    """Write YAML with the writer in C."""
    return yaml.dump(document, Dumper=yaml.CSafeDumper)


@cache
def documents_of(case):
    """Return what a golden file holds: a document, or one for each line of records."""
    lines = golden_bytes(case).splitlines() if "records" in case else [golden_bytes(case)]
    return [yaml_load(line) if case in YAML else json.loads(line) for line in lines]


def spoil(data, node) -> None:
    """Replace one value somewhere in a document."""
    while True:
        keys = sorted(node) if isinstance(node, dict) else range(len(node))
        key = data.draw(st.sampled_from(list(keys)))
        inner = node[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.integers(0, 4)):
            node = inner
            continue
        node[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
        return
