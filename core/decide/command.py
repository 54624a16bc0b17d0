"""The command that measures one more level, in the words of the tool that made the file.

What the file does not know stands as <URL>, <MODEL> and so on: nothing is guessed. Names come
from uploaded files and are quoted, since the line is meant to be pasted into a shell.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from core.model.run import Run

Words = list[str]

_LONGEST = 300


def command_for(run: Run, concurrency: int, requests: int) -> str | None:
    """Return a command line for one closed-loop level, None for a tool that is not known here.

    Args:
        run: names the tool, the model and the lengths.
        concurrency: requests in flight, >= 1.
        requests: to send, >= 1.
    """
    write = _WRITERS.get(run.format_id)
    return _line(write(run, concurrency, requests)) if write else None


def _line(words: Words) -> str:
    return " ".join(word if _is_placeholder(word) else shlex.quote(word) for word in words)


def _is_placeholder(word: str) -> bool:
    """Return True for our own <NAMES>, which the person fills in before pasting."""
    return word in _PLACEHOLDERS


_PLACEHOLDERS = frozenset({"<URL>", "<MODEL>", "<INPUT_TOKENS>", "<OUTPUT_TOKENS>"})


def _model(run: Run) -> str:
    name = run.conditions.model
    usable = name and len(name) <= _LONGEST and name.isprintable() and not name.startswith("-")
    return name if name and usable else "<MODEL>"


def _tokens(mean: float | None, placeholder: str) -> str:
    return str(round(mean)) if mean and 0.5 <= mean < 1e9 else placeholder


def _lengths(run: Run) -> tuple[str, str]:
    conditions = run.conditions
    return (
        _tokens(conditions.input_tokens_mean, "<INPUT_TOKENS>"),
        _tokens(conditions.output_tokens_mean, "<OUTPUT_TOKENS>"),
    )


def _vllm(run: Run, concurrency: int, requests: int) -> Words:
    isl, osl = _lengths(run)
    return [
        *("vllm", "bench", "serve", "--base-url", "<URL>", "--model", _model(run)),
        *("--dataset-name", "random", "--random-input-len", isl, "--random-output-len", osl, "--ignore-eos"),
        *("--max-concurrency", str(concurrency), "--num-prompts", str(requests)),
        *("--num-warmups", str(concurrency), "--percentile-metrics", "ttft,tpot,itl,e2el"),
        *("--metric-percentiles", "50,90,95,99", "--save-result", "--save-detailed"),
    ]


def _sglang(run: Run, concurrency: int, requests: int) -> Words:
    isl, osl = _lengths(run)
    return [
        *("python", "-m", "sglang.bench_serving", "--backend", "sglang", "--base-url", "<URL>"),
        *("--model", _model(run), "--dataset-name", "random", "--random-input-len", isl),
        *("--random-output-len", osl, "--random-range-ratio", "1", "--max-concurrency", str(concurrency)),
        *("--num-prompts", str(requests), "--output-file", "result.jsonl", "--output-details"),
    ]


def _aiperf(run: Run, concurrency: int, requests: int) -> Words:
    isl, osl = _lengths(run)
    return [
        *("aiperf", "profile", "--model", _model(run), "--url", "<URL>", "--endpoint-type", "chat", "--streaming"),
        *("--synthetic-input-tokens-mean", isl, "--output-tokens-mean", osl),
        *("--concurrency", str(concurrency), "--request-count", str(requests)),
        *("--warmup-request-count", str(concurrency)),
    ]


def _guidellm(run: Run, concurrency: int, requests: int) -> Words:
    isl, osl = _lengths(run)
    data = f"prompt_tokens={isl},output_tokens={osl}"
    return [
        *("guidellm", "benchmark", "--target", "<URL>", "--profile", "concurrent", "--rate", str(concurrency)),
        *("--max-requests", str(requests), "--data", data, "--outputs", "json"),
    ]


_WRITERS: dict[str, Callable[[Run, int, int], Words]] = {
    "vllm_bench": _vllm,
    "sglang_bench": _sglang,
    "aiperf": _aiperf,
    "guidellm": _guidellm,
}
