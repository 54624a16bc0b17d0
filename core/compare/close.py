"""Whether one more measurement may tell runs apart, where their ranges are too wide for the gap between them now."""

from __future__ import annotations

import math
from dataclasses import replace

from core.compare.belief import Belief
from core.compare.compare import LEADS_FROM, Comparison, Standing, Why, may_lead
from core.compare.lead import leads
from core.compare.quantity import LOWER
from core.compare.shared import together_of
from core.model.answer import NextMeasurement, RunAnswer


def ahead(standing: Standing) -> tuple[int, int] | None:
    """Return the places of the two runs whose numbers read best, None where a number is not known or is a bound.

    Runs that have lost are none of them.
    """
    mids = [figure.shown.mid if figure.shown else None for figure in standing.figures]
    places = may_lead(standing.chances)
    if len(places) < 2 or not all(mids[place] for place in places):
        return None
    best = sorted(places, key=lambda i: mids[i] or 0.0, reverse=standing.quantity not in LOWER)
    return best[0], best[1]


def one_more_tells(found: Comparison, standing: Standing, place: int) -> bool | None:
    """Return whether one run would lead once the run at `place` is measured as advised and its estimate stays.

    Reckoned as the chances themselves are, with the range of that run as wide as the measurement should leave it.

    Args:
        found: the comparison.
        standing: of it, of which no leader can be told.
        place: of the run that would be measured, one of the two that read best.

    Returns:
        None where the ranges are not why, a number or a width is not known, or the run is none of the two.
    """
    best, wanted = ahead(standing), next_of(found.answers[place])
    if standing.why is not Why.CLOSE or best is None or place not in best or wanted is None:
        return None
    narrowed = _narrowed(standing.figures[place].belief, wanted)
    if narrowed is None:
        return None
    beliefs = [narrowed if i == place else standing.figures[i].belief for i in best]
    chances = leads(beliefs, [together_of(found.answers[i]) for i in best])
    return any(chance.low >= LEADS_FROM for chance in chances)


def next_of(answer: RunAnswer) -> NextMeasurement | None:
    """Return what to measure of a run: with the service's own requests where they are others."""
    own = answer.for_traffic.next_measurement if answer.for_traffic else None
    return own or answer.next_measurement


def _narrowed(belief: Belief, wanted: NextMeasurement) -> Belief | None:
    """Return a belief with both sides narrowed as the width of the answer should be, None where that is not known."""
    now, after = wanted.width_now, wanted.width_after
    if not now or not after or not now > 1.0 or not belief.is_told:
        return None
    share = min(1.0, math.log(max(1.0, after)) / math.log(now))
    low, mid, high = belief.low or 1.0, belief.mid or 1.0, belief.high or 1.0
    return replace(belief, low=mid * (low / mid) ** share, high=mid * (high / mid) ** share)
