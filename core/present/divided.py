"""One bill divided four ways, in words: why the denominator stands next to every number."""

from __future__ import annotations

import pandas as pd

from core.i18n import t
from core.present.numbers import large, money, percent, plain
from core.price.divided import RATIO, deepseek_day, divided


def day_table(language: str = "en") -> pd.DataFrame:
    """Return the four ways with what a million tokens cost by each, and the input price of the weighted ones."""
    day = deepseek_day()
    found = divided(day)

    def shown(amount: float) -> str:
        return money(amount, day.currency, language)

    rows = (
        (t("all on output tokens"), shown(found.per_output), None),
        (t("over all tokens, cached input too"), shown(found.per_total), None),
        (t("weighted, all input counted as work"), shown(found.weighted), shown(found.weighted / RATIO)),
        (t("weighted, without cached input"), shown(found.weighted_uncached), shown(found.weighted_uncached / RATIO)),
    )
    return pd.DataFrame(
        {
            t("Divided").render(language): pd.Series([name.render(language) for name, *_ in rows], dtype="str"),
            t("Per million").render(language): pd.Series([amount for _, amount, _ in rows], dtype="str"),
            t("Per million input").render(language): pd.Series([into for *_, into in rows], dtype="str"),
        }
    )


def day_notes(language: str = "en") -> tuple[str, ...]:
    """Return what the example is, and what it teaches."""
    day = deepseek_day()
    found = divided(day)
    told = t(
        "DeepSeek's published day: {bill} for {input} input tokens ({cached} of them from the cache) and {output} "
        "output tokens",
        bill=f"{plain(day.bill, language, digits=6)} {day.currency}",
        input=large(day.input, language),
        cached=percent(day.cached / day.input, language),
        output=large(day.output, language),
    )
    factor = plain(found.per_output / found.per_total, language, digits=2)
    lesson = t(
        'Same bill, same day: under "Per million" the largest figure is {factor} times the smallest. Only weighted '
        "figures, of input and output together, add up to the bill",
        factor=factor,
    )
    source = t("Source: {source}", source=f"{day.source}, {day.as_of}")
    return tuple(text.render(language) for text in (told, lesson, source))
