"""What makes an answer weak, in words: shares of the doubt, reasons, findings, refused files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.i18n import Text, t
from core.model.answer import Capacity, Doubt, RunAnswer
from core.model.finding import Finding, Severity
from core.model.refusal import Refusal
from core.present.names import metric_name
from core.present.numbers import percent
from core.present.reasons import reason_text

SEVERITY: dict[Severity, Text] = {
    Severity.ERROR: t("error"),
    Severity.WARNING: t("warning"),
    Severity.INFO: t("note"),
}

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.INFO)
_MOST = 0.5


def doubt_text(doubt: Doubt | None, language: str = "en") -> str | None:
    """Return where the doubt comes from, such as "Most of the doubt comes from too few levels (70%); …".

    None where there is no range.
    """
    if doubt is None:
        return None
    shares = {
        t("too few levels").render(language): doubt.levels,
        t("too few requests").render(language): doubt.requests,
        t("noise between runs").render(language): doubt.noise,
    }
    (first, most), *rest = sorted(shares.items(), key=lambda pair: -pair[1])
    others = ", ".join(f"{name} {_whole(share, language)}" for name, share in rest)
    if most > _MOST:
        said = t(
            "Most of the doubt comes from {cause} ({share}); the rest: {others}.",
            cause=first,
            share=_whole(most, language),
            others=others,
        )
    else:
        said = t(
            "The doubt comes from {cause} ({share}), {others}.",
            cause=first,
            share=_whole(most, language),
            others=others,
        )
    return said.render(language)


def reasons_text(capacity: Capacity, language: str = "en") -> tuple[str, ...]:
    """Return every reason that weakens an answer as a sentence."""
    return tuple(_sentence(reason_text(code).render(language)) for code in capacity.reasons)


def named_reasons(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return every reason that weakens an answer; one that the target that stops it does not have names those that do.

    Args:
        answer: of one run.
        language: "en" or "ko".
    """
    capacity = answer.capacity
    said = []
    for code, text in zip(capacity.reasons, reasons_text(capacity, language), strict=True):
        owners = [each.target for each in answer.per_target if code in each.capacity.reasons]
        names = ", ".join(metric_name(target.metric, target.statistic, language) for target in owners)
        said.append(text if not owners or capacity.binding in owners else f"{names}: {text}")
    return tuple(said)


def finding_text(finding: Finding, language: str = "en") -> str:
    """Return a finding in one paragraph: what was seen, what follows, what to do."""
    parts = (finding.what, finding.consequence, finding.fix)
    return " ".join(_sentence(part.render(language)) for part in parts if part)


def refusal_text(refusal: Refusal, language: str = "en") -> str:
    """Return why a file was not used, where in it, and what to do.

    The name and the place come from outside: show the text as text, never as Markdown.
    """
    what = refusal.what.render(language).rstrip(".")
    return f"{refusal.file}: {what}{_inside(refusal, language)}. {_sentence(refusal.fix.render(language))}"


def place_text(refusal: Refusal, language: str = "en") -> str:
    """Return which file was not used and where in it the reason lies."""
    return refusal.file + _inside(refusal, language)


def _inside(refusal: Refusal, language: str) -> str:
    where = [t("line {line}", line=refusal.line).render(language)] if refusal.line else []
    where += [refusal.field] if refusal.field else []
    return f" ({', '.join(where)})" if where else ""


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings with the gravest first; equal ones keep their order."""
    return tuple(sorted(findings, key=lambda finding: _ORDER.index(finding.severity)))


_NUMBERED = re.compile(r"\([0-9]+\)/")
"""How a file begins that came under the name of another one (`core.ingest.same_names`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Findings that say the same of several places.

    Attributes:
        finding: the first of them.
        places: of all of them, each once.
    """

    finding: Finding
    places: tuple[str, ...]


def gathered(findings: Iterable[Finding]) -> tuple[Gathered, ...]:
    """Return findings with the gravest first, those that say the same of several places as one.

    Among equally grave ones those that change the answer come before those that only tell something.
    """
    same: dict[tuple[str, Severity, str], list[Finding]] = {}
    for finding in ordered(findings):
        same.setdefault((finding.code, finding.severity, str(finding.what)), []).append(finding)
    found = [
        Gathered(finding=alike[0], places=tuple(dict.fromkeys(str(each.where) for each in alike if str(each.where))))
        for alike in same.values()
    ]
    return tuple(
        sorted(found, key=lambda each: (_ORDER.index(each.finding.severity), each.finding.consequence is None))
    )


def place_line(each: Gathered, language: str = "en", run: str = "") -> str:
    """Return where findings were seen: the first place and how many more there are.

    The label of the `run` stands before a file that only a number tells from another of its name, "(2)/c4.json".
    """
    if not each.places:
        return ""
    first = each.places[0]
    if run and _NUMBERED.match(first):
        first = f"{run}: {first}"
    if len(each.places) == 1:
        return first
    more = len(each.places) - 1
    one, several = t("{place} and 1 more", place=first), t("{place} and {n} more", place=first, n=more)
    return (one if more == 1 else several).render(language)


def severity_text(severity: Severity, language: str = "en") -> str:
    """Return the word for how grave a finding is."""
    return SEVERITY[severity].render(language)


def _whole(share: float, language: str) -> str:
    return percent(round(share, 2), language)


def _sentence(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    return text if not text else text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
