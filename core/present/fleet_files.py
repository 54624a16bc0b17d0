"""The tables of a fleet for a file: the rows of the screen, amounts as numbers with their currency in a column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.dated import UNDATED, Dated, bill_marks, with_marks
from core.present.demand import UNTOLD
from core.present.fleet_budget import fits_text
from core.present.fleet_tables import WAYS, End3, counted_over, fleet_rows, setting_text
from core.present.fleet_words import CAUTIONS

_FROM, _TO, _CURRENCY = t("From"), t("To"), t("Currency")
_MONTH = (t("A month, from"), t("A month"), t("A month, to"))
_REPLICAS = (t("Replicas, range from"), t("Replicas"), t("Replicas, range to"))


def _numbers(cells: Iterable[float | None]) -> pd.Series[float]:
    return pd.Series(list(cells), dtype="Float64")


def _words(cells: Iterable[str | None]) -> pd.Series[str]:
    return pd.Series(list(cells), dtype="str")


def _ends(names: Sequence[Text], rows: Sequence[End3], language: str) -> dict[str, pd.Series[float]]:
    return {name.render(language): _numbers(row[place] for row in rows) for place, name in enumerate(names)}


def _of(found: Interval | None) -> End3:
    return (found.low, found.mid, found.high) if found else (None, None, None)


def numbers_file(found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> pd.DataFrame:
    """Return the rows of `fleet_table`: number, both ends, currency of amounts, what each is counted in.

    `dated` tells which prices are old: then the rows of money say so in a last column, here and below.
    """
    rows, marks = fleet_rows(found, language), bill_marks([pool.answer for pool in found.pools], dated, language)
    frame = pd.DataFrame(
        {
            t("Number").render(language): _words(row.name.render(language) for row in rows),
            t("Value").render(language): _numbers(row.value[1] for row in rows),
            _FROM.render(language): _numbers(row.value[0] for row in rows),
            _TO.render(language): _numbers(row.value[2] for row in rows),
            _CURRENCY.render(language): _words(found.currency if row.is_money else None for row in rows),
            t("Counted in").render(language): _words(row.unit.render(language) if row.unit else None for row in rows),
        }
    )
    return with_marks(frame, [marks if row.is_money else () for row in rows], language)


def cautions_file(found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> pd.DataFrame:
    """Return the rows of `cautions_table`, what each adds as numbers."""
    rows = found.added
    frame = pd.DataFrame(
        {
            t("Caution").render(language): _words(CAUTIONS[each.caution].render(language) for each in rows),
            t("Setting").render(language): _words(setting_text(each, found, language) for each in rows),
            t("Replicas it adds alone").render(language): _numbers(each.alone for each in rows),
            t("On top of those above").render(language): _numbers(each.stacked for each in rows),
        }
    )
    if found.currency and all(each.stacked_month is not None for each in rows):
        frame[t("On top, a month").render(language)] = _numbers(each.stacked_month for each in rows)
        frame[_CURRENCY.render(language)] = _words(found.currency for _ in rows)
        marks = bill_marks([pool.answer for pool in found.pools], dated, language)
        return with_marks(frame, [marks] * len(rows), language)
    return frame


def ways_file(found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> pd.DataFrame:
    """Return the rows of `ways_table`, amounts as numbers."""
    ways = found.ways
    return pd.DataFrame(
        {
            t("Way to pay").render(language): _words(WAYS[way.name].render(language) for way in ways),
            **_ends(_MONTH, [_of(way.month) for way in ways], language),
            _CURRENCY.render(language): _words(found.currency for _ in ways),
            t("Counted over").render(language): _words(counted_over(way, found, language, dated) for way in ways),
        }
    )


def hardware_file(
    found: Sequence[Affordable], currency: str, language: str = "en", dated: Dated = UNDATED
) -> pd.DataFrame:
    """Return the rows of `hardware_table`: replicas and bill as numbers, why there are none, and whether they fit."""
    counts = [(one.replicas.fewest, one.replicas.count, one.replicas.most) for one in found]
    frame = pd.DataFrame(
        {
            t("Run").render(language): _words(one.answer.run.label for one in found),
            **_ends(_REPLICAS, counts, language),
            **_ends(_MONTH, [_of(one.month) for one in found], language),
            _CURRENCY.render(language): _words(currency for _ in found),
            t("Within the budget").render(language): _words(fits_text(one, language) for one in found),
            t("Cannot tell, since").render(language): _words(
                UNTOLD[one.untold].render(language) if one.untold else None for one in found
            ),
        }
    )
    return with_marks(frame, [bill_marks([one.answer], dated, language) for one in found], language)
