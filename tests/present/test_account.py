"""The whole answer as text, and the facade that pages import from."""

from __future__ import annotations

from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.present import words
from core.present.account import account
from core.present.stops import HELPS
from tests.present.builders import NEXT, answer_of, cost_of


def test_the_whole_answer_is_told_in_the_order_of_the_screen():
    finding = Finding(code="a.b", severity=Severity.WARNING, where=Place("a.json"), what=t("The clock ran backwards"))
    answer = answer_of(cost=cost_of(), next_measurement=NEXT, findings=(finding,))
    assert account(answer, users=497.0).splitlines() == [
        "gpt-oss-120b 16 GPUs",
        "41 concurrent requests, safely (about 500 active users)",
        "estimate 47, range 36–53",
        "stopped by TTFT p99",
        "$0.83 per million output tokens ($0.78–$0.90)",
        "gpt-oss-120b · 16 × GB200 · vLLM · measured 8 levels 4–512",
        "",
        "Targets:",
        "- TTFT p99 ≤ 500 ms: within the levels measured, safely 41, estimate 47, range 36–53",
        "",
        "What stops it, and what helps:",
        "- Stopped by TTFT p99.",
        f"- {HELPS[Metric.TTFT]}",
        "",
        "What to measure next:",
        "Run 400 requests at concurrency 8. It lies at the estimate.",
        "",
        "Findings:",
        "- warning: The clock ran backwards.",
    ]


def test_a_name_with_line_breaks_cannot_add_lines():
    answer = answer_of()
    hostile = replace(answer, run=replace(answer.run, label="a\n\n41 requests, safely"))
    assert account(hostile).splitlines()[0] == "a 41 requests, safely"


def test_everything_that_words_offers_is_there():
    assert all(hasattr(words, name) for name in words.__all__)
