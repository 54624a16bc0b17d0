"""Runs of known speed for comparisons: a server whose every time is scaled, as tables with their conditions."""

from __future__ import annotations

LEVELS = (1, 2, 4, 8, 16, 32, 64, 128)

HEADER = (
    "model,gpu,precision,engine,engine version,tp,concurrency,num prompts,completed,failed,isl,osl,"
    "mean ttft (ms),p99 ttft (ms),mean tpot (ms),p99 tpot (ms),output tok/s,request throughput"
)


def table(
    *,
    gpu: str = "8xH100",
    precision: str = "fp8",
    slower: float = 1.0,
    isl: int = 1024,
    engine_version: str = "0.11.0",
    levels: tuple[int, ...] = LEVELS,
) -> str:
    """Return one sweep as a table of the generic form.

    TPOT rises from 10 ms by 0.25 ms for each request in flight, TTFT from 60 ms by 4 ms; 256 output tokens. So a
    request takes TTFT + 255 TPOT, and N of them in flight make N / that requests/s (Little's law).
    """
    rows = [HEADER]
    for load in levels:
        tpot, ttft = slower * (10.0 + 0.25 * load), slower * (60.0 + 4.0 * load)
        rate = load / ((ttft + 255 * tpot) / 1000.0)
        n = max(200, 20 * load)
        values = (ttft, 1.6 * ttft, tpot, 1.15 * tpot, 256 * rate, rate)
        shown = ",".join(f"{value:.4f}" for value in values)
        rows.append(f"llama-3.1-70b,{gpu},{precision},vllm,{engine_version},8,{load},{n},{n},0,{isl},256,{shown}")
    return "\n".join(rows) + "\n"
