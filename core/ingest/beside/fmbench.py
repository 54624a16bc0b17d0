"""What FMBench writes beside all_metrics_summary.csv."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.raw import Head
from core.ingest.table import header_of

_LEVEL = frozenset({"experiment_name", "payload_file", "instance_type", "concurrency"})
_MAY_BE = frozenset({"instance_count"})
_SEND_SUMMARY = t("Send all_metrics_summary.csv and all_metrics.csv of the same folder")


def _only(head: Head, *more: str) -> bool:
    names = frozenset(header_of(head))
    return names - _MAY_BE == _LEVEL | frozenset(more)


def _has(head: Head, *names: str) -> bool:
    return frozenset(names) <= frozenset(header_of(head))


BY_PRODUCTS = (
    ByProduct(
        recognise=lambda head: _only(head, "error_rate"),
        what=t("This is FMBench's table of error rates: it holds no latency"),
        fix=_SEND_SUMMARY,
    ),
    ByProduct(
        recognise=lambda head: _only(head, "count"),
        what=t("This is FMBench's count of the groups it sent: it holds no latency"),
        fix=_SEND_SUMMARY,
    ),
    ByProduct(
        recognise=lambda head: _has(head, "timestamp", "cpu_percent_mean", "memory_percent_mean"),
        what=t("This is FMBench's record of processor and accelerator use over time: it holds no latency"),
        fix=_SEND_SUMMARY,
    ),
    ByProduct(
        recognise=lambda head: frozenset(header_of(head)) == {"instance_type", "price_per_hour"},
        what=t("This is FMBench's price list: it holds no latency"),
        fix=t("Set the price of an accelerator on the Plan page, and send all_metrics_summary.csv"),
    ),
)
