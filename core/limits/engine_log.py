"""What a pasted start-up log says of memory. Only numbers are kept: nothing else of a log is."""

from __future__ import annotations

import re

from core.errors import UsageError
from core.i18n import t
from core.ingest.engine_start import started
from core.ingest.log_lines import lines_with
from core.model.sizing import Logged

MOST_CHARS = 5_000_000
"""Of a log: a start takes some hundred lines."""

_TIMES = re.compile(r"Maximum concurrency for ([\d,]{1,15}) tokens per request: (\d{1,9}(?:\.\d{1,6})?)x")
_FRACTION = re.compile(r"(?:gpu_memory_utilization|mem_fraction_static)'?(?:=|: ?)(0?\.\d{1,6}|1(?:\.0{1,6})?)\b")


def read_log(text: str) -> Logged:
    """Return what a log says of memory.

    Raises:
        UsageError: "limits.log_too_long"; "limits.log_says_nothing" where no line tells of memory.
    """
    if len(text) > MOST_CHARS:
        raise UsageError(
            "limits.log_too_long",
            t("The log holds more than {limit} characters", limit=MOST_CHARS),
            fix=t("Paste only the lines of the start, up to where the server answers"),
        )
    about = started(text).about
    lines = lines_with(text, ("Maximum concurrency for", "gpu_memory_utilization", "mem_fraction_static"))
    times, shares = _TIMES.findall(lines), _FRACTION.findall(lines)

    def number(name: str) -> float | None:
        value = about.get(name)
        return float(value) if isinstance(value, int | float) and value > 0 else None

    def whole(name: str) -> int | None:
        value = number(name)
        return None if value is None else int(value)

    found = Logged(
        engine=str(about["engine"]) if "engine" in about else None,
        engine_version=str(about["engine_version"]) if "engine_version" in about else None,
        weights_gib=number("weights_gib"),
        kv_gib=number("kv_cache_gib"),
        kv_tokens=whole("kv_cache_tokens"),
        # Ranks and restarts print the line again; the smallest holds for all of them.
        times=min(float(each) for _, each in times) if times else None,
        length=int(times[0][0].replace(",", "")) or None if times else whole("max_model_len"),
        tp=whole("tp"),
        pp=whole("pp"),
        fraction=float(shares[-1]) if shares and float(shares[-1]) > 0.0 else None,
    )
    if found.empty:
        raise UsageError(
            "limits.log_says_nothing",
            t("The log says nothing of memory"),
            fix=t("Paste the lines of the start, such as {line}", line='"GPU KV cache size: 184,832 tokens"'),
        )
    return found
