"""A price in words: where it comes from, how old it is, what was done to it."""

from __future__ import annotations

from datetime import date

from core.catalogue.prices import Age, ListPrice, age_in_days, age_of
from core.i18n import Text, t
from core.model.price import Listed, Price
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money, percent, plain
from core.settings import price_days

COMMITMENTS: dict[str, Text] = {
    "on_demand": t("on demand"),
    "spot": t("spot, may be reclaimed at any time"),
    "reserved_1y": t("reserved for 1 year"),
    "reserved_3y": t("reserved for 3 years"),
    "capacity_block": t("capacity block, paid up front"),
    "rental_3y": t("rented for 3 years, modelled"),
    "tco_own_hyperscaler": t("owned by a very large cloud, modelled"),
    "tco_own_neocloud": t("owned by a GPU cloud, modelled"),
}

CERTAINTIES: dict[str, Text] = {
    "good": t("read in its source"),
    "partial": t("read second-hand"),
    "uncertain": t("uncertain"),
    "stale": t("was old when it was read"),
}


def commitment_text(commitment: str, language: str = "en") -> str:
    """Return how an offer is paid for; a word of a newer table stays as it is."""
    return COMMITMENTS[commitment].render(language) if commitment in COMMITMENTS else commitment.replace("_", " ")


def certainty_text(certainty: str, language: str = "en") -> str:
    """Return how sure a figure is."""
    return CERTAINTIES[certainty].render(language) if certainty in CERTAINTIES else certainty


def listed_text(listed: Listed, language: str = "en") -> str:
    """Return where a price was picked from: whose, for what commitment, where, of which day, by which source."""
    source = t("source: {source}", source=listed.source).render(language)
    return SEPARATOR.join((offered_text(listed, language), certainty_text(listed.certainty, language), source))


def offered_text(listed: Listed, language: str = "en") -> str:
    """Return whose offer a price is, for what commitment, where and of which day."""
    day = listed.as_of or t("no date").render(language)
    parts = (
        f"{listed.provider} {listed.sku}",
        listed.accelerator,
        commitment_text(listed.commitment, language),
        listed.region or t("region not stated").render(language),
        day,
    )
    return SEPARATOR.join(parts)


def offer_text(row: ListPrice, language: str = "en") -> str:
    """Return one row of the list on a line: money per accelerator and hour first, then whose offer and its day."""
    each = money(row.each, row.currency, language, digits=6)
    parts = (
        t("{amount} per accelerator and hour", amount=each).render(language),
        f"{row.provider} {row.sku}",
        commitment_text(row.commitment, language),
        row.region,
        row.as_of or t("no date").render(language),
    )
    return SEPARATOR.join(part for part in parts if part)


def age_mark(as_of: str, today: date, language: str = "en") -> str | None:
    """Return that a price is old or has no date, None where it is fresh."""
    limit = price_days()
    match age_of(as_of, today, limit):
        case Age.FRESH:
            return None
        case Age.UNDATED:
            return t("undated: how old this price is, is unknown").render(language)
        case _:
            days = concurrency(age_in_days(as_of, today) or 0, language)
            said = t("old price: {days} days, more than {limit}", days=days, limit=concurrency(limit, language))
            return said.render(language)


def price_marks(price: Price | None, today: date, language: str = "en") -> tuple[str, ...]:
    """Return what is to be said wherever this price is used: old, undated, uncertain, an old rate of exchange.

    Args:
        price: None has no marks; nor has an amount that a person typed without a day.
        today: the day on which it is read.
        language: "en" or "ko".
    """
    if price is None:
        return ()
    marks = []
    # What is bought is no row of the list, whatever was picked before.
    listed = None if price.owned else price.listed
    if listed or price.as_of:
        marks.append(age_mark(listed.as_of if listed else price.as_of, today, language))
    if listed and listed.certainty == "uncertain":
        marks.append(t("uncertain price: check it with the provider").render(language))
    if price.exchange:
        known = price.exchange.as_of
        if not known:
            marks.append(t("the rate of exchange has no date").render(language))
        elif age_of(known, today, price_days()) is Age.STALE:
            days = concurrency(age_in_days(known, today) or 0, language)
            marks.append(t("old rate of exchange: {days} days", days=days).render(language))
    return tuple(mark for mark in marks if mark)


def marked(said: str, price: Price | None, today: date | None, language: str = "en") -> str:
    """Return a sentence with the marks of its price behind it; as it is without a day to tell an age by."""
    marks = price_marks(price, today, language) if today else ()
    return SEPARATOR.join((said, *marks))


WITHOUT_POWER = t("without electricity: the price of a kWh is not given")
"""Behind a price of owned hardware that draws power which nobody priced."""


def terms_text(price: Price, language: str = "en") -> tuple[str, ...]:
    """Return what was done to a price between the amount as given and the bill, in the order of the arithmetic."""
    said: list[Text] = []
    if price.owned:
        years, interest = plain(price.owned.years, language), percent(price.owned.interest, language)
        said.append(t("owned, over {years} years at {interest} interest", years=years, interest=interest))
        said += [WITHOUT_POWER] if price.owned.lacks_tariff else []
    elif price.discount:
        said.append(t("less {share} discount", share=percent(price.discount, language)))
    if price.tax:
        rate = percent(price.tax.rate, language)
        said.append(t("with {rate} tax", rate=rate) if price.tax.counted else t("without {rate} tax", rate=rate))
    if price.exchange:
        one = money(price.exchange.rate, price.currency, language, digits=9)
        known, day = price.exchange.quoted, price.exchange.as_of
        dated = t("at {rate} for 1 {currency} of {day}", rate=one, currency=known, day=day)
        said.append(dated if day else t("at {rate} for 1 {currency}", rate=one, currency=known))
    return tuple(text.render(language) for text in said)


def quoted_in(price: Price) -> str:
    """Return the currency that the amount was given in."""
    return price.exchange.quoted if price.exchange else price.currency
