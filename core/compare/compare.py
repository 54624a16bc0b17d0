"""Runs under the same targets: the numbers, whether they may be ranked, which leads and how sure that is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.compare.conditions import Matrix, matrix_of
from core.compare.lead import Lead, Together, leads, ratio
from core.compare.quantity import LOWER, OF_FLEET, Figure, Quantity, Question, figure_of, is_answered
from core.compare.shared import together_of
from core.model.answer import Interval, RunAnswer
from core.model.counted import counted_run
from core.model.run import Kind

LEADS_FROM = 0.9
"""A run is called the leader from this probability on: one chance in ten that it is not, as with the safe number."""

AHEAD_FROM = 0.5

LOST = 0.03
"""A run whose chance is at most this has lost, and what is unknown of it keeps no others from being told apart: a bound
that lies behind leaves 2.5 in 100, in which it does not hold."""

READS_WORSE = 1.005
"""A number that is so many times worse than another reads so: three digits are written."""


class Verdict(StrEnum):
    """Whether one run leads in one quantity. Printed: never rename one.

    leads: one does. cannot_tell: none does surely enough, or too little is known. not_comparable: conditions differ or
    are unknown, and nobody accepted that. alone: there is one run only. not_asked: what the quantity needs (a price,
    a demand) was not said.
    """

    LEADS = "leads"
    CANNOT_TELL = "cannot_tell"
    NOT_COMPARABLE = "not_comparable"
    ALONE = "alone"
    NOT_ASKED = "not_asked"


class Why(StrEnum):
    """Why no leader can be told. Printed: never rename one."""

    CLOSE = "too_close"
    UNEVEN = "numbers_disagree"
    BOUNDS = "only_bounds"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One quantity over all runs.

    Attributes:
        figures, chances: one for each run, in their order; the chances that it leads are empty unless comparable.
        leader: place of the run that leads, or that is ahead where none leads surely; None where neither is known.
        why: where none leads.
    """

    quantity: Quantity
    figures: tuple[Figure, ...]
    chances: tuple[Lead, ...]
    verdict: Verdict
    leader: int | None = None
    why: Why | None = None

    @property
    def is_told(self) -> bool:
        """True where it was asked for and the number of some run is known."""
        return self.verdict is not Verdict.NOT_ASKED and any(figure.shown for figure in self.figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiple:
    """How many times better one run is than another in one named quantity.

    Attributes:
        one, other: ids of runs. times: 90 % range; an open end is None, `mid` is None where only bounds are known.
    """

    quantity: Quantity
    one: str
    other: str
    times: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything that is said about runs side by side.

    Attributes:
        answers: in the order given. standings: one for each quantity. multiples: empty unless comparable.
        question: price, demand and think time that it was made with.
    """

    answers: tuple[RunAnswer, ...]
    matrix: Matrix
    standings: tuple[Standing, ...]
    multiples: tuple[Multiple, ...]
    question: Question

    def of(self, quantity: Quantity) -> Standing:
        """Return what is said of one quantity."""
        return next(each for each in self.standings if each.quantity is quantity)

    @property
    def deciding(self) -> Standing:
        """Return the quantity that the choice is about: what was asked, as far as the answers tell it.

        The bill of the month for a demand with prices; without a demand users per money. Without prices the
        accelerators of the demand where those of every run are known, else its replicas; without either, capacity.
        """
        month, money = self.of(Quantity.MONTH), self.of(Quantity.USERS_PER_MONEY)
        if month.is_told or money.verdict is not Verdict.NOT_ASKED:
            return month if month.is_told else money
        accelerators, replicas = self.of(Quantity.ACCELERATORS), self.of(Quantity.REPLICAS)
        if not replicas.is_told:
            return self.of(Quantity.CAPACITY)
        return accelerators if all(figure.shown for figure in accelerators.figures) else replicas

    @property
    def may_rank(self) -> bool:
        """True where one run may be called better than another: a frontier over several runs is a ranking too."""
        return len(self.answers) < 2 or self.matrix.is_comparable

    @property
    def has_simulated(self) -> bool:
        """True where some run is simulated: it is a candidate until a benchmark confirms it."""
        return any(answer.run.kind is Kind.SIMULATED for answer in self.answers)


DECIDING = (
    Quantity.CAPACITY,
    Quantity.REPLICAS,
    Quantity.ACCELERATORS,
    Quantity.MONTH,
    Quantity.USERS_PER_MONEY,
)
"""Quantities of which one decides; what names a leader and nothing more needs no others."""


def compare(
    answers: Sequence[RunAnswer],
    asked: Question,
    accepted: Collection[str] = (),
    quantities: Sequence[Quantity] = tuple(Quantity),
) -> Comparison:
    """Compare answers to the same targets. Nothing is fitted: what the answers hold is read.

    Args:
        answers: one for each run, all to the same targets.
        asked: price, demand and think time.
        accepted: conditions that may differ or be unknown, by name.
        quantities: compared, `DECIDING` at least.
    """
    # A count that is typed beside the price is a condition as much as one on the Data page.
    runs = [counted_run(answer.run, asked.price) for answer in answers]
    matrix = matrix_of(runs, accepted) if runs else Matrix(lines=())
    together = tuple(together_of(answer) for answer in answers)
    standings = tuple(_standing(q, answers, asked, together, matrix) for q in quantities)
    return Comparison(
        answers=tuple(answers),
        matrix=matrix,
        standings=standings,
        multiples=tuple(m for s in standings for m in _multiples(s, answers, together)) if matrix.is_comparable else (),
        question=asked,
    )


def _standing(
    quantity: Quantity,
    answers: Sequence[RunAnswer],
    asked: Question,
    together: Sequence[Together],
    matrix: Matrix,
) -> Standing:
    figures = tuple(figure_of(answer, quantity, asked) for answer in answers)
    verdict, leader, why = Verdict.CANNOT_TELL, None, None
    chances: tuple[Lead, ...] = ()
    if not _is_asked(quantity, asked):
        verdict = Verdict.NOT_ASKED
    elif len(answers) < 2:
        verdict = Verdict.ALONE
    elif not matrix.is_comparable:
        verdict = Verdict.NOT_COMPARABLE
    else:
        chances = leads([figure.belief for figure in figures], together)
        verdict, leader, why = _leader(figures, chances, quantity)
    return Standing(quantity=quantity, figures=figures, chances=chances, verdict=verdict, leader=leader, why=why)


def _leader(
    figures: Sequence[Figure], chances: Sequence[Lead], quantity: Quantity
) -> tuple[Verdict, int | None, Why | None]:
    best = max(range(len(chances)), key=lambda place: (chances[place].low, chances[place].high))
    uneven = _reads_behind(figures, best, quantity)
    if chances[best].low >= LEADS_FROM and not uneven:
        return Verdict.LEADS, best, None
    ahead = best if chances[best].low > AHEAD_FROM and not uneven else None
    if any(figure.belief.is_unknown for figure in figures):
        return Verdict.CANNOT_TELL, ahead, Why.UNKNOWN
    # Of a run that has lost a bound is enough, although it leaves the chances of the others a little open.
    if not all(chances[place].is_told or figures[place].belief.is_told for place in may_lead(chances)):
        return Verdict.CANNOT_TELL, ahead, Why.BOUNDS
    return Verdict.CANNOT_TELL, ahead, Why.UNEVEN if chances[best].low >= LEADS_FROM else Why.CLOSE


def may_lead(chances: Sequence[Lead]) -> tuple[int, ...]:
    """Return the places of the runs that have not lost; all where fewer than two are left."""
    found = tuple(place for place, chance in enumerate(chances) if chance.high > LOST)
    return found if len(found) > 1 else tuple(range(len(chances)))


def _reads_behind(figures: Sequence[Figure], best: int, quantity: Quantity) -> bool:
    """Return True where the number of another run reads better than that of the run that the chances favour."""
    mids = [figure.shown.mid if figure.shown else None for figure in figures]
    own = mids[best]
    others = [mid for place, mid in enumerate(mids) if place != best and mid is not None]
    if own is None or not others:
        return False
    return own > min(others) * READS_WORSE if quantity in LOWER else own * READS_WORSE < max(others)


def _is_asked(quantity: Quantity, asked: Question) -> bool:
    if quantity in (Quantity.COST, Quantity.USERS_PER_MONEY, Quantity.MONTH) and asked.price is None:
        return False
    return quantity not in OF_FLEET or asked.demand is not None


def _multiples(standing: Standing, answers: Sequence[RunAnswer], together: Sequence[Together]) -> list[Multiple]:
    """Return the multiples between the run that is ahead (the first where none is) and each other, the better first."""
    if standing.verdict not in (Verdict.LEADS, Verdict.CANNOT_TELL):
        return []
    found = []
    a = standing.leader if standing.leader is not None else 0
    for b in (place for place in range(len(answers)) if place != a):
        if not (is_answered(answers[a]) and is_answered(answers[b])):
            continue
        pair = standing.figures[a].belief, standing.figures[b].belief
        if any(belief.is_unknown for belief in pair):
            continue
        shown = standing.figures[a].shown, standing.figures[b].shown
        low, mid, high = held(ratio(*pair, (together[a], together[b])), *shown, standing.quantity)
        one, other = answers[a].run.id, answers[b].run.id
        if (mid is not None and mid < 1.0) or (mid is None and low is None and high is not None and high < 1.0):
            one, other = other, one
            low, mid, high = (None if end is None else 1.0 / end for end in (high, mid, low))
        if low is None and mid is None:
            continue
        found.append(
            Multiple(quantity=standing.quantity, one=one, other=other, times=Interval(low=low, mid=mid, high=high))
        )
    return found


_Ends = tuple[float | None, float | None, float | None]


def held(times: _Ends, one: Interval | None, other: Interval | None, quantity: Quantity) -> _Ends:
    """Return a multiple that says what the two rows say: its middle is the quotient of the numbers written there.

    An end that is open in a row is open in the multiple. Where both rows are ranges the multiple keeps the 90 % range
    of the quotient, draw by draw: both at their far ends together is rarer than one of them alone. Nothing goes beyond
    the quotient of the far ends: whole replicas may be drawn that neither row has. Of bounds none is surer than the
    low end of one row over the high end of the other.
    """
    low, mid, high = times
    top, bottom = (other, one) if quantity in LOWER else (one, other)
    least = _quotient(top.low, bottom.high) if top and bottom else None
    most = _quotient(top.high, bottom.low) if top and bottom else None
    if mid is not None:
        middle = (_quotient(top.mid, bottom.mid) if top and bottom else None) or mid
        return (
            None if low is None or least is None else min(max(low, least), middle),
            middle,
            None if high is None or most is None else max(min(high, most), middle),
        )
    low = min(low, least) if low is not None and least is not None else None
    return low, None, max(high, most) if high is not None and most is not None else None


def _quotient(over: float | None, under: float | None) -> float | None:
    return over / under if over is not None and under else None
