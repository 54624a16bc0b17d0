"""What stops a deployment, with the evidence: a cause is a claim about the server, not about a metric."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.i18n import Text


class CauseKind(StrEnum):
    """What is short. Stored and printed: never rename one.

    queue: places in the running batch. kv_memory: room for the tokens of running requests.
    prefill: time for reading prompts. bandwidth: time for reading weights and cached tokens
    at every decode step. launch: time in which the host prepares work and the accelerator
    waits. queue_or_kv_memory, bandwidth_or_launch: one of the two; the files cannot tell which.
    client: the load generator. unknown: nothing that the levels show.
    """

    QUEUE = "queue"
    KV_MEMORY = "kv_memory"
    QUEUE_OR_KV_MEMORY = "queue_or_kv_memory"
    PREFILL = "prefill"
    BANDWIDTH = "bandwidth"
    LAUNCH = "launch"
    BANDWIDTH_OR_LAUNCH = "bandwidth_or_launch"
    CLIENT = "client"
    UNKNOWN = "unknown"


class Confidence(StrEnum):
    """How far the evidence carries. How often each is right: docs/causes.md."""

    CLEAR = "clear"
    LIKELY = "likely"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One observation with its measured numbers; `code` is stable (docs/codes.md)."""

    code: str
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What limits a run at the load where its target is reached.

    Attributes:
        kind: UNKNOWN where `confidence` is CANNOT_TELL.
        at: concurrent requests that the evidence is read at, None where no level tells.
        evidence: the strongest first.
        also_possible: other kinds that the same evidence allows.
    """

    kind: CauseKind
    confidence: Confidence
    at: float | None = None
    evidence: tuple[Sign, ...] = ()
    also_possible: tuple[CauseKind, ...] = ()
