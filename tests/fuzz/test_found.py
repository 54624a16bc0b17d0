"""What fuzzing found, each as the smallest input that showed it: an answer or a refusal, never a crash."""

from __future__ import annotations

import json

import pytest

from core.ingest.raw import Upload
from core.normalise.runs import runs_of
from tests.fuzz.test_damage import read
from tests.ingest.bench_files import VLLM

FOUND = {
    "vllm-rate-without-burstiness.json": json.dumps(
        {key: value for key, value in VLLM.items() if key != "burstiness"} | {"request_rate": 2.0}
    ).encode(),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_find_of_the_fuzzer_is_answered_or_refused(name):
    raw = read(Upload(name, FOUND[name]))
    assert raw is None or runs_of([raw])
