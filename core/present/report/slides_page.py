"""One deck while it is made: wide pages, our colours and letters, boxes whose words stay inside."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.text.text import TextFrame
from pptx.util import Inches, Length, Pt

from core.present.report.brand import Brand
from core.present.report.logo import logo_of
from core.present.report.slides_text import LINE, Fitted, Line, fitted

WIDE, HIGH = 13.333, 7.5
LEFT, TOP, ACROSS = 0.6, 1.45, WIDE - 1.2
BOTTOM = 6.85
INK, QUIET, AMBER, PALE = "#0e1820", "#56636e", "#7a3e00", "#ffe9c7"
LATIN, EAST = "Noto Sans KR", "Malgun Gothic"
"""What is named first is used where it is installed; Office brings the second for Korean."""

_TITLE_ONLY = 5
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands, inches from the upper left."""

    left: float
    top: float
    width: float
    height: float

    @property
    def emu(self) -> tuple[Length, Length, Length, Length]:
        """Return the same as the library counts."""
        return Inches(self.left), Inches(self.top), Inches(self.width), Inches(self.height)


def new_deck(brand: Brand) -> Deck:
    """Return a wide deck without slides, in the brand's accent and our letters."""
    deck: Deck = Presentation()
    ratio = Inches(WIDE) / Inches(10.0)
    deck.slide_width, deck.slide_height = Inches(WIDE), Inches(HIGH)
    for page in (deck.slide_master, *deck.slide_layouts):
        for shape in page.shapes:
            if shape.width is not None:
                shape.left, shape.width = Length(int(shape.left * ratio)), Length(int(shape.width * ratio))
    _theme(deck, brand.on_white)
    return deck


def page(deck: Deck, title: str, brand: Brand, *, foot: str, badge: str | None) -> Slide:
    """Add a slide with its title, a line in the accent, the foot and, where asked, the mark of a candidate."""
    slide: Slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    room = ACROSS - (3.9 if badge else 0.0)
    heading: Any = slide.shapes.title
    heading.left, heading.top, heading.width, heading.height = Box(LEFT, 0.4, room, 0.8).emu
    write(heading.text_frame, [Line(title, bold=True)], (room, 0.8), (26, 22, 18, 15), anchor=MSO_ANCHOR.BOTTOM)
    line = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *Box(LEFT, 1.25, ACROSS, 0.04).emu)
    paint(line, brand.on_white)
    decorative(line)
    if badge:
        mark(slide, badge, Box(WIDE - LEFT - 3.7, 0.62, 3.7, 0.42))
    say(slide, [Line(foot, colour=QUIET)], Box(LEFT, 7.0, ACROSS - 0.8, 0.3), (10,))
    number = [Line(str(len(deck.slides)), colour=QUIET)]
    say(slide, number, Box(WIDE - LEFT - 0.7, 7.0, 0.7, 0.3), (10,), right=True)
    return slide


def say(slide: Slide, lines: Sequence[Line], box: Box, sizes: Sequence[float], *, right: bool = False) -> Fitted:
    """Write paragraphs into a box at the largest size that fits; return what was written."""
    shape = slide.shapes.add_textbox(*box.emu)
    done = write(shape.text_frame, lines, (box.width, box.height), sizes)
    if right:
        for paragraph in shape.text_frame.paragraphs:
            paragraph._p.get_or_add_pPr().set("algn", "r")
    return done


def write(
    frame: TextFrame,
    lines: Sequence[Line],
    room: tuple[float, float],
    sizes: Sequence[float],
    *,
    anchor: MSO_ANCHOR = MSO_ANCHOR.TOP,
) -> Fitted:
    """Fill a frame without margins."""
    found = fitted([Line(clean(e.text), e.scale, e.bold, e.colour, e.bullet) for e in lines], *room, sizes)
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = Length(0)
    frame.word_wrap, frame.auto_size, frame.vertical_anchor = True, MSO_AUTO_SIZE.NONE, anchor
    for place, line in enumerate(found.lines):
        if place:
            frame.add_paragraph()  # type: ignore[no-untyped-call]  # the library does not say
        paragraph = frame.paragraphs[-1]
        size = found.size * line.scale
        paragraph.line_spacing = Pt(round(size * LINE, 2))
        paragraph.space_before = paragraph.space_after = Pt(0)
        properties = paragraph._p.get_or_add_pPr()
        properties.set("algn", "l")
        if line.bullet:
            indent = int(Pt(size * 1.2))
            properties.set("marL", str(indent))
            properties.set("indent", str(-indent))
            etree.SubElement(properties, qn("a:buFont")).set("typeface", "Arial")
            etree.SubElement(properties, qn("a:buChar")).set("char", "•")
        run = paragraph.add_run()
        run.text = line.text
        run.font.size, run.font.bold = Pt(size), line.bold
        run.font.color.rgb = rgb(line.colour or INK)
    return found


def mark(slide: Slide, text: str, box: Box) -> None:
    """Write the mark of numbers that are simulated: nobody may take them for measured ones."""
    shape = slide.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, *box.emu)
    paint(shape, PALE)
    lines = [Line(text, bold=True, colour=AMBER)]
    write(shape.text_frame, lines, (box.width - 0.2, box.height), (13, 12, 11, 10), anchor=MSO_ANCHOR.MIDDLE)
    shape.text_frame.margin_left = shape.text_frame.margin_right = Inches(0.1)


def logo(slide: Slide, brand: Brand, box: Box) -> None:
    """Place the logo at the right upper corner of a box, with its alternative text."""
    own = logo_of(brand)
    scale = min(box.width / own.width, box.height / own.height)
    width, height = own.width * scale, own.height * scale
    place = Box(box.left + box.width - width, box.top, width, height)
    picture = slide.shapes.add_picture(io.BytesIO(own.png), *place.emu)
    describe(picture, str(own.alt))


def describe(shape: object, text: str) -> None:
    """Give a shape its alternative text."""
    element = shape._element  # type: ignore[attr-defined]
    element.xpath(".//p:cNvPr")[0].set("descr", clean(text))


def decorative(shape: Shape) -> None:
    """Say that a shape tells nothing."""
    describe(shape, "")


def paint(shape: Shape, colour: str) -> None:
    """Fill a shape, without a line around it and without a shadow."""
    shape.fill.solid()
    shape.fill.fore_color.rgb = rgb(colour)
    shape.line.fill.background()
    # The style of the theme would bring a shadow, which some programs draw even where it is switched off.
    for style in shape._element.xpath("./p:style"):
        shape._element.remove(style)


def rgb(colour: str) -> RGBColor:
    """Return "#rrggbb" as the library has it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return RGBColor(red, green, blue)  # type: ignore[no-untyped-call]  # the library does not say


def clean(text: str) -> str:
    """Return text that XML can hold, on one line."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _theme(deck: Deck, accent: str) -> None:
    """Give the theme our accent and letters, so that charts, tables and new slides follow."""
    part = deck.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    tree = etree.fromstring(part.blob)
    for found in tree.iter(qn("a:accent1")):
        found[0].set("val", accent.lstrip("#").upper())
    for kind in ("a:majorFont", "a:minorFont"):
        for fonts in tree.iter(qn(kind)):
            fonts.find(qn("a:latin")).set("typeface", LATIN)
            fonts.find(qn("a:ea")).set("typeface", EAST)
    part._blob = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)
