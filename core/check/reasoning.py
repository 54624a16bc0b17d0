"""Models that reason before they answer: which token TTFT is of, and which tokens are counted."""

from __future__ import annotations

from core.check.column_meaning import counts_twice
from core.check.levels import in_use, listed, place
from core.check.units import decode_ratio
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Run

COUNTED = "reasoning.tokens"
NOT_COUNTED = "reasoning.not_counted"

# As for the identity of the means: up to a tenth is rounding. Tokens left out of the count lengthen
# every request by the same factor; a disturbed level or a mixed-up column does not.
MORE = 1.10
ALIKE = 1.05
LEVELS = 3


def check_reasoning(run: Run) -> tuple[Finding, ...]:
    """Return a finding where requests take longer by one factor at every load than their counted tokens explain."""
    known = [
        (stage, ratio)
        for stage in in_use(run)
        if (ratio := decode_ratio(stage, Metric.TPOT)) and not counts_twice(stage)
    ]
    ratios = [ratio for _, ratio in known]
    if len(known) < LEVELS or min(ratios) <= MORE or max(ratios) > ALIKE * min(ratios):
        return ()
    return (
        Finding(
            code=NOT_COUNTED,
            severity=Severity.WARNING,
            where=place(known[0][0], "output_tokens"),
            what=t(
                "At load {levels}, requests go on for {factor} times as long as their counted tokens explain",
                levels=listed(stage for stage, _ in known),
                factor=f"{sorted(ratios)[len(ratios) // 2]:.3g}",
            ),
            consequence=t(
                "One factor at every load points to tokens that are left out of the count (reasoning): output tokens/s "
                "read too low and cost per token too high by it, and TTFT may be that of the first reasoning token"
            ),
            fix=t("Count reasoning tokens in the output length, and judge E2E for the whole answer"),
        ),
    )


def reasons_first(run: Run) -> bool:
    """Return True where the first token is, or may be, one of the reasoning and not of the answer."""
    return any(finding.code in (COUNTED, NOT_COUNTED) for finding in run.findings)
