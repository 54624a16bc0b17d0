"""What a session holds of the fleet: typed values go with the question, a curve from a file with the files."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.model.demand_curve import Curve
from core.model.fleet import Fleet
from core.model.owned import Owned
from pages.parts import drafts, keys, links, state


def fleet() -> Fleet:
    """Return what was said of the fleet, with the demand over time of a file where one was read."""
    said = state.ask().fleet or Fleet()
    return said if state.held().curve is None else replace(said, curve=state.held().curve)


def set_fleet(changed: Fleet) -> None:
    """Replace what is said of the fleet; a curve from a file stays where it is held."""
    said = changed.without_file
    state.set_ask(replace(state.ask(), fleet=None if said.plain else said))


def kept_owned() -> Owned | None:
    """Return what was said of bought hardware whose price of purchase was emptied, for when another one is typed."""
    kept = st.session_state.get(keys.FLEET_OWNED)
    return kept if isinstance(kept, Owned) else None


def keep_owned(owned: Owned | None) -> None:
    """Keep what else was said of bought hardware; None forgets it."""
    st.session_state[keys.FLEET_OWNED] = owned


def hold_curve(curve: Curve | None, *, opened: bool = False, settled: bool = False) -> None:
    """Replace the demand over time that was read from a file.

    Args:
        curve: None takes it away.
        opened: it came with a scenario, so that there is nothing to undo.
        settled: it was saved as it is.
    """
    changed = replace(state.held(), curve=curve)
    if opened:
        st.session_state[keys.HELD] = drafts.keep(changed, links.to_params(state.ask()), changed.draft, settled=settled)
    else:
        state.set_held(changed)
