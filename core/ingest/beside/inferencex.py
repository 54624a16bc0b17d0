"""What lies beside InferenceX's results. docs/formats/inferencex.md."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_MARKS = (b'"inferencex_sha"', b'"aiperf_sha"')


def _is_ledger(head: Head) -> bool:
    first = json_paths(head.sample.split(b"\n", 1)[0], depth=1)
    return {"timestamp", "kind"} <= first and any(mark in head.sample for mark in _MARKS)


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_ledger,
        what=t("This is a ledger of experiments: a log of decisions and failures with numbers in its prose"),
        fix=t("Send the agg_*.json or agg_bmk.json of the runs that it speaks of"),
    ),
)
"""Kinds of file that hold no load level."""
