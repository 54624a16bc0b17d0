"""Draws the mark (a circle crossed by a horizontal line) into data/brand: `python scripts/brand.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

OUT = Path(__file__).resolve().parent.parent / "data" / "brand"
SIDE = 1024
"""Drawn large and shrunk, so that edges are smooth."""
INK = {"light": "#0067A8", "dark": "#66B8EE"}
WORD = {"light": "#16212C", "dark": "#E8EEF4"}


def mark(ink: str) -> Image.Image:
    """Return the mark on a transparent square of SIDE pixels."""
    image = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.ellipse((172, 172, 852, 852), outline=ink, width=100)
    draw.rounded_rectangle((16, 460, 1008, 564), radius=52, fill=ink)
    return image


def logo(theme: str) -> Image.Image:
    """Return the mark with the name beside it, for one theme."""
    image = Image.new("RGBA", (4 * SIDE + SIDE // 2, SIDE), (0, 0, 0, 0))
    image.alpha_composite(mark(INK[theme]))
    font = ImageFont.load_default(size=760)
    ImageDraw.Draw(image).text((SIDE + 220, SIDE // 2), "Plimsoll", font=font, fill=WORD[theme], anchor="lm")
    return image.crop(image.getbbox())


def main() -> None:
    """Write the page icon and one logo per theme."""
    mark(INK["light"]).resize((128, 128), Image.Resampling.LANCZOS).save(OUT / "mark.png", optimize=True)
    for theme in INK:
        drawn = logo(theme)
        small = drawn.resize((round(drawn.width * 96 / drawn.height), 96), Image.Resampling.LANCZOS)
        small.save(OUT / f"logo-{theme}.png", optimize=True)


if __name__ == "__main__":
    main()
