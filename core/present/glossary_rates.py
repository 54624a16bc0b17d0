"""Glossary: loads and rates of the whole system."""

from __future__ import annotations

from core.i18n import t
from core.present.glossary_metrics import Row

RATES: tuple[Row, ...] = (
    (
        "concurrency",
        t("Concurrent requests"),
        t(
            "How many requests are in flight at one moment. Asked is what the load generator was told to hold; "
            "achieved is what it did hold. Where requests are sent at a rate, the achieved one is the load."
        ),
        t("Achieved concurrency = requests per second × mean E2E (Little's law)"),
        t("max_concurrency in vLLM and SGLang, concurrency in AIPerf, streams in GuideLLM."),
        t("Source: Little 1961, Operations Research 9(3)."),
    ),
    (
        "users",
        t("Active users"),
        t(
            "People who read, think and ask again. Between an answer and the next question they have no request in "
            "flight, so there are more users than concurrent requests."
        ),
        t("Users = concurrent requests × (think time + mean E2E) ÷ mean E2E"),
        None,
        t("Source: Denning and Buzen 1978, the interactive response time law."),
    ),
    (
        "output_tok_s",
        t("Output tokens per second"),
        t("What the whole system writes, over the measured window. It is not the speed of one user."),
        t("Output tokens/s = output tokens of answered requests ÷ length of the window"),
        t(
            "Output token throughput in vLLM, SGLang and AIPerf. GuideLLM counts a window after its warm-up, the "
            "others the whole run with its tail."
        ),
        t("Source: vLLM bench serve, AIPerf and GuideLLM, their own definitions."),
    ),
    (
        "total_tok_s",
        t("Total tokens per second"),
        t("Tokens read and tokens written together. With long prompts it is many times the output rate."),
        t("Total tokens/s = (input + output tokens of answered requests) ÷ length of the window"),
        t("Total token throughput in vLLM, SGLang and AIPerf."),
        t("Source: vLLM bench serve and AIPerf, their own definitions."),
    ),
    (
        "cost",
        t("Cost per million tokens"),
        t(
            "The price of an hour divided by the tokens of an hour, at the safe number. It holds at that load: "
            "hardware that stands half idle costs twice as much a token."
        ),
        t("Cost = price per hour × 1,000,000 ÷ (3,600 × tokens per second)"),
        t(
            "Charging the whole hour to output tokens and again to input tokens gives two figures that must not be "
            "added. The weighted pair can: an output token counts as much as several input tokens (4 by default)."
        ),
        t("Source: InferenceX and Google GKE Inference Quickstart, their own formulas."),
    ),
)
