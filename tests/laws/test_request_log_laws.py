"""Large logs of requests: how a file is cut into blocks, kept or written down changes nothing that is read."""

from __future__ import annotations

import dataclasses
import gzip
import io
import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import zstandard
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from core.errors import RefusedFileError
from core.ingest import lines, request_csv, request_log, spill
from core.ingest.formats import generic_requests
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.ingest.source import OnDisk, Stream
from core.model.metric import Metric
from core.model.sketch import ALPHA, RULE, Sketch
from core.normalise.condense import condensed
from core.normalise.level import level_of
from core.normalise.records import QUANTILES, exact
from core.pipeline import load
from core.settings import LIMITS

# Shrinking a log of many fields takes minutes and shows little more than the first example.
QUICK = {"phases": [Phase.explicit, Phase.reuse, Phase.generate]}

times = st.floats(0.001, 1e5, allow_nan=False).map(lambda x: round(x, 6))
request = st.fixed_dictionaries(
    {
        "request_id": st.integers(0, 10**9),
        "start_time_ms": st.floats(0, 1e6).map(lambda x: round(x, 3)),
        "concurrency": st.sampled_from([1, 4, 16]),
        "ttft_ms": st.none() | times,
        "e2e_ms": st.none() | times,
        "output_tokens": st.none() | st.integers(1, 500),
        "error": st.sampled_from([None, None, None, "timeout", "a, b"]),
    }
)
logs = st.lists(request, min_size=1, max_size=40)


def as_jsonl(rows) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def as_csv(rows) -> bytes:
    def cell(value):
        text = "" if value is None else str(value)
        return f'"{text}"' if "," in text else text

    body = "".join(",".join(cell(row[name]) for name in rows[0]) + "\n" for row in rows)
    return (",".join(rows[0]) + "\n" + body).encode()


def as_parquet(rows) -> bytes:
    sink = io.BytesIO()
    names = {"request_id": pa.int64(), "concurrency": pa.int32(), "output_tokens": pa.int16(), "error": pa.string()}
    schema = pa.schema([(name, names.get(name, pa.float64())) for name in rows[0]])
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    return sink.getvalue()


def said(raw):
    """Everything a file says, arrays as lists, without its name and hash."""
    levels = []
    for level in raw.levels:
        kept = level.requests
        arrays = kept and {
            field.name: np.nan_to_num(np.asarray(getattr(kept, field.name), float), nan=-1.0).round(9).tolist()
            for field in dataclasses.fields(kept)
            if isinstance(getattr(kept, field.name), np.ndarray)
        }
        levels.append(
            (level.asked_concurrency, level.requests_sent, level.requests_good, level.requests_failed, arrays)
        )
    return levels


@given(logs)
@settings(max_examples=40, **QUICK)
def test_json_lines_csv_and_parquet_of_one_log_say_the_same(rows):
    files = [("a.jsonl", as_jsonl(rows)), ("a.csv", as_csv(rows)), ("a.parquet", as_parquet(rows))]
    told = [said(generic_requests.read(Upload(name, data))) for name, data in files]
    assert told[0] == told[1] == told[2]


@given(logs, st.integers(1, 400), st.booleans())
@settings(max_examples=60, **QUICK)
def test_where_blocks_end_makes_no_difference(rows, size, quoted):
    data = as_csv(rows) if quoted else as_jsonl(rows)
    with pytest.MonkeyPatch.context() as patch:
        whole = said(generic_requests.read(Upload("a", data)))
        patch.setattr(lines.line_blocks, "__defaults__", (size,))
        patch.setattr(request_csv, "BLOCK", size)
        patch.setattr("core.ingest.source.HEAD_BYTES", 200)
        patch.setattr(Stream, "blocks", lambda self, _: (data[at : at + size] for at in range(0, len(data), size)))
        assert said(generic_requests.read(Upload("a", data))) == whole


@given(logs)
@settings(max_examples=40, **QUICK)
def test_reading_in_one_go_and_cell_by_cell_give_the_same(rows):
    table, document = as_csv(rows), as_jsonl(rows)
    quick = [said(generic_requests.read(Upload(n, d))) for n, d in (("a.csv", table), ("a.jsonl", document))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.ingest.request_csv.CsvRequests._fast", lambda *_: None)
        patch.setattr("core.ingest.request_json.JsonRequests._fast", lambda *_: None)
        assert [
            said(generic_requests.read(Upload(n, d))) for n, d in (("a.csv", table), ("a.jsonl", document))
        ] == quick


def limits(patch, **changed):
    small = dataclasses.replace(LIMITS, **changed)
    for module in (spill, request_log):
        patch.setattr(module, "LIMITS", small)


@given(logs, st.sampled_from([0, 10**6]), st.integers(1, 50))
@settings(max_examples=60, **QUICK)
def test_requests_on_disk_come_to_the_same_as_kept_ones(rows, in_memory, flush):
    upload = Upload("a.jsonl", as_jsonl(rows))
    kept = read_file(upload)
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, kept_requests=0, numbers_in_memory=in_memory)
        patch.setattr(spill, "FLUSH", flush)
        read = read_file(upload)
        assert all(level.spilled for level in read.levels)
        from_disk = condensed(read)
    for one, other in zip(kept.levels, from_disk.levels, strict=True):
        a, b = level_of(one, kept).stage, level_of(other, from_disk).stage
        for metric, statistics in a.statistics.items():
            found = b.statistics[metric]
            assert (found.n, found.rule) == (statistics.n, statistics.rule)
            assert found.mean == pytest.approx(statistics.mean, rel=1e-12)
            assert {q: found.quantiles[q] for q in QUANTILES} == statistics.quantiles
        assert a.statistics.keys() == b.statistics.keys()
        for name in ("requests_sent", "requests_good", "requests_failed", "requests_cut_off"):
            assert getattr(a, name) == getattr(b, name)
        for name in ("achieved_concurrency", "achieved_rate", "duration_s", "output_tokens_mean", "output_tok_s"):
            wanted = getattr(a, name)
            assert getattr(b, name) == (None if wanted is None else pytest.approx(wanted, rel=1e-9))
        assert b.requests is None


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300), st.integers(0, 300), st.floats(0.001, 0.999))
def test_a_sketch_keeps_its_error_and_its_parts_merge(values, cut, q):
    array = np.array(values)
    whole, left, right = Sketch(), Sketch(), Sketch()
    whole.add(array)
    left.add(array[:cut])
    right.add(array[cut:])
    right.merge(left)
    true = float(np.quantile(array, q, method="lower"))
    for sketch in (whole, right):
        assert sketch.quantile(q) == pytest.approx(true, rel=ALPHA * 1.0001, abs=1e-11)
    found = right.statistics(QUANTILES, 1.0, 7)
    assert (found.n, found.rule) == (7, RULE)
    assert found.mean == pytest.approx(array.mean(), rel=1e-9, abs=1e-12)
    assert found.sd == pytest.approx(array.std(), rel=1e-6, abs=1e-9 * max(float(array.max()), 1.0))


@given(st.lists(st.floats(1e-3, 1e4), min_size=1, max_size=200))
def test_sorted_quantiles_are_numpys_to_the_last_bit(values):
    array = np.array(values)
    found = exact(array)
    assert list(found.quantiles.values()) == np.quantile(array, QUANTILES).tolist()


@given(logs, st.integers(0, 60))
@settings(max_examples=25, **QUICK)
def test_gaps_beyond_memory_are_within_the_stated_error(rows, most):
    random = np.random.default_rng(len(rows))
    rows = [{**row, "itl_ms": random.lognormal(2.0, 0.5, 5).tolist(), "error": None, "e2e_ms": 10.0} for row in rows]
    upload = Upload("a.jsonl", as_jsonl(rows))
    kept = read_file(upload)
    with pytest.MonkeyPatch.context() as patch:
        limits(patch, kept_gaps=most)
        sketched = read_file(upload)
    for one, other in zip(kept.levels, sketched.levels, strict=True):
        a, b = (level_of(x, f).stage.statistics[Metric.ITL] for x, f in ((one, kept), (other, sketched)))
        assert b.rule in ("linear", RULE)
        assert b.mean == pytest.approx(a.mean, rel=1e-9)
        values = np.sort(one.requests.gaps)
        for q in QUANTILES:
            low, high = values[int(np.floor(q * (values.size - 1)))], values[int(np.ceil(q * (values.size - 1)))]
            assert low * (1 - 1.01 * ALPHA) <= b.quantiles[q] * 1e3 <= high * (1 + 1.01 * ALPHA)


def open_files() -> set[str]:
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(link.readlink()))
        except OSError:
            continue
    return {name for name in found if "plimsoll-" in name or "(deleted)" in name}


class StopError(BaseException):
    """What a person's stop raises in the page: no Exception, so that nothing swallows it."""


@pytest.mark.parametrize("end", ["fine", "refused", "stopped", "stopped late"])
def test_nothing_is_left_on_disk_however_reading_ends(tmp_path, monkeypatch, end):
    rows = [{"request_id": i, "concurrency": i % 3 + 1, "ttft_ms": 1.0 + i, "start_time_ms": i} for i in range(9_000)]
    data = as_jsonl(rows) + (b'{"request_id": "x", "ttft_ms": "soon"}\n' if end == "refused" else b"")
    path = tmp_path / "log.jsonl"
    path.write_bytes(data)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    limits(monkeypatch, kept_requests=10, numbers_in_memory=0)
    monkeypatch.setattr(spill, "FLUSH", 100)
    monkeypatch.setattr("core.pipeline.TOLD_EVERY_S", 0.0)
    monkeypatch.setattr(lines.line_blocks, "__defaults__", (4_096,))
    before, seen = open_files(), []

    def progress(position, count, name):
        seen.append(position)
        if (end == "stopped" and position > 0.2) or (end == "stopped late" and len(seen) > 2 and position < seen[-2]):
            raise StopError

    if end.startswith("stopped"):
        with pytest.raises(StopError):
            load([OnDisk("log.jsonl", path)], progress)
    else:
        loaded = load([OnDisk("log.jsonl", path)], progress)
        assert bool(loaded.refused) is (end == "refused")
    assert seen[0] == 0
    assert any(0 < position < 1 for position in seen)
    assert list(folder.iterdir()) == []
    assert open_files() == before


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress, lambda data: data])
def test_a_file_on_disk_reads_as_its_upload(tmp_path, pack):
    rows = [{"request_id": i, "ttft_ms": 5.0 + i, "output_tokens": 7} for i in range(400)]
    data = pack(as_jsonl(rows))
    path = tmp_path / "concurrency_4.jsonl"
    path.write_bytes(data)
    on_disk, upload = read_file(OnDisk("concurrency_4.jsonl", path)), read_file(Upload("concurrency_4.jsonl", data))
    assert said(on_disk) == said(upload)
    assert on_disk.sha256 == upload.sha256
    assert on_disk.levels[0].asked_concurrency == 4


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_a_packed_log_that_was_cut_off_is_refused(pack):
    rows = [
        {"request_id": i, "ttft_ms": float(np.random.default_rng(i).random()), "output_tokens": 7} for i in range(9_000)
    ]
    data = pack(as_jsonl(rows))
    for part in (0.5, 0.9, 0.99):
        with pytest.raises(RefusedFileError) as refused:
            read_file(Upload("a.jsonl.gz", data[: int(len(data) * part)]))
        assert refused.value.code == "ingest.truncated"


def test_records_of_aiperf_come_to_the_same_beyond_what_is_kept(monkeypatch, root):
    (source,) = (root / "tests" / "golden" / "aiperf").glob("records_0_13/input.jsonl*")
    upload = Upload(source.name, source.read_bytes())
    kept = read_file(upload)
    small = dataclasses.replace(LIMITS, kept_requests=0, kept_gaps=1)
    monkeypatch.setattr("core.ingest.formats.aiperf_records.LIMITS", small)
    monkeypatch.setattr("core.ingest.formats.aiperf_lines.LIMITS", small)
    read = read_file(upload)
    assert read.levels[0].spilled
    apart = condensed(read)
    one, other = (level_of(file.levels[0], file).stage for file in (kept, apart))
    assert (one.requests is None, other.requests is None) == (False, True)
    for metric in (Metric.TTFT, Metric.E2E, Metric.TPOT):
        assert {q: other.statistics[metric].quantiles[q] for q in QUANTILES} == one.statistics[metric].quantiles
    assert other.achieved_concurrency == pytest.approx(one.achieved_concurrency, rel=1e-9)
    assert (one.requests_sent, one.requests_good) == (other.requests_sent, other.requests_good)
    gaps = other.statistics.get(Metric.ITL)
    if gaps:
        assert gaps.rule == RULE
        assert gaps.mean == pytest.approx(one.statistics[Metric.ITL].mean, rel=1e-9)
