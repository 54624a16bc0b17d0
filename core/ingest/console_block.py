"""The "Serving Benchmark Result" blocks that vLLM's benchmark script and its descendants print.

A log, a terminal's copy or a Markdown page holds any number of them, among progress bars, colours
and other lines, each line perhaps behind the prefix of a container's log. Labels differ by version
in case, spelling and order; only their values are read here, by the names of the tool's JSON.
Source: vLLM benchmarks/serve.py and SGLang bench_serving.py, 2024 to 2026; docs/formats/vllm_bench_console.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.raw import Upload
from core.settings import LIMITS

LONGEST = 400
"""Lines of one block, with whatever was printed in between."""

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_TITLE = "Serving Benchmark Result"
_HEADER = re.compile(rf"(?P<before>.{{0,200}}?)={{3,}} ?{_TITLE} ?={{3,}}\s*")
_END = re.compile(r"={20,}\s*|`{3,}\s*|~{3,}\s*")
_LABEL = re.compile(r"[>|*\s]*(?P<label>[A-Za-z][^:]{1,60}?):\s+(?P<value>\S.*)")
_LATENCY = re.compile(
    r"(?P<statistic>mean|median|std|p\d{1,2}(?:\.\d+)?) (?P<metric>ttft|tpot|itl|e2el|e2e latency) \((?P<unit>ms|s)\)"
)
_NAMES = {
    "backend": "backend",
    "successful requests": "completed",
    "failed requests": "failed",
    "maximum request concurrency": "max_concurrency",
    "max request concurrency": "max_concurrency",
    "max reqeuest concurrency": "max_concurrency",
    "traffic request rate": "request_rate",
    "request rate configured (rps)": "request_rate",
    "benchmark duration (s)": "duration",
    "total input tokens": "total_input_tokens",
    "total generated tokens": "total_output_tokens",
    "request throughput (req/s)": "request_throughput",
    "output token throughput (tok/s)": "output_throughput",
    "input token throughput (tok/s)": "input_throughput",
    "total token throughput (tok/s)": "total_token_throughput",
    "rtfx (inverse real-time factor)": "rtfx",
    "concurrency": "concurrency",
    "accept length": "acceptance_length",
    "acceptance length": "acceptance_length",
}
_UNSAID = {"not set", "none", "not applicable"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One printed result.

    Attributes:
        line: of its headline.
        above: lines between the block before and this one.
        values: text by the name that the tool's JSON has for it.
        labels: label as printed and its line, by the same names.
    """

    line: int
    above: tuple[str, ...]
    values: dict[str, str]
    labels: dict[str, tuple[str, int]]


@lru_cache(maxsize=16)
def has_block(text: str) -> bool:
    """Return whether a text shows the headline of a result.

    >>> has_block("============ Serving Benchmark Result ============")
    True
    """
    return _TITLE in text and any(_headline(line) for _, line in _lines(text))


def first_block(text: str) -> dict[str, str]:
    """Return the values that the first block of a text shows, as far as it goes; never raises."""
    lines = list(_lines(text))
    for index, (_, line) in enumerate(lines):
        if header := _headline(line):
            return _filled(header["before"], lines[index + 1 : index + LONGEST])[0]
    return {}


def blocks_of(upload: Upload) -> list[Block]:
    """Return every result of a file, in order; at least one.

    Raises:
        RefusedFileError: unreadable text, no result, a result that is cut off, too many.
    """
    lines = list(_lines(text_of(upload)))
    starts = [index for index, (_, line) in enumerate(lines) if _headline(line)]
    if not starts:
        raise refusal(
            "ingest.no_levels",
            t("The benchmark's output ends before its result"),
            upload.name,
            t("Wait until the benchmark has printed its result, or look in its output for an error"),
            line=lines[-1][0] if lines else 1,
        )
    if len(starts) > LIMITS.levels:
        raise refusal(
            "ingest.too_large",
            t("The file holds more than {limit} runs", limit=LIMITS.levels),
            upload.name,
            t("Split it into several files"),
        )
    blocks, after = [], 0
    for start, limit in zip(starts, [*starts[1:], len(lines)], strict=True):
        block, end = _block(upload.name, lines, start, min(limit, start + LONGEST), after)
        blocks.append(block)
        after = end
    return blocks


def _headline(line: str) -> re.Match[str] | None:
    # A rule of many "=" would be tried at each of them.
    return _HEADER.fullmatch(line) if _TITLE in line else None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of every line: of what a progress bar wrote over, only the last is seen."""
    for number, line in enumerate(text.split("\n"), start=1):
        yield number, _COLOURS.sub("", line.rstrip().rsplit("\r", 1)[-1])


def _block(name: str, lines: list[tuple[int, str]], start: int, limit: int, after: int) -> tuple[Block, int]:
    header = _headline(lines[start][1])
    before = header["before"] if header else ""
    prefix = _prefix(before)
    end = next((i for i in range(start + 1, limit) if _END.fullmatch(prefix.sub("", lines[i][1]).strip())), None)
    if end is None:
        raise _cut_off(name, lines[min(limit, len(lines)) - 1][0])
    values, labels = _filled(before, lines[start + 1 : end])
    above = tuple(line for _, line in lines[max(after, start - LONGEST) : start])
    return Block(line=lines[start][0], above=above, values=values, labels=labels), end + 1


def _filled(before: str, lines: list[tuple[int, str]]) -> tuple[dict[str, str], dict[str, tuple[str, int]]]:
    prefix = _prefix(before)
    values: dict[str, str] = {}
    labels: dict[str, tuple[str, int]] = {}
    for number, line in lines:
        found = _LABEL.fullmatch(prefix.sub("", line))
        key = _key(found["label"]) if found else None
        if found and key and key not in values:
            value = found["value"].strip()
            # Behind a number a person may have written a remark; "not set" is two words.
            values[key] = "" if value.lower() in _UNSAID else value.split()[0]
            labels[key] = found["label"].strip()[:60], number
    return values, labels


def _key(label: str) -> str | None:
    """Return the tool's JSON name of a printed label.

    >>> _key("P99.9 E2E Latency (ms)"), _key("Total Token throughput (tok/s)"), _key("Max ITL (ms)")
    ('p99.9_e2e_latency_ms', 'total_token_throughput', None)
    """
    plain = " ".join(label.lower().split())
    latency = _LATENCY.fullmatch(plain)
    if latency:
        unit = "_ms" if latency["unit"] == "ms" else ""
        return f"{latency['statistic']}_{latency['metric'].replace(' ', '_')}{unit}"
    return _NAMES.get(plain)


def _prefix(before: str) -> re.Pattern[str]:
    """Return what stands before each line where a container's log put it: the headline's, with any digits."""
    parts = (r"\d+" if part.isdigit() else re.escape(part) for part in re.split(r"(\d+)", before))
    return re.compile("^" + "".join(parts))


def _cut_off(name: str, line: int) -> RefusedFileError:
    return refusal(
        "ingest.truncated",
        t("The result ends before the line that closes it"),
        name,
        t("Send the whole output of the benchmark, down to its last line"),
        line=line,
    )
