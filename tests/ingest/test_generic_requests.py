"""Tables with one row per request: every trap that docs/formats/generic_requests.md names, and hostile files."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import RefusedFileError
from core.ingest import request_levels, request_log, request_parquet
from core.ingest.formats import generic_csv, generic_requests
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.ingest.request_columns import claims
from core.model.metric import Metric
from core.pipeline import load
from core.settings import LIMITS


def jsonl(*rows: dict) -> Upload:
    return Upload("log.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows))


def table(text: str) -> Upload:
    return Upload("log.csv", text.encode())


def columns(table: pa.Table) -> Upload:
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return Upload("log.parquet", sink.getvalue())


def refused(upload: Upload) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as caught:
        generic_requests.read(upload)
    assert caught.value.place.file
    assert str(caught.value.fix)
    return caught.value


def row(number: int, **more) -> dict:
    return {"request_id": number, "ttft_ms": 5.0, "output_tokens": 3, **more}


@pytest.mark.parametrize(
    ("header", "mine"),
    [
        ("request_id,ttft_ms", True),
        ("start_time,end_time,output_tokens", True),
        ("timestamp,latency_s,status", True),
        ("concurrency,ttft_ms,e2e_ms", False),
        ("request_id,p99_ttft_ms", False),
        ("concurrency,num_prompts,mean_ttft_ms,start_time,completed", False),
        ("request_id,prompt,answer", False),
        ("launch_time,finish_time,ttft,generation_time,prompt_tokens,generation_tokens", False),
        ("request id,arrival,end_time,latency,queuing_delay,TTFT,TPOT", False),
        ("Request Id,request_e2e_time,prefill_e2e_time", False),
    ],
)
def test_only_rows_of_requests_are_claimed(header, mine):
    assert claims(header.split(",")) is mine
    head = Head("x.csv", header.encode() + b"\n" + b",".join([b"1"] * len(header.split(","))) + b"\n")
    assert (generic_requests.match(head) > 0) is mine
    assert not mine or generic_csv.match(head) == 0.0


def test_an_error_that_appears_late_counts():
    rows = [row(i) for i in range(3_000)] + [row(3_000, error={"code": 500}, e2e_ms=9.0)]
    (level,) = generic_requests.read(jsonl(*rows)).levels
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (3_001, 3_000, 1)


def test_a_log_without_outcomes_does_not_prove_that_none_failed():
    (level,) = generic_requests.read(jsonl(row(1), row(2))).levels
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (None, 2, None)


@pytest.mark.parametrize(
    ("cell", "state"),
    [
        ({"status": 200}, "good"), ({"status": "503"}, "failed"), ({"status": "cancelled"}, "cut"),
        ({"success": True}, "good"), ({"success": "no"}, "failed"), ({"success": None}, "failed"),
        ({"error": "None"}, "good"), ({"error": 0}, "good"), ({"error": "timeout"}, "failed"), ({"error": ""}, "good"),
        ({"cancelled": 1}, "cut"), ({"cancelled": False}, "good"), ({"status": "success", "error": "x"}, "failed"),
    ],
)  # fmt: skip
def test_the_outcome_is_read_however_it_is_written(cell, state):
    (level,) = generic_requests.read(jsonl(row(1, **cell))).levels
    counts = (level.requests_good, level.requests_failed, level.requests_cut_off)
    assert counts == {"good": (1, 0, 0), "failed": (0, 1, 0), "cut": (0, 0, 1)}[state]


def test_a_mean_gap_of_one_request_is_its_tpot():
    raw = generic_requests.read(jsonl(row(1, itl_ms=7.0), row(2, itl_ms=9.0)))
    assert raw.levels[0].requests.tpot.tolist() == [7.0, 9.0]
    assert raw.calls == {Metric.TPOT: "ITL"}
    assert raw.levels[0].requests.gaps.size == 0


def test_units_of_several_columns_become_one():
    (level,) = generic_requests.read(table("id,ttft_ms,e2e_s,end_time_s,output_tokens\n1,250,2,10,5\n")).levels
    requests = level.requests
    assert (requests.unit, requests.ttft[0], requests.e2e[0], requests.start[0]) == ("s", 0.25, 2.0, 0.0)


def test_a_unit_that_nothing_tells_is_refused():
    error = refused(table("request_id,ttft,latency\n1,5,9\n"))
    assert (error.code, error.place.field) == ("ingest.unit_unknown", "ttft")


def test_beginning_and_end_tell_the_unit():
    (level,) = generic_requests.read(
        table("request_id,start_time,end_time,latency,ttft\n1,1795969785.0,1795969787.0,2000,90\n")
    ).levels
    assert (level.requests.unit, level.requests.ttft[0]) == ("ms", 90.0)


def test_the_parts_tell_the_unit_of_the_whole():
    (level,) = generic_requests.read(
        table("request_id,ttft_ms,tpot_ms,latency,output_tokens\n1,100,10,0.2,11\n2,110,10,0.21,11\n")
    ).levels
    assert level.requests.unit == "s"
    assert level.requests.e2e.tolist() == [0.2, 0.21]


@pytest.mark.parametrize(("ordered", "is_end"), [("start", True), ("end", False), ("neither", None)])
def test_a_timestamp_is_what_the_order_of_the_rows_says(ordered, is_end):
    random = np.random.default_rng(4)
    start = np.cumsum(random.exponential(1.0, 60)) + 1_795_969_785.0
    stay = random.uniform(1.0, 60.0, 60)
    end = start + stay
    shown = end if ordered == "start" else start
    order = {"start": np.argsort(start), "end": np.argsort(end), "neither": random.permutation(60)}[ordered]
    rows = [row(int(i), timestamp=float(shown[i]), e2e_ms=float(stay[i] * 1e3)) for i in order]
    raw = generic_requests.read(jsonl(*rows))
    begun = raw.levels[0].requests.start
    codes = [finding.code for finding in raw.findings]
    if is_end is None:
        assert np.isnan(begun).all()
        assert "generic_requests.time_unclear" in codes
        return
    assert "generic_requests.time_unclear" not in codes
    assert np.diff(begun / 1e3) == pytest.approx(np.diff(start[order]), abs=1e-5)


def test_zeros_and_bare_nan_are_unknown_with_findings():
    text = '{"request_id": 1, "ttft_ms": NaN, "e2e_ms": 7}\n{"request_id": 2, "ttft_ms": 0, "e2e_ms": 8}\n'
    raw = generic_requests.read(Upload("a.jsonl", text.encode()))
    assert np.isnan(raw.levels[0].requests.ttft).all()
    codes = {finding.code for finding in raw.findings}
    assert {"ingest.not_finite", "ingest.zero_latency"} <= codes


def test_settings_part_a_file_and_prompts_do_not():
    rows = [row(i, model=f"m{i % 2}", workload="chat", prompt=f"secret {i}", user="kim") for i in range(6)]
    raw = generic_requests.read(jsonl(*rows))
    assert [(level.conditions, level.identity) for level in raw.levels] == [
        ({"model": "m0"}, {"workload": "chat"}),
        ({"model": "m1"}, {"workload": "chat"}),
    ]
    assert "secret" not in repr(raw)
    assert "kim" not in repr(raw)


def test_csv_and_json_lines_of_one_run_are_one_level():
    rows = [row(i, start_time_ms=10 * i, e2e_ms=50.0 + i) for i in range(30)]
    text = ",".join(rows[0]) + "\n" + "".join(",".join(map(str, each.values())) + "\n" for each in rows)
    (run,) = load([jsonl(*rows), table(text)]).runs
    assert [stage.replicates for stage in run.stages] == [1]
    assert run.stages[0].achieved_concurrency == pytest.approx(sum(50.0 + i for i in range(30)) / (290 + 79))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("request_id,ttft_ms\n1,5\n2\n", "ingest.ragged_row", 3),
        ("request_id,ttft_ms\n1,5\n2,6,7\n", "ingest.ragged_row", 3),
        ("request_id,ttft_ms\n1,5\n\n2,soon\n", "ingest.not_a_number", 4),
        ("request_id,ttft_ms\n1,5\n2,1_000\n", "ingest.not_a_number", 3),
        ('request_id,ttft_ms\n1,5\n2,"6\n', "ingest.bad_table", 3),
        ("request_id,ttft_ms,first_token_ms\n1,5,5\n", "ingest.same_meaning", None),
        ("request_id,ttft_ms,TTFT_MS\n1,5,5\n", "ingest.duplicate_column", 1),
        ("request_id,ttft_ms\n", "ingest.no_rows", None),
        ("request_id,model\n1,m\n", "ingest.no_latency_column", None),
    ],
)
def test_a_bad_table_is_refused_with_its_line(text, code, line):
    error = refused(table(text))
    assert (error.code, error.place.line) == (code, line)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('{"request_id": 1, "ttft_ms": 5}\n\n[1]\n', "generic_requests.not_a_row", 3),
        ('{"request_id": 1, "ttft_ms": 5}\n{"request_id": 2, "ttft_ms": true}\n', "ingest.not_a_number", 2),
        ('{"request_id": 1, "ttft_ms": 5}\n{"request_id": 2, "ttft_', "ingest.truncated", 2),
        ('{"request_id": 1, "itl_ms": [1]}\n{"request_id": 2, "itl_ms": ["x"]}\n', "ingest.unexpected", 2),
    ],
)
def test_a_bad_line_is_refused_with_its_number(text, code, line):
    error = refused(Upload("a.jsonl", text.encode()))
    assert (error.code, error.place.line) == (code, line)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp949"])
def test_other_encodings_and_line_ends_say_the_same(encoding):
    text = "요청 ID,첫 토큰 지연 (ms),출력 토큰,동시성\r\n1,5,3,4\r\n2,6,3,4\r\n"
    (level,) = read_file(Upload("log.csv", text.encode(encoding))).levels
    assert (level.asked_concurrency, level.requests.ttft.tolist()) == (4.0, [5.0, 6.0])


def test_parquet_takes_units_of_its_types_and_never_reads_prompts():
    start = pa.array([1_795_969_785_000_000, 1_795_969_786_000_000], pa.timestamp("us", "UTC"))
    made = pa.table({
        "request_id": ["a", "b"], "start_time": start, "e2e": pa.array([1_500, 2_500], pa.duration("ms")),
        "ttft_ms": pa.array([90, None], pa.int32()), "itl_ms": [[1.0, 2.0], None], "error": [None, "x"],
        "tp": pa.array([2, 2], pa.int8()), "prompt": ["secret", "secret"], "nested": [{"a": 1}, {"a": 2}],
    })  # fmt: skip
    (level,) = generic_requests.read(columns(made)).levels
    assert (level.requests.unit, level.requests.e2e.tolist()) == ("ms", [1_500.0, 2_500.0])
    assert level.requests.start == pytest.approx([0.0, 1_000.0])
    assert level.requests.gaps.tolist() == [1.0, 2.0]
    assert (level.requests_failed, level.conditions) == (1, {"tp": 2})


def test_a_parquet_file_without_a_latency_says_so():
    assert refused(columns(pa.table({"id": [1], "text": ["x"]}))).code == "ingest.no_latency_column"


def test_a_damaged_parquet_file_is_refused():
    data = columns(pa.table({"request_id": list(range(500)), "ttft_ms": np.arange(500.0) + 1})).data
    random = np.random.default_rng(7)
    for part in range(1, 20):
        assert refused(Upload("x.parquet", data[: len(data) * part // 20])).code == "ingest.damaged_parquet"
    for _ in range(60):
        broken = bytearray(data)
        broken[int(random.integers(4, len(data)))] ^= 1 << int(random.integers(0, 8))
        with suppress(RefusedFileError):
            generic_requests.read(Upload("x.parquet", bytes(broken)))


def test_a_parquet_file_beyond_a_limit_is_refused_before_it_is_unpacked(monkeypatch):
    made = columns(pa.table({"request_id": [1, 2, 3], "ttft_ms": [1.0, 2.0, 3.0]}))
    monkeypatch.setattr(request_parquet, "LIMITS", replace(LIMITS, requests=2))
    assert refused(made).code == "ingest.too_large"
    monkeypatch.setattr(request_parquet, "LIMITS", replace(LIMITS, csv_columns=1))
    assert refused(made).code == "ingest.too_large"
    monkeypatch.setattr(request_parquet, "LIMITS", LIMITS)
    monkeypatch.setattr(request_parquet, "_CHUNK_BYTES", 10)
    assert refused(made).code == "ingest.too_large"


def test_too_many_requests_or_levels_are_refused(monkeypatch):
    rows = jsonl(*(row(i, concurrency=i + 1) for i in range(9)))
    monkeypatch.setattr(request_log, "LIMITS", replace(LIMITS, requests=8))
    assert refused(rows).code == "ingest.too_large"
    monkeypatch.setattr(request_log, "LIMITS", LIMITS)
    monkeypatch.setattr(request_levels, "LIMITS", replace(LIMITS, levels=8))
    assert refused(rows).code == "ingest.too_large"


@pytest.mark.parametrize("often", [1, 2, 500, 2_000])
@pytest.mark.parametrize("text", ["timeout", "", 0, False, "None", "cancelled"])
def test_texts_are_told_apart_wherever_they_stand(text, often):
    rows = [row(i, error=text if i % often == 0 else None, model=f"m{i // 2_000}") for i in range(4_000)]
    levels = generic_requests.read(jsonl(*rows)).levels
    told = -(-2_000 // often)
    failed, cut = {"timeout": (told, 0), "cancelled": (0, told)}.get(text, (0, 0))
    assert [level.conditions["model"] for level in levels] == ["m0", "m1"]
    for level in levels:
        counts = (level.requests_good, level.requests_failed, level.requests_cut_off)
        assert counts == (2_000 - failed - cut, failed, cut)


@pytest.mark.parametrize("loads", [(0.5, 1.5), (4.0, 5_000.0), (0.0, 7.0), (3.0, None)])
def test_levels_are_told_apart_by_any_load(loads):
    for upload in (
        jsonl(*(row(i, request_rate=loads[i % 2]) for i in range(40))),
        table("request_id,ttft_ms,request_rate\n" + "".join(f"{i},5,{loads[i % 2] or 0}\n" for i in range(40))),
    ):
        asked = [level.asked_rate for level in generic_requests.read(upload).levels]
        assert sorted(load or 0.0 for load in asked) == sorted(load or 0.0 for load in loads)


def test_a_line_of_many_pieces_is_one_row():
    rows = [row(1), row(2, prompt="x" * 700_000), row(3, ttft_ms="soon")]
    error = refused(jsonl(*rows))
    assert (error.code, error.place.line) == ("ingest.not_a_number", 3)
    (level,) = generic_requests.read(jsonl(*rows[:2])).levels
    assert level.requests_good == 2
