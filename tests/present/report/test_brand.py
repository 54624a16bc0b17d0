"""A person's own logo and accent: what is taken, what is refused, and that words in any accent can be read."""

from __future__ import annotations

import io
import json
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from core.errors import UsageError
from core.present.report.brand import LARGEST, MOST_BYTES, PLIMSOLL, Brand, brand_bytes, brand_of, own_logo
from core.present.report.contrast import contrast, readable
from core.present.report.logo import logo_of

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def picture(kind="PNG", size=(300, 100), mode="RGB", **more):
    out = io.BytesIO()
    Image.new(mode, size, "red").save(out, kind, **more)
    return out.getvalue()


def opened(data):
    return Image.open(io.BytesIO(data))


def refused(data):
    with pytest.raises(UsageError) as caught:
        own_logo(data)
    return caught.value.code


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_is_written_anew_as_png(kind):
    found = opened(own_logo(picture(kind)))
    assert (found.format, found.size, found.mode) == ("PNG", (300, 100), "RGB")
    assert found.getpixel((5, 5))[0] > 250


def test_a_large_one_is_made_smaller_and_keeps_its_shape_and_its_clearness():
    found = opened(own_logo(picture(size=(3000, 1000), mode="RGBA")))
    assert found.size == LARGEST
    assert found.mode == "RGBA"
    assert opened(own_logo(picture(size=(100, 2000)))).size == (20, 400)


def test_what_a_picture_carries_along_is_left_behind():
    from PIL.PngImagePlugin import PngInfo

    told = PngInfo()
    told.add_text("Comment", "secret words")
    data = picture(pnginfo=told)
    assert b"secret words" in data
    assert b"secret words" not in own_logo(data)
    assert b"hidden behind" not in own_logo(picture() + b"<script>hidden behind</script>")


def test_a_jpeg_that_lies_on_its_side_is_turned():
    exif = Image.Exif()
    exif[0x0112] = 6
    assert opened(own_logo(picture("JPEG", exif=exif))).size == (100, 300)


@pytest.mark.parametrize(
    "data", [SVG, b"\xef\xbb\xbf  " + SVG, b"\x1f\x8b\x08\x00drawn small", b"<svg onload='alert(1)'>"]
)
def test_drawings_are_refused_with_the_way_out(data):
    assert refused(data) == "brand.logo_drawing"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a picture",
        b"GIF89a",
        b"<!doctype html><p>",
        picture("GIF"),
        picture("BMP"),
        picture("TIFF"),
        picture("WEBP"),
        picture()[:60],
        picture("JPEG")[:200],
        b"%!PS-Adobe-3.0 EPSF-3.0\n",
        b"\x89PNG\r\n\x1a\n" + b"\x00" * 50,
    ],
)
def test_what_is_no_picture_that_is_taken_is_refused(data):
    assert refused(data) == "brand.logo_not_an_image"


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def test_bombs_are_refused_before_they_unfold():
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\x00" * 1000)) + chunk(b"IEND", b"")
    assert refused(bomb) == "brand.logo_too_large"
    assert refused(picture(size=(5000, 4000))) == "brand.logo_too_large"
    assert refused(b"x" * (MOST_BYTES + 1)) == "brand.logo_too_large"


@given(data=st.binary(max_size=400))
def test_any_bytes_are_a_logo_or_refused(data):
    assert refused(data).startswith("brand.")


@pytest.mark.parametrize(
    "accent", ["", "red", "#fff", "#12345g", "#1234567", "0067a8", "#0067a8;}", "url(x)", " #0067a8"]
)
def test_an_accent_that_is_no_colour_is_refused(accent):
    with pytest.raises(UsageError) as caught:
        Brand(accent=accent)
    assert caught.value.code == "brand.accent"


@given(accent=COLOURS)
def test_words_in_any_accent_can_be_read_on_white_and_on_dark(accent):
    brand = Brand(accent=accent)
    assert contrast(brand.on_white, "#ffffff") >= 4.5
    assert contrast(brand.on_dark, "#10171e") >= 4.5
    if contrast(accent, "#ffffff") >= 4.5:
        assert brand.on_white == accent


@given(one=COLOURS, other=COLOURS)
def test_contrast_is_between_one_and_twenty_one_whichever_comes_first(one, other):
    assert 1.0 <= contrast(one, other) <= 21.0 + 1e-9
    assert contrast(one, other) == contrast(other, one)


def test_contrast_is_that_of_known_pairs():
    """Values of the WCAG working group's own examples and of two public calculators."""
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#ff0000", "#ffffff") == pytest.approx(4.00, abs=0.005)
    assert contrast("#0000ff", "#ffffff") == pytest.approx(8.59, abs=0.005)
    assert readable("#ffffff", "#ffffff") != "#ffffff"


@given(accent=COLOURS)
def test_a_brand_comes_back_from_its_bytes(accent):
    for logo in (None, own_logo(picture(size=(40, 20)))):
        brand = Brand(logo=logo, accent=accent)
        back = brand_of(brand_bytes(brand))
        assert back.accent == brand.accent
        assert (back.logo is None) is (logo is None)
        if logo:
            assert opened(back.logo).tobytes() == opened(logo).tobytes()


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        (b"", "brand.unreadable"),
        (b"\xff\xfe", "brand.unreadable"),
        (b"[]", "brand.unreadable"),
        (b'{"accent": 5}', "brand.unreadable"),
        (b'{"accent": "#0067a8", "logo": "%%%"}', "brand.unreadable"),
        (b'{"accent": "red"}', "brand.accent"),
        (json.dumps({"accent": "#0067a8", "logo": "PHN2Zz4="}).encode(), "brand.logo_drawing"),
        (b'{"accent": "' + b"x" * 9_000_000 + b'"}', "brand.unreadable"),
    ],
)
def test_what_was_kept_is_not_believed(stored, code):
    with pytest.raises(UsageError) as caught:
        brand_of(stored)
    assert caught.value.code == code


def test_a_page_has_a_logo_that_keeps_its_shape():
    own = logo_of(Brand(logo=own_logo(picture(size=(800, 100)))))
    assert own.fit(width=42.0, height=11.0) == {"width": 42.0}
    assert logo_of(Brand(logo=own_logo(picture(size=(100, 100))))).fit(width=42.0, height=11.0) == {"height": 11.0}
    assert logo_of(PLIMSOLL).png != logo_of(PLIMSOLL, dark=True).png
    assert own.uri.startswith("data:image/png;base64,")
