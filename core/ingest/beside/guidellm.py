"""What GuideLLM writes beside its reports."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.raw import Head

_HTML = re.compile(rb"(?i)\s*(?:<!doctype html|<html)")
_OURS = (b"window.GUIDELLM_REPORT", b"GuideLLM Benchmark Report", b"GuideLLM")


def _page(head: Head) -> bool:
    return bool(_HTML.match(head.sample.removeprefix(b"\xef\xbb\xbf"))) and any(mark in head.sample for mark in _OURS)


BY_PRODUCTS: tuple[ByProduct, ...] = (
    ByProduct(
        recognise=_page,
        what=t("The file is GuideLLM's page to look at; it rounds what the report holds"),
        fix=t("Send the benchmarks.json of the same run"),
    ),
)
