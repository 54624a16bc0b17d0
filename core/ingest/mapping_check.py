"""Mappings that come from outside: bounded, and held to what a mapping can say, before anything uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.errors import UsageError
from core.i18n import Text, t
from core.ingest.columns import LATENCY
from core.ingest.header import TIME_UNITS
from core.ingest.roles import ROLES
from core.letters import one_line
from core.model.mapping import ColumnMeaning, TableMapping, column_key, mappings_of_json, plain_header
from core.model.metric import MEASURED, Metric, fraction
from core.model.scenario import NAME_CHARS
from core.settings import LIMITS

LARGEST = 2_000_000
"""Bytes of a mapping as JSON: two thousand columns with long names fit."""

_RATES = ("/min",)
_SHARES = ("%",)
_UNITS: Mapping[str, tuple[str, ...]] = {
    "duration_s": tuple(TIME_UNITS),
    "request_rate": _RATES,
    "asked_rate": _RATES,
    "applied_rate": _RATES,
    "error_rate": _SHARES,
    "success_rate": _SHARES,
    "cache_hit_rate": _SHARES,
    "kv_used_fraction": _SHARES,
}
_EVERY_UNIT = (*TIME_UNITS, *_RATES, *_SHARES)
"""Of a column that is no latency: its header may name one that says nothing about it."""
_FIX = t("Correct the mapping; the page writes a correct one under Download")


def units_of(role: str, metric: Metric | None = None) -> tuple[str, ...]:
    """Return the units that a column of this meaning may name.

    >>> units_of("latency", Metric.TTFT), units_of("requests_good")
    (('s', 'ms', 'us', 'ns'), ())
    """
    if role == LATENCY:
        return () if metric is Metric.RTF else tuple(TIME_UNITS)
    return _UNITS.get(role, ())


def mappings_from(data: bytes) -> tuple[TableMapping, ...]:
    """Return the mappings of a JSON text that a stranger may have written.

    Raises:
        UsageError: "mapping.too_large", "mapping.unreadable", "mapping.invalid".
    """
    if len(data) > LARGEST:
        raise UsageError(
            "mapping.too_large",
            t("The mapping holds more than {limit} MB", limit=LARGEST // 1_000_000),
            fix=_FIX,
        )
    return tuple(checked(mapping) for mapping in mappings_of_json(data))


def checked(mapping: TableMapping) -> TableMapping:
    """Return a mapping with a clean name whose every part can be; what means nothing in a column's role is dropped.

    Raises:
        UsageError: "mapping.invalid", with the column where it is about one.
    """
    name = one_line(mapping.name)
    if not 0 < len(name) <= NAME_CHARS:
        raise _invalid(t("A mapping needs a name of 1 to {limit} characters", limit=NAME_CHARS))
    headers = mapping.headers
    if not 0 < len(headers) <= LIMITS.csv_columns:
        raise _invalid(t("A mapping needs 1 to {limit} headers", limit=LIMITS.csv_columns))
    if any(len(each) > LIMITS.name_chars for each in (*headers, *mapping.columns, mapping.sheet or "")):
        raise _invalid(t("A header holds more than {limit} characters", limit=LIMITS.name_chars))
    known = {plain_header(column_key(headers, index)) for index in range(len(headers))}
    for key, meaning in mapping.columns.items():
        if plain_header(key) not in known:
            raise _invalid(t('The column "{column}" is not among the headers', column=key))
        _possible(key, meaning)
    plain = {key: _plain(meaning) for key, meaning in mapping.columns.items()}
    return replace(mapping, name=name, columns=plain)


def _plain(meaning: ColumnMeaning) -> ColumnMeaning:
    """A meaning without what says nothing in its role."""
    return meaning if meaning.role == LATENCY else ColumnMeaning(role=meaning.role, unit=meaning.unit)


def _possible(key: str, meaning: ColumnMeaning) -> None:
    """Refuse a meaning that no column can have."""
    latency = meaning.role == LATENCY
    if meaning.role not in ROLES:
        raise _invalid(
            t('The mapping gives "{column}" the role "{role}", which does not exist', column=key, role=meaning.role)
        )
    if latency and meaning.metric not in MEASURED:
        raise _invalid(t('The mapping calls "{column}" a latency and does not say which', column=key))
    if latency and meaning.statistic is not None and not _is_statistic(meaning.statistic):
        raise _invalid(t('"{statistic}" of "{column}" is no statistic', column=key, statistic=meaning.statistic))
    if latency and meaning.inverse and not (meaning.statistic or "").startswith("p"):
        raise _invalid(t('"{column}" needs a percentile: a mean of RTFx cannot be turned round to RTF', column=key))
    if meaning.unit is not None and meaning.unit not in (TIME_UNITS if latency else _EVERY_UNIT):
        raise _invalid(t('"{column}" cannot be in "{unit}"', column=key, unit=meaning.unit))


def _is_statistic(text: str) -> bool:
    try:
        return text in {"mean", "sd"} or fraction(text) is not None
    except ValueError:
        return False


def _invalid(what: Text) -> UsageError:
    return UsageError("mapping.invalid", what, fix=_FIX)
