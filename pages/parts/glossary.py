"""The texts of the glossary in order."""

from __future__ import annotations


def entries() -> None:
    """Draw nothing yet."""
