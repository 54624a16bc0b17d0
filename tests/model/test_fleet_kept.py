"""A fleet comes back as it was kept: in the store's bytes and in an address; without its money where that is hidden."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreError, UsageError
from core.fleet.days import day_presets
from core.model.codec import decode, encode
from core.model.demand_curve import Curve, CurveKind
from core.model.fleet import DAYS, Fleet
from core.model.redaction import without_prices
from pages.parts.links import Ask, from_params, to_params
from pages.parts.links_unread import unread
from tests.model.model_strategies import any_fleet
from tests.model.rich_scenario import RICH, RICH_FLEET


@given(any_fleet())
@settings(max_examples=60)
def test_the_store_gives_back_what_it_was_given(fleet):
    assert decode(encode(fleet), Fleet) == fleet


days = st.sampled_from([None, *(preset.curve for preset in day_presets())])
shares = st.integers(0, 100).map(lambda n: n / 100)


@given(any_fleet(), days, shares)
@settings(max_examples=60)
def test_an_address_gives_back_all_but_a_file(fleet, curve, growth):
    # Growth of any size, over months that no fleet refuses for it.
    said = replace(fleet, curve=curve, growth=growth, ahead=min(fleet.ahead, 12), served_by=("run-1", "run-2"))
    back = from_params(to_params(Ask(fleet=said)), Ask()).fleet
    assert unread(to_params(Ask(fleet=said))) == ()
    assert back.curve == said.curve
    for name in ("ahead", "spares", "zones", "node", "floor", "served_by", *DAYS):
        assert getattr(back, name) == getattr(said, name)
    for name in ("growth", "burst", "ceiling", "out_share", "start_s", "reserved", "budget"):
        assert (getattr(back, name) or 0.0) == pytest.approx(getattr(said, name) or 0.0, rel=1e-9, abs=1e-12)


def test_no_money_of_a_fleet_is_left_where_prices_are_hidden():
    hidden = without_prices(RICH).fleet
    assert (hidden.reserved, hidden.owned, hidden.api, hidden.budget) == (None, None, None, None)
    assert (
        replace(
            hidden,
            reserved=RICH_FLEET.reserved,
            owned=RICH_FLEET.owned,
            api=RICH_FLEET.api,
            budget=RICH_FLEET.budget,
            reserved_as_of=RICH_FLEET.reserved_as_of,
            owned_as_of=RICH_FLEET.owned_as_of,
            api_as_of=RICH_FLEET.api_as_of,
        )
        == RICH_FLEET
    )


def test_a_scenario_of_before_fleets_opens_without_one():
    envelope = msgspec.json.decode(encode(replace(RICH, fleet=None)))
    del envelope["value"]["fleet"]
    opened = msgspec.json.encode(envelope)
    from core.model.scenario import Scenario

    assert decode(opened, Scenario).fleet is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"burst": 0.5},
        {"ceiling": 0.0},
        {"spares": -1},
        {"growth": 99.0},
        {"api": {"input": -1.0, "output": 1.0}},
        {"owned": {"capex": 1.0, "years": 0.0}},
        {"curve": {"points": []}},
        {"curve": {"points": [0.0, 0.0]}},
        {"curve": {"points": [-1.0, 1.0]}},
        {"curve": {"points": [1.0] * 10_000}},
    ],
)
def test_what_is_stored_is_not_trusted(wrong):
    with pytest.raises((StoreError, UsageError)):
        decode(encode(wrong), Fleet)


def test_a_curve_is_no_row_of_anything():
    for points in ((), (0.0,), (float("nan"), 1.0), (float("inf"),), (1e308, 1e308)):
        with pytest.raises(UsageError):
            Curve(points=points, kind=CurveKind.FILE)
