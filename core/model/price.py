"""What the hardware costs, as the person says it; nothing is looked up."""

from __future__ import annotations

from dataclasses import dataclass

from core.letters import flatten


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A price per hour, of one accelerator or of the whole deployment.

    Attributes:
        amount: money per hour, > 0.
        per_accelerator: True if `amount` is for one accelerator and has to be multiplied.
        accelerators: count by run id, from the person; the run's own count is used otherwise.
        currency: a label.
        output_weight: how many input tokens cost as much as one output token
            (GKE convention, cost.md 1.1: 4; a convention, not a measurement).
        cached_weight: share of an uncached input token's price that a cached one costs.
    """

    amount: float
    per_accelerator: bool
    accelerators: tuple[tuple[str, int], ...] = ()
    currency: str = "USD"
    output_weight: float = 4.0
    cached_weight: float = 0.0

    def __post_init__(self) -> None:
        flatten(self, "currency")
