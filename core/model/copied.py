"""Whose work an own copy is: told wherever the copy is listed, for good."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The version that a shared view showed when an own copy was made of it.

    Attributes:
        scenario_id: of the scenario, "" where it is not known. version: of it.
        name: of the version, as it was saved.
        author: name of who saved it, "" where nobody had signed in.
    """

    scenario_id: str = ""
    name: str
    version: int
    author: str = ""
