"""Laws of a fleet beside an API: above the volume that is told it is never dearer, and the words hold the bills."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.fleet.served import Served
from core.fleet.size import parts
from core.model.fleet import ApiPrice, Fleet
from core.present.fleet_tables import break_even_texts
from tests.fleet.fleet_build import DAY, any_fleet, named, plan, rate

few = settings(max_examples=20)
LITTLE = 1e-6

some = any_fleet(
    curve=st.none() | st.just(DAY),
    growth=st.just(0.0) | st.floats(0.01, 0.1),
    ahead=st.integers(0, 12),
    spares=st.integers(0, 3),
    ceiling=st.floats(0.5, 1.0),
    burst=st.floats(1.0, 2.0),
    out_share=st.floats(0.0, 0.2),
    node=st.sampled_from([None, 8, 16, 4, 72]),
)
prices = st.floats(0.1, 20.0).map(lambda output: ApiPrice(input=output / 4, output=output))
peaks = st.floats(0.5, 500.0)


def bills(found):
    """The fixed fleet, the API and the autoscaled fleet a month, as the table of the ways has them."""
    by = {way.name: way.month.mid for way in found.ways}
    return by["rent"], by["api"], by.get("autoscale")


def sides(found):
    """Multiples of the demand at the steps of the fleet's bill, and a little to both sides of each."""
    pools = [pool.in_flight.mid * parts(pool.planned, found.fleet) for pool in found.pools]
    steps = np.concatenate([np.array([*range(1, 12), 20, 50, 51]) / share for share in pools])
    return np.concatenate([steps * (1 - LITTLE), steps, steps * (1 + LITTLE)])


@few
@given(peaks, some, prices, st.booleans())
def test_above_the_volume_that_is_told_the_fleet_is_never_dearer_and_just_below_it_is(peak, fleet, api, two):
    served = (Served(answer=named("a"), share=0.7), Served(answer=named("b"), share=0.3)) if two else None
    fleet = replace(fleet, api=api)

    def at(times):
        return plan(rate(peak * times), fleet, served=served)

    today = at(1.0)
    (even,) = today.break_even
    now = today.volume.requests.mid
    if even.volume.mid is None:
        # Never: not at any size, on either side of any step.
        for times in sides(today):
            fixed, asked, _ = bills(at(times))
            assert fixed >= asked * (1 - LITTLE)
        return
    lasting = even.volume.mid / now
    assert even.volume.low is None or even.volume.low <= even.volume.mid
    assert even.volume.high is None or even.volume.high >= even.volume.mid
    if even.first is not None:
        assert even.first < even.volume.mid
        fixed, asked, _ = bills(at(even.first / now * (1 + LITTLE)))
        assert fixed <= asked * (1 + LITTLE)
    # The same volume stands for the same crossing, whatever the demand of today is.
    for times in (lasting * (1 + LITTLE), *(times for times in sides(at(lasting)) * lasting if times > lasting)):
        fixed, asked, _ = bills(at(times))
        assert fixed <= asked * (1 + LITTLE)
    fixed, asked, _ = bills(at(lasting * (1 - 10 * LITTLE)))
    assert fixed > asked


@few
@given(peaks, some, prices)
def test_the_sentence_agrees_with_the_two_bills_of_today(peak, fleet, api):
    found = plan(rate(peak), replace(fleet, api=api))
    (even,) = found.break_even
    (said,) = break_even_texts(found)
    fixed, asked, scaled = bills(found)
    cheaper = [name for name in ("the fixed fleet", "the API") if f"{name} is cheaper as planned" in said]
    assert cheaper == (["the fixed fleet"] if fixed < asked else ["the API"])
    assert ("Autoscaled the fleet is cheaper than the API now" in said) == (scaled is not None and scaled < asked)
    # From the volume on that lasts there is no month to wait for, and no dearer fleet.
    if even.month is not None and even.month.count == 0:
        assert fixed <= asked
    if "is at no size cheaper than the API" in said:
        assert fixed > asked


@few
@given(peaks, some, prices)
def test_the_month_that_is_told_is_one_from_which_the_fleet_stays_cheaper(peak, fleet, api):
    fleet = replace(fleet, api=api, growth=max(fleet.growth, 0.02), ahead=0)
    found = plan(rate(peak), fleet)
    month = found.break_even[0].month
    if month is None or month.count is None:
        return
    for later in (month.count, month.count + 1, month.count + 7):
        fixed, asked, _ = bills(plan(rate(peak * (1 + fleet.growth) ** later), fleet))
        assert fixed <= asked * (1 + LITTLE)
    if month.count:
        before = plan(rate(peak * (1 + fleet.growth) ** (month.count - 1)), fleet)
        assert before.volume.requests.mid < found.break_even[0].volume.mid


def test_a_range_that_holds_todays_volume_leaves_open_whether_it_is_so():
    # A replica does 10 requests/s at 40 in flight, 0.96 of it sure; 18 requests/s stand between the ends.
    found = plan(rate(18), Fleet(api=ApiPrice(input=0.5, output=1.5)))
    (even,) = found.break_even
    (said,) = break_even_texts(found)
    assert even.volume.low < found.volume.requests.mid < even.volume.mid
    assert said.endswith("Without growth that may hold already, or never: the two ranges overlap")
