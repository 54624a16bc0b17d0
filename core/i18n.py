"""Sentences that know their values but not yet their language.

`core` writes every user-visible sentence as a `Text`: an English template and its
values. Whoever shows it picks the language. `t` marks a template for extraction
(`make messages`); catalogues live in data/locale/<language>/LC_MESSAGES/plimsoll.po.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from core.letters import seen
from core.particles import CLOSING, PAIRS, fitting
from core.settings import DATA

LANGUAGES = ("en", "ko")
DOMAIN = "plimsoll"

_BRACES = ("{{", "}}")
_PLACE = re.compile(
    rf"\{{\{{|\}}\}}|\{{([A-Za-z_]\w*)\}}(?:([{re.escape(CLOSING)}]*)({'|'.join(map(re.escape, PAIRS))}))?"
)
"""A brace that is meant, or a name in braces; in Korean with the particle behind it, which has to fit the value."""


@dataclass(frozen=True, slots=True)
class Text:
    """A template with named values, rendered in a language on demand.

    Attributes:
        msgid: English text in `str.format` syntax; the key of the catalogue.
        values: what fills the template; a `Text` value is rendered in the same language.
    """

    msgid: str
    values: Mapping[str, str | int | float | Text] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Values come from files and persons: what acts unseen goes before anything else is made of them.
        kept = {name: seen(value) if isinstance(value, str) else value for name, value in self.values.items()}
        object.__setattr__(self, "values", kept)

    def render(self, language: str = "en") -> str:
        """Return the sentence in `language`, or in English where it has no translation.

        A place in it is a name in braces and nothing more: a stored template may come from anybody, and what
        `str.format` understands would read attributes or fill the memory. A name without a value stays as it is.
        """

        def filled(place: re.Match[str]) -> str:
            if place[0] in _BRACES:
                return place[0][0]
            value = self.values.get(place[1])
            if value is None:
                return place[0]
            said = value.render(language) if isinstance(value, Text) else str(value)
            return f"{said}{place[2]}{fitting(said, place[3])}" if place[3] else said

        return seen(_PLACE.sub(filled, translator(language)(self.msgid)))

    def __str__(self) -> str:
        return self.render()


def t(msgid: str, **values: str | float | Text) -> Text:
    """Mark an English template for translation and bind its values."""
    return Text(msgid, values)


def joined(texts: Sequence[Text]) -> Text:
    """Return several texts as one, separated by commas.

    >>> str(joined([t("one"), t("two"), t("three")]))
    'one, two, three'
    """
    template = ", ".join(f"{{_{i}}}" for i in range(len(texts)))
    return Text(template, {f"_{i}": text for i, text in enumerate(texts)})


def best_language(wanted: str | None) -> str:
    """Return the shipped language nearest to a browser tag such as "ko-KR"."""
    stem = (wanted or "").replace("_", "-").split("-")[0].lower()
    return stem if stem in LANGUAGES else "en"


@cache
def translator(language: str) -> Callable[[str], str]:
    """Return the gettext function of one language; English is the identity."""
    return _catalogue(language).gettext


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    path = DATA / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if language == "en" or not path.exists():
        return gettext.NullTranslations()
    # The .po file is compiled in memory, so that no binary needs to be kept in step with it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
