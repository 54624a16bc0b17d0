"""Hostile texts in everything that is sent: each file is read back by another program, and nothing in it acts."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from functools import cache
from html.parser import HTMLParser

import openpyxl
import pptx
import pypdf
import pytest
from lxml import etree

from core.letters import seen
from core.present.report.exports import answers_csv, findings_csv, levels_csv, scenario_json
from core.present.report.memo import memo_of
from core.present.report.page import memo_html
from core.present.report.pdf import memo_pdf
from core.present.report.slides import slides
from core.present.report.workbook import workbook
from tests.security.hostile import FORMULAS, MARKUP, TEXTS, UNSEEN, fits, harmless, hostile_scenario

STARTS = tuple("=+-@\t\r\n＝＋－＠")
GROUPS = {"formulas": FORMULAS, "markup": MARKUP, "unseen": UNSEEN}
NUMBER = re.compile(r"-?[\d.]+(e[-+]?\d+)?")
LINK = "http://127.0.0.1:8501/?s=token"

each_group = pytest.mark.parametrize("group", GROUPS)


@cache
def scenario(group):
    return hostile_scenario(*GROUPS[group])


def memo(group):
    return memo_of(scenario(group), fits(scenario(group)), link=LINK)


def cells(data):
    text = harmless(data.decode("utf-8-sig"))
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@each_group
def test_no_cell_of_csv_is_a_formula_and_every_text_is_still_there(group):
    known = scenario(group)
    rows = {make: cells(make(known)) for make in (answers_csv, levels_csv, findings_csv)}
    for table in rows.values():
        assert {len(row) for row in table} == {len(table[0])}
        for cell in (cell for row in table for cell in row):
            assert NUMBER.fullmatch(cell) or not cell.startswith(STARTS), cell
    assert [len(rows[make]) - 1 for make in rows] == [len(GROUPS[group]), 5 * len(GROUPS[group]), len(GROUPS[group])]
    wanted = [f"'{run.label}" if run.label.startswith(STARTS) else run.label for run in known.runs]
    assert [row[0] for row in rows[answers_csv][1:]] == wanted


@each_group
def test_json_says_every_text_and_nothing_else(group):
    known = scenario(group)
    document = json.loads(harmless(scenario_json(known).decode()), parse_constant=pytest.fail)
    assert document["scenario"]["name"] == known.name
    assert document["scenario"]["notes"] == known.notes
    assert [run["label"] for run in document["runs"]] == [run.label for run in known.runs]
    assert [run["conditions"]["model"] for run in document["runs"]] == [run.conditions.model for run in known.runs]


def parts(data):
    """Every part of an Office file, each of which has to be XML that another program reads."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        read = {name: file.read(name) for name in file.namelist()}
    known = {name: etree.fromstring(part) for name, part in read.items() if name.endswith((".xml", ".rels"))}
    for name, part in known.items():
        harmless("".join(part.itertext()))
        if name.endswith(".rels"):
            assert not [each for each in part if each.get("TargetMode") == "External"], name
    assert not [name for name in read if re.search(r"vba|macro|externalLink|activeX|oleObject", name, re.IGNORECASE)]
    return known


@each_group
def test_a_spreadsheet_holds_texts_as_texts_and_our_formulas_alone(group):
    known = scenario(group)
    data = workbook(known, link=LINK, fits=fits(known))
    parts(data)
    book = openpyxl.load_workbook(io.BytesIO(data))
    found = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    formulas = [str(cell.value) for cell in found if cell.data_type == "f"]
    assert formulas
    for formula in formulas:
        assert not re.search(r"HYPERLINK|cmd|WEBSERVICE|example|alert|DDE|\[", formula), formula
    texts = {str(cell.value) for cell in found if cell.data_type == "s"}
    assert {seen(run.label) for run in known.runs} <= texts
    assert not any(cell.hyperlink for cell in found)
    # Typed over, a text that begins as a formula would become one but for this mark.
    assert all(cell.quotePrefix for cell in found if cell.data_type == "s" and cell.value.startswith("="))


@each_group
def test_slides_hold_texts_as_texts(group):
    data = slides(scenario(group), link=None, fits=fits(scenario(group)))
    parts(data)
    deck = pptx.Presentation(io.BytesIO(data))
    said = "\n".join(shape.text_frame.text for page in deck.slides for shape in page.shapes if shape.has_text_frame)
    assert scenario(group).name[:20] in said


class Page(HTMLParser):
    """Tags with their attributes, and the words between them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self._style = [], [], False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._style = tag == "style"

    def handle_endtag(self, _tag):
        self._style = False

    def handle_data(self, data):
        if not self._style:
            self.words.append(data)


@each_group
def test_a_page_and_a_pdf_show_texts_and_ask_nobody(group):
    page = Page(harmless(memo_html(memo(group))))
    assert not {tag for tag, _ in page.tags} & {"script", "iframe", "object", "embed", "base", "form", "link"}
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            value = attributes.get(name) or "#"
            assert value.startswith(("#", "data:image/")) or (tag == "a" and value == LINK), (tag, value)
    assert seen(scenario(group).name[:30]) in re.sub(r"\s+", " ", "".join(page.words))
    read = pypdf.PdfReader(io.BytesIO(memo_pdf(memo(group))))
    root = read.trailer["/Root"]
    assert not {"/OpenAction", "/AA", "/AcroForm"} & set(root)
    links = [note.get_object()["/A"] for note in read.pages[0].get("/Annots") or ()]
    assert {str(link.get("/URI")) for link in links} <= {LINK}
    assert read.pages[0].extract_text()


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_no_letter_that_acts_is_left_in_a_model_made_of_it(number):
    """Where texts are born: what is made of them needs no second look."""
    known = hostile_scenario(TEXTS[number])
    run = known.runs[0]
    said = [
        run.label,
        *run.conditions.known().values(),
        run.files[0].name,
        run.stages[0].excluded,
        str(run.stages[0].where),
    ]
    said += [run.backend, run.format_version, *run.calls.values(), known.price.currency]
    for text in (each for each in said if isinstance(each, str)):
        assert "\n" not in harmless(text)
    harmless(known.name + known.notes + str(run.findings[0].what))
