"""The tables of a comparison for a file: the rows of the screen, numbers as numbers with both ends of their range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from core.compare.compare import Comparison, Standing, Verdict
from core.compare.quantity import Quantity, is_of_one_load
from core.i18n import t
from core.model.answer import Interval
from core.present.compare_names import QUANTITIES
from core.present.compare_table import RUN, SAFE, header
from core.present.compare_words import standing_text
from core.present.names import kind_text
from core.present.per_money import in_amount
from core.present.stopped import stop_cell
from core.present.traffic import for_traffic_view

VALUE = t("Value")
_ENDS = (t("Range from"), t("Range to"))


def asked(found: Comparison) -> tuple[Standing, ...]:
    """Return the quantities that were asked for."""
    return tuple(each for each in found.standings if each.verdict is not Verdict.NOT_ASKED)


def runs_file(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return one row for each run: its safe number, the chance that it leads with both ends, what stops it."""
    answers, chances = found.answers, found.deciding.chances
    views = [for_traffic_view(answer) for answer in answers]
    columns: dict[str, pd.Series] = {
        RUN.render(language): _words(answer.run.label for answer in answers),
        SAFE.render(language): pd.Series([view.capacity.safe for view in views], dtype="Int64"),
    }
    if chances:
        columns[t("Chance that it leads, from").render(language)] = _numbers(chance.low for chance in chances)
        columns[t("Chance that it leads, to").render(language)] = _numbers(chance.high for chance in chances)
    columns[t("Stopped by").render(language)] = _words(stop_cell(view, language) for view in views)
    columns[t("Kind").render(language)] = _words(kind_text(answer.run.kind, language) for answer in answers)
    return pd.DataFrame(columns)


def quantities_file(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return one row for each quantity and run: the number with both ends; unknown is empty."""
    rows = [(each, place) for each in asked(found) for place in range(len(found.answers))]
    shown = [_shown(found, each, place) for each, place in rows]
    return pd.DataFrame(
        {
            t("Quantity").render(language): _words(_name(found, each.quantity, language) for each, _ in rows),
            RUN.render(language): _words(found.answers[place].run.label for _, place in rows),
            VALUE.render(language): _numbers(one.mid if one else None for one in shown),
            **_ranges(shown, language),
        }
    )


def cost_rows(found: Comparison) -> dict[int, str]:
    """Return which rows of `quantities_file` hold the cost of a token, with the ids of their runs.

    A row whose cost is not told is none of them: what was measured with other requests stands elsewhere.
    """
    count = len(found.answers)
    at = [place for place, each in enumerate(asked(found)) if each.quantity is Quantity.COST]
    return {
        first * count + place: answer.run.id
        for first in at
        for place, answer in enumerate(found.answers)
        if is_of_one_load(answer)
    }


def value_columns(language: str = "en") -> dict[str, str]:
    """Return the heads of a number and of its ends in `quantities_file`, by "mid", "low" and "high"."""
    names = dict(zip(("mid", "low", "high"), (VALUE, *_ENDS), strict=True))
    return {end: name.render(language) for end, name in names.items()}


def _shown(found: Comparison, standing: Standing, place: int) -> Interval | None:
    """Return a number in the unit that its row names."""
    shown = standing.figures[place].shown
    return in_amount(shown, found) if standing.quantity is Quantity.USERS_PER_MONEY else shown


def _name(found: Comparison, quantity: Quantity, language: str) -> str:
    if quantity is Quantity.CAPACITY:
        return QUANTITIES[quantity].render(language)
    return header(found, quantity, language).render(language)


def _ranges(shown: Sequence[Interval | None], language: str) -> dict[str, pd.Series]:
    start, end = _ENDS
    return {
        start.render(language): _numbers(one.low if one else None for one in shown),
        end.render(language): _numbers(one.high if one else None for one in shown),
    }


def multiples_file(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return one row for each multiple: the quantity, the better run, the other one, how many times with both ends."""
    labels = {answer.run.id: answer.run.label for answer in found.answers}
    every = found.multiples
    return pd.DataFrame(
        {
            t("Quantity").render(language): _words(QUANTITIES[each.quantity].render(language) for each in every),
            t("The better run").render(language): _words(labels[each.one] for each in every),
            t("The other run").render(language): _words(labels[each.other] for each in every),
            t("Times").render(language): _numbers(each.times.mid for each in every),
            **_ranges([each.times for each in every], language),
        }
    )


def verdicts_file(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return one row for each quantity that was asked for: who leads in it, in a sentence."""
    every = asked(found)
    return pd.DataFrame(
        {
            t("Quantity").render(language): _words(QUANTITIES[each.quantity].render(language) for each in every),
            t("Who leads").render(language): _words(standing_text(found, each, language) for each in every),
        }
    )


def _numbers(cells: Iterable[float | None]) -> pd.Series[float]:
    return pd.Series(list(cells), dtype="Float64")


def _words(cells: Iterable[str | None]) -> pd.Series[str]:
    return pd.Series(list(cells), dtype="str")
