"""Floors hold on real measurements: none that was published lies below what its hardware can do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.check.floors import check_floors
from core.ingest.source import OnDisk
from core.limits.architecture import architecture_of
from core.model.sizing import Sizing
from core.pipeline import load
from tests.limits import configs


@pytest.mark.parametrize(
    ("folder", "model", "config"),
    [
        ("inferencemax_agg_json", "moonshotai/Kimi-K2.5", configs.KIMI_K25),
        ("llm_d_benchmark_report", "Qwen/Qwen3-0.6B", configs.QWEN3_06B),
    ],
)
def test_no_published_sweep_is_below_its_floor(shared_data: Path, folder: str, model: str, config: Any) -> None:
    files = [path for path in sorted((shared_data / "public" / folder).rglob("*")) if path.is_file()]
    if not files:
        pytest.skip("the public data is not here")
    runs = load([OnDisk(path.name, path) for path in files]).runs
    known = [run for run in runs if run.conditions.model == model and run.conditions.accelerator]
    assert known
    for run in known:
        sizing = Sizing(architecture=architecture_of(config))
        assert check_floors(replace(run, sizing=sizing)) == ()
