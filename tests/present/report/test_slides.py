"""The deck, read back: native charts with the answer's numbers, words inside their boxes, nothing that leads out."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pylopdf_fonts_ko
import pytest
from PIL import ImageFont
from pptx import Presentation
from pptx.util import Pt

from core.model.redaction import without_prices
from core.model.run import Kind
from core.model.scenario import DecisionColumn
from core.present.report.brand import Brand
from core.present.report.slides import slides
from core.present.report.slides_asked import place
from core.present.report.slides_page import new_deck, page
from tests.present.builders import FakeFit, answer_of, cost_of, run_of
from tests.present.report.report_build import HOSTILE, named, sample_fits, sample_scenario, scenario_of

EMU = 914400
FACE = ImageFont.truetype(str(Path(pylopdf_fonts_ko.__file__).parent / "NotoSansKR-Regular.otf"), 100)


def deck_of(data):
    return Presentation(io.BytesIO(data))


@pytest.fixture(scope="module")
def sample():
    return slides(sample_scenario(), fits=sample_fits(), link="https://plimsoll.example/?share=abc")


@pytest.fixture(scope="module")
def crowded():
    """Six runs with names of 120 letters and twelve columns of the person's own, all of it hostile."""
    labels = [f"{text} {'Langer Name mit vielen Worten ' * 4}"[:119] + str(i) for i, text in enumerate(HOSTILE[:6])]
    answers = [named(answer_of(cost=cost_of()), i, label) for i, label in enumerate(labels)]
    answers[0] = replace(answers[0], run=replace(answers[0].run, kind=Kind.SIMULATED))
    values = {f"run-{i}": text for i, text in enumerate(labels)}
    columns = tuple(DecisionColumn(name=text[:120], values=values) for text in (*HOSTILE[-2:], *HOSTILE[:10]))
    scenario = scenario_of(*answers, name="W" * 120, notes="\n".join(HOSTILE), decision=columns)
    return slides(scenario, fits={a.run.id: FakeFit(a.run) for a in answers}, link="https://x.example/" + "s" * 150)


def charts(deck):
    return [shape for slide in deck.slides for shape in slide.shapes if shape.has_chart]


def points(shape):
    """Name and pairs of every series, from the XML of the chart."""
    found = {}
    for series in shape.chart.plots[0].series:
        values = [[float(v.text) for v in series._element.xpath(f"./c:{axis}//c:pt/c:v")] for axis in ("xVal", "yVal")]
        found[series.name] = list(zip(*values, strict=True))
    return found


def texts(deck):
    every = [frame.text for frame, *_ in frames(deck)]
    return [*every, *(name for shape in charts(deck) for name in points(shape))]


def frames(deck):
    """Every frame of words with the width and height that it has, inches."""
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_text_frame and shape.text_frame.text:
                yield shape.text_frame, shape.width / EMU, shape.height / EMU
            if shape.has_table:
                table = shape.table
                for r, row in enumerate(table.rows):
                    for c, column in enumerate(table.columns):
                        cell = table.cell(r, c)
                        wide = column.width - cell.margin_left - cell.margin_right
                        yield cell.text_frame, wide / EMU, (row.height - cell.margin_top - cell.margin_bottom) / EMU


def lines_needed(paragraph, wide):
    """Lines of a paragraph in the real letters of Noto Sans KR, broken at spaces, long words anywhere."""
    size = paragraph.runs[0].font.size / Pt(1)
    limit = wide * 72 / size * 100
    if paragraph._p.pPr is not None and paragraph._p.pPr.get("marL"):
        limit -= int(paragraph._p.pPr.get("marL")) / EMU * 72 / size * 100
    lines, at = 1, 0.0
    for word in paragraph.text.split(" "):
        own = FACE.getlength(word)
        if at and at + FACE.getlength(" ") + own > limit:
            lines, at = lines + 1, 0.0
        at += own + (FACE.getlength(" ") if at else 0.0)
        lines += int(at // limit)
        at %= limit
    return lines


@pytest.mark.parametrize("which", ["sample", "crowded"])
def test_words_stay_inside_their_boxes_and_boxes_on_the_page(which, request):
    deck = deck_of(request.getfixturevalue(which))
    for frame, wide, tall in frames(deck):
        needed = sum(lines_needed(p, wide) * p.line_spacing / Pt(1) / 72 for p in frame.paragraphs if p.text)
        assert needed <= tall + 0.01, (frame.text[:80], needed, tall)
    for slide in deck.slides:
        for shape in slide.shapes:
            assert shape.left >= 0
            assert shape.top >= 0
            assert shape.left + shape.width <= deck.slide_width + 1
            assert shape.top + shape.height <= deck.slide_height + 1


def test_the_charts_hold_the_numbers_of_the_answer(sample):
    latency, throughput, cost = (points(shape) for shape in charts(deck_of(sample)))
    simulated, measured = sample_scenario().answers
    levels = [(s.load, pytest.approx(s.value("ttft", "p99") * 1000)) for s in measured.run.stages]
    assert latency["tiny-llama: measured"] == levels
    assert latency["cb-emu: simulated"] == [
        (s.load, pytest.approx(s.value("ttft", "p99") * 1000)) for s in simulated.run.stages
    ]
    assert [y for _, y in latency["TTFT p99 ≤ 500 ms"]] == [500.0, 500.0]
    assert latency["tiny-llama: load it to here"] == [(measured.capacity.safe, 500.0)]
    assert throughput["tiny-llama: measured"] == [(s.load, pytest.approx(s.output_tok_s)) for s in measured.run.stages]
    # 5 dollars an hour over a million tokens at each level's rate.
    wanted = [(s.load, pytest.approx(5e6 / 3600 / s.output_tok_s)) for s in measured.run.stages]
    assert cost["tiny-llama: measured"] == wanted
    (mark,) = cost["tiny-llama: load it to here"]
    assert mark == (measured.capacity.safe, pytest.approx(measured.cost.per_million_output.mid))


def test_simulated_levels_are_hollow_and_their_curve_is_dashed(sample):
    for shape in charts(deck_of(sample)):
        looks = {series.name: series._element for series in shape.chart.plots[0].series}
        assert looks["cb-emu: simulated"].xpath("./c:marker/c:spPr/a:noFill")
        assert not looks["tiny-llama: measured"].xpath("./c:marker/c:spPr/a:noFill")
        assert looks["cb-emu: estimate"].xpath("./c:spPr/a:ln/a:prstDash[@val='dash']")
        assert not looks["tiny-llama: estimate"].xpath("./c:spPr/a:ln/a:prstDash[@val='dash']")


def test_every_slide_marks_candidates_where_there_are_any(sample):
    mark = "simulated: candidate, not confirmed"
    for slide in deck_of(sample).slides:
        assert any(shape.has_text_frame and shape.text_frame.text == mark for shape in slide.shapes)
    run = run_of()
    plain = deck_of(slides(scenario_of(answer_of(run)), fits={run.id: FakeFit(run)}))
    assert not [text for text in texts(plain) if "simulated" in text or "candidate" in text]


@pytest.mark.parametrize("which", ["sample", "crowded"])
def test_nothing_leads_out_of_the_file(which, request):
    with zipfile.ZipFile(io.BytesIO(request.getfixturevalue(which))) as parts:
        for name in parts.namelist():
            if name.endswith(".rels"):
                assert b'TargetMode="External"' not in parts.read(name), name
            if name.startswith("ppt/slides/slide"):
                assert b"hlinkClick" not in parts.read(name)


@pytest.mark.parametrize("which", ["sample", "crowded"])
def test_whoever_does_not_see_a_chart_hears_what_it_shows(which, request):
    for slide in deck_of(request.getfixturevalue(which)).slides:
        assert slide.shapes.title.text_frame.text
        for shape in slide.shapes:
            if shape.has_chart or shape.has_table or shape.shape_type == 13:
                assert shape._element.xpath(".//p:cNvPr/@descr")[0].strip()
    assert any(
        "crossed at about" in shape._element.xpath(".//p:cNvPr/@descr")[0]
        for shape in charts(deck_of(request.getfixturevalue("sample")))
    )


def test_six_runs_are_drawn_as_far_as_they_can_be_told_apart_and_the_rest_is_said(crowded):
    deck = deck_of(crowded)
    said = " ".join(texts(deck))
    assert "2 more runs are not drawn." in said
    # Those of the choice come to them: why nothing is ranked, the numbers, the seven conditions.
    assert 7 <= len(deck.slides) <= 10
    assert HOSTILE[0][:4] in said


@pytest.mark.parametrize("language", ["en", "ko"])
def test_without_prices_no_slide_speaks_of_money(language):
    deck = deck_of(slides(without_prices(sample_scenario()), language, fits=sample_fits(), prices_hidden=True))
    assert len(charts(deck)) == 2
    assert not [text for text in texts(deck) if "$" in text or "USD" in text]


def test_korean_has_its_letters_and_words():
    data = slides(sample_scenario(), "ko", fits=sample_fits(), accent="#7a3e00")
    assert "동시 요청" in " ".join(texts(deck_of(data)))
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        theme = parts.read("ppt/theme/theme1.xml").decode()
    assert 'typeface="Noto Sans KR"' in theme
    assert 'a:ea typeface="Malgun Gothic"' in theme
    assert "7A3E00" in theme


def cells(deck):
    """The words of every cell of every table."""
    tables = [shape.table for slide in deck.slides for shape in slide.shapes if shape.has_table]
    return [cell.text_frame.text for table in tables for row in table.rows for cell in row.cells]


@pytest.mark.parametrize("count", [1, 7, 60])
def test_a_table_is_cut_nowhere_where_more_slides_hold_it(count):
    deck = new_deck(Brand())
    said = [f"Group {at}" for at in range(count)]
    long = [" ".join(f"condition-{each}" for each in range(60)) if at % 3 == 0 else None for at in range(count)]
    frame = pd.DataFrame({"Condition": said, "State": ["unknown"] * count, "Unknown": long, "Accepted": [None] * count})
    place(lambda title: page(deck, title, Brand(), foot="", badge=None), "The seven conditions", frame)
    found = cells(deck)
    assert "…" not in "".join(found)
    assert {*said, "Condition", "State", "unknown"} <= set(found)
    assert found.count("unknown") == count


def test_of_a_row_that_no_slide_holds_the_long_cell_alone_is_cut():
    deck = new_deck(Brand())
    frame = pd.DataFrame({"Condition": ["Load"], "State": ["unknown"], "Unknown": ["word " * 4000], "Accepted": [None]})
    place(lambda title: page(deck, title, Brand(), foot="", badge=None), "The seven conditions", frame)
    cut = [text for text in cells(deck) if text.endswith("…")]
    assert len(cut) == 1
    assert cut[0].startswith("word word")
    assert cells(deck)[:5] == ["Condition", "State", "Unknown", "Accepted", "Load"]
