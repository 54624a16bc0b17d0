"""The same finding of many levels is one finding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.i18n import t
from core.model.finding import Finding


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings once each; those of one code and wording become one that counts the others."""
    same: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        alike = same.setdefault((finding.code, finding.severity.value, finding.what.msgid), [])
        if finding not in alike:
            alike.append(finding)
    return tuple(_one(alike) for alike in same.values())


def _one(alike: list[Finding]) -> Finding:
    first = min(alike, key=lambda finding: (str(finding.where), str(finding.what)))
    if len(alike) == 1:
        return first
    return replace(first, what=t("{what} (and {count} more like it)", what=first.what, count=len(alike) - 1))
