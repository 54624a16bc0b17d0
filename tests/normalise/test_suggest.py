"""Likely conditions: taken from names, sizes and other runs, and only for what is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.run import FileRef
from core.normalise.suggest import suggestions
from tests.present.builders import run_of


def bare(*names, backend=None, **conditions):
    run = replace(run_of(), files=tuple(FileRef(name, name) for name in names or ("c4.json",)), backend=backend)
    unknown = dict.fromkeys(run.conditions.known())
    return replace(run, conditions=replace(run.conditions, **{**unknown, **conditions}))


@pytest.mark.parametrize(
    ("run", "field", "value"),
    [
        (bare(model="openai/gpt-oss-120b"), "precision", "mxfp4"),
        (bare(model="org/Llama-3.1-70B-Instruct-FP8"), "precision", "fp8"),
        (bare("h100_tp8/c4.json", "h100_tp8/c8.json"), "accelerator", "H100"),
        (bare("gb200/c4.json"), "accelerator", "GB200"),
        (bare(tp=4, pp=2), "accelerator_count", 8),
        (bare(tp=4, replicas=3), "accelerator_count", 12),
        (bare(backend="vllm"), "engine", "vLLM"),
        (bare(prefill_accelerators=4), "serving_mode", "disaggregated"),
        (bare(tool="AIPerf"), "measured_at", "client"),
    ],
)
def test_a_likely_value_is_suggested_with_its_reason(run, field, value):
    found = suggestions(run)[field]
    assert found.value == value
    assert str(found.why)


def test_what_is_known_or_contradicts_itself_is_not_suggested():
    assert "accelerator" not in suggestions(bare("h100/c4.json", accelerator="H200"))
    assert "accelerator" not in suggestions(bare("h100/c4.json", "l40s/c4.json"))
    assert suggestions(bare()) == {}


def test_what_the_other_runs_agree_on_is_likely_here_too_but_not_how_they_were_measured():
    others = [bare(network="RoCE", tool_version="1", engine="vLLM"), bare(engine="SGLang")]
    assert set(suggestions(bare(), others)) == {"network"}
