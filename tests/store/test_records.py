"""Records as tables: bit by bit, once, and nothing that unpacks to more than it says."""

from __future__ import annotations

import hashlib
import io
import zlib
from dataclasses import replace

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from pyarrow import parquet

from core.errors import StoreError
from core.ingest.raw import RawFile
from core.ingest.source import OnDisk
from core.model.codec import encode
from core.model.scenario import Scenario
from core.model.stage import Requests
from core.pipeline import load
from core.store.records import NUMBERS_ASIDE, from_parquet, opened, packed, to_parquet
from tests.model.model_strategies import any_scenario, differences
from tests.store.store_build import a_scenario

ODD = np.frombuffer(
    b"\x01\x02\x03\x04\x05\x06\xf8\xff\x01\x00\x00\x00\x00\x00\xf4\x7f" + np.array([-0.0, np.inf, 1e-300]).tobytes()
)
"""Not-a-numbers with something in them, quiet and signalling, and numbers that a detour over text would change."""


def records(n, seed=0):
    random = np.random.default_rng(seed)
    columns = {name: random.random(n) for name in ("start_s", "ttft_s", "e2e_s", "input_tokens", "output_tokens")}
    columns["tpot_s"] = np.resize(ODD, n)
    return Requests(**columns, good=random.random(n) > 0.1)


def with_records(*levels, **values):
    """A scenario whose run, and the run in its answer, have these records at their first levels."""
    scenario = a_scenario(**values)
    run = scenario.runs[0]
    stages = tuple(replace(run.stages[0], requests=one) for one in levels)
    run = replace(run, stages=(*stages, *run.stages[1:]))
    return replace(scenario, runs=(run,), answers=tuple(replace(each, run=run) for each in scenario.answers))


def back(value, kind=Scenario):
    done = packed(value)
    return opened(done.payload, kind, done.tables.__getitem__)


@given(st_numpy.arrays(np.float64, st.integers(0, 300), elements=st.floats(width=64)), st.data())
def test_columns_come_back_bit_by_bit(numbers, data):
    bits = data.draw(st_numpy.arrays(np.uint64, numbers.size))
    columns = {"a": numbers, "bits": bits.view(np.float64), "good": bits % 2 == 0}
    found = from_parquet(to_parquet(columns), numbers.size)
    assert list(found) == list(columns)
    for name, column in columns.items():
        assert found[name].dtype == column.dtype
        assert found[name].tobytes() == column.tobytes()
        assert not found[name].flags.writeable


@settings(max_examples=20)
@given(any_scenario())
def test_any_scenario_comes_back_as_it_was(scenario):
    assert differences(back(scenario), scenario) == []


@pytest.mark.parametrize("n", [0, 1, NUMBERS_ASIDE // 7, NUMBERS_ASIDE, 5_000])
def test_records_of_any_number_come_back_as_they_were(n):
    scenario = with_records(records(n), records(n, 1))
    assert differences(back(scenario), scenario) == []


def test_many_go_into_a_table_of_each_level_and_few_stay_inside():
    few, many = with_records(records(NUMBERS_ASIDE // 7 - 1)), with_records(records(500), records(500, 1))
    assert packed(few).tables == {}
    tables = packed(many).tables
    assert len(tables) == 2
    for sha256, data in tables.items():
        assert hashlib.sha256(data).hexdigest() == sha256
        named = parquet.read_table(io.BytesIO(data))
        assert set(named.column_names) == set(Requests.__dataclass_fields__)
        assert named.num_rows == 500


def test_what_refers_to_no_table_can_be_read_by_versions_that_know_none():
    inside = msgspec.json.decode(zlib.decompress(packed(a_scenario()).payload))
    outside = msgspec.json.decode(zlib.decompress(packed(with_records(records(500))).payload))
    assert inside["format"] == 1
    assert "tables" not in inside
    assert outside["format"] == 2
    assert list(outside["tables"].values()) == [500]


def test_a_payload_of_format_1_with_large_arrays_is_still_read():
    scenario = with_records(records(2_000))
    assert differences(opened(zlib.compress(encode(scenario)), Scenario, {}.__getitem__), scenario) == []


def test_the_same_records_are_the_same_table_after_reading_back():
    scenario = with_records(records(3_000))
    again = back(scenario)
    assert packed(replace(again, notes="another")).tables == packed(scenario).tables


def test_a_change_of_one_level_leaves_the_tables_of_the_others():
    first, second = records(500), records(500, 1)
    before = packed(with_records(first, second)).tables
    after = packed(with_records(first, replace(second, ttft_s=second.ttft_s + 1.0))).tables
    assert len(before.keys() & after.keys()) == 1


def test_files_with_everything_that_importers_keep_come_back(root):
    folders = ("vllm_bench", "evalscope", "inference_perf_records", "lmbenchmark")
    paths = [path for folder in folders for path in sorted((root / "tests" / "golden" / folder).rglob("input.*"))]
    files = load([OnDisk(path.as_posix(), path) for path in paths]).files
    assert any(level.requests is not None and level.requests.gaps.size for file in files for level in file.levels)
    assert differences(back(files, tuple[RawFile, ...]), files) == []


def refused(done, tables):
    with pytest.raises(StoreError) as raised:
        opened(done.payload, Scenario, tables.__getitem__)
    return raised.value.code


def test_another_table_under_the_same_hash_is_damage():
    done = packed(with_records(records(500)))
    (sha256,) = done.tables
    array = np.zeros(500)
    columns = {name: array for name in Requests.__dataclass_fields__ if name != "good"}
    good = np.ones(500, bool)

    def written(**changed):
        return {sha256: to_parquet(columns | {"good": good} | changed)}

    assert refused(done, {sha256: b"PAR1 and no more"}) == "store.damaged"
    assert refused(done, {sha256: to_parquet(dict.fromkeys(columns, array[:499]) | {"good": good[:499]})}) == (
        "store.damaged"
    )
    assert refused(done, written(good=array)) == "store.unreadable"
    assert refused(done, {sha256: to_parquet(columns)}) == "store.unreadable"
    assert refused(done, written(**{f"more{n}": array for n in range(20)})) == "store.damaged"
    assert opened(done.payload, Scenario, written().__getitem__)


def test_a_table_with_gaps_or_texts_is_damage():
    for column in (pa.array([1.0, None]), pa.array(["a", "b"]), pa.array([1, 2])):
        out = io.BytesIO()
        parquet.write_table(pa.table({"a": column}), out)
        with pytest.raises(StoreError) as raised:
            from_parquet(out.getvalue(), 2)
        assert raised.value.code == "store.damaged"


def test_a_table_that_unpacks_to_more_than_its_rows_is_not_unpacked():
    out = io.BytesIO()
    parquet.write_table(pa.table({"a": pa.array(["x" * 50_000_000])}), out, compression="zstd", use_dictionary=False)
    assert len(out.getvalue()) < 100_000
    with pytest.raises(StoreError) as raised:
        from_parquet(out.getvalue(), 1)
    assert raised.value.code == "store.damaged"


@pytest.mark.parametrize("lie", ["@", "@/", "@zz/ttft_s", "@{sha}/nothing", "@{sha}", 7, None])
def test_a_reference_that_lies_is_unreadable(lie):
    done = packed(with_records(records(500)))
    (sha256,) = done.tables
    text = zlib.decompress(done.payload).decode()
    said = msgspec.json.encode(lie.format(sha=sha256) if isinstance(lie, str) else lie).decode()
    changed = text.replace(f'"@{sha256}/ttft_s"', said)
    assert changed != text
    assert refused(replace(done, payload=zlib.compress(changed.encode())), done.tables) == "store.unreadable"


def test_twenty_versions_hold_their_records_once():
    """What a version takes by itself once the records are there: the rest of the scenario."""
    versions = [packed(replace(with_records(records(10_000)), notes=f"version {n}")) for n in range(20)]
    assert len({sha256 for one in versions for sha256 in one.tables}) == 1
    assert all(len(one.payload) < 5_000 for one in versions)
