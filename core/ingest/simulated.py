"""What every simulator's file says of itself: no request was ever sent."""

from __future__ import annotations

from core.errors import Place
from core.i18n import Text, t
from core.model.finding import Finding, Severity


def candidate(name: str, consequence: Text | None = None) -> Finding:
    """Return the finding that marks a file of a simulator.

    Args:
        name: of the file.
        consequence: what this simulator leaves out, if anything is to be said of it.
    """
    return Finding(
        code="simulated.candidate",
        severity=Severity.INFO,
        where=Place(name),
        what=t("These numbers are simulated, not measured: a candidate until a benchmark confirms it"),
        consequence=consequence or t("Measured and simulated levels never share a curve"),
        fix=t("Measure the chosen configuration at the answered load"),
    )
