"""A config.json of another family than the run's model is a finding, and bounds or doubts nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.check.checks import check_run
from core.check.model_file import check_model_file
from core.limits.architecture import architecture_of
from core.limits.told import limits_of, reached
from core.model.run import Conditions, Run
from core.model.sizing import Sizing
from core.model.target import parse_target
from core.present.memory_words import impossible
from tests.check.run_build import run, stage
from tests.limits import configs

KNOWN = Conditions(
    model="openai/gpt-oss-120b", accelerator="NVIDIA L4", accelerator_count=1, input_tokens_mean=2048.0, engine="vLLM"
)


def of(config: configs.Config, **more: object) -> Run:
    """A run ten times faster than an 8B model could be on its accelerator."""
    known = replace(KNOWN, **more)  # type: ignore[arg-type] # fields of it
    sizing = Sizing(architecture=architecture_of(config))
    return run(stage(1, tpot=0.005, ttft=0.01, input_tokens_mean=2048.0), conditions=known, sizing=sizing)


def codes(found: Run) -> set[str]:
    return {finding.code for finding in check_run(found) if finding.code.startswith("limits.")}


def test_a_file_of_another_family_is_a_finding_and_no_floor_is_held_against_the_run() -> None:
    (finding,) = check_model_file(of(configs.LLAMA_8B))
    assert finding.code == "limits.other_model"
    assert (finding.where.file, finding.where.field) == ("config.json", "model_type")
    assert "openai/gpt-oss-120b" in str(finding.what)
    assert "llama" in str(finding.what)
    assert finding.consequence is not None
    assert finding.fix is not None
    assert codes(of(configs.LLAMA_8B)) == {"limits.other_model"}
    # The same run of the file's own model is below both floors.
    own = of(configs.LLAMA_8B, model="meta-llama/Llama-3.1-8B")
    assert codes(own) == {"limits.itl_below_floor", "limits.ttft_below_floor"}


def test_a_class_that_is_not_verified_is_a_finding_and_bounds_nothing() -> None:
    unsure = of(configs.LLAMA_8B | {"architectures": ["FooForCausalLM"]}, model="foo-8b")
    (finding,) = check_model_file(unsure)
    assert (finding.code, finding.where.field) == ("limits.unverified_class", "architectures")
    assert codes(unsure) == {"limits.unverified_class"}


@pytest.mark.parametrize("model", [None, "foo-8b", "deepseek-coder-6.7b", "Yi-34B"])
def test_a_name_that_does_not_contradict_is_not_accused(model: str | None) -> None:
    assert check_model_file(of(configs.LLAMA_8B, model=model)) == ()
    assert check_model_file(replace(of(configs.LLAMA_8B, model=model), sizing=None)) == ()


def test_nothing_of_another_model_stands_beside_a_measurement() -> None:
    for model, bounds in (("openai/gpt-oss-120b", False), ("Llama-3.1-8B", True)):
        found = of(configs.LLAMA_8B, model=model)
        limits = limits_of(found.sizing or Sizing(), found.conditions, 37.0)
        assert limits is not None
        assert bool(reached(found)) is bounds
        assert bool(impossible(limits, [parse_target("tpot p99 <= 10ms")])) is bounds
        assert (limits.batch == 37.0) is bounds


def test_the_log_of_a_run_still_bounds_it_where_the_file_is_of_another_model() -> None:
    known = {"model": "meta-llama/Llama-3.1-8B-Instruct", "weights_gib": 14.99}
    assert codes(of(configs.MISTRAL_7B, **known)) == {"limits.other_model", "limits.itl_below_floor"}
