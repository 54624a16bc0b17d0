"""The tools whose results are read, as people write their names, the best known first."""

from __future__ import annotations

TOOLS = (
    "vLLM", "SGLang", "AIPerf", "GuideLLM", "inference-perf", "EvalScope", "GenAI-Perf", "trtllm-bench", "llm-d",
    "LLMPerf", "LMBenchmark", "fmperf", "genai-bench", "InferenceX", "FMBench", "MLC LLM", "MLPerf", "k6", "Locust",
)  # fmt: skip
"""What sends load and measures."""

SIMULATORS = ("AIConfigurator", "AISimulate", "BLIS", "Vidur", "LLMServingSim", "SplitwiseSim", "llm-d-planner")
"""What predicts; its numbers are marked as such wherever they stand."""
