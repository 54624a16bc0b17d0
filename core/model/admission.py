"""The limit to configure in front of a deployment: how many requests it takes in at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Waits(StrEnum):
    """Where requests wait once as many are admitted as the limit allows. Printed: never rename one."""

    ROUTER = "router"
    ENGINE = "engine"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What the safe number means as a setting. Counts are of requests in flight, not per second.

    Attributes:
        endpoint: limit of the measured endpoint as a whole, None where no number can be promised.
        replicas: servers behind the endpoint, None where the files do not say.
        per_replica: limit of one of them, rounded down; None where it cannot be shared out.
        batch_limit: how many one replica ran at once at most (`max_num_seqs`), None where unknown or not one number.
        full_at: load at which the running batch was seen to be full, of one replica, of the whole
            endpoint where `replicas` is unknown; None where no level shows it.
        waits: ROUTER where all that are admitted run, ENGINE where some wait inside the engine.
        waiting: how many of them wait there, in the unit of `full_at`; 0 where none does, None where unknown.
        reasons: stable codes of what weakens it (docs/codes.md).
    """

    endpoint: int | None
    replicas: int | None
    per_replica: int | None
    batch_limit: int | None
    full_at: float | None
    waits: Waits
    waiting: int | None
    reasons: tuple[str, ...] = ()
