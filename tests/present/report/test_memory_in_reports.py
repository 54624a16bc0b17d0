"""What memory allows stands in memo and workbook where somebody gave the model, as reckoned and not as measured."""

from __future__ import annotations

import io
from dataclasses import replace

from openpyxl import load_workbook

from core.limits.architecture import architecture_of
from core.model.sizing import Sizing
from core.model.target import parse_target
from core.present.memory_lines import limits_for, memory_line, memory_warnings
from core.present.memory_words import lead
from core.present.report.memo import memo_of
from core.present.report.workbook import workbook
from tests.limits import configs
from tests.present.report.report_kinds import SAVED, made

SIZING = Sizing(
    architecture=architecture_of(configs.LLAMA_70B),
    accelerator="H100-SXM",
    tp=8,
    engine="vLLM",
    input_tokens=1000.0,
    output_tokens=200.0,
)


def sized(model="meta-llama/Llama-3.1-70B-Instruct"):
    scenario, fits = made("simulated")
    (answer,) = scenario.answers
    run = replace(answer.run, sizing=SIZING, conditions=replace(answer.run.conditions, model=model))
    return replace(scenario, answers=(replace(answer, run=run),)), fits


def test_the_memo_says_what_memory_allows_and_a_sheet_shows_how():
    scenario, fits = sized()
    (answer,) = scenario.answers
    line = memory_line(answer)
    assert "reckoned from model and hardware, not measured" in line
    assert line in memo_of(scenario, fits, saved=SAVED).assumptions.lines
    book = load_workbook(io.BytesIO(workbook(scenario, saved=SAVED, fits=fits)))
    said = [row[0].value for row in book["Memory"].iter_rows() if row[0].value]
    assert lead(limits_for(answer).memory) in said
    assert "Weights" in said


def test_a_target_that_no_load_meets_is_a_warning_that_stands():
    scenario, fits = sized()
    (answer,) = scenario.answers
    tight = parse_target("tpot p99 <= 0.001ms")
    target = replace(answer.per_target[0], target=tight)
    strict = replace(scenario, answers=(replace(answer, per_target=(target,)),))
    (warning,) = memory_warnings(strict.answers[0])
    changes = memo_of(strict, fits, saved=SAVED).changes
    assert warning in changes.lines[: changes.must]


def test_what_is_of_another_model_has_no_line_and_warns_of_no_target():
    scenario, _ = sized("openai/gpt-oss-120b")
    (answer,) = scenario.answers
    target = replace(answer.per_target[0], target=parse_target("tpot p99 <= 0.001ms"))
    assert memory_line(answer) is None
    assert memory_warnings(replace(answer, per_target=(target,))) == ()


def test_without_a_model_nothing_is_said_of_memory():
    scenario, fits = made("simulated")
    assert memory_line(scenario.answers[0]) is None
    assert "Memory" not in load_workbook(io.BytesIO(workbook(scenario, saved=SAVED, fits=fits))).sheetnames
