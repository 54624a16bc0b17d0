"""The letters of documents: Latin and Korean in one family, from the system or from a package of Python's.

Debian's fonts-noto-cjk (regular and bold) goes first; the package pylopdf-fonts-ko holds the regular face alone.
Both are Noto Sans under the SIL Open Font License 1.1: it may be used and embedded, docs/reports.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

_PACKAGE = "pylopdf_fonts_ko"
_SYSTEM = (
    "/usr/share/fonts/opentype/noto",  # Debian, Ubuntu: fonts-noto-cjk
    "/usr/share/fonts/noto-cjk",  # Arch
    "/usr/share/fonts/google-noto-sans-cjk-fonts",  # Fedora
)
_REGULAR, _BOLD = "NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"

NAMES = ("Noto Sans CJK KR", "Noto Sans KR")
"""The family as the system and as the package call it; the same letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """One family of letters.

    Attributes:
        family: its name for a typesetter.
        folder: where its files lie. regular, bold: the files; bold is the regular one where there is no other.
    """

    family: str
    folder: Path
    regular: Path
    bold: Path


@cache
def letters() -> Letters:
    """Return the letters of this machine."""
    for folder in map(Path, _SYSTEM):
        if (folder / _REGULAR).is_file():
            bold = folder / _BOLD
            regular = folder / _REGULAR
            return Letters(family=NAMES[0], folder=folder, regular=regular, bold=bold if bold.is_file() else regular)
    return packaged()


def packaged() -> Letters:
    """Return the letters that come with the requirements, for machines without a font of their own."""
    folder = Path(str(files(_PACKAGE)))
    only = folder / "NotoSansKR-Regular.otf"
    return Letters(family=NAMES[1], folder=folder, regular=only, bold=only)
