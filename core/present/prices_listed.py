"""The list of published prices, and the catalogue of accelerators, as tables and documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

import pandas as pd

from core.catalogue.hardware import Accelerator, Quantity, Standing, catalogue
from core.catalogue.prices import ListPrice, age_in_days, age_of
from core.i18n import Text, t
from core.present.numbers import money, plain
from core.present.price_words import age_mark, certainty_text, commitment_text
from core.price.terms import key_of
from core.settings import price_days

Json = dict[str, Any]
Column = tuple[Text, list[str | None]]

UNRANKED = t(
    "Not a ranking: peak TFLOPS and training results say little about serving, where memory bandwidth, software and "
    "the targets decide. Compare measurements under the same conditions instead"
)
"""Said with every row of the catalogue."""

QUANTITIES: dict[Quantity, Text] = {
    Quantity.MEMORY: t("Memory as sold"),
    Quantity.MEMORY_SEEN: t("Memory that software sees"),
    Quantity.BANDWIDTH: t("Memory bandwidth"),
    Quantity.BF16: t("BF16, dense"),
    Quantity.FP8: t("FP8, dense"),
    Quantity.FP4: t("FP4, dense"),
    Quantity.TDP: t("Design power of the chip (TDP)"),
    Quantity.LINK_ONE_WAY: t("Link to other accelerators, one way"),
    Quantity.LINK_BOTH_WAYS: t("Link to other accelerators, both ways"),
    Quantity.SCALEUP_DOMAIN: t("Accelerators that fast links join"),
    Quantity.ALL_IN_POWER: t("Power with host, network and cooling"),
}

STANDINGS: dict[Standing, Text] = {
    Standing.USED: t("in use here"),
    Standing.OTHER: t("another source"),
    Standing.SPARSE: t("with sparsity, not comparable"),
}


def prices_document(rows: Iterable[ListPrice], today: date) -> Json:
    """Return prices with key, price of one accelerator and age, for scripts."""
    limit = price_days()
    return {
        "schema": "plimsoll.prices/1",
        "today": today.isoformat(),
        "stale_after_days": limit,
        "prices": [
            {
                "key": key_of(row),
                **asdict(row),
                "per_accelerator_hour": row.each,
                "age_days": age_in_days(row.as_of, today),
                "age": age_of(row.as_of, today, limit).value,
            }
            for row in rows
        ],
    }


def prices_table(rows: Sequence[ListPrice], today: date) -> str:
    """Return prices as plain text, two lines a row: what it costs and whose it is, then key, source and marks."""
    lines = []
    for row in rows:
        day = row.as_of or "no date"
        marks = ", ".join(filter(None, (age_mark(row.as_of, today), certainty_text(row.certainty))))
        lines.append(
            f"{money(row.each, row.currency, digits=6)} per accelerator and hour  {row.accelerator}  "
            f"{row.provider} {row.sku}  {commitment_text(row.commitment)}  {row.region or 'region not stated'}  "
            f"{day}  ({marks})"
        )
        lines.append(f"    key: {key_of(row)}")
        lines.append(f"    source: {row.source}" + (f"; {row.notes}" if row.notes else ""))
    return "\n".join(lines)


def prices_frame(rows: Sequence[ListPrice], today: date, language: str = "en") -> pd.DataFrame:
    """Return prices as a table for the screen: every row with its source, day and what is to be minded."""
    columns: list[Column] = [
        (t("Accelerator"), [row.accelerator for row in rows]),
        (t("Per accelerator and hour"), [money(row.each, row.currency, language, digits=6) for row in rows]),
        (t("Provider"), [row.provider for row in rows]),
        (t("Offer"), [row.sku for row in rows]),
        (t("Commitment"), [commitment_text(row.commitment, language) for row in rows]),
        (t("Region"), [row.region or None for row in rows]),
        (t("Day"), [row.as_of or None for row in rows]),
        (t("Age"), [age_mark(row.as_of, today, language) for row in rows]),
        (t("Certainty"), [certainty_text(row.certainty, language) for row in rows]),
        (t("Source"), [row.source for row in rows]),
        (t("Note"), [row.notes or None for row in rows]),
    ]
    return _frame(columns, language)


def figures_frame(part: Accelerator, language: str = "en") -> pd.DataFrame:
    """Return every figure of an accelerator, those that disagree beside the one in use, each with its source."""
    found = [(quantity, figure) for quantity, figures in part.figures.items() for figure in figures]
    columns: list[Column] = [
        (t("Figure"), [QUANTITIES[quantity].render(language) for quantity, _ in found]),
        (t("Value"), [f"{plain(figure.value, language, digits=6)} {figure.unit}" for _, figure in found]),
        (t("Standing"), [STANDINGS[figure.standing].render(language) for _, figure in found]),
        (t("Certainty"), [certainty_text(figure.certainty, language) for _, figure in found]),
        (t("Day"), [figure.as_of for _, figure in found]),
        (t("Source"), [figure.source for _, figure in found]),
        (t("Note"), [figure.note or None for _, figure in found]),
    ]
    return _frame(columns, language)


def catalogue_frame(language: str = "en") -> pd.DataFrame:
    """Return every accelerator with the figures in use; a figure that is doubted or that sources dispute is marked."""
    parts = catalogue()
    heads: list[Column] = [
        (t("Accelerator"), [part.name for part in parts]),
        (t("Vendor"), [part.vendor for part in parts]),
    ]
    for quantity, name in QUANTITIES.items():
        heads.append((name, [_cell(part, quantity, language) for part in parts]))
    heads += [
        (t("Why there is no ranking"), [UNRANKED.render(language) for _ in parts]),
        (t("Source"), [part.source for part in parts]),
        (t("Day"), [part.as_of for part in parts]),
    ]
    return _frame(heads, language)


def _cell(part: Accelerator, quantity: Quantity, language: str) -> str | None:
    figure = part.used(quantity)
    if figure is None:
        return None
    shown = f"{plain(figure.value, language, digits=6)} {figure.unit}"
    others = [one for one in part.others(quantity) if one.standing is Standing.OTHER]
    if others:
        said = ", ".join(plain(one.value, language, digits=6) for one in others)
        return t("{value} (other sources: {others})", value=shown, others=said).render(language)
    if figure.certainty == "uncertain":
        return t("{value} (uncertain)", value=shown).render(language)
    return shown


def _frame(columns: Sequence[Column], language: str) -> pd.DataFrame:
    return pd.DataFrame({head.render(language): pd.Series(cells, dtype="str") for head, cells in columns})
