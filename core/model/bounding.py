"""Which target still gives an upper bound where the whole set cannot be told."""

from __future__ import annotations

from core.model.answer import RunAnswer, Status, TargetAnswer


def bounding(answer: RunAnswer) -> TargetAnswer | None:
    """Return the target that gives an upper bound where the set cannot be told, None where none does."""
    if answer.capacity.status is not Status.CANNOT_TELL:
        return None
    told = [
        (found.high, place, each)
        for place, each in enumerate(answer.per_target)
        if each.capacity.status is not Status.CANNOT_TELL
        if (found := each.capacity.concurrency) is not None and found.high is not None
    ]
    return min(told)[2] if told else None
