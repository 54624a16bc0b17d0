"""What MLPerf's LoadGen writes beside its summary. docs/formats/mlperf.md."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct, named
from core.ingest.raw import Head

_DETAIL = re.compile(rb"^:::MLLOG \{", re.MULTILINE)
_OTHERS = re.compile(r"mlperf_log_(?:accuracy|trace)\.json|mlperf_log_detail\.txt")


def _is_other(head: Head) -> bool:
    return _DETAIL.search(head.sample) is not None or named(head, _OTHERS)


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_other,
        what=t("This is a detailed log, a trace or the answers of an MLPerf run"),
        fix=t("Send mlperf_log_summary.txt of the same folder"),
    ),
)
