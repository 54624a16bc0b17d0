"""How busy an accelerator was: shares that can be counted on the fingers, and traces that are refused."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError, UsageError
from core.ingest.busy_share import busy_shares, parse_share
from core.ingest.profile import covered, gpu_busy_of
from core.ingest.raw import Upload

HEADER = "Start (ns),Duration (ns),CorrId,GrdX,Device,Ctx,Strm,Name"


def chrome(kernels, **more):
    """A trace as the PyTorch profiler writes it; `kernels` as (start, duration, device)."""
    events = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": -50.0, "dur": 9000.0, "pid": 1, "tid": 1}]
    events += [
        {
            "ph": "X",
            "cat": "kernel",
            "name": "gemm",
            "ts": at,
            "dur": took,
            "pid": 0,
            "tid": 7,
            "args": {"device": device},
        }
        for at, took, device in kernels
    ]
    events.append({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}})
    return Upload("trace.json", json.dumps({"schemaVersion": 1, "traceEvents": events} | more).encode())


def nsys(rows, header=HEADER):
    lines = ["Processing [report1.sqlite] with [cuda_gpu_trace.py]...", header, *rows]
    return Upload("trace_cuda_gpu_trace.csv", "\n".join(lines).encode())


def refused(upload):
    with pytest.raises(RefusedFileError) as found:
        gpu_busy_of(upload)
    return found.value.code


def test_kernels_of_six_in_ten_microseconds_are_sixty_per_cent():
    assert gpu_busy_of(chrome([(10.0 * i, 6.0, 0) for i in range(100)])) == pytest.approx(600 / 996)


def test_overlapping_kernels_count_once():
    whole = [(10.0 * i, 6.0, 0) for i in range(50)]
    inside = [(10.0 * i + 1.0, 3.0, 0) for i in range(50)]
    assert gpu_busy_of(chrome(whole + inside)) == pytest.approx(gpu_busy_of(chrome(whole)))


def test_of_two_accelerators_the_mean_counts():
    both = [(10.0 * i, 10.0, 0) for i in range(20)] + [(10.0 * i, 5.0, 1) for i in range(20)]
    assert gpu_busy_of(chrome(both)) == pytest.approx((200 + 100) / 2 / 200)


def test_a_clock_that_starts_far_away_changes_nothing():
    near = [(10.0 * i, 6.0, 0) for i in range(50)]
    far = [(at + 1.7e15, took, device) for at, took, device in near]
    assert gpu_busy_of(chrome(far)) == pytest.approx(gpu_busy_of(chrome(near)), rel=1e-6)


def test_gzip_and_a_bare_list_of_events_are_read():
    trace = chrome([(10.0 * i, 5.0, 0) for i in range(20)])
    bare = Upload("t.json", json.dumps(json.loads(trace.data)["traceEvents"]).encode())
    packed = Upload("t.json.gz", gzip.compress(trace.data))
    assert gpu_busy_of(bare) == gpu_busy_of(packed) == gpu_busy_of(trace)


def test_nsys_leaves_copies_out_and_reads_past_its_preamble():
    kernels = [f'{100 * i},40,{i},1,GPU (0),1,7,"void k<int, 2>(float *)"' for i in range(20)]
    copies = [f"{100 * i + 50},50,{i},,GPU (0),1,7,[CUDA memcpy HtoD]" for i in range(20)]
    assert gpu_busy_of(nsys(kernels + copies)) == pytest.approx(20 * 40 / (1900 + 40))


def test_a_summary_without_times_of_start_is_refused_as_such():
    header = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name"
    assert refused(nsys(["50.0,500,10,50,50,1,90,1,gemm"], header)) == "profile.summary_only"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "ingest.empty"),
        (b"concurrency,ttft\n1,2\n", "profile.unknown"),
        (b'{"traceEvents": [{"ph": "X", "cat": "kernel"', "profile.unreadable"),
        (b'{"other": 1}', "profile.unreadable"),
        (b"[" * 100_000, "profile.unreadable"),
        (b'{"traceEvents": []}', "profile.no_kernels"),
        (b"\x1f\x8b\x00\x00", "ingest.truncated"),
    ],
)
def test_what_is_no_trace_is_refused_with_a_code(data, code):
    assert refused(Upload("x", data)) == code


@pytest.mark.parametrize("broken", [{"ts": None}, {"dur": -1.0}, {"ts": "soon"}, {"dur": 1e400}])
def test_a_kernel_without_usable_times_is_refused(broken):
    trace = json.loads(chrome([(10.0 * i, 6.0, 0) for i in range(20)]).data)
    trace["traceEvents"][3] |= broken
    assert refused(Upload("t.json", json.dumps(trace).encode())) == "profile.unreadable"


@given(st.binary(max_size=300))
def test_any_bytes_give_a_share_or_a_refusal(data):
    try:
        share = gpu_busy_of(Upload("x", data))
    except RefusedFileError:
        return
    assert 0.0 < share <= 1.0


intervals = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=30)


@given(intervals)
def test_what_intervals_cover_equals_counting_cells(pairs):
    start = np.array([a for a, _ in pairs], float)
    cells = {cell for a, d in pairs for cell in range(a, a + d)}
    assert covered(start, start + np.array([d for _, d in pairs], float)) == len(cells)


@given(intervals, st.floats(0.001, 1e6), st.floats(-1e6, 1e6))
def test_the_unit_and_the_origin_of_the_clock_do_not_matter(pairs, scale, origin):
    trace = [(float(a), float(d) + 0.5, 0) for a, d in pairs] * 10
    moved = [(a * scale + origin, d * scale, 0) for a, d, _ in trace]
    assert gpu_busy_of(chrome(moved)) == pytest.approx(gpu_busy_of(chrome(trace)), rel=1e-4)


@pytest.mark.parametrize("text", ["0", "-1", "1.01", "101%", "half", "nan", "inf", ""])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(UsageError) as found:
        parse_share(text)
    assert found.value.code == "profile.share_unreadable"


def test_a_share_goes_to_the_run_it_names_and_alone_to_the_only_one():
    assert busy_shares(["0.5"], [], ["a"], lambda _: Upload("", b"")) == {"a": 0.5}
    assert busy_shares(["b=0.5", "a=62%"], [], ["a", "b"], lambda _: Upload("", b"")) == {"a": 0.62, "b": 0.5}


def missing(name):
    raise FileNotFoundError(2, "No such file or directory", name)


@pytest.mark.parametrize(
    ("shares", "traces", "runs", "code"),
    [
        (["0.5"], [], ["a", "b"], "profile.run_missing"),
        (["c=0.5"], [], ["a", "b"], "profile.unknown_run"),
        (["0.5", "a=0.6"], [], ["a"], "profile.twice"),
        ([], ["gone.json"], ["a"], "profile.file"),
    ],
)
def test_what_cannot_be_followed_says_why(shares, traces, runs, code):
    with pytest.raises(UsageError) as found:
        busy_shares(shares, traces, runs, missing)
    assert found.value.code == code


def test_a_refused_trace_keeps_its_code():
    with pytest.raises(UsageError) as found:
        busy_shares([], ["t.json"], ["a"], lambda name: Upload(name, b'{"traceEvents": []}'))
    assert found.value.code == "profile.no_kernels"
