"""One answer as plain text from beginning to end: for screen readers, for a memo, for a mail."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.present.doubts import finding_text, ordered, severity_text
from core.present.headline import estimate_text, headline
from core.present.measure import next_text
from core.present.names import target_text
from core.present.numbers import concurrency
from core.present.status import status_of
from core.present.stops import stops_texts


def account(answer: RunAnswer, language: str = "en", *, users: float | None = None, price: Price | None = None) -> str:
    """Return everything that is said about one run, in the order of the first screen.

    Args:
        answer: of one run.
        language: "en" or "ko".
        users: people at the safe number, None where no think time is given.
        price: as it was given.
    """
    said = headline(answer, language, users=users, price=price)
    doubt = (said.estimate, said.stopped_by, *said.beside)
    first = (answer.run.label, said.lead, said.safe, *doubt, *said.meaning, said.measured, said.widened)
    last = (said.cost, said.caution, said.source)
    lines = [_line(part) for part in (*first, *last) if part]
    lines += ["", t("Targets:").render(language), *(f"- {text}" for text in _targets(answer, language))]
    stops = stops_texts(answer, language)
    if stops:
        lines += ["", t("What stops it, and what helps:").render(language), *(f"- {text}" for text in stops)]
    if answer.next_measurement:
        lines += ["", t("What to measure next:").render(language), next_text(answer, language)]
    if answer.findings:
        lines += ["", t("Findings:").render(language)]
        lines += [
            _line(f"- {severity_text(finding.severity, language)}: {finding_text(finding, language)}")
            for finding in ordered(answer.findings)
        ]
    return "\n".join(lines)


def _targets(answer: RunAnswer, language: str) -> list[str]:
    said = []
    for each in answer.per_target:
        safe = each.capacity.safe
        number = None if safe is None else t("safely {number}", number=concurrency(safe, language)).render(language)
        parts = (status_of(each.capacity).render(language), number, estimate_text(each.capacity, language))
        said.append(f"{target_text(each.target, language)}: {', '.join(part for part in parts if part)}")
    return said


def _line(text: str) -> str:
    """Keep text from a file on one line."""
    return " ".join(text.split())
