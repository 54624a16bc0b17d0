"""What was said of a fleet, on one line: for whoever reads its numbers without the page that asked."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.fleet import Fleet
from core.present.fleet_curve import curve_name
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money, percent, plain, whole_time


def fleet_said(fleet: Fleet, currency: str = "", language: str = "en") -> str:
    """Return everything that was said, "" where nothing was; amounts are in the currency that the price is given in.

    >>> fleet_said(Fleet(growth=0.05, ahead=6, spares=1, ceiling=0.8))
    'growth 5% a month · built for 6 months of it · ceiling 80% of the safe number · 1 spare replica'
    """
    plain_fleet = Fleet()
    said: list[Text | None] = [
        t("over time: {name}", name=curve_name(fleet.curve)) if fleet.curve else None,
        t("growth {rate} a month", rate=percent(fleet.growth, language)) if fleet.growth else None,
        t("built for {months} months of it", months=fleet.ahead) if fleet.ahead else None,
        t("bursts {factor} times the mean", factor=plain(fleet.burst, language)) if fleet.burst > 1.0 else None,
        t("ceiling {share} of the safe number", share=percent(fleet.ceiling, language))
        if fleet.ceiling < 1.0
        else None,
        _spares(fleet, language),
        t("one of {zones} zones may be lost", zones=fleet.zones) if fleet.zones > 1 else None,
        t("out of service {share} of the time", share=percent(fleet.out_share, language)) if fleet.out_share else None,
        t("nodes of {count} accelerators", count=fleet.node) if fleet.node else None,
        t("never fewer than {count}", count=fleet.floor) if fleet.floor != plain_fleet.floor else None,
        t("a replica starts in {time}", time=whole_time(fleet.start_s, language))
        if fleet.start_s != plain_fleet.start_s
        else None,
        t("budget {amount} a month", amount=money(fleet.budget, currency, language)) if fleet.budget else None,
    ]
    return SEPARATOR.join(text.render(language) for text in said if text)


def _spares(fleet: Fleet, language: str) -> Text | None:
    if not fleet.spares:
        return None
    one, many = t("1 spare replica"), t("{count} spare replicas", count=concurrency(fleet.spares, language))
    return one if fleet.spares == 1 else many
