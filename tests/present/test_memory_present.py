"""What memory allows in words, tables and a bar: the same numbers everywhere, in both languages."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

from core.limits import gaps
from core.limits.architecture import architecture_of
from core.limits.engine_log import read_log
from core.limits.told import Limits, limits_of
from core.model.answer import Capacity, RunAnswer, Status
from core.model.run import Conditions
from core.model.sizing import Sizing
from core.model.target import parse_target
from core.present.memory_figure import memory_figure
from core.present.memory_names import SIZING
from core.present.memory_tables import floors_table, log_table, parts_table, room_table
from core.present.memory_words import GAPS, beside, gap_texts, impossible, lead, others, parting_text
from tests.check.run_build import run
from tests.limits import configs

LOG = "Available KV cache memory: 28.20 GiB\nGPU KV cache size: 184,832 tokens"
SAID: dict[str, Any] = {"accelerator": "H100-SXM", "engine": "vLLM", "engine_version": "0.11", "fraction": 0.95}
LENGTHS: dict[str, Any] = {"input_tokens": 1000.0, "output_tokens": 200.0}


def told(config: configs.Config, **said: Any) -> Limits:
    found = limits_of(Sizing(architecture=architecture_of(config), **(SAID | said)))
    assert found is not None
    return found


def answer(safe: int | None) -> RunAnswer:
    status = Status.WITHIN if safe else Status.CANNOT_TELL
    capacity = Capacity(status=status, concurrency=None, safe=safe, binding=None)
    unknown: dict[str, Any] = dict.fromkeys(
        ("at_capacity", "at_estimate", "cost", "cost_at_estimate", "next_measurement")
    )
    return RunAnswer(run=run(), levels=(), findings=(), capacity=capacity, per_target=(), **unknown)


def test_every_gap_and_every_part_of_a_sizing_has_words() -> None:
    codes = {value for name, value in vars(gaps).items() if name.isupper()}
    assert codes == set(GAPS)
    assert set(SIZING) == set(Sizing.__dataclass_fields__)
    assert len(gap_texts(codes, "ko")) == len(codes)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", ["LLAMA_70B", "DEEPSEEK_V3", "GPT_OSS_120B", "GEMMA3_27B", "QWEN3_NEXT"])
def test_models_of_every_kind_are_told_in_both_languages(name: str, language: str) -> None:
    found = told(getattr(configs, name), tp=8, **LENGTHS)
    figure = memory_figure(found.memory, language)
    assert figure is not None
    # Plotly's own rules, which drawing by hand passes over.
    go.Figure(json.loads(figure.chart.to_json()))
    assert lead(found.memory, language) in figure.alt
    for frame in (
        parts_table(found.memory, language),
        room_table(found.memory, language),
        floors_table(found, language),
    ):
        assert frame is not None
        assert frame.notna().all().all()


def test_the_bar_is_as_long_as_the_memory_that_there_is() -> None:
    figure = memory_figure(told(configs.LLAMA_8B, **LENGTHS).memory)
    assert figure is not None
    assert sum(trace.x[0] for trace in figure.chart.data) == pytest.approx(79.18)


def test_what_the_log_says_is_not_hatched() -> None:
    found = told(configs.MISTRAL_SMALL, logged=read_log(LOG), **LENGTHS)
    figure = memory_figure(found.memory)
    assert figure is not None
    hatched = {trace.name.split()[0]: trace.marker.pattern.shape is not None for trace in figure.chart.data}
    assert hatched == {"Weights": True, "Engine": True, "KV": False, "not": False}
    table = log_table(found)
    assert table is not None
    assert list(table["Verdict"]) == ["agrees", "agrees"]
    assert parting_text(found.compared) is None


def test_weights_past_the_memory_do_not_fit() -> None:
    memory = told(configs.LLAMA_70B).memory
    assert memory.fits is False
    assert "does not fit" in lead(memory)
    assert beside(memory, answer(41)) is None


def test_memory_stands_beside_the_safe_number() -> None:
    memory = told(configs.LLAMA_8B, **LENGTHS).memory
    assert memory.steady is not None
    # 79.18 x 0.95 - 15 - 4.1 to 6.8 GiB leave 53 to 56 GiB; 1,100 tokens of 128 KiB are 138 MiB.
    assert 390 < memory.steady.low < memory.steady.high < 460
    assert beside(memory, answer(100)) == "The targets stop it earlier: 100 are safe"
    assert "Fewer than the 1,000" in str(beside(memory, answer(1000)))
    assert "cannot tell whether memory stops it first" in str(beside(memory, answer(420)))
    assert beside(memory, answer(None)) is None


def test_no_target_is_called_impossible_that_is_met_somewhere() -> None:
    found = told(configs.LLAMA_8B, accelerator="L4", **LENGTHS)
    texts = ["tpot p99 <= 50ms", "itl mean <= 40ms", "tpot p99 <= 52ms", "ttft p99 <= 10ms", "tok_s_user p95 >= 100"]
    said = impossible(found, [parse_target(text) for text in texts])
    assert [text.split(":")[0] for text in said] == [
        "No load meets TPOT p99 ≤ 50 ms", "No load meets ITL mean ≤ 40 ms", "No load meets TTFT p99 ≤ 10 ms",
    ]  # fmt: skip


def test_what_is_unknown_is_never_a_number() -> None:
    found = limits_of(Sizing(architecture=architecture_of(configs.LLAMA_8B | {"model_type": "quite_new"}), **SAID))
    assert found is not None
    assert memory_figure(found.memory) is None
    assert len(room_table(found.memory)) == 0
    assert floors_table(found) is None
    assert "Cannot tell" in lead(found.memory)
    alone = limits_of(replace(Sizing(architecture=architecture_of(configs.LLAMA_8B)), tp=1))
    assert alone is not None
    assert "Choose the accelerator" in lead(alone.memory)


def test_where_prefill_runs_apart_the_accelerators_for_decode_hold_the_model() -> None:
    """gpt-oss-120b has 8 heads of keys: each of 8 ranks holds one, while 16 ranks would hold each twice."""
    sizing = Sizing(architecture=architecture_of(configs.GPT_OSS_120B), **SAID)
    pools = Conditions(accelerator_count=16, prefill_accelerators=8, decode_accelerators=8)
    apart, together = limits_of(sizing, pools), limits_of(sizing, Conditions(accelerator_count=16))
    assert apart is not None
    assert together is not None
    assert (apart.memory.setup.ranks.tp, apart.memory.copies) == (8, 1.0)
    assert (together.memory.setup.ranks.tp, together.memory.copies) == (16, 2.0)
    assert "all 8 accelerators for decode are taken to hold it together (TP 8)" in others(apart.memory)[0]
    assert "all 16 accelerators of one replica are taken to hold it together (TP 16)" in others(together.memory)[0]
    assert all("how the model is cut" not in each for each in others(told(configs.MISTRAL_SMALL, tp=2).memory))
