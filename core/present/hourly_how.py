"""How the bill of an hour came about: rented or owned, discount, tax, exchange, accelerators."""

from __future__ import annotations

from core.i18n import t
from core.model.owned import HOURS_PER_YEAR, Owned
from core.model.price import Price, price_for
from core.model.run import Run
from core.present.how import How
from core.present.numbers import money, percent, plain
from core.present.price_words import listed_text, quoted_in
from core.price.count import accelerators
from core.price.hourly import as_given, of_one, per_hour

_NOT_GIVEN = t("not given")
_LEFT_OUT = t("what is not given is not in it: the true cost is at least this")
_TIMES, _UNKNOWN = " × ", t("unknown: nobody said how many accelerators there are")


def hourly_hows(run: Run, price: Price, language: str = "en") -> tuple[How, ...]:
    """Return how the bill per hour of one deployment was worked out, after the steps that it needs; () unpriced."""
    paid = price_for(price, run.id)
    return _hows(run, paid, language) if paid else ()


def _hows(run: Run, price: Price, language: str) -> tuple[How, ...]:
    owned = (_recovery(price.owned, language), _owned(price, price.owned, language)) if price.owned else ()
    return (*owned, _bill(run, price, language))


def _bill(run: Run, price: Price, language: str) -> How:
    amount = t("cost of ownership per hour") if price.owned else t("price per hour")
    words, values = [amount.render(language)], [(amount.render(language), _given(price, language))]

    def add(word: str, value: str) -> None:
        words.append(f"{_TIMES}{word}")
        values.append((word, value))

    if price.discount and not price.owned:
        words.append(f"{_TIMES}(1 − {t('discount').render(language)})")
        values.append((t("discount").render(language), percent(price.discount, language)))
    tax = price.tax
    if tax and tax.quoted_with != tax.counted:
        sign = _TIMES if tax.counted else " ÷ "
        words.append(f"{sign}(1 + {t('tax').render(language)})")
        values.append((t("tax").render(language), percent(tax.rate, language)))
    if price.exchange:
        rate = money(price.exchange.rate, price.currency, language, digits=9)
        day = f", {price.exchange.as_of}" if price.exchange.as_of else ""
        add(t("rate of exchange").render(language), f"{rate}{day}")
    if price.per_accelerator:
        count = accelerators(run, price)
        shown = _UNKNOWN.render(language) if count is None else plain(count, language, digits=9)
        add(t("accelerators").render(language), _pools(run, price, language) or shown)
    bill = per_hour(run, price)
    return How(
        name=t("Bill per hour of the deployment").render(language),
        formula="".join(words),
        values=tuple(values),
        result=_UNKNOWN.render(language) if bill is None else money(bill, price.currency, language),
        source=listed_text(price.listed, language) if price.listed and not price.owned else None,
    )


def _pools(run: Run, price: Price, language: str) -> str | None:
    both = next(((prefill, decode) for name, prefill, decode in price.pools if name == run.id), None)
    if both is None:
        return None
    return t("{prefill} for prefill + {decode} for decode", prefill=both[0], decode=both[1]).render(language)


def _given(price: Price, language: str) -> str:
    return money(as_given(price), quoted_in(price), language, digits=9 if price.owned is None else 4)


def _recovery(owned: Owned, language: str) -> How:
    years, interest = t("years").render(language), t("interest").render(language)
    return How(
        name=t("Share of the purchase that each year brings back (CRF)").render(language),
        formula="r (1 + r)ⁿ ÷ ((1 + r)ⁿ − 1)" if owned.interest else "1 ÷ n",
        values=((f"r, {interest}", percent(owned.interest, language)), (f"n, {years}", plain(owned.years, language))),
        result=plain(owned.recovery, language, digits=5),
        source=t("capital recovery factor: the annuity whose present value is 1").render(language),
    )


def _owned(price: Price, owned: Owned, language: str) -> How:
    currency = quoted_in(price)

    def shown(amount: float) -> str:
        return money(amount, currency, language, digits=9) if amount else _NOT_GIVEN.render(language)

    power = f"{plain(owned.power_kw, language)} kW" if owned.power_kw else _NOT_GIVEN.render(language)
    values = (
        ("CRF", plain(owned.recovery, language, digits=5)),
        (f"r, {t('interest').render(language)}", percent(owned.interest, language)),
        (f"n, {t('years').render(language)}", plain(owned.years, language)),
        (t("purchase").render(language), shown(owned.capex)),
        (t("worth at the end").render(language), shown(owned.residual)),
        (t("hosting a year").render(language), shown(owned.hosting)),
        (t("licences a year").render(language), shown(owned.licence)),
        (t("operations a year").render(language), shown(owned.operations)),
        (t("hours a year").render(language), plain(HOURS_PER_YEAR, language, digits=4)),
        (t("power of the machines").render(language), power),
        (t("PUE").render(language), plain(owned.pue, language)),
        (t("price of a kWh").render(language), shown(owned.tariff)),
    )
    left_out = owned.lacks_tariff or not (owned.hosting and owned.licence and owned.operations)
    formula = t(
        "(CRF × (purchase − worth at the end ÷ (1 + r)ⁿ) + hosting + licences + operations) ÷ hours a year "
        "+ kW × PUE × price of a kWh"
    )
    return How(
        name=t("Cost of ownership per hour").render(language),
        formula=formula.render(language),
        values=values,
        result=money(owned.per_hour, currency, language, digits=4),
        source=_LEFT_OUT.render(language) if left_out else None,
    )


def each_text(price: Price, language: str = "en") -> str:
    """Return money per hour of what the price is for, after discount, tax and exchange."""
    return money(of_one(price), price.currency, language)
