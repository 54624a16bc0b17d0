"""How the service's requests differ from those of a run, as factors: yours over measured, 1 where nothing differs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.decide.traffic_arrivals import measured_arrivals, own_arrivals
from core.decide.traffic_records import Slope, length_quantile, prompt_slope
from core.model.difference import Difference, Match
from core.model.run import Run
from core.model.traffic import Traffic

SAME_WITHIN = 1.05
"""Ratio of two mean lengths up to which they are the same."""

SAME_SHARE = 0.05
"""Difference of two hit rates up to which they are the same."""

P95 = 0.95


@dataclass(frozen=True, slots=True)
class Factor:
    """Bounds of one factor."""

    low: float = 1.0
    high: float = 1.0

    def times(self, other: Factor) -> Factor:
        """Return the product of two."""
        return Factor(self.low * other.low, self.high * other.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Everything that differs.

    Attributes:
        prompt, answer: mean input and output tokens.
        missed: share of the prompt that no cache holds.
        prompt_tail, answer_tail: p95 over mean of the lengths.
        input_tokens, output_tokens: of the run, None where unknown.
        swing: variance over mean of the number in flight, measured and yours; None where not compared.
        slope: of the first token's time with the prompt, from the run's own requests.
        untold: conditions that the service says and the run does not.
    """

    prompt: float = 1.0
    answer: float = 1.0
    missed: Factor = Factor()
    prompt_tail: Factor = Factor()
    answer_tail: Factor = Factor()
    input_tokens: float | None = None
    output_tokens: float | None = None
    swing: tuple[float, float] | None = None
    slope: Slope | None = None
    untold: tuple[str, ...] = ()

    @property
    def varied(self) -> bool:
        """Return True where the service's lengths may vary more than the run's."""
        return max(self.prompt_tail.high, self.answer_tail.high) > SAME_WITHIN

    @property
    def out_of_step(self) -> bool:
        """Return True where requests of a load generator may run in step and the service's do not.

        In a closed loop with lengths all alike, prompts are read together and answers written together.
        """
        return self.varied or bool(self.swing and self.swing[1] > self.swing[0])

    @property
    def fresh(self) -> Factor:
        """Return the prompt tokens that have to be computed."""
        return self.missed.times(Factor(self.prompt, self.prompt))

    @property
    def held(self) -> Factor:
        """Return the tokens that a request holds in memory while it is answered: its prompt and half its answer."""
        if self.input_tokens is None or self.output_tokens is None:
            return Factor(min(self.prompt, self.answer), max(self.prompt, self.answer))
        whole = self.input_tokens + 0.5 * self.output_tokens
        both = (self.prompt * self.input_tokens + 0.5 * self.answer * self.output_tokens) / whole
        return Factor(both, both)

    @property
    def pressed(self) -> Factor:
        """Return the prompt tokens that are computed for each token of an answer."""
        return Factor(self.fresh.low / self.answer, self.fresh.high / self.answer)

    def alone(self, condition: str) -> Shift:
        """Return the shift with one condition only, by the names of `Difference`."""
        none = Shift(input_tokens=self.input_tokens, output_tokens=self.output_tokens, slope=self.slope)
        untold = (condition,) if condition in self.untold else ()
        match condition:
            case "input_tokens":
                return replace(none, prompt=self.prompt, untold=untold)
            case "output_tokens":
                return replace(none, answer=self.answer, untold=untold)
            case "hit_rate":
                return replace(none, missed=self.missed, untold=untold)
            case "input_p95":
                return replace(none, prompt_tail=self.prompt_tail)
            case "output_p95":
                return replace(none, answer_tail=self.answer_tail)
            case "arrivals":
                return replace(none, swing=self.swing, untold=untold)
            case _:
                raise ValueError(condition)

    @property
    def nothing(self) -> bool:
        """Return True where nothing differs."""
        known = Shift(input_tokens=self.input_tokens, output_tokens=self.output_tokens, slope=self.slope)
        return self == known


def shift_of(run: Run, traffic: Traffic) -> tuple[Shift, tuple[Difference, ...]]:
    """Compare a run with the service's traffic, condition by condition; what neither says is left out."""
    known = run.conditions
    shift = Shift(input_tokens=known.input_tokens_mean, output_tokens=known.output_tokens_mean, slope=prompt_slope(run))
    differences = []
    for name, field, measured, yours in (
        ("input_tokens", "prompt", known.input_tokens_mean, traffic.input_tokens),
        ("output_tokens", "answer", known.output_tokens_mean, traffic.output_tokens),
    ):
        difference = _length(name, measured, yours)
        differences.append(difference)
        if measured and yours and difference.match is Match.DIFFERENT:
            shift = replace(shift, **{field: yours / measured})  # type: ignore[arg-type]  # both fields are floats
    for name, length, field in (
        ("input_p95", "input_tokens", "prompt_tail"),
        ("output_p95", "output_tokens", "answer_tail"),
    ):
        difference, tail = _tail(run, traffic, name, length)
        differences.append(difference)
        shift = replace(shift, **{field: tail})  # type: ignore[arg-type]  # both fields are factors
    difference, missed = _hits(run, traffic)
    differences.append(difference)
    shift = replace(shift, missed=missed)
    difference, swing = _arrivals(run, traffic)
    differences.append(difference)
    shown = tuple(d for d in differences if d.measured is not None or d.yours is not None)
    lost = tuple(d.condition for d in shown if d.match is Match.NOT_MEASURED and d.condition in _NEEDED)
    return replace(shift, swing=swing, untold=lost), shown


_NEEDED = frozenset({"input_tokens", "output_tokens", "arrivals"})


def _match(measured: object, yours: object, *, same: bool) -> Match:
    if yours is None:
        return Match.NOT_SAID
    if measured is None:
        return Match.NOT_MEASURED
    return Match.EQUAL if same else Match.DIFFERENT


def _length(name: str, measured: float | None, yours: float | None) -> Difference:
    same = bool(measured and yours and 1.0 / SAME_WITHIN <= yours / measured <= SAME_WITHIN)
    return Difference(condition=name, measured=measured, yours=yours, match=_match(measured, yours, same=same))


def _tail(run: Run, traffic: Traffic, name: str, length: str) -> tuple[Difference, Factor]:
    """Compare p95 over mean; a run without records may have had any spread up to the service's own."""
    mean: float | None = getattr(traffic, length)
    p95 = (traffic.input_quantile if length == "input_tokens" else traffic.output_quantile)(P95)
    own = length_quantile(run, length, P95)
    yours = p95 / mean if p95 and mean else None
    of_run: float | None = getattr(run.conditions, f"{length}_mean")
    same = bool(own and yours and 1.0 / SAME_WITHIN <= yours / own <= SAME_WITHIN)
    difference = Difference(
        condition=name,
        measured=own * of_run if own and of_run else None,
        yours=p95,
        match=_match(own, yours, same=same),
    )
    if yours is None or same:
        return difference, Factor()
    factor = yours / own if own else max(yours, 1.0)
    return difference, Factor(factor, factor) if own else Factor(1.0, factor)


def _hits(run: Run, traffic: Traffic) -> tuple[Difference, Factor]:
    """Compare hit rates. A run that does not say its own is taken to have hit no more than the service does."""
    measured, yours = run.conditions.cache_hit_rate, traffic.hit_rate
    if measured is not None and not 0.0 <= measured <= 1.0:
        measured = None
    same = measured is not None and yours is not None and abs(measured - yours) <= SAME_SHARE
    difference = Difference(
        condition="hit_rate", measured=measured, yours=yours, match=_match(measured, yours, same=same)
    )
    match difference.match:
        case Match.EQUAL:
            return difference, Factor()
        case Match.NOT_MEASURED:
            return difference, Factor(1.0 - (yours or 0.0), 1.0)
        case Match.NOT_SAID:
            # The service may have no hits at all; a run that had hardly any is like it in any case.
            few = (measured or 0.0) <= SAME_SHARE
            return difference, Factor() if few else Factor(1.0, 1.0 / max(1.0 - (measured or 0.0), 1e-3))
        case _:
            left = (1.0 - (yours or 0.0)) / max(1.0 - (measured or 0.0), 1e-3)
            return difference, Factor(left, left)


def _arrivals(run: Run, traffic: Traffic) -> tuple[Difference, tuple[float, float] | None]:
    measured, of_run = measured_arrivals(run)
    yours, own = own_arrivals(traffic)
    known = of_run if measured is not None else None
    match = _match(known, yours, same=own == of_run)
    difference = Difference(condition="arrivals", measured=measured, yours=yours, match=match)
    pair = (of_run, own) if match is Match.DIFFERENT and of_run is not None and own is not None else None
    return difference, pair
