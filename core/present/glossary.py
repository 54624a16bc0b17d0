"""What the words mean: the same entries are the tooltips, the Guide page and docs/metrics.md."""

from __future__ import annotations

from dataclasses import dataclass

from core.i18n import Text
from core.model.metric import Metric
from core.present.glossary_answers import ANSWERS
from core.present.glossary_fleet import FLEET
from core.present.glossary_metrics import METRICS
from core.present.glossary_rates import RATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One word.

    Attributes:
        key: a metric's value, or a name of its own.
        name: as a heading.
        definition: one to three short sentences.
        formula: in signs, None where there is none.
        called: which tools call it what, None where the word is ours.
        source: where the definition comes from.
    """

    key: str
    name: Text
    definition: Text
    formula: Text | None
    called: Text | None
    source: Text


ENTRIES: tuple[Entry, ...] = tuple(
    Entry(key=key, name=name, definition=definition, formula=formula, called=called, source=source)
    for key, name, definition, formula, called, source in (*METRICS, *RATES, *ANSWERS, *FLEET)
)
"""Every entry in the order of the Guide: metrics, rates and loads, then the words of an answer and of a fleet."""

_BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key: Metric | str) -> Entry:
    """Return the entry of a metric or of a word.

    Raises:
        KeyError: no such entry.
    """
    return _BY_KEY[str(key)]


def tooltip(key: Metric | str, language: str = "en") -> str:
    """Return an entry as one paragraph: definition, formula, names, source."""
    found = entry(key)
    parts = (found.definition, found.formula, found.called, found.source)
    sentences = (part.render(language) for part in parts if part)
    return " ".join(text if text.endswith(".") else f"{text}." for text in sentences)
