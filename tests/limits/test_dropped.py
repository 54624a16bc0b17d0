"""A config.json among result files is told where it belongs, and no result file is taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.ingest.raw import Upload
from core.pipeline import load
from tests.limits import configs


@pytest.mark.parametrize("name", ["LLAMA_8B", "MISTRAL_SMALL", "STARCODER", "QWEN35"])
def test_a_model_is_told_from_a_result(name: str) -> None:
    loaded = load([Upload("config.json", json.dumps(getattr(configs, name)).encode())])
    (refused,) = loaded.refused
    assert refused.code == "ingest.by_product"
    assert "What memory allows" in str(refused.fix)


def test_results_stay_results(root: Path) -> None:
    files = sorted((root / "data" / "samples" / "vllm_cpu").glob("*.json"))
    loaded = load([Upload(file.name, file.read_bytes()) for file in files])
    assert files
    assert not loaded.refused
