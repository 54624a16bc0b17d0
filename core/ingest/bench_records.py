"""Per-request lists of vLLM's benchmark script and its descendants, saved on demand.

Parallel lists hold one entry per request, in seconds, while the summary beside them is in
milliseconds. A failed request has zeros in every list and a text in `errors`. Prompts and
answers are not looked at.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
import numpy.typing as npt

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.nested import Nested
from core.ingest.raw import RawRequests
from core.model.finding import Finding, Severity
from core.model.stage import FloatArray

BoolArray = npt.NDArray[np.bool_]


def requests_of(fields: Fields, completed: int | None) -> RawRequests | None:
    """Return the per-request records, None where the file holds summaries only.

    e2e is the tool's own `latencies` where it keeps them, else ttft + sum(itls); times and
    output tokens of a failed request are unknown, whatever zeros stand there.

    Raises:
        RefusedFileError: a list is damaged or its length differs from the others'.
    """
    if not isinstance(fields.values.get("ttfts"), list):
        return None
    ttft = _numbers(fields, "ttfts", None)
    n = ttft.size
    gaps = _gaps(fields, n)
    sums = _sums(gaps, n) if gaps else np.full(n, np.nan)
    latencies = _numbers(fields, "latencies", n)
    good = _without_error(fields, n) & (ttft > 0.0)
    if completed is not None and int(good.sum()) != completed:
        fields.findings.append(_disagreement(fields, int(good.sum()), completed))
        if not good.any():
            return None
    return RawRequests(
        unit="s",
        good=good,
        ttft=np.where(good, ttft, np.nan),
        e2e=np.where(good, np.where(np.isfinite(latencies), latencies, ttft + sums), np.nan),
        start=_numbers(fields, "start_times", n),
        input_tokens=_numbers(fields, "input_lens", n),
        output_tokens=np.where(good, _numbers(fields, "output_lens", n), np.nan),
        gaps=_pooled(gaps, good),
    )


def _numbers(fields: Fields, key: str, n: int | None) -> FloatArray:
    """Return a list as an array of shape (n,), NaN where it has no finite value or is absent."""
    values = fields.values.get(key)
    if values is None:
        return np.full(n or 0, np.nan)
    if not isinstance(values, list):
        raise _damaged(fields, key)
    if n is not None and len(values) != n:
        raise _unequal(fields, key, len(values), n)
    array = _array(fields, key, values)
    return np.where(np.isfinite(array), array, np.nan)


def _array(fields: Fields, key: str, values: list[object]) -> FloatArray:
    if not all(value is None or type(value) in (int, float) for value in values):
        raise _damaged(fields, key)
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _damaged(fields, key) from None


def _gaps(fields: Fields, n: int) -> Nested | None:
    """Return the gaps between output tokens of each request, None without `itls`."""
    lists = fields.values.get("itls")
    if lists is None or not n:
        return None
    if not isinstance(lists, Nested):
        if not isinstance(lists, list) or not all(isinstance(inner, list) for inner in lists):
            raise _damaged(fields, "itls")
        flat = _array(fields, "itls", list(chain.from_iterable(lists)))
        lists = Nested(np.array([len(inner) for inner in lists], dtype=np.int64), flat)
    if lists.counts.size != n:
        raise _unequal(fields, "itls", lists.counts.size, n)
    return lists


def _sums(gaps: Nested, n: int) -> FloatArray:
    """Return what the gaps of each request add up to, NaN where one of them is unknown."""
    row = np.repeat(np.arange(n), gaps.counts)
    return np.bincount(row, weights=gaps.values, minlength=n).astype(np.float64)


def _without_error(fields: Fields, n: int) -> BoolArray:
    errors = fields.values.get("errors")
    if errors is None:
        return np.ones(n, dtype=np.bool_)
    if not isinstance(errors, list):
        raise _damaged(fields, "errors")
    if len(errors) != n:
        raise _unequal(fields, "errors", len(errors), n)
    return np.array([not error for error in errors], dtype=np.bool_)


def _pooled(gaps: Nested | None, good: BoolArray) -> FloatArray:
    if gaps is None:
        return np.empty(0)
    values = gaps.values
    return values[np.repeat(good, gaps.counts) & np.isfinite(values) & (values >= 0.0)]


def _damaged(fields: Fields, key: str) -> RefusedFileError:
    return RefusedFileError(
        "ingest.damaged_list",
        t("{field} should be a list with one entry per request", field=key),
        fix=t("Send the file again as the tool wrote it"),
        place=fields.at(key),
    )


def _unequal(fields: Fields, key: str, found: int, wanted: int) -> RefusedFileError:
    return RefusedFileError(
        "ingest.unequal_lists",
        t("{field} has {found} entries and ttfts has {wanted}", field=key, found=found, wanted=wanted),
        fix=t("Send the file again as the tool wrote it"),
        place=fields.at(key),
    )


def _disagreement(fields: Fields, good: int, completed: int) -> Finding:
    return Finding(
        code="ingest.counts_disagree",
        severity=Severity.WARNING,
        where=fields.at("errors"),
        what=t("{good} requests ended without an error, and completed is {completed}", good=good, completed=completed),
        consequence=t("The counts of the summary are kept"),
        fix=t("Check whether the file was edited or put together from two runs"),
    )
