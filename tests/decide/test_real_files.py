"""Answers to real result files, read in place; what they must say was worked out from the files by hand."""

from __future__ import annotations

import pytest

from core.model.answer import Status
from core.model.target import parse_target
from core.pipeline import answer_run, load

FOLDER = ("public", "vllm_benchmark_serving_json", "SemiAnalysisAI__InferenceX")


@pytest.fixture(scope="module")
def ask(shared_data, upload):
    """Returns a function that answers one target on one folder of files."""

    def answer(folder, target):
        files = sorted(shared_data.joinpath(*FOLDER, folder).rglob("*.json"))
        (run,) = load([upload(path) for path in files]).runs
        return answer_run(run, [parse_target(target)], None)

    return answer


def test_a_tpot_limit_is_crossed_between_the_levels_that_pass_and_fail(ask):
    """gpt-oss-120b, levels 4 to 512: TPOT p99 is under 16 ms at 128 and over it at 256."""
    answer = ask("gpt-oss-120b_16gpu_1p1d", "tpot p99 <= 16 ms")
    assert answer.capacity.status is Status.WITHIN
    assert 140 <= answer.capacity.concurrency.mid <= 205


def test_a_ttft_p99_of_eighty_requests_cannot_be_told_but_a_lower_quantile_can(ask):
    answer = ask("gpt-oss-120b_16gpu_1p1d", "ttft p99 <= 500 ms")
    assert answer.capacity.status is Status.CANNOT_TELL
    assert answer.capacity.reasons
    assert answer.capacity.supported.binding.statistic in ("p95", "p90", "p50")
    assert answer.next_measurement.requests >= 300
    assert answer.next_measurement.command.startswith("vllm bench serve ")


def test_a_ttft_limit_is_crossed_between_32_and_64(ask):
    """minimax-m2.5: TTFT p99 is under a second at 32 and over it at 64."""
    answer = ask("minimax-m2.5_16gpu_1p1d", "ttft p99 <= 1 s")
    assert 32 < answer.capacity.concurrency.mid < 64


def test_throughput_at_the_answer_lies_between_its_neighbours(ask):
    answer = ask("gpt-oss-120b_16gpu_1p1d", "tpot p99 <= 16 ms")
    levels = {stage.load: stage.output_tok_s for stage in answer.run.stages}
    assert levels[128] < answer.at_estimate.output_tok_s.mid < levels[256]
    assert (
        answer.at_estimate.output_tok_s.low < answer.at_estimate.output_tok_s.mid < answer.at_estimate.output_tok_s.high
    )
