"""What memory is reckoned with, kept with the run that it is said of like everything else that a person says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.edits import retold, told_of
from core.model.sizing import Sizing
from pages.parts import state


def keep(sizings: Mapping[str, Sizing]) -> None:
    """Replace what memory is reckoned with, by run; one step to undo."""
    told = state.held().told
    for run_id, sizing in sizings.items():
        own = state.levels_of(run_id)
        told = retold(told, own, replace(told_of(own, told), sizing=sizing))
    state.set_held(replace(state.held(), told=told))


def of(run_id: str) -> Sizing:
    """Return what memory is reckoned with for a run, as said here or saved with it."""
    found = next((run.sizing for run in state.runs() if run.id == run_id), None)
    return found or Sizing()
