"""A person's own logo and accent on what they send: decoded, measured and written anew, never passed on as given."""

from __future__ import annotations

import base64
import binascii
import io
import re
import warnings
from dataclasses import dataclass

import msgspec
from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import UsageError
from core.i18n import t
from core.present.report.contrast import readable

ACCENT = "#0067a8"
"""Of Plimsoll itself."""

MOST_BYTES = 2_000_000
MOST_PIXELS = 16_000_000
LARGEST = (1200, 400)
"""In pixels; a logo stands at 40 mm x 12 mm at most, which is 760 dots to the inch."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_FORMATS = ("PNG", "JPEG")
_LONGEST = 4 * MOST_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """What makes a page a person's own.

    Attributes:
        logo: PNG as `own_logo` wrote it, None for Plimsoll's.
        accent: "#rrggbb" as chosen.

    Raises:
        UsageError: "brand.accent" where the accent is no such colour.
    """

    logo: bytes | None = None
    accent: str = ACCENT

    def __post_init__(self) -> None:
        if not _HEX.fullmatch(self.accent):
            raise UsageError(
                "brand.accent",
                t("The accent colour is not written as # and six digits"),
                fix=t("Write it like #0067a8, or choose it from the palette"),
            )
        object.__setattr__(self, "accent", self.accent.lower())

    @property
    def on_white(self) -> str:
        """Return the accent, darkened until words in it can be read on white (4.5 : 1)."""
        return readable(self.accent, "#ffffff")

    @property
    def on_dark(self) -> str:
        """Return the accent, lightened until words in it can be read on a dark page (4.5 : 1)."""
        return readable(self.accent, "#10171e")


PLIMSOLL = Brand()


class _Stored(msgspec.Struct):
    """How a brand is kept."""

    accent: str
    logo: str | None = None


def brand_bytes(brand: Brand) -> bytes:
    """Return a brand as JSON, to be kept as a preference."""
    logo = base64.b64encode(brand.logo).decode("ascii") if brand.logo is not None else None
    return msgspec.json.encode(_Stored(accent=brand.accent, logo=logo))


def brand_of(data: bytes) -> Brand:
    """Return what `brand_bytes` wrote; nothing in it is believed, the logo is decoded once more.

    Raises:
        UsageError: "brand.unreadable", or as `Brand` and `own_logo`.
    """
    try:
        if len(data) > _LONGEST:
            raise ValueError("too long")
        found = msgspec.json.decode(data, type=_Stored)
        logo = base64.b64decode(found.logo, validate=True) if found.logo is not None else None
    except (msgspec.DecodeError, UnicodeDecodeError, binascii.Error, ValueError) as error:
        raise UsageError(
            "brand.unreadable",
            t("The logo and accent that were kept cannot be read"),
            fix=t("Choose them again"),
        ) from error
    return Brand(logo=own_logo(logo) if logo is not None else None, accent=found.accent)


def own_logo(data: bytes) -> bytes:
    """Return an uploaded logo as a PNG of our own writing: pixels alone, at most 1200 x 400, its clearness kept.

    Args:
        data: an upload, which may be anything.

    Raises:
        UsageError: "brand.logo_too_large", "brand.logo_drawing" for SVG and the like, "brand.logo_not_an_image".
    """
    if len(data) > MOST_BYTES:
        raise _too_large()
    if _is_drawing(data):
        raise UsageError(
            "brand.logo_drawing",
            t("The logo is a drawing (SVG), which can hold more than a picture"),
            fix=t("Save it as PNG and choose that"),
        )
    try:
        # A picture that would unfold into a thousand times its size is refused before it does.
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
            if image.width * image.height > MOST_PIXELS:
                raise _too_large()
            return _written(image)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large() from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, TypeError) as error:
        raise UsageError(
            "brand.logo_not_an_image",
            t("The logo is not a picture that can be read"),
            fix=t("Choose a PNG or JPEG file"),
        ) from error


def _written(image: Image.Image) -> bytes:
    has_clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    upright = ImageOps.exif_transpose(image)
    plain = upright.convert("RGBA" if has_clear else "RGB")
    plain.thumbnail(LARGEST, Image.Resampling.LANCZOS)
    clean = Image.new(plain.mode, plain.size)
    clean.paste(plain)
    out = io.BytesIO()
    clean.save(out, "PNG")
    return out.getvalue()


def _is_drawing(data: bytes) -> bool:
    head = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<", b"\x1f\x8b")) and not head.startswith(b"<!doctype html")


def _too_large() -> UsageError:
    return UsageError(
        "brand.logo_too_large",
        t("The logo is larger than {megabytes} MB or than {pixels} million pixels", megabytes=2, pixels=16),
        fix=t("Make it smaller: 1200 by 400 pixels are enough"),
    )
