"""The four verdicts as words of a table."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import Capacity, Status

STATUS: dict[Status, Text] = {
    Status.WITHIN: t("within the levels measured"),
    Status.AT_LEAST: t("at least"),
    Status.BELOW: t("below the levels measured"),
    Status.CANNOT_TELL: t("cannot tell"),
}


def status_of(capacity: Capacity) -> Text:
    """Return the verdict of a capacity in words: "at least" too where its estimate lies above every level measured."""
    found = capacity.concurrency
    if capacity.status is Status.WITHIN and found is not None and found.mid is None and found.high is None:
        return STATUS[Status.AT_LEAST]
    return STATUS[capacity.status]
