"""What is reserved or bought against what is rented, in words: from which use it pays, and after how many months."""

from __future__ import annotations

from core.fleet.answer import BreakEven, FleetAnswer, Whole
from core.fleet.owning import MONTHS_PER_YEAR
from core.i18n import Text, t
from core.present.fleet_numbers import rough_text, whole_range
from core.present.numbers import concurrency, percent, plain


def reserve_text(each: BreakEven, language: str = "en") -> str:
    """Return from which use of a replica a reservation pays, and after how many months of one that runs for a year."""
    share = percent(each.share or 0.0, language)
    if each.why == "never":
        return t("A reservation costs {share} of the rent: it never pays", share=share).render(language)
    said = t("A reservation pays for each replica that is needed in more than {share} of the hours", share=share)
    # Both bills grow by the hour, so that this month hangs on their prices alone and has no range.
    months = plain((each.share or 0.0) * MONTHS_PER_YEAR, language)
    after = t(
        "One for a year has cost less than renting all the time once the fleet is needed for more than {months} months",
        months=months,
    )
    return f"{said.render(language)}{_volume(each, language)}. {after.render(language)}"


def own_text(each: BreakEven, found: FleetAnswer, language: str = "en") -> str:
    """Return from which use of a replica buying pays, then after how many months, against which rent it does."""
    if each.why == "no_price":
        said = t("When buying pays is unknown: nobody said how many accelerators there are")
        return said.render(language)
    later = [*_months(each, language), *_growing(each, found, language)]
    return ". ".join(filter(None, (_use(each, language), *(text.render(language) for text in later))))


def _use(each: BreakEven, language: str) -> str:
    if each.share is None:
        return ""
    share = percent(each.share, language)
    if each.share >= 1.0:
        said = t("Bought hardware costs {share} of its rent, all of it counted: it never pays", share=share)
        return said.render(language)
    said = t("Buying pays for each replica that is needed in more than {share} of the hours", share=share)
    return said.render(language) + _volume(each, language)


def _volume(each: BreakEven, language: str) -> str:
    volume = rough_text(each.each, language)
    if volume is None:
        return ""
    said = t(": as it is planned that is {volume} requests a month for each", volume=volume)
    return said.render(language)


def _months(each: BreakEven, language: str) -> list[Text]:
    """Return the payback against the autoscaled fleet where there is one, then against the fixed one."""
    said = []
    if each.month_fixed is not None:
        said = [_against_scaled(each.month, language), _against_fixed(each.month_fixed, language)]
    elif each.month is not None:
        said = [_against_fixed(each.month, language)]
    undiscounted = t("Nothing is discounted in these months: interest and what it is worth at the end are left out")
    return [*said, undiscounted]


def _against_fixed(month: Whole, language: str) -> Text:
    if month.count is None:
        return t("Against the fixed rented fleet it does not pay for itself within the life of the hardware")
    return t(
        "Against the fixed rented fleet it has paid for itself after {months} months ({range})",
        months=concurrency(month.count, language),
        range=whole_range(month, language),
    )


def _against_scaled(month: Whole | None, language: str) -> Text:
    if month is None or month.count is None:
        return t("Against the autoscaled rented fleet it does not pay for itself within the life of the hardware")
    return t(
        "Against the autoscaled rented fleet it has paid for itself after {months} months ({range})",
        months=concurrency(month.count, language),
        range=whole_range(month, language),
    )


def _growing(each: BreakEven, found: FleetAnswer, language: str) -> list[Text]:
    if each.grown is None or found.purchases is None:
        return []
    shown = concurrency(len(found.purchases.months), language)
    if each.grown.count is None:
        never = t(
            "Bought in stages as the demand grows, all purchases together have not cost less than the fixed rents "
            "within {shown} months",
            shown=shown,
        )
        return [never]
    said = t(
        "Bought in stages as the demand grows, all purchases together have cost less than the fixed rents after "
        "{months} months ({range})",
        months=concurrency(each.grown.count, language),
        range=whole_range(each.grown, language),
    )
    return [said]
