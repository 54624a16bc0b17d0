"""Large detailed results: gaps decoded piece by piece say what the whole document says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest import nested
from core.ingest.bench_runs import runs_in
from core.ingest.formats import vllm_bench
from core.ingest.nested import Nested, document_with_nested
from core.ingest.raw import Upload

numbers = st.none() | st.integers(0, 9) | st.floats(0, 1e3)


@given(st.lists(st.lists(numbers, max_size=5), max_size=12), st.integers(1, 40), st.sampled_from([None, 1]))
def test_lists_are_the_same_wherever_pieces_end(lists, piece, indent):
    data = json.dumps({"a": 1, "itls": lists, "texts": ["x"]}, indent=indent).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nested, "LARGE", 0)
        patch.setattr(nested, "_PIECE", piece)
        found = document_with_nested(data, "itls", frozenset({"texts"}))
    assert (found["a"], found["texts"]) == (1, None)
    assert found["itls"].counts.tolist() == [len(inner) for inner in lists]
    wanted = np.array([x for inner in lists for x in inner], dtype=float)
    assert np.array_equal(found["itls"].values, wanted, equal_nan=True)


@pytest.mark.parametrize("itls", ["[[1, [2]]]", '[["]"]]', "[1]", '"x"', "[[true]]", "[[NaN]]"])
def test_anything_else_is_left_to_the_other_reader(monkeypatch, itls):
    monkeypatch.setattr(nested, "LARGE", 0)
    assert document_with_nested(f'{{"itls": {itls}}}'.encode(), "itls", frozenset()) is None


def test_a_detailed_result_reads_the_same_in_pieces(monkeypatch):
    n = 50
    run = {
        "date": "20261129-162650", "backend": "openai", "model_id": "m/x", "num_prompts": n, "completed": n - 1,
        "request_rate": "inf", "max_concurrency": 4, "duration": 9.0, "total_input_tokens": 9, "total_output_tokens": 9,
        "request_throughput": 5.0, "input_lens": [3] * n, "output_lens": [4] * n, "ttfts": [0.0] + [0.1] * (n - 1),
        "itls": [[]] + [[0.01 * i, 0.02, 0.03] for i in range(1, n)], "generated_texts": ["secret"] * n,
        "errors": ["boom"] + [""] * (n - 1),
    }  # fmt: skip
    upload = Upload("x.json", json.dumps(run).encode())
    whole = vllm_bench.read(upload).levels[0].requests
    monkeypatch.setattr(nested, "LARGE", 0)
    (fields,) = runs_in(upload, lambda _: True, None)
    assert isinstance(fields.values["itls"], Nested)
    assert fields.values["generated_texts"] is None
    pieces = vllm_bench.read(upload).levels[0].requests
    assert pieces.gaps.tolist() == whole.gaps.tolist()
    assert pieces.gaps.size == 3 * (n - 1)
    assert np.array_equal(pieces.e2e, whole.e2e, equal_nan=True)
    assert pieces.e2e[2] == pytest.approx(0.1 + 0.02 + 0.05)
