"""Is a latency below what the hardware can do? Only where the model and the accelerator are known; never a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.catalogue.hardware import accelerator
from core.check.levels import Measured, judged, listed, place, stages
from core.i18n import Text, t
from core.limits.dense import READ, is_dense
from core.limits.doubts import is_vouched, of_another_model
from core.limits.floors import Floor, floor_of_bytes, itl_floor, ttft_floor
from core.limits.memory import GIB
from core.limits.setup import TENSOR, Setup, setup_of
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Conditions, Run
from core.model.stage import Stage

ROOM = 0.95
"""A measurement has to lie below this share of a floor: figures of hardware and of weights are right within a few
per cent."""

_NO_SPECULATION = frozenset({"none", "off", "no", "false", "disabled", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What is said below one kind of floor; `unit` is that of its work in the sentence."""

    code: str
    what: Text
    unit: float
    consequence: Text
    fix: Text


_TOO_FAST = _Kind(
    code="limits.itl_below_floor",
    what=t(
        "At load {levels}: {metric} is {measured} ms, and reading the weights alone takes {floor} ms"
        " ({work} GB at {rate} TB/s on each accelerator)"
    ),
    unit=1e9,
    consequence=t("No deployment as described is that fast at one token a step: something of it is another"),
    fix=t("Check accelerator, their number and the type of the weights; say which speculation was on, if any"),
)
_TOO_SOON = _Kind(
    code="limits.ttft_below_floor",
    what=t(
        "At load {levels}: {metric} is {measured} ms, and the arithmetic of the question alone takes {floor} ms"
        " ({work} trillion operations at {rate} trillion a second)"
    ),
    unit=1e12,
    consequence=t("Part of the questions was not read anew: with other questions the first token takes longer"),
    fix=t("Say the cache hit rate of the run; without hits, check accelerator, their number and the lengths"),
)


def check_floors(run: Run) -> tuple[Finding, ...]:
    """Return a finding for each metric that is below its floor at some level."""
    setup = _sure(run)
    if setup is None:
        return tuple(_by_log(run))
    return (*_tokens(run, setup), *_first(run, setup))


def _sure(run: Run) -> Setup | None:
    """Return what floors are reckoned with; None where anything that could make them too high is a guess."""
    known = run.conditions
    setup = setup_of(run.sizing, known) if run.sizing else None
    if setup is None or setup.accelerator is None or not is_vouched(setup):
        return None
    if _apart(known):
        return None
    told = TENSOR not in setup.assumed or known.accelerator_count is not None
    return setup if told else None


def _by_log(run: Run) -> list[Finding]:
    """Time between tokens against the weights that the engine's log tells, where the model's name says it is dense."""
    known = run.conditions
    part = accelerator(known.accelerator or "")
    setup = setup_of(run.sizing, known) if run.sizing else None
    # A file that is not of the run's model says nothing of it; the log still does.
    sized = setup is not None and not of_another_model(setup)
    if sized or part is None or known.weights_gib is None or not is_dense(known.model) or _apart(known):
        return []
    floor = floor_of_bytes(part, READ * known.weights_gib * GIB)
    each = _tokens_a_step(known)
    if floor is None or each is None:
        return []
    floor = replace(floor, seconds=floor.seconds / each)
    return _below(run, lambda _: floor, _between, _TOO_FAST)


def _apart(known: Conditions) -> bool:
    """Return whether prefill and decode run apart: nobody says then how each pool is cut."""
    return bool(
        known.prefill_accelerators or known.decode_accelerators or "disagg" in (known.serving_mode or "").lower()
    )


def _tokens_a_step(known: Conditions) -> float | None:
    """Return how many tokens come out of one step, None where speculation was on and nobody says how many."""
    if not speculates(known):
        return 1.0
    return None if known.acceptance_length is None else max(1.0, known.acceptance_length)


def speculates(known: Conditions) -> bool:
    """Return whether several tokens may come out of one step, as far as anybody says so."""
    return known.speculation is not None and known.speculation.strip().lower() not in _NO_SPECULATION


def _tokens(run: Run, setup: Setup) -> list[Finding]:
    """Time between tokens against the weights that every step reads: one sequence's, without any cache."""
    floor, each = itl_floor(setup, 1.0, 0.0, generous=True), _tokens_a_step(run.conditions)
    if floor is None or each is None:
        return []
    floor = replace(floor, seconds=floor.seconds / each)
    return _below(run, lambda _: floor, _between, _TOO_FAST)


def _first(run: Run, setup: Setup) -> list[Finding]:
    """Time to first token against the arithmetic of the tokens that no cache is known to give."""

    def floor(stage: Stage) -> Floor | None:
        tokens = stage.input_tokens_mean or run.conditions.input_tokens_mean
        hits = stage.cache_hit_rate if stage.cache_hit_rate is not None else run.conditions.cache_hit_rate
        new = (tokens or 0.0) * (1.0 - min(1.0, hits or 0.0))
        return ttft_floor(setup, new, generous=True) if new > 0.0 else None

    return _below(run, floor, _to_first, _TOO_SOON)


def _between(stage: Stage) -> tuple[Metric, float] | None:
    """Return the mean time per token, else the mean gap: in a burst single gaps may be short."""
    found = [(metric, stage.value(metric, "mean")) for metric in (Metric.TPOT, Metric.ITL)]
    return next(((metric, value) for metric, value in found if value), None)


def _to_first(stage: Stage) -> tuple[Metric, float] | None:
    """Return the mean: the floor is of a question of mean length, and it bends upwards with the length."""
    value = stage.value(Metric.TTFT, "mean")
    return (Metric.TTFT, value) if value else None


def _below(
    run: Run,
    floor_of: Callable[[Stage], Floor | None],
    read: Callable[[Stage], tuple[Metric, float] | None],
    kind: _Kind,
) -> list[Finding]:
    found: list[tuple[Stage, float, Metric, Floor]] = []
    for stage in judged(run):
        floor, told = floor_of(stage), read(stage)
        if floor is not None and told is not None and told[1] < ROOM * floor.seconds:
            found.append((stage, told[1] / floor.seconds, told[0], floor))
    if not found:
        return []
    worst = min(found, key=lambda each: each[1])
    members = [(stage, share) for stage, share, *_ in [worst, *(each for each in found if each is not worst)]]
    return [_finding(kind, members, worst[2], worst[1] * worst[3].seconds, worst[3])]


def _finding(kind: _Kind, members: Measured, metric: Metric, seconds: float, floor: Floor) -> Finding:
    values = {
        "levels": listed(sorted(stages(members), key=lambda stage: stage.load or 0.0)),
        "metric": metric.value.upper(),
        "measured": f"{1000 * seconds:.3g}",
        "floor": f"{1000 * floor.seconds:.3g}",
        "work": f"{floor.work / kind.unit:.3g}",
        "rate": f"{floor.rate / 1e12:.3g}",
    }
    return Finding(
        code=kind.code,
        severity=Severity.WARNING,
        where=place(members[0][0], metric.value),
        what=Text(kind.what.msgid, values),
        consequence=kind.consequence,
        fix=kind.fix,
    )
