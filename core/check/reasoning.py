"""Models that reason before they answer: which token TTFT is of, and which tokens are counted."""

from __future__ import annotations

from core.check.levels import in_use, listed, place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

COUNTED = "reasoning.tokens"
NOT_COUNTED = "reasoning.not_counted"

# As for the identity of the means: up to a tenth is rounding. Tokens left out of the count lengthen
# every request by the same factor; a disturbed level or a mixed-up column does not.
MORE = 1.10
ALIKE = 1.05
LEVELS = 3


def check_reasoning(run: Run) -> tuple[Finding, ...]:
    """Return a finding where requests take longer by one factor at every load than their counted tokens explain."""
    known = [(stage, ratio) for stage in in_use(run) if (ratio := _decode_ratio(stage))]
    ratios = [ratio for _, ratio in known]
    if len(known) < LEVELS or min(ratios) <= MORE or max(ratios) > ALIKE * min(ratios):
        return ()
    return (
        Finding(
            code=NOT_COUNTED,
            severity=Severity.WARNING,
            where=place(known[0][0], "output_tokens"),
            what=t(
                "At {levels} requests go on for {factor} times as long as their counted tokens explain",
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


def _decode_ratio(stage: Stage) -> float | None:
    """Return E2E - TTFT over (tokens - 1) x TPOT of the means, None where one is unknown."""
    e2e, ttft = stage.value(Metric.E2E, "mean"), stage.value(Metric.TTFT, "mean")
    tpot, tokens = stage.value(Metric.TPOT, "mean"), stage.output_tokens_mean
    if e2e is None or ttft is None or not tpot or tokens is None or tokens < 2.0 or e2e <= ttft:
        return None
    return (e2e - ttft) / ((tokens - 1.0) * tpot)
