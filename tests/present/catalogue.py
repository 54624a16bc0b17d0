"""What the code says and what the catalogues hold, for the test of the catalogues and `tests.present.missing`."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ("core", "pages")
KEYWORDS = {"t": None, "_": None, "gettext": None, "ngettext": (1, 2)}
PLACEHOLDER = re.compile(r"\{(\w*)[^}]*\}")


def messages():
    """Every sentence of the code, with the file it was first found in."""
    with warnings.catch_warnings():
        # An f-string among the values of a sentence is no message; Babel warns of it all the same.
        warnings.simplefilter("ignore", SyntaxWarning)
        return _extracted()


def _extracted():
    found = {}
    for folder in SOURCES:
        for path, _, message, *_ in extract_from_dir(ROOT / folder, [("**.py", "python")], keywords=KEYWORDS):
            found.setdefault(message, f"{folder}/{path}")
    for _, message, *_ in extract_from_file("python", ROOT / "app.py", keywords=KEYWORDS):
        found.setdefault(message, "app.py")
    return found


def catalogue(language):
    """The catalogue of a language as Babel reads it."""
    path = ROOT / "data" / "locale" / language / "LC_MESSAGES" / "plimsoll.po"
    with path.open("rb") as source:
        return read_po(source, locale=language)


def placeholders(text):
    """The names that a template is filled with, sorted; doubled ones count twice."""
    return sorted(PLACEHOLDER.findall(text))
