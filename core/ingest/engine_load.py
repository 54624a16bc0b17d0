"""What a server's periodic lines say of its KV cache under load: how full, and whether requests had to give way."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import Place
from core.i18n import t
from core.ingest.log_lines import lines_with
from core.model.finding import Finding, Severity

FULL = 0.95
"""Share of the cache in use from which new tokens soon find no room."""

_VLLM = re.compile(
    r"Running: (\d+) reqs, (?:Swapped: \d+ reqs, )?(?:Waiting|Pending): (\d+) reqs, GPU KV cache usage: ([\d.]+)%"
)
_SGLANG = re.compile(
    r"Decode batch\b[^\n]{0,200}?#running-req: (\d+)[^\n]{0,200}?token usage: ([\d.]+)[^\n]{0,300}?#queue-req: (\d+)"
)
_PREEMPTED = re.compile(
    r"is preempted by PreemptionMode\.\w+ mode[^\n]{0,400}?(?:preemption_cnt|cumulative_preemption)=(\d+)"
)
_RETRACTED = re.compile(
    r"Retract requests\. #retracted_reqs: (\d+)|Decode out of memory happened\. #retracted_reqs: (\d+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The fullest moment of a log.

    Attributes:
        share: of the KV cache in use, 0 to 1.
        running, waiting: requests then.
        line: where it stands.
    """

    share: float
    running: int
    waiting: int
    line: int


def fullest(text: str) -> Use | None:
    """Return the moment with the fullest cache, the first of several; None without such lines."""
    best: tuple[float, int, int, int] | None = None
    for hit in _VLLM.finditer(text):
        best = _fuller(best, _share(hit[3], 100.0), hit[1], hit[2], hit.start())
    for hit in _SGLANG.finditer(text):
        best = _fuller(best, _share(hit[2], 1.0), hit[1], hit[3], hit.start())
    if best is None:
        return None
    share, running, waiting, at = best
    return Use(share=share, running=running, waiting=waiting, line=text.count("\n", 0, at) + 1)


def gave_way(text: str) -> int:
    """Return how many times a request was put back because the cache was full."""
    text = lines_with(text, ("is preempted by", "#retracted_reqs"))
    preempted = [int(count) for count in _PREEMPTED.findall(text)]
    retracted = sum(int(one or other) for one, other in _RETRACTED.findall(text))
    return max(preempted, default=0) + retracted


def load_findings(name: str, text: str) -> tuple[Finding, ...]:
    """Return findings about the cache under load, for the results that a log stands beside."""
    use, count = fullest(text), gave_way(text)
    found = []
    if use is not None:
        found.append(_use(name, use))
    if count:
        found.append(gave_way_finding(name, count))
    return tuple(found)


def _fuller(
    best: tuple[float, int, int, int] | None, share: float | None, running: str, waiting: str, at: int
) -> tuple[float, int, int, int] | None:
    if share is None or (best is not None and share <= best[0]):
        return best
    return share, int(running), int(waiting), at


def _share(text: str, whole: float) -> float | None:
    try:
        share = float(text) / whole
    except ValueError:
        return None
    return share if 0.0 <= share <= 1.0 else None


def _use(name: str, use: Use) -> Finding:
    full = use.share >= FULL
    return Finding(
        code="engine_log.kv_use",
        severity=Severity.WARNING if full else Severity.INFO,
        where=Place(name, use.line),
        what=t(
            "The server's log says that at most {share} % of the KV cache was in use, with {running} requests running"
            " and {waiting} waiting",
            share=f"{100.0 * use.share:.4g}",
            running=use.running,
            waiting=use.waiting,
        ),
        consequence=t("At such loads the KV cache, not computing, limits how many requests run at once")
        if full
        else t("The KV cache was not what limited the load"),
    )


def gave_way_finding(name: str, count: int) -> Finding:
    """Return the finding of a server that put requests back, so many times."""
    return Finding(
        code="engine_log.preempted",
        severity=Severity.WARNING,
        where=Place(name),
        what=t("The server put back requests {count} times because its KV cache was full", count=count),
        consequence=t("Their work was done twice: tails of latency at the highest loads come from that"),
        fix=t("Give the KV cache more memory, or hold the load below the level where this begins"),
    )
