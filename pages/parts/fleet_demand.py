"""How much the service has to carry: the peak, how it moves over time, how it grows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.errors import PlimsollError
from core.fleet.days import day_presets
from core.fleet.demand_table import (
    Counts,
    Reading,
    demand_table,
    guessed,
    headers,
    time_columns,
    value_columns,
)
from core.fleet.read_curve import ReadCurve, read_curve
from core.i18n import Text, t
from core.ingest.raw import Upload
from core.model.demand_curve import Curve, CurveKind
from core.model.demand_text import MOST_DEMAND
from core.model.fleet import Fleet
from core.model.scenario import Demand, DemandKind
from core.present.diff_words import DEMAND_KINDS
from core.present.fleet_curve import COUNTS, curve_notes
from pages.parts import fleet_fields, fleet_state, keys, price, state
from pages.parts.errors import attempt, tell
from pages.parts.fleet_fields import PERCENT
from pages.parts.number import optional_number, row
from pages.parts.speech import heading, language, plain, say, say_raw
from pages.parts.state import seed

STEADY, FILE = "steady", "file"
FILES = ["csv", "tsv", "txt", "gz", "zst"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a file was read as, with what else it could be; columns by their places."""

    reading: Reading
    times: tuple[tuple[int, str], ...]
    values: tuple[tuple[int, str], ...]


def editor() -> None:
    """Draw everything about the demand and change it in the session."""
    heading(t("Demand"))
    _peak(state.ask().demand)
    demand = state.ask().demand
    if demand is not None and demand.kind is DemandKind.USERS:
        price.think_editor()
    fleet = fleet_state.fleet()
    _day(fleet)
    _upload()
    _problem()
    with row():
        fleet_fields.number(
            "growth",
            t("Growth a month, %"),
            fleet_fields.standing("growth", fleet.growth * PERCENT, 0.0),
            lambda now, typed: replace(now, growth=(typed or 0.0) / PERCENT),
            most=200.0,
            hint=say_raw(t("none")),
        )
        fleet_fields.whole(
            "ahead",
            t("Built for growth, months"),
            fleet_fields.standing("ahead", fleet.ahead, 0),
            lambda now, typed: replace(now, ahead=typed or 0),
            most=120,
            hint=say_raw(t("none")),
            tip=say(t("Months of growth that the fleet has room for from the start")),
        )
    fleet_fields.slider(
        "burst",
        t("Bursts: highest rate over the mean of its hour"),
        fleet.burst,
        lambda now, moved: replace(now, burst=moved),
        ends=(1.0, 5.0, 0.1),
        unit="×",
        tip=say(
            t(
                "1 where the peak is the highest there ever is. A mean over an hour hides what comes inside it: "
                "llm-d-planner plans with 2 to 2.5 times the mean"
            )
        ),
    )


def _peak(demand: Demand | None) -> None:
    number, kind = keys.of(keys.FLEET, "peak"), keys.of(keys.FLEET, "kind")
    seed(kind, demand.kind if demand else st.session_state.get(kind) or DemandKind.USERS)
    with row():
        optional_number(
            say(t("At the peak")),
            demand.peak if demand else None,
            number,
            most=MOST_DEMAND,
            least=None,
            take=_take_peak,
            hint=say_raw(t("not given")),
        )
        st.selectbox(
            say(t("Counted in")),
            tuple(DemandKind),
            format_func=lambda each: say(DEMAND_KINDS[each]),
            key=kind,
            on_change=_take_peak,
        )


def _take_peak() -> None:
    peak = st.session_state[keys.of(keys.FLEET, "peak")]
    kind = st.session_state[keys.of(keys.FLEET, "kind")]
    state.set_ask(replace(state.ask(), demand=Demand(peak=peak, kind=kind) if peak else None))


def _day(fleet: Fleet) -> None:
    """Draw the choice of how demand moves, with where the shape comes from."""
    presets = {preset.id: preset for preset in day_presets()}
    curve = fleet.curve
    choices = [STEADY, *presets]
    if curve is not None and curve.kind is CurveKind.FILE:
        choices.append(FILE)
    now = STEADY if curve is None else FILE if curve.kind is CurveKind.FILE else curve.name
    names: dict[str, Text] = {STEADY: t("At its peak all the time")}
    names |= {name: preset.name for name, preset in presets.items()}
    key = keys.of(keys.FLEET, "day")
    seed(key, now)
    st.selectbox(
        say(t("How it moves over the day")),
        choices,
        format_func=lambda each: plain(curve.name) if each == FILE and curve else say(names[each]),
        key=key,
        on_change=_take_day,
    )
    for note in curve_notes(curve, language()):
        st.caption(plain(note))
    if curve is not None and curve.inside is not None and abs(curve.inside - fleet.burst) > _ALIKE:
        factor = f"{curve.inside:.3g}"
        st.button(
            say(t("Count bursts of {factor} times", factor=factor)),
            key=keys.of(keys.FLEET, "inside"),
            icon=":material/show_chart:",
            type="tertiary",
            on_click=_take_inside,
            args=(curve.inside,),
        )


_ALIKE = 0.05


def _take_day() -> None:
    chosen = st.session_state[keys.of(keys.FLEET, "day")]
    if chosen == FILE:
        return
    curve = next((preset.curve for preset in day_presets() if preset.id == chosen), None)
    if state.held().curve is not None:
        fleet_state.hold_curve(None)
    fleet_state.set_fleet(replace(fleet_state.fleet(), curve=curve))


def _take_inside(factor: float) -> None:
    fleet_state.set_fleet(replace(fleet_state.fleet(), burst=round(factor, 1)))


def _upload() -> None:
    """Draw the place for a file, and how the last one was read."""
    box = keys.of(keys.FLEET_FILE, "box")
    with st.expander(say(t("From a file: requests over time (CSV)")), icon=":material/upload_file:", key=box):
        st.file_uploader(
            say(t("Hours of a day, or dates with times, beside the requests")),
            type=FILES,
            max_upload_size=50,
            key=keys.FLEET_FILE,
            on_change=_take_file,
        )
        read: Read | None = st.session_state.get(keys.FLEET_READ)
        if read is not None and st.session_state.get(keys.FLEET_FILE) is not None:
            _reading(read)


def _reading(read: Read) -> None:
    """Show how the columns were understood, each to be corrected."""
    st.caption(say(t("Read so; correct it where it is wrong")))
    times, values = dict(read.times), dict(read.values)
    place = {name: keys.of(keys.FLEET_READING, name) for name in ("time", "value", "counts")}
    seed(place["time"], read.reading.time)
    st.selectbox(
        say(t("Time")),
        tuple(times),
        format_func=lambda at: plain(times[at]),
        key=place["time"],
        on_change=_take_reading,
    )
    if read.reading.value is not None:
        seed(place["value"], read.reading.value)
        st.selectbox(
            say(t("How much")),
            tuple(values),
            format_func=lambda at: plain(values[at]),
            key=place["value"],
            on_change=_take_reading,
        )
    seed(place["counts"], read.reading.counts)
    counts = (
        (read.reading.counts,) if read.reading.value is None else tuple(c for c in Counts if c is not Counts.EACH_ROW)
    )
    st.selectbox(
        say(t("It counts")),
        counts,
        format_func=lambda each: say(COUNTS[each]),
        key=place["counts"],
        on_change=_take_reading,
    )


def _take_file() -> None:
    dropped = st.session_state.get(keys.FLEET_FILE)
    st.session_state[keys.FLEET_PROBLEM] = None
    if dropped is None:
        return
    _read(Upload(dropped.name, dropped.getvalue()), None)


def _take_reading() -> None:
    dropped = st.session_state.get(keys.FLEET_FILE)
    read: Read | None = st.session_state.get(keys.FLEET_READ)
    if dropped is None or read is None:
        return
    time = st.session_state[keys.of(keys.FLEET_READING, "time")]
    value = st.session_state.get(keys.of(keys.FLEET_READING, "value"))
    reading = replace(
        read.reading,
        time=time,
        value=value if read.reading.value is not None else None,
        counts=st.session_state[keys.of(keys.FLEET_READING, "counts")],
        hour=read.reading.hour if time == read.reading.time else None,
    )
    _read(Upload(dropped.name, dropped.getvalue()), reading)


def _read(upload: Upload, reading: Reading | None) -> None:
    """Read a file; where that fails nothing changes but what is said of it."""

    def act() -> tuple[ReadCurve, Read]:
        table = demand_table(upload)
        how = reading or guessed(table)
        times, values = time_columns(table), value_columns(table, how.time)
        read = Read(
            reading=how,
            times=tuple(zip(times, headers(table, times), strict=True)),
            values=tuple(zip(values, headers(table, values), strict=True)),
        )
        return read_curve(table, how), read

    found = attempt(act)
    if isinstance(found, PlimsollError):
        st.session_state[keys.FLEET_PROBLEM] = found
        return
    curve, read = found
    st.session_state[keys.FLEET_PROBLEM] = None
    st.session_state[keys.FLEET_READ] = read
    _hold(curve)


def _hold(read: ReadCurve) -> None:
    """Take the curve, and the peak that it has, into the session."""
    curve: Curve = read.curve
    fleet_state.hold_curve(curve)
    fleet_state.set_fleet(replace(fleet_state.fleet(), curve=curve))
    if curve.peak is not None:
        state.set_ask(replace(state.ask(), demand=Demand(peak=curve.peak, kind=read.kind)))


def _problem() -> None:
    problem: PlimsollError | None = st.session_state.get(keys.FLEET_PROBLEM)
    if problem is not None:
        tell(problem)
