"""Hostile files: each is refused with the code of its kind, and costs little more than its own size.

Time is not measured here; where the size is the attack, memory is bounded by the system.
"""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
import tarfile

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import json_document, unpacked
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from core.pipeline import load
from core.settings import LIMITS, ROOT
from tests.fuzz.damage import smallest_per_format
from tests.golden.test_golden import CASES, upload_of
from tests.ingest.bench_files import VLLM
from tests.ingest.hostile_files import ATTACKS, HEAVY, HUGE, codes, vllm

MOST_MEGABYTES = 2_500
"""Of address space, with the libraries; the largest of these files is 200 MB."""
NUMBERS = [HUGE, "-" + HUGE, "9" * 5_000, "1e999999", "-1e999999", "NaN", "Infinity", "1e-999999", "-0.0"]
DEEP = 500
"""Nested as deep as a document may be decoded, and deeper than any importer expects."""

JSON_CASES = [case for case in CASES if unpacked(upload_of(case)).data.lstrip()[:1] == b"{"]
CHOSEN = set(smallest_per_format(JSON_CASES))
json_cases = pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in CHOSEN else pytest.mark.fuzz) for case in JSON_CASES],
    ids=lambda path: f"{path.parent.name}-{path.name}",
)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_file_is_refused_by_its_code(name):
    assert codes(name) == [ATTACKS[name][2]]


@pytest.mark.parametrize("name", HEAVY)
def test_a_huge_file_is_refused_in_bounded_memory(name):
    command = [sys.executable, "-m", "tests.ingest.hostile_files", name, str(MOST_MEGABYTES)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == [HEAVY[name][2]]


def test_more_files_than_the_limit_are_refused_and_the_others_are_read():
    loaded = load([Upload("first.json", vllm()), *(Upload(f"{i}.json", b"") for i in range(LIMITS.files))])
    (last,) = [refused for refused in loaded.refused if refused.code != "ingest.empty"]
    assert (last.file, last.code) == (f"{LIMITS.files - 1}.json", "container.too_many")
    assert len(loaded.runs) == 1


@json_cases
@pytest.mark.parametrize(
    "shift", [0, *(pytest.param(shift, marks=pytest.mark.fuzz) for shift in range(1, len(NUMBERS)))]
)
def test_no_number_is_too_large_or_too_odd_for_any_field(case, shift):
    source = unpacked(upload_of(case))
    document, rest = first_document(source.data)
    for index, path in enumerate(_numbers(document)):
        number = NUMBERS[(index + shift) % len(NUMBERS)]
        answered(Upload(source.name, _with(document, path, number).encode() + rest))


@json_cases
def test_no_importer_follows_what_is_nested_as_deep_as_it_can_be(case):
    source = unpacked(upload_of(case))
    document, rest = first_document(source.data)
    for deep in ("[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP):
        for key in document:
            data = _with(document, (key,), deep).encode() + rest
            answered(Upload(source.name, data))


@pytest.mark.parametrize("text", ["\x00", "a\x00b", "\ud800", "\udfff\ud800", "x" * 10_000, "\u202e", "<script>"])
def test_no_text_breaks_what_is_shown_and_stored(text):
    (run,) = runs_of([read_file(Upload("a.json", vllm(model_id=text, backend=text, label=text)))])
    shown = json.dumps([run.conditions.model, run.label, run.id])
    assert shown.encode()
    assert (run.conditions.model or "").encode("utf-8") is not None
    assert len(run.conditions.model or "") <= LIMITS.name_chars


def test_half_a_letter_becomes_the_sign_for_a_lost_one_and_whole_ones_stay():
    def said(text):
        return json_document(Upload("a.json", b'{"a": NaN, "b": "' + text + b'"}'))["b"]

    assert said(rb"\ud800x") == "\ufffdx"
    assert said(rb"\ud83d\ude00") == "\U0001f600"
    assert said(rb"\\ud800") == r"\ud800"
    assert said(rb"\ud83d\ude00\ude00") == "\U0001f600\ufffd"


def test_a_name_in_no_encoding_is_shown_with_signs_for_what_is_lost():
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        info = tarfile.TarInfo("inside\udcff.json")
        info.size = len(vllm())
        archive.addfile(info, io.BytesIO(vllm()))
    loaded = load([Upload("disk\udcff.json", vllm(max_concurrency=4)), Upload("a.tar", tar.getvalue())])
    assert {file.name for file in loaded.files} == {"disk?.json", "a/inside?.json"}


def test_a_name_as_long_as_a_page_is_cut_at_its_front():
    raw = read_file(Upload("x" * 100_000 + "/a.json", json.dumps(VLLM).encode()))
    assert len(raw.name) == LIMITS.name_chars
    assert raw.name.endswith("/a.json")


def first_document(data):
    """The document that a file is, or that its first line is, and what follows."""
    try:
        return json.loads(data), b""
    except ValueError:
        first, _, rest = data.partition(b"\n")
        return json.loads(first), b"\n" + rest


def answered(source):
    """Read, or refuse; what is read holds finite numbers."""
    try:
        raw = read_file(source)
    except RefusedFileError:
        return
    for level in raw.levels:
        assert all(math.isfinite(reading.value) for reading in level.readings)
    for run in runs_of([raw]):
        assert run.stages


def _numbers(document, most=40):
    """Paths of numbers, the first of every list."""
    found = []

    def walk(inside, path):
        items = (
            inside.items() if isinstance(inside, dict) else enumerate(inside[:1]) if isinstance(inside, list) else ()
        )
        for key, value in items:
            if isinstance(value, int | float) and not isinstance(value, bool):
                found.append((*path, key))
            walk(value, (*path, key))

    walk(document, ())
    # Evenly over the document: each takes a reading of the whole file.
    return found[:: max(len(found) // most, 1)]


def _with(document, path, text):
    """The document as JSON, with this text in place of one value."""
    mark = "put-it-here"

    def copy(inside, rest):
        if not rest:
            return mark
        if isinstance(inside, dict):
            return {key: copy(value, rest[1:]) if key == rest[0] else value for key, value in inside.items()}
        return [copy(value, rest[1:]) if index == rest[0] else value for index, value in enumerate(inside)]

    return json.dumps(copy(document, path)).replace(f'"{mark}"', text)
