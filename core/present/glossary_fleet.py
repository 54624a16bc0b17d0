"""The words of a fleet: how many, what each caution adds, and what a month costs."""

from __future__ import annotations

from core.i18n import t
from core.present.glossary_metrics import Row

_FLEET = t("Source: docs/fleet.md.")
_COST = t("Source: docs/cost.md.")

FLEET: tuple[Row, ...] = (
    (
        "replica",
        t("Replica"),
        t(
            "One copy of what was measured, with all its accelerators. A fleet is a whole number of them, and of whole "
            "nodes where these are bought."
        ),
        t("replicas = demand at the peak × bursts ÷ (safe number × share that is used), rounded up"),
        None,
        _FLEET,
    ),
    (
        "caution",
        t("Cautions"),
        t(
            "The safe number, a share kept free, bursts, spares, zones and failures each add replicas. Every one is "
            "shown with what it adds, so that they are not stacked unseen."
        ),
        None,
        None,
        _FLEET,
    ),
    (
        "spare",
        t("Spares and zones"),
        t(
            "Replicas beyond the need, for one that fails. Where a whole zone may be lost, the zones that are left "
            "have to carry the peak; of spares and zones the larger number counts."
        ),
        None,
        None,
        _FLEET,
    ),
    (
        "headroom",
        t("Headroom"),
        t("How much the demand may grow before the planned fleet is too small, and in which month that is."),
        None,
        None,
        _FLEET,
    ),
    (
        "effective_cost",
        t("Effective cost"),
        t(
            "What a token costs when the whole fleet is paid for the whole month and only the demand is served. A full "
            "machine makes a cheaper token; the chart shows every step between the two."
        ),
        t("effective cost = bill of the month ÷ tokens of the month"),
        None,
        _COST,
    ),
    (
        "autoscaled",
        t("Autoscaled, and perfectly so"),
        t(
            "Replicas that follow the day, each started ahead of its need and never fewer than the floor. The perfect "
            "autoscaler has no start-up time: no real one costs less."
        ),
        t("perfect: replicas(t) = rate(t) ÷ capacity within the targets, rounded up"),
        None,
        _FLEET,
    ),
    (
        "growing",
        t("Bill of a growing fleet"),
        t(
            "Replicas are bought in the month that needs them and are never given back. The bill of each month and the "
            "sum so far are told for three years or more."
        ),
        None,
        None,
        _FLEET,
    ),
    (
        "break_even",
        t("Break-even"),
        t(
            "The number of requests a month, and the month of growth, from which a fixed fleet of your own stays "
            "cheaper than somebody's API, however many more there are. The same for rented and bought hardware: after "
            "how many months it has paid for itself."
        ),
        None,
        None,
        _FLEET,
    ),
)
