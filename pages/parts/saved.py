"""Saved scenarios for the pages: one store per process, a scenario of what is in view, its link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core import VERSION
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.public_url import public_url
from core.settings import database_url
from pages.parts import keys, person, state
from pages.parts.answers import foreseen_of, worth_of
from pages.parts.links import Ask, row_of

if TYPE_CHECKING:
    from core.store.store import Store


def store() -> Store:
    """Return the store that the settings name, as whoever uses this session may use it."""
    return _store(database_url()).acting(person.current())


@st.cache_resource(max_entries=4, show_spinner=False)
def _store(url: str) -> Store:
    # The database layer is a third of a cold start, and the first screen does not need it.
    from core.store.store import open_store

    return open_store(url)


def scenario_of(name: str, notes: str, answers: Sequence[RunAnswer], ask: Ask) -> Scenario:
    """Return what is in view as a scenario, with its numbers as shown."""
    return Scenario(
        name=name,
        notes=notes,
        runs=tuple(answer.run for answer in answers),
        targets=ask.targets,
        price=ask.price,
        answers=tuple(
            replace(answer, sensitivity=worth_of(answer, ask.price), next_measurement=foreseen_of(answer))
            for answer in answers
        ),
        think_time_s=ask.think_s,
        traffic=ask.traffic,
        workload=ask.workload,
        method_version=METHOD,
        constants_version=edition(),
        app_version=VERSION,
    )


def ask_of(scenario: Scenario) -> Ask:
    """Return the question that a scenario answers, as it would be typed."""
    price = scenario.price
    rows = tuple(row_of(target) for target in scenario.targets)
    if price is None:
        return Ask(rows=rows, think_s=scenario.think_time_s, traffic=scenario.traffic, workload=scenario.workload)
    return Ask(
        rows=rows,
        amount=price.amount,
        per_accelerator=price.per_accelerator,
        currency=price.currency,
        counts=price.accelerators,
        think_s=scenario.think_time_s,
        traffic=scenario.traffic,
        workload=scenario.workload,
    )


def reopen(scenario: Scenario) -> None:
    """Put a scenario into the session, to look at or to go on from."""
    state.open_runs(scenario.runs, ask_of(scenario), scenario.method_version)


def other_method() -> str | None:
    """Return the method that answered the opened scenario, where it is not the present one."""
    method: str = st.session_state.get(keys.OPENED, METHOD)
    return method if state.held().opened and method != METHOD else None


def link(token: str) -> str:
    """Return the address that shows a scenario to whoever has it.

    Raises:
        UsageError: "setting.invalid" where PLIMSOLL_PUBLIC_URL is no address.
    """
    said = public_url()
    if said is not None:
        return f"{said}/?{keys.Q_SHARE}={token}"
    here = urlsplit(st.context.url or "")
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    root = f"{here.scheme}://{here.netloc}" if here.netloc else ""
    return f"{root}/{base + '/' if base else ''}?{keys.Q_SHARE}={token}"
