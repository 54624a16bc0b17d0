"""Every sentence about an answer, in one place for the pages and the command line."""

from __future__ import annotations

from core.present.headline import (
    Headline,
    cost_text,
    estimate_text,
    headline,
    one_line,
    promise,
    source_text,
    stopped_by,
)
from core.present.names import LONG, SHORT, hardware_text, kind_text, metric_name, target_name, target_text, value_text
from core.present.reasons import reason_text
from core.present.untold import cannot_tell, supported_text
from core.present.users import active_users

__all__ = [
    "LONG",
    "SHORT",
    "Headline",
    "active_users",
    "cannot_tell",
    "cost_text",
    "estimate_text",
    "hardware_text",
    "headline",
    "kind_text",
    "metric_name",
    "one_line",
    "promise",
    "reason_text",
    "source_text",
    "stopped_by",
    "supported_text",
    "target_name",
    "target_text",
    "value_text",
]
