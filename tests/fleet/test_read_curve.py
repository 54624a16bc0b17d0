"""Demand over time from tables: read as meant, or refused with place and way out; never half, never a crash."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import RefusedFileError
from core.fleet.days import day_presets
from core.fleet.demand_table import Counts, Reading, demand_table, guessed
from core.fleet.moments import Clock, clock_of
from core.fleet.read_curve import read_curve
from core.ingest.raw import Upload
from core.model.scenario import DemandKind


def read(text, name="day.csv", reading=None):
    data = text if isinstance(text, bytes) else text.encode()
    table = demand_table(Upload(name, data))
    return read_curve(table, reading or guessed(table))


def hours(values, header="hour,requests\n"):
    return header + "".join(f"{hour},{value}\n" for hour, value in enumerate(values))


DAY = [3600 * (hour + 1) for hour in range(24)]


def test_a_day_of_hours_is_requests_per_second():
    found = read(hours(DAY))
    assert found.kind is DemandKind.REQ_S
    assert found.curve.points == tuple(float(hour + 1) for hour in range(24))
    assert (found.curve.peak, found.curve.step_s, found.curve.said) == (24.0, 3600.0, "hour, requests")


@pytest.mark.parametrize(
    ("text", "points", "peak"),
    [
        ("hour,requests\n" + "".join(f"{h},{h * 3600}\n" for h in range(1, 25)), 24, 24.0),  # counted from 1
        ("".join(f"{h},{(h + 1) * 3600}\n" for h in range(24)), 24, 24.0),  # no header
        ("Zeit;Anfragen\n" + "".join(f"{h:02d}:00;{h * 3600},0\n" for h in range(24)), 24, 23.0),  # decimal commas
        ("시각,요청 수\n" + "".join(f"{h}시,{h * 3600}\n" for h in range(24)), 24, 23.0),
        ("time,rps\n" + "".join(f"2026-11-{d:02d} {h:02d}:00,{h}\n" for d in (1, 2) for h in range(24)), 48, 23.0),
        ("ts,rpm\n" + "".join(f"{1_700_000_000 + 3600 * h},{60 * h}\n" for h in range(30)), 30, 29.0),
        (
            "date,hour,requests\n" + "".join(f"2026-11-0{d},{h},{h * 3600}\n" for d in (1, 2) for h in range(24)),
            48,
            23.0,
        ),
        ("hour,requests\n" + "".join(f"{h % 24},{3600 * h}\n" for h in range(72)), 72, 71.0),  # three days in a row
        ("hour,requests\n" + "".join(f"{h}-{h + 1},{3600 * h}\n" for h in range(24)), 24, 23.0),
    ],
)
def test_hours_and_dates_are_read_as_people_write_them(text, points, peak):
    found = read(text)
    assert len(found.curve.points) == points
    assert found.curve.peak == pytest.approx(peak)


def test_a_packed_file_and_one_of_windows_are_read_alike():
    assert read(gzip.compress(hours(DAY).encode()), "day.csv.gz").curve.points == read(hours(DAY)).curve.points
    assert read(hours(DAY).encode("utf-16")).curve.points == read(hours(DAY)).curve.points


def test_minutes_stay_minutes_and_so_does_their_peak():
    rows = "".join(f"2026-11-01T{h:02d}:{m:02d}:00Z,{60 * (1 + m // 50)}\n" for h in range(24) for m in range(60))
    found = read("timestamp,requests\n" + rows).curve
    assert (len(found.points), found.step_s, found.peak, found.inside) == (24 * 60, 60.0, 2.0, None)
    assert found.mean_share == pytest.approx((70 / 60) / 2)


def test_what_is_too_long_for_its_own_steps_is_put_together_and_what_was_inside_is_told():
    # Ten days of minutes are more than 9,000 steps; of five minutes they are 2,880. In each hour one minute is busy:
    # (4 x 1 + 11) / 5 = 3 requests/s in its five minutes, 11 in itself.
    rows = "".join(
        f"2026-11-{d:02d}T{h:02d}:{m:02d}:00Z,{660 if m == 0 else 60}\n"
        for d in range(1, 11)
        for h in range(24)
        for m in range(60)
    )
    found = read("timestamp,requests\n" + rows).curve
    assert (len(found.points), found.step_s) == (2880, 300.0)
    assert (found.peak, found.inside) == (pytest.approx(3.0), pytest.approx(11 / 3))


def test_steps_that_begin_before_the_first_row_are_counted_too():
    # 12,857 rows of seven minutes from :09 are 8,999.9 times ten minutes, and touch 9,001 of them: too many by one.
    rows = "".join(f"{1_700_000_400 + 540 + 420 * row},420\n" for row in range(12_857))
    found = read("time,requests\n" + rows).curve
    assert (found.step_s, found.peak) == (900.0, 1.0)


def test_a_day_without_dates_keeps_its_quarters():
    rows = "".join(f"{h:02d}:{m:02d},{900 * (1 + (h == 9 and m == 15))}\n" for h in range(24) for m in range(0, 60, 15))
    found = read("time,requests\n" + rows).curve
    assert (len(found.points), found.step_s, found.peak, found.inside) == (96, 900.0, 2.0, None)
    assert found.points[9 * 4 + 1] == 2.0


def test_requests_one_by_one_are_counted():
    # 3,600 requests an hour; the first and the last hour may be cut and are left out.
    rows = "".join(f"{1_700_000_000 + second}\n" for second in range(6 * 3600))
    found = read("time\n" + rows).curve
    assert set(found.points) == {1.0}
    assert len(found.points) == 5


def test_rows_of_one_time_are_added_and_gaps_are_counted_not_filled():
    rows = [(day, hour) for day in (1, 2) for hour in range(24) if (day, hour) not in ((1, 5), (2, 6), (2, 7))]
    text = "time,requests\n" + "".join(f"2026-11-0{d} {h:02d}:00,1800\n2026-11-0{d} {h:02d}:00,1800\n" for d, h in rows)
    found = read(text).curve
    assert (len(found.points), found.missing, set(found.points)) == (45, 3, {1.0})


def test_users_and_requests_in_flight_stay_what_they_are():
    assert read(hours(range(1, 25), "hour,active_users\n")).kind is DemandKind.USERS
    assert read(hours(range(1, 25), "hour,concurrency\n")).kind is DemandKind.CONCURRENCY
    assert read(hours(range(1, 25), "hour,users\n")).curve.peak == 24.0


def test_what_was_guessed_can_be_corrected():
    text = "hour,calls,note\n" + "".join(f"{h},{h},{2 * h}\n" for h in range(24))
    assert guessed(demand_table(Upload("a.csv", text.encode()))).value == 1
    found = read(text, reading=Reading(time=0, value=2, counts=Counts.PER_SECOND))
    assert found.curve.peak == 46.0


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (hours([*DAY[:3], "many", *DAY[4:]]), "demand.not_a_number", 5),
        (hours([*DAY[:3], -1, *DAY[4:]]), "demand.not_a_number", 5),
        (hours([*DAY[:3], "", *DAY[4:]]), "demand.not_a_number", 5),
        (hours([*DAY[:3], "nan", *DAY[4:]]), "demand.not_a_number", 5),
        (hours([*DAY[:3], "inf", *DAY[4:]]), "demand.not_a_number", 5),
        (hours([*DAY[:3], "1e300", *DAY[4:]]), "demand.not_a_number", 5),
        (hours(DAY[:23]), "demand.hours_missing", None),
        (hours(DAY) + "3,7\n", "demand.hours_unclear", None),
        (hours([0] * 24), "demand.nothing", None),
        ("a,b\nx,y\n", "demand.no_time", None),
        ("hour,name\n" + "".join(f"{h},x\n" for h in range(24)), "demand.no_value", None),
        ("date,requests\n2026-01-01,1\n2026-06-01,2\n2026-12-01,3\n", "demand.too_long", None),
        ("date,requests\n1999-01-01 00:00,1\n1999-01-01 01:00,2\n2026-12-01 00:00,3\n", "demand.too_long", None),
        ("", "ingest.empty", None),
        (b"\x00\x01\x02\xff\xfe", "demand.not_a_table", None),
        ('hour,requests\n"0,1\n', "ingest.bad_table", 2),
        ("hour,requests\n0,1,2\n", "ingest.ragged_row", 2),
        ("hour,requests\n", "ingest.no_rows", None),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, code, line):
    with pytest.raises(RefusedFileError) as refused:
        read(text)
    assert (refused.value.code, refused.value.place.line) == (code, line) if line else refused.value.code == code
    assert refused.value.place.file == "day.csv"
    assert str(refused.value.fix)


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_no_bytes_crash_it(data):
    try:
        found = read(data)
    except RefusedFileError:
        return
    assert max(found.curve.points) > 0.0


cells = st.sampled_from(
    ["0", "1", "23", "24", "9 AM", "2026-11-30 09:00", "1700000000", "5,5", "-1", "", "x", "nan", "=1+1"]
)


@settings(max_examples=200)
@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=30), st.sampled_from([",", ";", "\t"]))
def test_no_table_crashes_it(rows, mark):
    text = mark.join(("hour", "date", "requests")) + "\n" + "".join(mark.join(row) + "\n" for row in rows)
    try:
        found = read(text)
    except RefusedFileError:
        return
    assert max(found.curve.points) > 0.0


def test_every_day_is_whole_and_says_whose_it_is():
    for preset in day_presets():
        assert len(preset.curve.points) == 24
        assert preset.ours == (preset.standing == "ours")
    deepseek = next(preset for preset in day_presets() if preset.id == "deepseek")
    assert deepseek.curve.mean_share == pytest.approx(226.75 / 278)
    assert clock_of(["13.11.2026 09:00"]) is Clock.DATE
