"""Letters on machines with and without a font of their own: Korean is set either way."""

from __future__ import annotations

import io

import typst
from pypdf import PdfReader

from core.present.report.fonts import NAMES, letters, packaged


def test_there_are_letters_and_their_files():
    for found in (letters(), packaged()):
        assert found.family in NAMES
        assert found.regular.is_file()
        assert found.bold.is_file()


def test_the_packaged_letters_alone_set_korean():
    found = packaged()
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(found.folder)])
    assert found.family in fonts.families()
    source = f'#set text(font: "{found.family}", lang: "ko")\n안전하게 감당하는 동시 요청 41개'.encode()
    data = typst.compile(source, font_paths=fonts, timestamp=0, pdf_standards=["a-2b"])
    page = PdfReader(io.BytesIO(data)).pages[0]
    assert "안전하게 감당하는 동시 요청 41개" in " ".join(page.extract_text().split())
