"""Accelerators of an InferenceX row, and system throughput from what it gives per accelerator.

On one node everything is divided by tp x pp x pcp. Over several nodes the total is divided by all
accelerators, but output by those that decode and input by those that prefill. Which of the two it is
is proven by input + output = total, never assumed.
"""

from __future__ import annotations

import math

from core.i18n import t
from core.ingest.fields import Fields
from core.model.finding import Finding, Severity

_NEAR = 1e-3
_MOST = 1_000_000
"""No deployment has more accelerators: a larger product is a damaged file."""


def accelerators_of(row: Fields) -> int | None:
    """Return how many accelerators a row was measured on, None where that is not certain."""
    pools = [row.count("num_prefill_gpu"), row.count("num_decode_gpu")]
    known = [pool for pool in pools if pool is not None]
    total = sum(known)
    if len(known) == len(pools) and total:
        return total if total <= _MOST else None
    if known or row.values.get("is_multinode") is True or row.values.get("disagg") is True:
        return None
    total = math.prod(row.count(key) or 1 for key in ("tp", "pp", "pcp_size")) if row.count("tp") else 0
    return total if 0 < total <= _MOST else None


def throughput_of(row: Fields, accelerators: int | None) -> tuple[float | None, float | None]:
    """Return output and total tokens/s of the system, each None where it is not certain."""
    output, total = row.not_negative("output_tput_tps"), row.not_negative("total_tput_tps")
    each = row.not_negative("tput_per_gpu")
    if total is not None or each is None:
        return output, total
    if accelerators is None:
        row.findings.append(_not_certain(row))
        return None, None
    output_each, input_each = row.not_negative("output_tput_per_gpu"), row.not_negative("input_tput_per_gpu")
    prefill, decode = row.count("num_prefill_gpu"), row.count("num_decode_gpu")
    total = each * accelerators
    if output_each is None:
        return None, total
    if input_each is None and not (prefill or decode):
        return output_each * accelerators, total
    if input_each is not None and math.isclose(output_each + input_each, each, rel_tol=_NEAR):
        return output_each * accelerators, total
    pooled = (input_each or 0.0) * (prefill or 0) + output_each * (decode or 0)
    if input_each is not None and math.isclose(pooled, total, rel_tol=_NEAR):
        return output_each * (decode or 0), total
    row.findings.append(_not_certain(row))
    return None, None


def _not_certain(row: Fields) -> Finding:
    return Finding(
        code="inferencex.accelerators_unclear",
        severity=Severity.WARNING,
        where=row.at("tput_per_gpu"),
        what=t("Throughput is given per accelerator, and over how many is not certain"),
        consequence=t("Throughput stays unknown, so no cost per token follows from this level"),
        fix=t("Send the benchmark's own result file of this run beside it"),
    )
