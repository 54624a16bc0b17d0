"""What a reader should know about a bill before believing it: whether accelerators and money are counted right."""

from __future__ import annotations

from core.catalogue.hardware import candidates
from core.errors import Place
from core.i18n import Text, t
from core.model.finding import Finding, Severity
from core.model.price import Listed, Price, price_for
from core.model.run import Run
from core.price.count import accelerators, has_pools, recorded_pools

HARDWARE = frozenset({"price.hardware_unknown", "price.other_hardware"})
"""Codes that doubt whether the price is that of the run's accelerator."""


def price_findings(run: Run, price: Price | None) -> tuple[Finding, ...]:
    """Return findings about the bill.

    A rate of exchange the wrong way round, power without the price of a kWh, a missing count, pools nobody confirmed, a
    price of other hardware.

    Args:
        run: as measured.
        price: the run's own goes before the common one; one of the whole deployment needs no count.
    """
    price = price_for(price, run.id)
    if price is None:
        return ()
    found = (
        *_exchange(run, price),
        *_tariff(run, price),
        *(_hardware(run, price.listed) if price.listed and not price.owned else ()),
    )
    return (*found, *_counts(run, price)) if price.per_accelerator else found


def _counts(run: Run, price: Price) -> tuple[Finding, ...]:
    if has_pools(run) and run.id not in {name for name, *_ in price.pools}:
        return (*_pools(run, price), *_count(run, price))
    return _count(run, price)


_SMALL = frozenset({"CLP", "HUF", "IDR", "INR", "JPY", "KRW", "PHP", "RUB", "THB", "TWD", "VND"})
_LARGE = frozenset({"AUD", "CAD", "CHF", "EUR", "GBP", "NZD", "SGD", "USD"})
"""Currencies whose unit is worth less than a tenth of, and more than half of, a US dollar: no rate of a day is needed
to tell which of a small and a large one is worth more."""


def _exchange(run: Run, price: Price) -> tuple[Finding, ...]:
    """Return that a rate cannot be meant as it is: of a currency to itself, or the wrong way round."""
    exchange = price.exchange
    if exchange is None:
        return ()
    quoted, paid = exchange.quoted.upper(), price.currency.upper()
    shown = {"rate": f"{exchange.rate:,.12g}", "currency": paid, "quoted": quoted}
    what = t("The rate of exchange says {rate} {currency} for 1 {quoted}")
    if quoted == paid and exchange.rate != 1.0:
        fix = t("Say what the costs are to be in, or leave the rate out: price and costs are both in {currency}")
    elif (quoted in _SMALL and paid in _LARGE and exchange.rate > 1.0) or (
        quoted in _LARGE and paid in _SMALL and exchange.rate < 1.0
    ):
        fix = t(
            "The rate is {currency} for one {quoted}, and {quoted} is what the price is in: change the two currencies "
            "over, or give the rate the other way round"
        )
    else:
        return ()
    consequence = t("The price is read in {quoted}, and every figure of the costs of {run} is in {currency}")
    return (
        _finding(
            run,
            "price.exchange_doubtful",
            Text(what.msgid, shown),
            Text(consequence.msgid, {**shown, "run": run.label}),
            Text(fix.msgid, shown),
        ),
    )


def _tariff(run: Run, price: Price) -> tuple[Finding, ...]:
    """Return that electricity is not in the price of owned hardware, though its power is known."""
    if price.owned is None or not price.owned.lacks_tariff:
        return ()
    return (
        _finding(
            run,
            "price.tariff_unknown",
            t("The power of the hardware is given, and the price of a kWh is not"),
            t("The costs of {run} are without electricity: the true cost is at least this", run=run.label),
            t("Give the price of a kWh beside the power"),
        ),
    )


def _hardware(run: Run, listed: Listed) -> tuple[Finding, ...]:
    """Return that a price was picked for another accelerator than the run's, or that nobody said which that is."""
    own, paid = run.conditions.accelerator or "", listed.accelerator
    known = {part.name for part in candidates(own)}
    if paid in known or own.casefold() == paid.casefold():
        return ()
    if known:
        return (
            _finding(
                run,
                "price.other_hardware",
                t("The price is that of {paid}, and {run} ran on {own}", paid=paid, run=run.label, own=own),
                t("The costs of {run} are those of other hardware", run=run.label),
                t(
                    "Pick a price of {own} for {run}, or correct its accelerator on the Data page",
                    own=own,
                    run=run.label,
                ),
            ),
        )
    what = t("The price is that of {paid}, and nobody said what {run} ran on", paid=paid, run=run.label)
    if own:
        what = t("The price is that of {paid}, and the file names {own}, which no list knows", paid=paid, own=own)
    return (
        _finding(
            run,
            "price.hardware_unknown",
            what,
            t("Whether the costs of {run} are those of its hardware cannot be told", run=run.label),
            t("Did {run} run on {paid}? Say its accelerator on the Data page", run=run.label, paid=paid),
            Severity.INFO,
        ),
    )


def _count(run: Run, price: Price) -> tuple[Finding, ...]:
    count, own = accelerators(run, price), run.conditions.accelerator_count
    if count is None:
        return (
            _finding(
                run,
                "price.count_unknown",
                t("The number of accelerators is unknown, and the price is for one of them"),
                t("No cost is shown for {run}", run=run.label),
                t("Say how many accelerators the run used, or give the price of the whole deployment"),
            ),
        )
    if own and own != count:
        return (
            _finding(
                run,
                "price.count_differs",
                t("The price counts {count} accelerators, the file says {own}", count=count, own=own),
                t("The cost of {run} is that of {count} accelerators", run=run.label, count=count),
                t("Check which number is right"),
            ),
        )
    return ()


def _pools(run: Run, price: Price) -> tuple[Finding, ...]:
    """Return that both pools have to be on the bill, where nobody confirmed how many each has."""
    both = recorded_pools(run)
    if both is None:
        return (
            _finding(
                run,
                "price.pools_unknown",
                t("Prefill and decode have accelerators of their own, and the file does not say how many each has"),
                t("The bill may leave one of the two pools out"),
                t("Say how many accelerators prefill and decode have"),
            ),
        )
    if run.id in dict(price.accelerators):
        return ()
    return (
        _finding(
            run,
            "price.pools_unconfirmed",
            t(
                "The bill counts {prefill} accelerators for prefill and {decode} for decode",
                prefill=both[0],
                decode=both[1],
            ),
            t("A count of the file is not always that of the whole deployment"),
            t("Confirm both numbers beside the price, or change them"),
            Severity.INFO,
        ),
    )


def _finding(
    run: Run, code: str, what: Text, consequence: Text, fix: Text, severity: Severity = Severity.WARNING
) -> Finding:
    where = Place(file=run.files[0].name if run.files else None)
    return Finding(code=code, severity=severity, where=where, what=what, consequence=consequence, fix=fix)
