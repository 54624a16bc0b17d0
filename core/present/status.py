"""The four verdicts as words of a table."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import Status

STATUS: dict[Status, Text] = {
    Status.WITHIN: t("within the levels measured"),
    Status.AT_LEAST: t("at least"),
    Status.BELOW: t("below the levels measured"),
    Status.CANNOT_TELL: t("cannot tell"),
}
