"""The logo at the head of a page: a person's own, else Plimsoll's."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass

from core.i18n import Text, t
from core.present.report.brand import Brand
from core.settings import DATA

_FOLDER = DATA / "brand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """A PNG with its size in pixels and what it says to those who do not see it."""

    png: bytes
    width: int
    height: int
    alt: Text

    def fit(self, *, width: float, height: float) -> dict[str, float]:
        """Return the side that a box of this size limits, by its name.

        >>> Logo(png=b"", width=400, height=100, alt=t("Logo")).fit(width=42.0, height=11.0)
        {'width': 42.0}
        """
        if self.width / self.height > width / height:
            return {"width": width}
        return {"height": height}

    @property
    def uri(self) -> str:
        """Return the picture as an address that makes no request."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode("ascii")


def logo_of(brand: Brand, *, dark: bool = False) -> Logo:
    """Return the logo for a light page, or for a dark one; a person's own is the same on both."""
    if brand.logo is not None:
        return _measured(brand.logo, t("Logo"))
    return _measured((_FOLDER / f"logo-{'dark' if dark else 'light'}.png").read_bytes(), t("Logo of Plimsoll"))


def _measured(png: bytes, alt: Text) -> Logo:
    width, height = struct.unpack(">II", png[16:24])
    return Logo(png=png, width=width, height=height, alt=alt)
