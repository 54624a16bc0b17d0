"""What the memo says of the runs side by side: it stands with the answer, and only whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.compare.compare import Comparison
from core.i18n import Text, t
from core.model.scenario import Scenario
from core.present.compare_notes import hidden_note
from core.present.compare_scenario import comparison_of, said_of, study_of
from core.present.report.memo_parts import Beside
from core.present.report.memo_sentence import numbered
from core.present.report.memo_table import clipped

LABEL_CHARS, FEW = 44, 3
"""Letters of a run's name behind its number, and runs up to which a multiple has them: the table names all of them."""


def beside(scenario: Scenario, language: str, where: Text, *, prices_hidden: bool = False) -> Beside | None:
    """Return who leads and how sure that is, the multiples and what they stand on; None where nothing is compared.

    Where prices are hidden it says that money ranks nothing.
    """
    places = {answer.run.id: place for place, answer in enumerate(scenario.answers, start=1)}
    found, change = comparison_of(scenario), study_of(scenario)

    def named(run: str, label: str) -> str:
        return clipped(numbered(label, places[run]), LABEL_CHARS)

    def short(run: str, label: str) -> str:
        return named(run, label) if len(places) <= FEW else f"({places[run]})"

    said, brief = (said_of(_renamed(found, name), change, language) for name in (named, short))
    if said is None or brief is None:
        return None
    note = hidden_note(found) if found and prices_hidden else None
    hidden = f"{note.render(language)}." if note else None
    instead = t(
        "Ranked, with {count} accepted differences that do not all fit on this page, so that neither ranking nor "
        "multiple is printed: {where}",
        count=said.count,
        where=where,
    )
    return Beside(
        first=said.sentence,
        lines=tuple(line for line in (hidden, brief.why, " ".join(brief.multiples), said.study) if line),
        accepted=said.accepted,
        instead=instead.render(language) if said.accepted else None,
        ranked=said.ranked,
    )


def _renamed(found: Comparison | None, name: Callable[[str, str], str]) -> Comparison | None:
    """Return a comparison whose runs are called as on the page."""
    if found is None:
        return None
    answers = (replace(a, run=replace(a.run, label=name(a.run.id, a.run.label))) for a in found.answers)
    return replace(found, answers=tuple(answers))
