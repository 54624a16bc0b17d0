"""What a memo says of memory and floors by first principles: reckoned, beside what was measured."""

from __future__ import annotations

from core.i18n import t
from core.limits.told import Limits, limits_of
from core.model.answer import RunAnswer
from core.model.sizing import Sizing
from core.present.memory_words import beside, impossible, lead, parting_text


def limits_for(answer: RunAnswer) -> Limits | None:
    """Return what memory and hardware allow a run, None where nobody gave its model."""
    return limits_of(answer.run.sizing or Sizing(), answer.run.conditions, answer.capacity.safe)


def memory_line(answer: RunAnswer, language: str = "en") -> str | None:
    """Return what memory allows and how that stands to the safe number, None where nobody gave the run's model."""
    found = limits_for(answer)
    if found is None:
        return None
    if not found.vouched:
        # What is of another model, or not verified, has no place in what is signed; why is a finding of the run.
        return None
    told = ". ".join(part for part in (lead(found.memory, language), beside(found.memory, answer, language)) if part)
    return t("Memory, reckoned from model and hardware, not measured: {said}", said=told).render(language)


def memory_warnings(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return which targets no load can meet, and where the engine's log contradicts what was reckoned.

    Nothing of a file that is not vouched for: that it is not is a finding of the run.
    """
    found = limits_for(answer)
    if found is None or not found.vouched:
        return ()
    parting = parting_text(found.compared, language)
    told = impossible(found, [each.target for each in answer.per_target], language)
    return tuple(f"{line}." for line in (*told, *((parting,) if parting else ())))
