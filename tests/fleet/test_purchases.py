"""The bill month by month as the demand grows, by hand: one replica of eight accelerators, $14,600 a month."""

from __future__ import annotations

import pytest

from core.fleet.served import Served
from core.model.fleet import Fleet
from core.present.fleet_purchases import purchases_figure, purchases_how, purchases_table, purchases_text
from tests.fleet.fleet_build import concurrent, named, plan, rate

MONTH = 8 * 2.5 * 730


def counts(found):
    return [row.replicas.count for row in found.purchases.months]


def test_replicas_are_bought_in_the_month_that_needs_them():
    # 380 / 40 = 9.5, made whole 10. At 2 % 9.5 * 1.02^m passes 10 in month 3 (10.08), 11 in month 8 (11.13), 12 in
    # month 12 (12.05): three months of 10, five of 11, four of 12 in the first year, 30 + 55 + 48 = 133.
    found = plan(concurrent(380), Fleet(growth=0.02))
    assert counts(found)[:13] == [10] * 3 + [11] * 5 + [12] * 4 + [13]
    months = found.purchases.months
    assert len(months) == 36
    assert months[11].so_far.mid == 133 * MONTH  # 1,941,800
    assert months[3].demand == pytest.approx(380 * 1.061208)
    assert (months[3].bill.mid, months[3].accelerators.count) == (11 * MONTH, 88)
    # At 50 each 7.6 * 1.02^m passes 8 in month 3 (8.07); at 32 11.875 * 1.02^m passes 12 in month 1 (12.11).
    assert [row.replicas.fewest for row in months[:4]] == [8, 8, 8, 9]
    assert [row.replicas.most for row in months[:4]] == [12, 13, 13, 13]
    assert found.purchases.total == months[-1].so_far


def test_room_for_growth_is_bought_at_once_and_nothing_before_it_is_used_up():
    # Ten months at 2 %: 9.5 * 1.219 = 11.58, made whole 12, which last until 9.5 * 1.02^12 = 12.05.
    found = plan(concurrent(380), Fleet(growth=0.02, ahead=10))
    assert counts(found)[:13] == [12] * 12 + [13]
    assert found.purchases.months[11].so_far.mid == 144 * MONTH
    # Built 40 months ahead, four whole years are shown: the fleet is the same in all of the first 40.
    ahead = plan(concurrent(380), Fleet(growth=0.02, ahead=40))
    assert len(ahead.purchases.months) == 48
    assert set(counts(ahead)[:41]) == {ahead.replicas.count}


def test_spares_stay_and_whole_nodes_are_bought_whole():
    # Nodes of sixteen hold two replicas: 10 and a spare are 11, six nodes; 12 with the spare fit into them too.
    found = plan(concurrent(380), Fleet(growth=0.02, spares=1, node=16))
    assert counts(found)[:9] == [11] * 3 + [12] * 5 + [13]
    assert [row.accelerators.count for row in found.purchases.months[:9]] == [96] * 8 + [112]
    assert [row.bill.mid for row in found.purchases.months[7:9]] == [96 * 2.5 * 730, 112 * 2.5 * 730]


def test_every_pool_grows_by_its_own_need():
    # 30 and 10 requests/s of 4 s keep 120 and 40 in flight, in nine cases of ten (10/9.5)^0.7791 times as many: 124.9
    # and 41.6, over 40 each 3.12 and 1.04, made whole 4 and 2. Doubled every month: 6.24 and 2.08, 7 and 3; 12.49 and
    # 4.16, 13 and 5.
    served = (Served(answer=named("a"), share=0.75), Served(answer=named("b"), share=0.25))
    found = plan(rate(40), Fleet(growth=1.0), served=served)
    assert counts(found)[:3] == [6, 10, 18]


def test_without_growth_there_is_nothing_to_buy_and_without_a_price_no_bill():
    still = plan(concurrent(380))
    assert still.purchases is None
    assert purchases_text(still) is purchases_table(still) is purchases_figure(still) is purchases_how(still) is None
    bare = plan(concurrent(380), Fleet(growth=0.02), price=None)
    assert bare.purchases.total is None
    assert counts(bare) == counts(plan(concurrent(380), Fleet(growth=0.02)))
    assert purchases_text(bare) == (
        "With 2% more demand every month, replicas bought in the month that needs them: 19 (16–24) in month 35"
    )
    assert "Bill of the month" not in purchases_table(bare).columns


def test_it_is_said_with_the_sum_after_each_year_and_the_file_has_every_month():
    found = plan(concurrent(380), Fleet(growth=0.02))
    assert "$1,940,000 ($1,580,000–$2,410,000) in the first 12 months" in purchases_text(found)
    table = purchases_table(found)
    assert table["Months from today"].tolist() == list(range(36))
    assert table["Replicas added"].tolist()[:9] == [0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert table["Bill so far"].iloc[11] == 133 * MONTH
    assert set(table["Currency"]) == {"USD"}
    how = purchases_how(found)
    assert how.result == "$7,460,000 ($6,030,000–$9,260,000)"
    assert ("replicas as planned", "10 (8–12)") in how.values
    assert purchases_figure(found).alt.startswith("From $146,000 ($117,000–$175,000) in the first month to ")
