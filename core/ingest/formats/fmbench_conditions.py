"""What FMBench's files share: the deployment behind an instance type, and how its requests are sent."""

from __future__ import annotations

import re

from core.errors import Place
from core.i18n import t
from core.ingest.aws_instances import accelerators_of
from core.ingest.raw import Scalar
from core.model.finding import Finding, Severity

_COUNT = re.compile(r"(\d{1,6})(?:\.0*)?")


def conditions_of(instance: str | None, instances: str | None) -> dict[str, Scalar]:
    """Return the conditions that an instance type and a count of instances state.

    Where the table of instance types does not know one (a hosted model has none), its name stands for the accelerator.

    >>> conditions_of("ml.g5.12xlarge", "2.0")["accelerator_count"]
    8
    >>> conditions_of("SomeHosted-ODT", None)["accelerator"]
    'SomeHosted-ODT'
    """
    number = _COUNT.fullmatch(instances or "")
    whole = int(number[1]) if number and int(number[1]) else None
    known = accelerators_of(instance) if instance else None
    found: dict[str, Scalar] = {"tool": "FMBench", "accelerator": known[0] if known else instance, "replicas": whole}
    if known and (instances is None or whole):
        found["accelerator_count"] = known[1] * (whole or 1)
    return {name: value for name, value in found.items() if value is not None}


def sent_in_groups(name: str) -> Finding:
    """Return the finding that every file of FMBench carries: its concurrency is no load that is held."""
    return Finding(
        code="fmbench.sent_in_groups",
        severity=Severity.WARNING,
        where=Place(name, field="concurrency"),
        what=t("FMBench sends a group of requests at once and waits for all answers before the next group"),
        consequence=t("Fewer requests are in flight than the concurrency says, so a load that is held is slower"),
        fix=t("Confirm the chosen level with a load generator that keeps its requests in flight"),
    )
