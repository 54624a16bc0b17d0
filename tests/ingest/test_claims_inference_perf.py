"""inference-perf, llm-d and GuideLLM's tables claim their own files, in every collection at hand, and no other."""

from __future__ import annotations

import re

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.formats import (
    guidellm_csv,
    inference_perf,
    inference_perf_config,
    inference_perf_records,
    inference_perf_yaml,
    llm_d_report,
)
from core.ingest.raw import Head, Upload
from core.ingest.read import HEAD_BYTES
from tests.ingest.golden_files import golden_bytes

OURS = (
    guidellm_csv,
    inference_perf,
    inference_perf_config,
    inference_perf_records,
    inference_perf_yaml,
    llm_d_report,
)
BY_PATH = {
    r".*/inference[-_]perf.*/stage_\d+_lifecycle_metrics\.json|.*/inference_perf_lifecycle\.yaml": "inference_perf",
    r".*/inference[-_]perf.*/config\.yaml": "inference_perf_config",
    r".*/per_request_lifecycle_metrics\.json(?:\.gz)?": "inference_perf_records",
    r".*/inference-perf\.partial\.stage_\d+\.yaml": "inference_perf_yaml",
    r".*/br_v0_[\d_]+example\.yaml": "llm_d_report",
    r".*/guidellm-0\.8\.1/.*/benchmarks\.csv": "guidellm_csv",
}


def claims(name: str, data: bytes) -> list[str]:
    try:
        plain = unpacked(Upload(name, data))
    except RefusedFileError:
        return []
    head = Head(plain.name, plain.data[:HEAD_BYTES])
    return [importer.FORMAT_ID for importer in OURS if importer.match(head) > 0.0]


def wanted(path: str) -> list[str]:
    return [format_id for pattern, format_id in BY_PATH.items() if re.fullmatch(pattern, path)]


def test_files_at_hand_are_claimed_exactly(shared_data):
    seen = 0
    for folder in ("public", "generated/tools", "simulated"):
        for path in sorted((shared_data / folder).rglob("*")):
            if path.is_file():
                name = path.relative_to(shared_data).as_posix()
                assert claims(name, path.read_bytes()) == wanted(name), name
                seen += bool(wanted(name))
    assert seen == (10 + 42 + 9 + 1) + 3 + 5 + 10 + 3 + 3


@pytest.mark.parametrize(
    "text",
    [
        "api:\n  type: x\nserver:\n  type: vllm\n",
        "load:\n  type: poisson\ndata:\n  type: random\n",
        "version: '0.2'\nrun:\n  uid: x\n",
        '[{"start_time": 1.0, "end_time": 2.0}]',
        '{"load_summary": {"count": 5}}',
        '{"successes": {"count": 5}}',
        "Run Info,Run Info\nRun ID,Profile\n",
        "Type,Run Id,Id,Name\nx,y,z,w\n",
        "a: [",
        "",
    ],
)
def test_files_that_only_look_alike_are_not_claimed(text):
    assert claims("file", text.encode()) == []


@pytest.mark.parametrize(
    "case",
    [
        "inference_perf/v0_7_concurrent",
        "inference_perf_config/v0_7_concurrent",
        "inference_perf_records/v0_7_http500",
        "inference_perf_yaml/v0_7_http500",
        "llm_d_report/v0_2_disaggregated",
        "guidellm_csv/v0_8_http500",
    ],
)
@pytest.mark.parametrize("size", [1, 60, 400, 1500, 4000, 20000])
def test_a_short_head_never_raises_and_is_claimed_by_one_at_most(case, size):
    assert len(claims("file", golden_bytes(case)[:size])) <= 1
