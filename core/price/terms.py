"""What goes with a price, as short texts that an address and a command line hold: "discount=25%", "tax=10%:counted"."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import quote, unquote

from core.catalogue.prices import ListPrice, prices
from core.errors import UsageError
from core.i18n import t
from core.model.owned import Owned
from core.model.owned_text import OwnedTextError, parse_owned
from core.model.price import Exchange, Listed, Price, Tax
from core.model.price_bounds import OWNED_FIELDS, beyond, out_of_bounds, wrong_owned


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What goes with a price: everything of a `Price` but its amount, what that is for, its currency and counts."""

    output_weight: float = 4.0
    cached_weight: float = 0.0
    discount: float = 0.0
    exchange: Exchange | None = None
    tax: Tax | None = None
    owned: Owned | None = None
    listed: Listed | None = None
    pools: tuple[tuple[str, int, int], ...] = ()
    power_kw: float | None = None
    as_of: str = ""


NO_TERMS = Terms()


def terms_of(price: Price) -> Terms:
    """Return what goes with a price."""
    return Terms(**{each.name: getattr(price, each.name) for each in fields(Terms)})


def with_terms(price: Price, terms: Terms) -> Price:
    """Return a price with its terms; what is owned brings its own amount.

    Raises:
        UsageError: "price.terms" where a number is none that a price has.
    """
    if terms.owned:
        # What cannot be worked out has no amount yet, and is refused for its own field.
        known = next(wrong_owned(terms.owned), None) is None
        price = replace(price, amount=terms.owned.per_hour if known else price.amount)
    found = replace(price, **{each.name: getattr(terms, each.name) for each in fields(Terms)})
    wrong = out_of_bounds(found)
    if wrong:
        raise beyond(wrong, _said(found, wrong))
    return found


def _said(price: Price, name: str) -> str:
    """Return a value that is out of its bounds, as it was typed."""
    match name:
        case "exchange":
            return "" if price.exchange is None else f"{price.exchange.quoted}:{price.exchange.rate:.12g}"
        case "tax":
            return "" if price.tax is None else f"{as_percent(price.tax.rate):.12g}%"
        case "listed":
            return "" if price.listed is None else f"{price.listed.amount:.12g}"
        case "discount" | "cached_weight":
            return f"{as_percent(getattr(price, name)):.12g}%"
        case "interest":
            return "" if price.owned is None else f"{as_percent(price.owned.interest):.12g}%"
        case "as_of":
            return price.as_of or (price.exchange.as_of if price.exchange else "")
        case "accelerators" | "pools":
            return ", ".join(":".join(map(str, each)) for each in getattr(price, name))
        case _:
            value = getattr(price.owned if price.owned and name in OWNED_FIELDS else price, name)
            return "" if value is None else f"{value:.12g}"


def as_percent(share: float) -> float:
    """Return a share as people type it, without the dust of the multiplication.

    >>> as_percent(0.07), from_percent(7.0)
    (7.0, 0.07)
    """
    return float(f"{share * 100.0:.12g}")


def from_percent(percent: float) -> float:
    """Return a percentage as a share."""
    return float(f"{percent / 100.0:.12g}")


def owned_from(typed: Mapping[str, float | None]) -> Owned:
    """Return owned hardware as a form has it: interest in per cent, a PUE left empty is 1, what else is empty is 0."""
    said = {name: typed.get(name) or (1.0 if name == "pue" else 0.0) for name in OWNED_FIELDS}
    return Owned(**{**said, "interest": from_percent(said["interest"])})


def listed_of(row: ListPrice) -> Listed:
    """Return a row of data/prices as a scenario keeps it."""
    return Listed(
        provider=row.provider,
        sku=row.sku,
        region=row.region,
        accelerator=row.accelerator,
        commitment=row.commitment,
        amount=row.each,
        currency=row.currency,
        as_of=row.as_of,
        certainty=row.certainty,
        source=row.source,
        notes=row.notes,
    )


def key_of(row: ListPrice | Listed) -> str:
    """Return what tells a row from every other one, short enough to be typed."""
    said = (row.provider, row.sku, row.region, row.accelerator, row.commitment, row.as_of)
    return _BETWEEN.join(quote(text, safe=" ./+") for text in said)


def find_listed(key: str) -> Listed | None:
    """Return the row that a key means today, None where there is none."""
    return next((listed_of(row) for row in prices() if key_of(row) == key), None)


def terms_texts(terms: Terms) -> tuple[str, ...]:
    """Return texts that `parse_terms` reads back; what is as usual is left out."""
    return tuple(_texts(terms))


def parse_terms(texts: Iterable[str]) -> Terms:
    """Read terms: "discount=25%", "tax=10%:quoted", "exchange=USD:1380:2026-11-01", "own=capex:30000,years:4" ….

    Raises:
        UsageError: "price.terms" where a text says nothing that is known.
    """
    found = NO_TERMS
    for text in texts:
        name, equals, said = text.strip().partition("=")
        read = _READ.get(name.strip())
        if not equals or read is None:
            raise _refused(text)
        try:
            changed = read(said.strip())
        except OwnedTextError as error:
            raise UsageError(
                "price.terms", t("own= beside a price cannot be read: {why}", why=error.what), fix=error.fix
            ) from error
        except (ValueError, KeyError, UsageError) as error:
            raise _refused(text) from error
        field = _FIELDS.get(name.strip(), name.strip())
        new: dict[str, Any] = {field: (*found.pools, changed) if field == "pools" else changed}
        found = replace(found, **new)
    with_terms(Price(amount=1.0, per_accelerator=True), found)
    return found


def _texts(terms: Terms) -> Iterator[str]:
    if terms.output_weight != NO_TERMS.output_weight:
        yield f"ratio={terms.output_weight:.12g}"
    if terms.cached_weight != NO_TERMS.cached_weight:
        yield f"cached={terms.cached_weight:.12g}"
    if terms.discount:
        yield f"discount={terms.discount:.12g}"
    if terms.exchange:
        rate = (quote(terms.exchange.quoted), f"{terms.exchange.rate:.12g}", terms.exchange.as_of)
        yield f"exchange={':'.join(filter(None, rate))}"
    if terms.tax:
        words = ("quoted" if terms.tax.quoted_with else "", "counted" if terms.tax.counted else "")
        yield f"tax={':'.join(filter(None, (f'{terms.tax.rate:.12g}', *words)))}"
    if terms.owned:
        said = ((name, getattr(terms.owned, name)) for name in OWNED_FIELDS)
        yield f"own={','.join(f'{name}:{value:.12g}' for name, value in said)}"
    if terms.listed:
        known = find_listed(key_of(terms.listed)) == terms.listed
        yield f"listed={key_of(terms.listed) if known else _whole(terms.listed)}"
    yield from (f"pools={quote(run, safe='')}:{prefill}:{decode}" for run, prefill, decode in terms.pools)
    if terms.power_kw is not None:
        yield f"power={terms.power_kw:.12g}"
    if terms.as_of:
        yield f"as-of={terms.as_of}"


_BETWEEN = "|"
_LISTED = tuple(field.name for field in fields(Listed))


def _whole(listed: Listed) -> str:
    return _BETWEEN.join(quote(str(getattr(listed, name)), safe=" ./+@()") for name in _LISTED)


def _read_listed(text: str) -> Listed:
    parts = [unquote(part) for part in text.split(_BETWEEN)]
    if len(parts) == len(_LISTED):
        said: dict[str, Any] = dict(zip(_LISTED, parts, strict=True))
        return Listed(**{**said, "amount": _number(said["amount"])})
    found = find_listed(text)
    if found is None:
        raise KeyError(text)
    return found


def _read_exchange(text: str) -> Exchange:
    quoted, rate, *day = text.split(":")
    return Exchange(quoted=unquote(quoted), rate=_number(rate), as_of=day[0] if day else "")


def _read_tax(text: str) -> Tax:
    rate, *words = text.split(":")
    if set(words) - {"quoted", "counted"}:
        raise ValueError(text)
    return Tax(rate=_share(rate), quoted_with="quoted" in words, counted="counted" in words)


def _read_pools(text: str) -> tuple[str, int, int]:
    run, prefill, decode = text.rsplit(":", 2)
    if not all(count.isascii() and count.isdigit() for count in (prefill, decode)):
        raise ValueError(text)
    return unquote(run), int(prefill[:9]), int(decode[:9])


def _share(text: str) -> float:
    """Return "25%" as 0.25, "0.25" as it is."""
    bare = text.strip()
    return _number(bare[:-1]) / 100.0 if bare.endswith("%") else _number(bare)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


_READ: Mapping[str, Callable[[str], object]] = {
    "ratio": _number,
    "cached": _share,
    "discount": _share,
    "exchange": _read_exchange,
    "tax": _read_tax,
    "own": parse_owned,
    "listed": _read_listed,
    "pools": _read_pools,
    "power": _number,
    "as-of": str,
}
_FIELDS = {
    "ratio": "output_weight",
    "cached": "cached_weight",
    "own": "owned",
    "power": "power_kw",
    "as-of": "as_of",
}


def _refused(text: str) -> UsageError:
    return UsageError(
        "price.terms",
        t('"{text}" is nothing that goes with a price', text=text),
        fix=t(
            "Write for example discount=25%, tax=10%:counted, exchange=USD:1380:2026-11-01 or own=capex:30000,years:4"
        ),
    )
