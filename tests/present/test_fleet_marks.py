"""Old prices of a fleet are marked wherever its amounts stand, those of the other ways to pay with their own day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.letters import flat
from core.model.fleet import ApiPrice, Fleet
from core.model.owned import Owned
from core.model.price_bounds import is_day
from core.present.dated import Dated, with_marks
from core.present.fleet_console import fleet_text
from core.present.fleet_document import fleet_document
from core.present.fleet_files import cautions_file, numbers_file, ways_file
from core.present.fleet_marks import way_marks
from core.present.fleet_tables import break_even_texts, fleet_table, ways_table
from tests.fleet.fleet_build import DAY, PRICE, concurrent, plan

TODAY = date(2026, 11, 30)
FLEET = Fleet(
    curve=DAY,
    spares=1,
    reserved=1.5,
    owned=Owned(capex=30_000.0, years=4.0),
    api=ApiPrice(input=0.5, output=1.5),
    reserved_as_of="2026-07-20",
    owned_as_of="2026-11-20",
    api_as_of="2026",
)
RESERVED_OLD = "old price: 133 days, more than 90"
API_OLD = "old price: 333 days, more than 90"
MARKS = "To mind about the price"


def read(price=PRICE):
    return Dated(today=TODAY, price=price)


def test_each_way_to_pay_says_the_day_of_its_own_price_and_that_it_is_old():
    # By hand: 20 July to 30 November is 11 + 31 + 30 + 31 + 30 days, and of a year alone its first day counts.
    found = plan(concurrent(400), FLEET)
    over = dict(zip((way.name for way in found.ways), ways_table(found, dated=read())["Counted over"], strict=True))
    for name in ("reserve", "reserve_base"):
        assert over[name].endswith(f" · price of 2026-07-20 · {RESERVED_OLD}")
    assert over["own"].endswith(" · price of 2026-11-20")
    assert over["api"].endswith(f" · price of 2026 · {API_OLD}")
    for name in ("rent", "autoscale", "perfect"):
        assert "price" not in over[name]
    assert ways_file(found, dated=read())["Counted over"].tolist() == list(over.values())


def test_where_it_costs_the_same_the_day_and_the_age_of_that_price_stand_behind():
    found = plan(concurrent(400), FLEET)
    reserve, own, api = break_even_texts(found, dated=read())
    assert reserve.endswith(RESERVED_OLD)
    assert own.endswith("price of 2026-11-20")
    assert api.endswith(API_OLD)
    assert not any("price of" in text for text in break_even_texts(plan(concurrent(400), Fleet(reserved=1.5))))


def test_an_old_price_of_the_bill_is_marked_in_every_row_of_money_and_in_no_other():
    old = replace(PRICE, as_of="2026-07-20")
    found = plan(concurrent(400), FLEET, price=old)
    numbers = numbers_file(found, dated=read(old)).set_index("Number")
    of_money = numbers["Currency"].notna()
    assert of_money.any()
    assert set(numbers[MARKS][of_money]) == {RESERVED_OLD}
    assert numbers[MARKS][~of_money].isna().all()
    assert set(cautions_file(found, dated=read(old))[MARKS]) == {RESERVED_OLD}
    assert all(RESERVED_OLD in text for text in ways_table(found, dated=read(old))["Counted over"].iloc[:3])
    # What the screen draws has the same numbers as the file.
    assert numbers.index.tolist() == fleet_table(found)["Number"].tolist()


def test_no_file_has_the_column_while_every_price_is_fresh_or_has_no_day():
    fresh = replace(PRICE, as_of="2026-11-01")
    for price in (PRICE, fresh):
        found = plan(concurrent(400), FLEET, price=price)
        assert MARKS not in numbers_file(found, dated=read(price))
        assert MARKS not in cautions_file(found, dated=read(price))
    assert MARKS not in numbers_file(plan(concurrent(400), FLEET, price=replace(PRICE, as_of="2020")))


def test_the_command_line_and_its_json_say_the_age_of_each_price():
    found = plan(concurrent(400), FLEET)
    (fleet,) = fleet_document([found], (), price=PRICE, today=TODAY)["fleets"]
    ways = {way["way"]: way for way in fleet["ways"]}
    assert (ways["reserve"]["as_of"], ways["reserve"]["age_days"]) == ("2026-07-20", 133)
    assert ways["reserve"]["marks"] == [RESERVED_OLD]
    assert (ways["own"]["as_of"], ways["own"]["age_days"], ways["own"]["marks"]) == ("2026-11-20", 10, [])
    assert (ways["rent"]["as_of"], ways["rent"]["age_days"], ways["rent"]["marks"]) == (None, None, [])
    said = fleet_text([found], price=PRICE, today=TODAY)
    assert RESERVED_OLD in said
    assert API_OLD in said


def test_bought_hardware_that_is_the_bill_has_the_day_of_the_price():
    owned = Owned(capex=30_000.0, years=4.0)
    price = replace(PRICE, owned=owned, amount=owned.per_hour, as_of="2026-07-20")
    found = plan(concurrent(400), Fleet(owned_as_of="2026-11-20"), price=price)
    assert [way.name for way in found.ways] == ["own"]
    assert way_marks("own", found, read(price)) == (RESERVED_OLD,)


@given(st.sampled_from(("reserved_as_of", "owned_as_of", "api_as_of")), st.text(max_size=12) | st.dates().map(str))
def test_a_day_is_kept_as_it_is_or_refused_with_its_name(name, text):
    if is_day(flat(text)):
        assert getattr(Fleet(**{name: text}), name) == flat(text)
        return
    with pytest.raises(UsageError, match=name.partition("_")[0].replace("owned", "own")) as refused:
        Fleet(**{name: text})
    assert refused.value.code == "fleet.out_of_range"


def test_a_column_of_marks_stands_only_where_there_is_one():
    frame = numbers_file(plan(concurrent(400)))
    none = [()] * len(frame)
    assert with_marks(frame, none) is frame
    some = [("old", "uncertain"), *none[1:]]
    assert with_marks(frame, some)[MARKS].dropna().tolist() == ["old · uncertain"]


@pytest.mark.parametrize(("reserved", "months"), [(1.5, "7.2"), (2.0, "9.6")])
def test_a_reservation_says_after_how_many_months_of_a_year_it_has_paid(reserved, months):
    # 1.50 of a rent of 2.50 is 60 % of the hours, and of twelve months 7.2.
    (said,) = break_even_texts(plan(concurrent(400), Fleet(reserved=reserved)))
    assert said.endswith(f"needed for more than {months} months")
