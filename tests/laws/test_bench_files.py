"""Whatever is done to a benchmark result, reading it gives levels or a refusal with a place."""

import json
import math

from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.ingest.formats import sglang_bench, vllm_bench
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.read import read_file
from tests.ingest.bench_files import DETAILS, SGLANG, VLLM

WHOLE = [json.dumps(VLLM | DETAILS, indent=1), "\n".join([json.dumps(VLLM)] * 2), "\n".join([json.dumps(SGLANG)] * 3)]
WHOLE = [text.encode() for text in WHOLE]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def read_or_refusal(importer, upload: Upload) -> RawFile | RefusedFileError:
    try:
        return importer.read(upload) if importer else read_file(upload)
    except RefusedFileError as error:
        return error


def check(importer, upload: Upload) -> None:
    found = read_or_refusal(importer, upload)
    if isinstance(found, RefusedFileError):
        assert found.place.file == upload.name
        assert str(found)
        return
    assert found.levels
    for level in found.levels:
        assert all(0.0 <= reading.value < math.inf for reading in level.readings)
        assert all(str(finding.what) for finding in level.findings)


@given(st.sampled_from(WHOLE), st.data())
def test_a_file_with_changed_bytes_is_read_or_refused(whole, data):
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    upload = Upload("a.jsonl", whole[:start] + data.draw(st.binary(max_size=10)) + whole[end:])
    for importer in (None, vllm_bench, sglang_bench):
        check(importer, upload)


@given(st.sampled_from(WHOLE), st.integers(0, 5000))
def test_a_file_that_was_cut_off_is_read_or_refused(whole, offset):
    check(None, Upload("a.jsonl", whole[:offset]))


@given(st.sampled_from([(vllm_bench, VLLM | DETAILS), (sglang_bench, SGLANG | DETAILS)]), st.data())
def test_a_field_may_hold_anything(pair, data):
    importer, run = pair
    keys = data.draw(st.lists(st.sampled_from(sorted(run)), min_size=1, max_size=3))
    bent = run | {key: data.draw(anything) for key in keys}
    check(importer, Upload("a.json", json.dumps(bent).encode()))


@given(st.binary(max_size=300), st.sampled_from([*WHOLE, b""]), st.integers(0, 900))
def test_sniffing_never_raises(noise, whole, at):
    for importer in (vllm_bench, sglang_bench):
        assert importer.match(Head("x", whole[:at] + noise)) in (0.0, 1.0)
