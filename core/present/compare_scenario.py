"""What a scenario says of its runs side by side, in memos and files, with what the person lets stand."""

from __future__ import annotations

from core.compare.compare import Comparison, compare
from core.compare.quantity import Question
from core.model.scenario import Scenario
from core.present.compare_words import accepted_text, headline, multiple_texts
from core.present.documents import Json, interval_document


def comparison_of(scenario: Scenario) -> Comparison | None:
    """Return the comparison of a scenario's answers as they were saved, None where there is one run or none."""
    said = scenario.compared
    named = [a for a in scenario.answers if not said or not said.runs or a.run.id in said.runs]
    answers = named if len(named) > 1 else scenario.answers
    if len(answers) < 2 or not scenario.targets:
        return None
    asked = Question(price=scenario.price, demand=scenario.demand, think_s=scenario.think_time_s)
    return compare(answers, asked, said.accepted if said else ())


def compare_lines(scenario: Scenario, language: str = "en") -> tuple[str, ...]:
    """Return the ranking and the multiples of what decides, with what is accepted; () where none may be said."""
    found = comparison_of(scenario)
    if found is None or not found.matrix.is_comparable:
        return ()
    said = multiple_texts(found, language, of=(found.deciding.quantity,))
    stands = accepted_text(found, language)
    return (f"{headline(found, language)}.", *(f"{text}." for text in said), *((stands,) if stands else ()))


def compare_part(scenario: Scenario) -> Json | None:
    """Return the comparison for the JSON of a scenario: sentence, multiples and what is accepted; None without one."""
    found = comparison_of(scenario)
    if found is None:
        return None
    sentences = multiple_texts(found)
    return {
        "sentence": headline(found),
        "comparable": found.matrix.is_comparable,
        "accepted": [line.field for line in found.matrix.accepted],
        "accepted_text": accepted_text(found),
        "multiples": [
            {
                "quantity": each.quantity.value,
                "one": each.one,
                "other": each.other,
                "times": interval_document(each.times),
                "sentence": sentence,
            }
            for each, sentence in zip(found.multiples, sentences, strict=True)
        ],
    }
