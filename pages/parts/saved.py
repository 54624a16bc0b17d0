"""Saved scenarios for the pages: one store per process, a scenario of what is in view, its link."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core import VERSION
from core.errors import StoreError
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.answer import RunAnswer
from core.model.change import Aspect, Difference
from core.model.compared import NOTHING
from core.model.copied import Copied
from core.model.demand_curve import CurveKind
from core.model.fleet import Fleet
from core.model.scenario import Scenario
from core.price.terms import terms_of
from core.public_url import public_url
from core.scenario_diff import scenario_difference
from core.settings import database_url
from pages.parts import database, fleet_state, keys, state
from pages.parts.answers import answers_of, foreseen_of, worth_of
from pages.parts.drafts import Based
from pages.parts.links import Ask, row_of
from serve import counts

if TYPE_CHECKING:
    from core.store.saved import Saved
    from core.store.store import Store

KEPT_VERSIONS = 24


def store() -> Store:
    """Return the store that the settings name, as whoever uses this session may use it."""
    return database.store()


def scenario_of(name: str, notes: str, answers: Sequence[RunAnswer], ask: Ask) -> Scenario:
    """Return what is in view as a scenario, with its numbers as shown."""
    return Scenario(
        name=name,
        notes=notes,
        runs=tuple(answer.run for answer in answers),
        targets=ask.targets,
        price=ask.price,
        answers=whole(answers, ask),
        think_time_s=ask.think_s,
        traffic=ask.traffic,
        workload=ask.workload,
        decision=state.held().decision,
        demand=ask.demand,
        fleet=None if fleet_state.fleet().plain else fleet_state.fleet(),
        compared=ask.compared if ask.compared != NOTHING else None,
        method_version=METHOD,
        constants_version=edition(),
        app_version=VERSION,
    )


def whole(answers: Sequence[RunAnswer], ask: Ask) -> tuple[RunAnswer, ...]:
    """Return answers with what takes longer: what each limit decides, and the width after the next measurement."""
    return tuple(
        replace(answer, sensitivity=worth_of(answer, ask.price), next_measurement=foreseen_of(answer))
        for answer in answers
    )


def question_of(ask: Ask) -> Scenario:
    """Return what is in view as a scenario without its answers, to be held against a saved one."""
    return replace(scenario_of("?", "", (), ask), runs=state.runs())


def anew(scenario: Scenario) -> tuple[RunAnswer, ...]:
    """Return the answers of a scenario by today's method."""
    ask = ask_of(scenario)
    return whole(answers_of(scenario.runs, ask), ask)


def ask_of(scenario: Scenario) -> Ask:
    """Return the question that a scenario answers, as it would be typed."""
    price = scenario.price
    asked = Ask(
        rows=tuple(row_of(target) for target in scenario.targets),
        think_s=scenario.think_time_s,
        traffic=scenario.traffic,
        workload=scenario.workload,
        demand=scenario.demand,
        fleet=_without_file(scenario),
        compared=scenario.compared or NOTHING,
    )
    if price is None:
        return asked
    return replace(
        asked,
        amount=None if price.owned else price.amount,
        per_accelerator=price.per_accelerator,
        currency=price.currency,
        counts=price.accelerators,
        terms=terms_of(price),
        by_run=price.by_run,
    )


def _without_file(scenario: Scenario) -> Fleet | None:
    """Return what was said of the fleet but for a curve from a file, which the session holds beside the question."""
    said = scenario.fleet.without_file if scenario.fleet else None
    return None if said is None or said.plain else said


def version(scenario_id: str, number: int | None = None) -> tuple[Saved, Scenario]:
    """Return one saved version, the latest by default; what was read once is not read again, since it never changes.

    Raises:
        StoreError: "store.not_found" and the others of `Store.load`; whether it may be seen is asked every time.
    """
    opened = store()
    wanted = number or opened.entry(scenario_id).latest
    if number:
        opened.entry(scenario_id)
    return _version(database_url(), scenario_id, wanted, opened)


@st.cache_resource(max_entries=KEPT_VERSIONS, show_spinner=False)
def _version(url: str, scenario_id: str, number: int, _store: Store) -> tuple[Saved, Scenario]:  # noqa: ARG001 - the key
    return _store.load(scenario_id, number)


def reopen(scenario: Scenario, based: Based | None = None, copied: Copied | None = None) -> None:
    """Put a scenario into the session to go on from: as the version that it is, or as an own copy of one."""
    method = (scenario.method_version, scenario.constants_version)
    state.open_runs(scenario.runs, ask_of(scenario), method, decision=scenario.decision, based=based, copied=copied)
    curve = scenario.fleet.curve if scenario.fleet else None
    if curve is not None and curve.kind is CurveKind.FILE:
        fleet_state.hold_curve(curve, opened=True, settled=based is not None)
    hold_base(based, scenario)


def hold_base(based: Based | None, scenario: Scenario | None) -> None:
    """Remember the content of the version that the session goes on from."""
    st.session_state[keys.BASE] = (based, scenario) if based else None


def based_on(done: Saved) -> Based:
    """Return what a session goes on from once this version is open."""
    return Based(scenario_id=done.id, version=done.version, name=done.name)


def go_on(done: Saved, scenario: Scenario) -> None:
    """Let the session go on from what it has just saved."""
    counts.saved()
    state.rebase(based_on(done))
    hold_base(based_on(done), scenario)


def base() -> Scenario | None:
    """Return the saved version that the session goes on from; None where there is none, or it is gone."""
    based = state.held().based
    kept: tuple[Based, Scenario | None] | None = st.session_state.get(keys.BASE)
    if based is None:
        return None
    if kept is None or kept[0] != based:
        found = None
        with suppress(StoreError):
            found = version(based.scenario_id, based.version)[1]
        kept = (based, found)
        hold_base(*kept)
    return kept[1]


def unsaved() -> Difference | None:
    """Return what was changed since the version that the session goes on from; None where there is none."""
    found = base()
    if found is None:
        return None
    told = scenario_difference(replace(found, answers=()), question_of(state.ask()))
    return Difference(inputs=tuple(change for change in told.inputs if change.about not in _NOT_IN_VIEW))


def newer() -> int | None:
    """Return the number of the newest version, where it came after the one that the session goes on from."""
    based = state.held().based
    if based is None:
        return None
    with suppress(StoreError):
        latest = store().entry(based.scenario_id).latest
        return latest if latest > based.version else None
    return None


_NOT_IN_VIEW = frozenset({Aspect.NAME, Aspect.NOTES, Aspect.VERSION})
"""What is said when saving, and what answered: neither is a change to what is in view."""


def other_method() -> str | None:
    """Return the method that answered the opened scenario, where it is not the present one."""
    known: tuple[str, str] = st.session_state.get(keys.OPENED, (METHOD, edition()))
    found = base()
    if found is not None:
        known = (found.method_version, found.constants_version)
    if not state.held().opened or known == (METHOD, edition()):
        return None
    return method_text(*known)


def method_text(method: str, constants: str) -> str:
    """Return what answered, with its constants where they were kept.

    >>> method_text("knee/2", "ab12"), method_text("knee/1", "")
    ('knee/2 · ab12', 'knee/1')
    """
    return " · ".join(part for part in (method, constants) if part)


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
