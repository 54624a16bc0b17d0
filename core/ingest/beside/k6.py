"""What k6 writes besides its summary and its table of requests. docs/formats/k6.md."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_SEND = t("Run k6 with --summary-export summary.json, or --out csv=requests.csv, and send that")
_PRINTED = re.compile(rb"http_req_duration\.*\s*:\s+avg=")


def _is_points(head: Head) -> bool:
    first = head.sample.split(b"\n", 1)[0]
    return {"type", "metric", "data.name"} <= json_paths(first) or {"type", "metric", "data.time"} <= json_paths(first)


def _is_printed(head: Head) -> bool:
    return _PRINTED.search(head.sample) is not None


BY_PRODUCTS = (
    ByProduct(recognise=_is_points, what=t("These are k6's samples one by one, as JSON lines"), fix=_SEND),
    ByProduct(
        recognise=_is_printed,
        what=t("This is what k6 prints at its end, with rounded times in changing units"),
        fix=_SEND,
    ),
)
