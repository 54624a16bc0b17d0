"""What Locust writes beside its statistics. docs/formats/locust.md."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head
from core.ingest.table import header_of

_SEND = t("Send the table that ends with _stats.csv, and the one that ends with _stats_history.csv beside it")
_ERRORS = (frozenset({"Method", "Name", "Error", "Occurrences"}), frozenset({"Count", "Message", "Traceback", "Nodes"}))
_PAGE = re.compile(rb"<title>[^<]{0,200}Locust", re.IGNORECASE)
_LIST = re.compile(rb"\s*\[\s*")


def _is_errors(head: Head) -> bool:
    return any(frozenset(header_of(head)) >= names for names in _ERRORS)


def _is_page(head: Head) -> bool:
    return _PAGE.search(head.sample) is not None


def _is_json(head: Head) -> bool:
    first = head.sample[found.end() :] if (found := _LIST.match(head.sample)) else b""
    return {"num_none_requests", "response_times", "num_failures"} <= json_paths(first, depth=1)


BY_PRODUCTS = (
    ByProduct(recognise=_is_errors, what=t("This is Locust's list of failures or exceptions"), fix=_SEND),
    ByProduct(recognise=_is_page, what=t("This is Locust's report as a web page"), fix=_SEND),
    ByProduct(
        recognise=_is_json, what=t("These are Locust's statistics as JSON, which hold no number of users"), fix=_SEND
    ),
)
