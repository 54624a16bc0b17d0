"""Do the requests of a level fit into the KV cache that the server's log tells?"""

from __future__ import annotations

from core.check.levels import Measured, judged, listed, place, stages
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.run import Run
from core.model.stage import Stage

MEAN_OUTPUT = 0.5
"""Share of its output that a request holds on average: it grows evenly from nothing to all."""


def check_memory(run: Run) -> tuple[Finding, ...]:
    """Return a finding where requests in flight need more KV cache than there is."""
    room = room_of(run)
    if room is None:
        return ()
    known = [(stage, running) for stage in judged(run) if (running := _running(run, stage))]
    full: Measured = [(s, n) for s, n in known if (need := _need(s, n, MEAN_OUTPUT)) is not None and need > room]
    never = {id(stage) for stage, _ in full}
    tight: Measured = [
        (s, n) for s, n in known if id(s) not in never and (need := _need(s, n, 1.0)) is not None and need > room
    ]
    return (*([_full(full, room)] if full else []), *([_tight(tight, room)] if tight else []))


def room_of(run: Run) -> float | None:
    """Return the tokens that the caches of all replicas hold together, None where the log does not tell."""
    each = run.conditions.kv_cache_tokens
    return None if each is None else float(each) * (run.conditions.dp or 1) * (run.conditions.replicas or 1)


def _running(run: Run, stage: Stage) -> float | None:
    """Return how many requests of a level would run at once if the cache were endless."""
    asked = stage.asked_concurrency if not stage.open_loop else None
    inside = asked or stage.achieved_concurrency
    limit = stage.max_num_seqs or run.conditions.max_num_seqs
    if inside is None or limit is None:
        return inside
    return min(inside, float(limit) * (run.conditions.dp or 1) * (run.conditions.replicas or 1))


def _need(stage: Stage, running: float, share: float) -> float | None:
    """Return the tokens that a level's requests hold, each with `share` of its output."""
    if stage.input_tokens_mean is None or stage.output_tokens_mean is None:
        return None
    # What a cached prefix holds is held once, not by every request.
    own = stage.input_tokens_mean * (1.0 - (stage.cache_hit_rate or 0.0))
    return running * (own + share * stage.output_tokens_mean)


def _full(members: Measured, room: float) -> Finding:
    worst, running = members[-1]
    return Finding(
        code="kv.full",
        severity=Severity.WARNING,
        where=place(worst, "kv_cache_tokens"),
        what=t(
            "At {levels} requests in flight the KV cache is too small: {running} requests hold {need} tokens on average"
            " at {worst}, and there is room for {room}",
            levels=listed(stages(members)),
            running=f"{running:.4g}",
            need=f"{_need(worst, running, MEAN_OUTPUT) or 0.0:,.0f}",
            worst=f"{worst.load or 0.0:.4g}",
            room=f"{room:,.0f}",
        ),
        consequence=t(
            "Some of them wait or are put back and computed twice: more accelerator speed would not help there"
        ),
        fix=t("Give the KV cache more memory (more accelerators, smaller weights or types), or send shorter requests"),
    )


def _tight(members: Measured, room: float) -> Finding:
    worst, running = members[-1]
    return Finding(
        code="kv.tight",
        severity=Severity.INFO,
        where=place(worst, "kv_cache_tokens"),
        what=t(
            "At {levels} requests in flight the KV cache may not suffice: {running} requests need up to {need} tokens"
            " at {worst}, and there is room for {room}",
            levels=listed(stages(members)),
            running=f"{running:.4g}",
            need=f"{_need(worst, running, 1.0) or 0.0:,.0f}",
            worst=f"{worst.load or 0.0:.4g}",
            room=f"{room:,.0f}",
        ),
        consequence=t("Where many requests near their end at once, some may be put back and computed twice"),
    )
