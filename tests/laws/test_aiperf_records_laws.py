"""AIPerf's records: read many at once or one by one, they say the same."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.formats.aiperf_lines import Columns, batches_of
from core.ingest.raw import Upload
from core.ingest.source import Stream

METRICS = (
    *("time_to_first_token", "ttft", "request_latency", "inter_token_latency", "input_sequence_length"),
    *("output_sequence_length", "reasoning_token_count", "time_to_first_output_token", "rtfx"),
)
value = st.none() | st.sampled_from([0, 0.5, 12.25, 1e9])
metric = st.none() | st.fixed_dictionaries({"value": value}, optional={"unit": st.sampled_from(["ms", "s", None])})
gaps = st.fixed_dictionaries({"value": st.lists(st.sampled_from([1.0, 2.5]), max_size=3), "unit": st.just("ms")})
plain = st.fixed_dictionaries({name: st.just({"value": 2.0, "unit": "ms"}) for name in METRICS[:6]})
odd = st.fixed_dictionaries({}, optional={**dict.fromkeys(METRICS, metric), "inter_chunk_latency": st.none() | gaps})
metadata = st.fixed_dictionaries(
    {},
    optional={
        "benchmark_phase": st.sampled_from(["profiling", "profiling", "warmup", None]),
        "credit_phase": st.sampled_from(["profiling", "warmup"]),
        "was_cancelled": st.sampled_from([False, False, True, None]),
        "request_start_ns": st.none() | st.integers(0, 2**62),
        "timestamp_ns": st.integers(0, 2**62),
    },
)
error = st.sampled_from([None, None, {"code": 499}, {"code": 500, "type": "x"}, {"type": "RequestCancellationError"}])
usual = st.just({"benchmark_phase": "profiling", "was_cancelled": False, "request_start_ns": 5})
record = st.fixed_dictionaries({"metadata": metadata, "metrics": plain | odd, "error": error}) | st.fixed_dictionaries(
    {"metadata": usual, "metrics": plain}
)


def told(lines: list[bytes]) -> dict[str, object]:
    columns = Columns()
    for line in lines:
        with Stream(Upload("a.jsonl", line)) as stream:
            for records in batches_of(stream):
                columns.extend(records)
    # NaN is not equal to itself, and reads the same.
    return {name: repr(getattr(columns, name)) for name in Columns.__slots__ if name != "units"} | {
        "units": columns.units
    }


@given(st.lists(record, min_size=1, max_size=12))
def test_many_at_once_and_one_by_one_say_the_same(records):
    lines = [json.dumps(each).encode() + b"\n" for each in records]
    assert told([b"".join(lines)]) == told(lines)
