"""The command that measures one more level, in the words of the tool that made the file.

What the file does not know stands as <URL>, <MODEL> and so on: nothing is guessed. Names come
from uploaded files and are quoted, since the line is meant to be pasted into a shell.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from core.model.run import Run

Words = list[str]

_LONGEST = 300

RATE_DIGITS = 9
"""Significant digits of a rate: the words and the command give the same ones."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is sent: so many requests in flight, or requests/s where `rate` is given."""

    concurrency: int
    requests: int
    rate: float | None = None

    @property
    def flat(self) -> str:
        """Return the rate for a command line, with every digit that the words say."""
        return "" if self.rate is None else f"{self.rate:.{RATE_DIGITS}g}"


def command_for(run: Run, concurrency: int, requests: int, rate: float | None = None) -> str | None:
    """Return a command line for one level, None for a tool that is not known here.

    Args:
        run: names the tool, its backend, the model and the lengths.
        concurrency: requests in flight, >= 1; in open loop only the warm-up is sized by it.
        requests: to send, >= 1.
        rate: requests/s of an open-loop level, None for a closed loop.
    """
    write = _WRITERS.get(run.format_id)
    return _line(write(run, Load(concurrency, requests, rate))) if write else None


def _line(words: Words) -> str:
    return " ".join(word if _is_placeholder(word) else shlex.quote(word) for word in words)


def _is_placeholder(word: str) -> bool:
    """Return True for our own <NAMES>, which the person fills in before pasting."""
    return word in _PLACEHOLDERS


_PLACEHOLDERS = frozenset({"<URL>", "<MODEL>", "<INPUT_TOKENS>", "<OUTPUT_TOKENS>"})


def _model(run: Run) -> str:
    return _usable(run.conditions.model) or "<MODEL>"


def _usable(name: str | None) -> str | None:
    """Return a name from a file that is neither an option nor unprintable, else None."""
    fine = name and len(name) <= _LONGEST and name.isprintable() and not name.startswith("-")
    return name if fine else None


def _backend(run: Run, default: str) -> Words:
    """Return the backend that the files record, nothing where it is the tool's default or not known."""
    name = _usable(run.backend)
    if name is None or name == default:
        return []
    # vLLM refuses its chat backend at the default path, that of completions.
    path = ["--endpoint", "/v1/chat/completions"] if (name, default) == ("openai-chat", "openai") else []
    return ["--backend", name, *path]


def _tokens(mean: float | None, placeholder: str) -> str:
    return str(round(mean)) if mean and 0.5 <= mean < 1e9 else placeholder


def _lengths(run: Run) -> tuple[str, str]:
    conditions = run.conditions
    return (
        _tokens(conditions.input_tokens_mean, "<INPUT_TOKENS>"),
        _tokens(conditions.output_tokens_mean, "<OUTPUT_TOKENS>"),
    )


def _vllm(run: Run, load: Load) -> Words:
    isl, osl = _lengths(run)
    return [
        *("vllm", "bench", "serve", *_backend(run, "openai"), "--base-url", "<URL>", "--model", _model(run)),
        *("--dataset-name", "random", "--random-input-len", isl, "--random-output-len", osl, "--ignore-eos"),
        *_limit(load, "--max-concurrency"),
        *(_burstiness(run) if load.rate else []),
        *("--num-prompts", str(load.requests)),
        *("--num-warmups", str(load.concurrency), "--percentile-metrics", "ttft,tpot,itl,e2el"),
        *("--metric-percentiles", "50,90,95,99", "--save-result", "--save-detailed"),
    ]


def _limit(load: Load, closed: str) -> Words:
    return [closed, str(load.concurrency)] if load.rate is None else ["--request-rate", load.flat]


def _burstiness(run: Run) -> Words:
    """Return the arrival process where it is not Poisson, vLLM's default."""
    _, told, value = (run.conditions.arrival or "").partition("gamma, burstiness ")
    return ["--burstiness", value] if told and value.replace(".", "", 1).isdecimal() else []


def _sglang(run: Run, load: Load) -> Words:
    isl, osl = _lengths(run)
    return [
        *("python", "-m", "sglang.bench_serving", *_backend(run, "sglang"), "--base-url", "<URL>"),
        *("--model", _model(run), "--dataset-name", "random", "--random-input-len", isl),
        *("--random-output-len", osl, "--random-range-ratio", "1", *_limit(load, "--max-concurrency")),
        *("--num-prompts", str(load.requests), "--output-file", "result.jsonl", "--output-details"),
    ]


def _aiperf(run: Run, load: Load) -> Words:
    isl, osl = _lengths(run)
    even = load.rate and run.conditions.arrival == "constant"
    return [
        *("aiperf", "profile", "--model", _model(run), "--url", "<URL>", "--endpoint-type", "chat", "--streaming"),
        *("--synthetic-input-tokens-mean", isl, "--output-tokens-mean", osl),
        *_limit(load, "--concurrency"),
        *(("--arrival-pattern", "constant") if even else ()),
        *("--request-count", str(load.requests), "--warmup-request-count", str(load.concurrency)),
    ]


def _guidellm(run: Run, load: Load) -> Words:
    isl, osl = _lengths(run)
    data = f"prompt_tokens={isl},output_tokens={osl}"
    arrival = "poisson" if run.conditions.arrival == "poisson" else "constant"
    profile, rate = ("concurrent", str(load.concurrency)) if load.rate is None else (arrival, load.flat)
    return [
        *("guidellm", "benchmark", "--target", "<URL>", "--profile", profile, "--rate", rate),
        *("--max-requests", str(load.requests), "--data", data, "--outputs", "json"),
    ]


_WRITERS: dict[str, Callable[[Run, Load], Words]] = {
    "vllm_bench": _vllm,
    "sglang_bench": _sglang,
    "aiperf": _aiperf,
    "guidellm": _guidellm,
}
