"""Careful access to one JSON object or table row: what is missing, wrong or not finite."""

from __future__ import annotations

import math
from collections.abc import Mapping

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.model.finding import Finding, Severity
from core.settings import LIMITS

MISSING = frozenset({"", "-", "--", "n/a", "na", "none", "null", "nan"})
UNLIMITED = frozenset({"inf", "infinity", ".inf", "+inf", "unlimited"})


LARGEST_COUNT = 1e15
"""Beyond this a double no longer holds every whole number."""


class Fields:
    """The fields of one object, with the findings made while reading them.

    A missing value is None however it was written (absent, null, "", "-", "N/A").
    NaN and Infinity become None with a finding. Text where a number belongs is a refusal.
    """

    def __init__(self, values: Mapping[str, object], place: Place) -> None:
        self.values = values
        self.place = place
        self.findings: list[Finding] = []

    def at(self, key: str) -> Place:
        """Return the place of one field."""
        prefix = f"{self.place.field}." if self.place.field else ""
        return Place(self.place.file, self.place.line, prefix + key)

    def inner(self, key: str) -> Fields:
        """Return a nested object; an absent one is empty. Its findings are collected here."""
        value = self.values.get(key)
        nested = Fields(value if isinstance(value, Mapping) else {}, self.at(key))
        nested.findings = self.findings
        return nested

    def each(self, key: str) -> list[Fields]:
        """Return a list of objects, each with its place; an absent list is empty.

        Raises:
            RefusedFileError: the field holds something else, or more levels than are read.
        """
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > LIMITS.levels:
            raise self._unexpected(key)
        return [self._item(key, index, item) for index, item in enumerate(value)]

    def number(self, key: str) -> float | None:
        """Return a finite number, also from text such as "12.5", or None where it is missing.

        Raises:
            RefusedFileError: the field holds something that is not a number.
        """
        value = self._plain(key)
        if value is None:
            return None
        if not math.isfinite(value):
            self.findings.append(
                Finding(
                    code="ingest.not_finite",
                    severity=Severity.WARNING,
                    where=self.at(key),
                    what=t("{field} is {value}, not a finite number", field=key, value=str(value)),
                    consequence=t("It is treated as unknown"),
                )
            )
            return None
        return value

    def rate(self, key: str) -> float | None:
        """Return a request rate; unlimited (inf in any spelling) and missing are both None."""
        value = self._plain(key)
        return value if value is not None and math.isfinite(value) else None

    def not_negative(self, key: str) -> float | None:
        """Return a number >= 0; a negative one is unknown, with a finding."""
        value = self.number(key)
        if value is not None and value < 0.0:
            self.findings.append(
                Finding(
                    code="ingest.negative",
                    severity=Severity.WARNING,
                    where=self.at(key),
                    what=t("{field} is negative: {value}", field=key, value=value),
                    consequence=t("It is treated as unknown"),
                )
            )
            return None
        return value

    def count(self, key: str) -> int | None:
        """Return a whole number >= 0.

        Raises:
            RefusedFileError: the field holds a fraction, text, or more than anybody counts.
        """
        value = self.not_negative(key)
        if value is None:
            return None
        if value > LARGEST_COUNT or value != int(value):
            raise self._not_whole(key, str(value))
        return int(value)

    def text(self, key: str) -> str | None:
        """Return a text that says something, shortened to 300 characters; else None."""
        value = self.values.get(key)
        if not isinstance(value, str) or value.strip().lower() in MISSING:
            return None
        return value.strip()[:300]

    def _plain(self, key: str) -> float | None:
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool):
            raise self._wrong(key, str(value))
        if isinstance(value, int | float):
            # An integer beyond the range of a double is no measurement of anything.
            return float(value) if abs(value) < 1e300 or isinstance(value, float) else math.inf
        if isinstance(value, str):
            return self._parsed(key, value.strip())
        raise self._wrong(key, type(value).__name__)

    def _parsed(self, key: str, text: str) -> float | None:
        if text.lower() in MISSING:
            return None
        if text.lower() in UNLIMITED:
            return math.inf
        try:
            return float(text)
        except ValueError:
            raise self._wrong(key, text[:40]) from None

    def _item(self, key: str, index: int, item: object) -> Fields:
        if not isinstance(item, Mapping):
            raise self._unexpected(f"{key}[{index}]")
        nested = Fields(item, self.at(f"{key}[{index}]"))
        nested.findings = self.findings
        return nested

    def _unexpected(self, key: str) -> RefusedFileError:
        return RefusedFileError(
            "ingest.unexpected",
            t("{field} does not hold what it should", field=key),
            fix=t("Check the file: it may have been edited or mixed with another"),
            place=self.at(key),
        )

    def _not_whole(self, key: str, value: str) -> RefusedFileError:
        return RefusedFileError(
            "ingest.not_a_number",
            t('{field} should be a whole number and is "{value}"', field=key, value=value),
            fix=t("Check which column is which: a count has no fraction"),
            place=self.at(key),
        )

    def _wrong(self, key: str, value: str) -> RefusedFileError:
        return RefusedFileError(
            "ingest.not_a_number",
            t('{field} should be a number and is "{value}"', field=key, value=value),
            fix=t("Check the file: it may have been edited or mixed with another"),
            place=self.at(key),
        )
