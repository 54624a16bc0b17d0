"""Unsaved work of this person: what the server kept of it, to go on with or to put aside."""

from __future__ import annotations


def draw() -> None:
    """Draw the list of unsaved work; nothing where there is none."""
