"""The fleet of what the session asks: answers from the cache, the rest is arithmetic on them."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable, Wanted, affordable
from core.fleet.plan import fleet_of
from core.fleet.serving import Part, parts_of, serve
from core.model.answer import RunAnswer
from core.model.run import Run
from core.model.scenario import Demand
from pages.parts import fleet_state
from pages.parts.answers import answers_of, fit_of, worth_of
from pages.parts.links import Ask

KEPT, KEPT_S = 300, 6 * 3600


def fleet_in_view(runs: tuple[Run, ...], viewed: Run, ask: Ask, demand: Demand) -> FleetAnswer:
    """Return the fleet that serves the demand: copies of the run in view, or of several where the mix is divided."""
    fleet = fleet_state.fleet()
    parts = parts_of(ask.own_traffic, fleet.served_by, [run.id for run in runs], viewed.id)
    by_id = {run.id: run for run in runs}

    def answer_for(part: Part) -> RunAnswer:
        return answers_of((by_id[part.run_id],), replace(ask, traffic=part.traffic))[0]

    return fleet_of(serve(parts, answer_for), demand, ask.think_s, fleet, ask.price)


def affordable_of(runs: tuple[Run, ...], viewed: Run, ask: Ask, demand: Demand) -> tuple[Affordable, ...]:
    """Return what the budget buys on each run; empty where there is no budget or no price.

    Which promise it pays for is worked out for the run in view only, since it takes a fleet for every limit.
    """
    fleet, price = fleet_state.fleet(), ask.price
    if fleet.budget is None or price is None:
        return ()
    wanted = Wanted(demand=demand, think_s=ask.think_s, fleet=replace(fleet, curve=None), price=price)
    return tuple(
        _affordable(
            repr((answer.run.files, answer.levels, answer.capacity, wanted, ask)),
            answer,
            wanted,
            promises=answer.run.id == viewed.id,
        )
        for answer in answers_of(runs, ask)
    )


@st.cache_resource(max_entries=KEPT, ttl=KEPT_S, show_spinner=False)
def _affordable(
    key: str,  # noqa: ARG001 - part of the key
    _answer: RunAnswer,
    _wanted: Wanted,
    *,
    promises: bool,
) -> Affordable:
    found = worth_of(_answer, _wanted.price) if promises else ()
    return affordable(_answer, found, fit_of(_answer.run), _wanted)
