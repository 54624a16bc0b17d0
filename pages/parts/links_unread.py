"""What of an address could not be read: it is left out, and whoever follows the link is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.errors import PlimsollError
from core.model.fleet_text import parse_fleet
from core.model.traffic_text import parse_traffic
from pages.parts import keys
from pages.parts.errors import attempt
from pages.parts.links import MOST_TERMS, OWNED, Ask, from_params, row_from, terms_read

MOST_TOLD, MOST_LETTERS = 5, 60


def unread(params: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Return the values of an address that say nothing to Plimsoll, cut short, without their names.

    >>> unread({"terms": ["discount=100%", "discount=10%"], "t": ["ttft-p99-500ms", "ttft-fast"]})
    ('ttft-fast', 'discount=100%')
    """
    given = {name: [text for text in params.get(name, [])[:MOST_TERMS] if text] for name in (*_READ, *_TOGETHER)}
    found = [text for name, is_read in _READ.items() for text in given[name] if not is_read(text)]
    found += [text for name, read in _TOGETHER.items() for text in given[name] if text not in read(given[name])]
    return tuple(text[:MOST_LETTERS] for text in found[:MOST_TOLD])


def _means(name: str) -> Callable[[str], bool]:
    """Return whether a value alone asks for anything."""
    return lambda text: from_params({name: [text]}, Ask()) != Ask()


def _all_or_none(parse: Callable[[list[str]], object]) -> Callable[[list[str]], list[str]]:
    return lambda texts: [] if isinstance(attempt(lambda: parse(texts)), PlimsollError) else texts


_READ: Mapping[str, Callable[[str], bool]] = {
    keys.Q_TARGET: lambda text: row_from(text) is not None,
    keys.Q_PRICE: lambda text: text.startswith(f"{OWNED}/") or _means(keys.Q_PRICE)(text),
    keys.Q_CURRENCY: lambda text: text.strip().isalpha(),
    keys.Q_RUN_PRICE: _means(keys.Q_RUN_PRICE),
    keys.Q_COUNT: _means(keys.Q_COUNT),
    keys.Q_THINK: _means(keys.Q_THINK),
    keys.Q_DEMAND: _means(keys.Q_DEMAND),
    keys.Q_WORKLOAD: _means(keys.Q_WORKLOAD),
}
_TOGETHER: Mapping[str, Callable[[list[str]], list[str]]] = {
    keys.Q_TERMS: lambda texts: terms_read(texts)[1],
    keys.Q_TRAFFIC: _all_or_none(parse_traffic),
    keys.Q_FLEET: _all_or_none(lambda texts: parse_fleet(texts[0]) if texts else None),
}
"""What is read only together with the others of its name."""
