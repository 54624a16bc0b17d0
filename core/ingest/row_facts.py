"""Counts, shares, lengths, throughput and conditions of one table row."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.cells import cell_of
from core.ingest.columns import Column
from core.ingest.fields import Fields
from core.ingest.meaning import NEAR, find, numbers
from core.ingest.raw import Scalar
from core.ingest.table import Table
from core.model.finding import Finding, Severity

SHARES = ("error_rate", "success_rate", "cache_hit_rate", "kv_used_fraction")
_COUNTS = ("requests_sent", "requests_good", "requests_failed", "requests_cut_off")
_WHOLE = frozenset({"accelerator_count", "tp", "pp", "ep", "dp", "replicas", "max_num_seqs"})
_EIGHT_TIMES = re.compile(r"(\d{1,4})\s*[x×*]\s*(\D.*)", re.IGNORECASE)


def shares(table: Table, columns: tuple[Column, ...]) -> dict[str, float]:
    """Return what a share has to be multiplied with to be a fraction: 0.01 where it is in per cent.

    A column is in per cent if its header or a cell says so, or if any of its values is above 1.
    """
    factors = dict.fromkeys(SHARES, 1.0)
    for role in SHARES:
        column = find(columns, role)
        if column is None:
            continue
        units = {cell_of(cell, table.decimal_marks[column.index]).unit for cell in table.column(column.index)}
        above = any(value is not None and value > 1.0 for value in numbers(table, column.index))
        factors[role] = 0.01 if column.unit == "%" or "%" in units or above else 1.0
    return factors


def number_of(
    columns: tuple[Column, ...], values: Fields, role: str, share: dict[str, float] | None = None
) -> float | None:
    """Return the number that a row has for a role, a share as a fraction."""
    column = find(columns, role)
    value = values.not_negative(column.header) if column else None
    return value * (share or {}).get(role, 1.0) if value is not None else None


def conditions_of(columns: tuple[Column, ...], values: Fields) -> dict[str, Scalar]:
    """Return the conditions that a row states; "8xH100" is a count and a name."""
    found: dict[str, Scalar] = {}
    for column in columns:
        group, _, name = column.role.partition(".")
        text = values.text(column.header) if group == "conditions" else None
        if text is None:
            continue
        if name in _WHOLE:
            count = values.number(column.header)
            found[name] = int(count) if count is not None and count == int(count) else None
            continue
        times = _EIGHT_TIMES.fullmatch(text) if name == "accelerator" else None
        found[name] = times[2].strip() if times else text
        if times:
            found.setdefault("accelerator_count", int(times[1]))
    return {name: value for name, value in found.items() if value is not None}


def counts_of(columns: tuple[Column, ...], values: Fields, share: dict[str, float]) -> dict[str, int | None]:
    """Return the four request counts; a share of errors is used where it leaves no choice.

    With the number sent, a share is a count. Without it, only "none failed" and "all failed" are
    counts; anything between is a finding.
    """
    counts = {role: _count(columns, values, role) for role in _COUNTS}
    error = _error_share(columns, values, share)
    if error is None or counts["requests_failed"] is not None:
        return counts
    sent = counts["requests_sent"]
    if error == 0.0:
        counts["requests_failed"] = 0
    elif sent is not None:
        counts["requests_failed"] = round(sent * error)
        if counts["requests_good"] is None:
            counts["requests_good"] = sent - round(sent * error)
    elif error == 1.0:
        counts["requests_good"] = 0
    else:
        values.findings.append(_errors(values, error))
    return counts


def lengths_of(
    columns: tuple[Column, ...], values: Fields, counts: dict[str, int | None]
) -> tuple[float | None, float | None]:
    """Return mean input and output tokens: measured, else total over good requests, else as asked."""
    good = counts["requests_good"]
    found = []
    for side in ("input", "output"):
        mean, total, asked = (
            number_of(columns, values, f"{side}_{part}") for part in ("tokens_mean", "total", "asked")
        )
        if mean is None and total is not None and good:
            mean = total / good
        if mean is None and asked is not None and side == "output":
            values.findings.append(_asked(values, columns))
        found.append(mean if mean is not None else asked)
    return found[0], found[1]


def throughput_of(
    columns: tuple[Column, ...],
    values: Fields,
    rate: float | None,
    lengths: tuple[float | None, float | None],
) -> tuple[float | None, float | None]:
    """Return output and total tokens/s; a plain "throughput" counts where rate x length settles it."""
    output, total = number_of(columns, values, "output_tok_s"), number_of(columns, values, "total_tok_s")
    plain = next((c for c in columns if c.role == "throughput"), None)
    value = values.not_negative(plain.header) if plain else None
    if plain is None or not value:
        return output, total
    want_output = rate * lengths[1] if rate and lengths[1] else None
    want_total = want_output + rate * lengths[0] if want_output and rate and lengths[0] else None
    if want_output and abs(value / want_output - 1.0) <= NEAR:
        return (value if output is None else output), total
    if want_total and abs(value / want_total - 1.0) <= NEAR:
        return output, (value if total is None else total)
    values.findings.append(_which_tokens(values, plain))
    return output, total


def _count(columns: tuple[Column, ...], values: Fields, role: str) -> int | None:
    column = find(columns, role)
    return values.count(column.header) if column else None


def _error_share(columns: tuple[Column, ...], values: Fields, share: dict[str, float]) -> float | None:
    error, good = (number_of(columns, values, role, share) for role in ("error_rate", "success_rate"))
    if error is not None:
        return min(error, 1.0)
    return max(1.0 - good, 0.0) if good is not None else None


def _errors(values: Fields, error: float) -> Finding:
    return Finding(
        code="ingest.errors_without_count",
        severity=Severity.WARNING,
        where=values.place,
        what=t("{percent} % of the requests failed; how many were sent is not said", percent=round(error * 100, 2)),
        consequence=t("Latencies are of the requests that came through, so the level looks better than it is"),
        fix=t("Add a column with the number of requests"),
    )


def _asked(values: Fields, columns: tuple[Column, ...]) -> Finding:
    column = find(columns, "output_asked")
    return Finding(
        code="ingest.length_asked",
        severity=Severity.INFO,
        where=values.at(column.header if column else ""),
        what=t("The output length is the one that was asked for, not the one that was generated"),
    )


def _which_tokens(values: Fields, column: Column) -> Finding:
    return Finding(
        code="ingest.column_unclear",
        severity=Severity.INFO,
        where=values.at(column.header),
        what=t('"{column}" does not say which tokens it counts and is not used', column=column.header),
        fix=t('Call it "output tok/s" or "total tok/s"'),
    )
