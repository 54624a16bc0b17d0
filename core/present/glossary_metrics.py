"""Glossary: the metrics that a target can be set on (cost.md 5.1 and 5.2)."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.metric import Metric
from core.present.names import LONG

Row = tuple[str, Text, Text, Text | None, Text | None, Text]
"""Key, name, definition, formula, what tools call it, source."""

METRICS: tuple[Row, ...] = (
    (
        Metric.TTFT.value,
        LONG[Metric.TTFT],
        t(
            "How long a user waits before anything appears. Measured at the client, so the queue and the network "
            "are part of it unless the file says otherwise."
        ),
        t("TTFT = first token received − request sent"),
        t(
            "TTFT everywhere, but it stops at different moments: AIPerf at the first chunk with text in it, vLLM and "
            "SGLang at the first chunk, MLPerf counts from the scheduled arrival."
        ),
        t("Source: vLLM bench serve, AIPerf and MLPerf Inference, their own definitions."),
    ),
    (
        Metric.ITL.value,
        LONG[Metric.ITL],
        t(
            "Each single gap between two pieces of the answer, of all requests together. Its high percentiles show "
            "stutter that an average hides. A piece can hold several tokens; then the gaps are longer than the time "
            "per token."
        ),
        t("ITL = arrival of a chunk − arrival of the one before"),
        t(
            "ITL in vLLM, SGLang and inference-perf; ICL in AIPerf. AIPerf's and GuideLLM's ITL are our TPOT; "
            "LLMPerf's ITL is E2E divided by tokens, neither of the two."
        ),
        t("Source: vLLM bench serve and AIPerf, their own definitions."),
    ),
    (
        Metric.TPOT.value,
        LONG[Metric.TPOT],
        t(
            "How fast an answer flows once it has begun, one value per request. 100 ms a token is 10 tokens a second, "
            "faster than most people read."
        ),
        t("TPOT = (E2E − TTFT) ÷ (output tokens − 1)"),
        t(
            "TPOT in vLLM, SGLang, inference-perf and MLPerf; ITL in AIPerf and GuideLLM. GuideLLM's TPOT is E2E "
            "divided by output tokens, TTFT included: another quantity."
        ),
        t("Source: vLLM bench serve, AIPerf and MLPerf Inference, their own definitions."),
    ),
    (
        Metric.E2E.value,
        LONG[Metric.E2E],
        t("From sending a request to its last token. It grows with the length of the answer."),
        t("E2E = last token received − request sent = TTFT + TPOT × (output tokens − 1)"),
        t("E2EL in vLLM, request latency in AIPerf and GuideLLM, E2E latency in SGLang."),
        t("Source: vLLM bench serve and AIPerf, their own definitions."),
    ),
    (
        Metric.QUEUE.value,
        LONG[Metric.QUEUE],
        t("The part of the wait that passes before the engine takes a request up. It is inside TTFT, not beside it."),
        t("Queue wait = request taken up − request received by the engine"),
        t("Queue time in vLLM's server metrics; load generators do not see it."),
        t("Source: vLLM's server metrics."),
    ),
    (
        Metric.RTF.value,
        LONG[Metric.RTF],
        t(
            "For sound: how long the work takes per second of audio, one value per request. Below 1 it is faster than "
            "it is played."
        ),
        t("RTF = processing time ÷ length of the audio"),
        t(
            "AIPerf's RTFx is the inverse per request, so its p5 is our p95; a mean is never inverted. vLLM's rtfx and "
            "FunASR's RTF are rates of the whole system under the same name."
        ),
        t("Source: AIPerf and NVIDIA Riva, their own definitions."),
    ),
    (
        Metric.TOK_S_USER.value,
        LONG[Metric.TOK_S_USER],
        t(
            "The speed that one user sees once the answer flows. Higher is better: p95 ≥ 25 means that 95% of the "
            "requests are at least that fast."
        ),
        t("Tokens/s per user = 1 ÷ TPOT"),
        t(
            "Output token throughput per user in AIPerf, interactivity in InferenceX. Some guides divide output tokens "
            "by E2E instead, which counts the wait for the first token."
        ),
        t("Source: AIPerf and InferenceX, their own definitions."),
    ),
    (
        Metric.SUCCESS_RATE.value,
        LONG[Metric.SUCCESS_RATE],
        t("The share of requests that ended with a full answer. Where failures were not recorded it cannot be told."),
        t("Success rate = good ÷ (good + failed + cut off)"),
        t("Completed and failed in vLLM, error rate in AIPerf, successful, errored and incomplete in GuideLLM."),
        t("Source: Plimsoll's contract of the command line."),
    ),
    (
        Metric.GOODPUT.value,
        LONG[Metric.GOODPUT],
        t(
            "The share of all requests sent that keep every other target at once. It needs per-request records; from "
            "percentiles alone only bounds are known."
        ),
        t("Goodput share = requests within every other target ÷ requests sent"),
        t(
            "vLLM and AIPerf give goodput as requests per second, not as a share; vLLM lets a request with a single "
            "token pass any TPOT limit."
        ),
        t("Source: vLLM bench serve and AIPerf, their own definitions; DistServe, arXiv 2401.09670."),
    ),
)
