"""A demand as a person types it on the command line: "30-req_s", "30 req/s", "200 users"."""

from __future__ import annotations

import re

from core.errors import UsageError
from core.i18n import t
from core.model.scenario import Demand, DemandKind

MOST_DEMAND, MOST_THINK_S = 1e9, 86_400.0
"""What a person may type: requests or users at the peak, and seconds of a pause."""

_AMOUNT_AND_KIND = re.compile(r"([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)\s*-?\s*([a-z_/ ]*)", re.ASCII | re.IGNORECASE)

_KINDS: dict[str, DemandKind] = {
    **{kind.value: kind for kind in DemandKind},
    "user": DemandKind.USERS,
    "req/s": DemandKind.REQ_S,
    "requests/s": DemandKind.REQ_S,
    "rps": DemandKind.REQ_S,
    "concurrent": DemandKind.CONCURRENCY,
}
"""What a demand counts, by the word behind the number."""


def parse_demand(text: str, kind: str | None = None) -> Demand:
    """Read a demand such as "400-users" or "30 req/s".

    Args:
        text: as typed; a number alone needs `kind`.
        kind: what it counts, said apart from it; where both say it they have to agree.

    Raises:
        UsageError: "scenario.demand" where it is none, is not above 0, or does not say what it counts.

    >>> parse_demand("12.5-req_s") == parse_demand("12.5 req/s") == parse_demand("12.5", "req_s")
    True
    """
    found = _AMOUNT_AND_KIND.fullmatch(text.strip())
    amount, word = found.groups() if found else ("", "")
    told = kind if found and not word else _KINDS.get(word.strip().lower())
    if found and told is None and not word:
        raise UsageError(
            "scenario.demand",
            t('The demand "{text}" does not say what it counts', text=text[:60]),
            fix=t(
                "Write {amount}-req_s for requests per second, {amount}-users for active users, or "
                "{amount}-concurrency for requests at once",
                amount=amount[:60],
            ),
        )
    if told is None or (kind is not None and told != kind):
        raise UsageError(
            "scenario.demand",
            t('Cannot read the demand "{text}"', text=text[:60]),
            fix=t("Write 400-users, 12.5-req_s or 300-concurrency; a file of requests over time goes to --day"),
        )
    if float(amount) > MOST_DEMAND:
        raise UsageError(
            "scenario.demand",
            t('The demand "{text}" is more than any service carries', text=text[:60]),
            fix=t("Give a number above 0, up to {most}", most=f"{MOST_DEMAND:,.0f}"),
        )
    return Demand(peak=float(amount), kind=DemandKind(told))
