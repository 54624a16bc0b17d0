"""Every sentence about an answer, in one place for the pages and the command line."""

from __future__ import annotations

from core.present.account import account
from core.present.doubts import doubt_text, finding_text, ordered, reasons_text, refusal_text, severity_text
from core.present.headline import (
    Headline,
    cost_text,
    estimate_text,
    headline,
    one_line,
    promise,
    source_text,
)
from core.present.measure import engineer_request, next_text
from core.present.names import LONG, SHORT, hardware_text, kind_text, metric_name, target_name, target_text, value_text
from core.present.reasons import exclusion_text, reason_text
from core.present.stopped import stopped_by
from core.present.stops import stops_table, stops_texts
from core.present.untold import cannot_tell, supported_text
from core.present.users import active_users

__all__ = [
    "LONG",
    "SHORT",
    "Headline",
    "account",
    "active_users",
    "cannot_tell",
    "cost_text",
    "doubt_text",
    "engineer_request",
    "estimate_text",
    "exclusion_text",
    "finding_text",
    "hardware_text",
    "headline",
    "kind_text",
    "metric_name",
    "next_text",
    "one_line",
    "ordered",
    "promise",
    "reason_text",
    "reasons_text",
    "refusal_text",
    "severity_text",
    "source_text",
    "stopped_by",
    "stops_table",
    "stops_texts",
    "supported_text",
    "target_name",
    "target_text",
    "value_text",
]
