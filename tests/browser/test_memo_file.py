"""The memo's HTML file in a browser that may fetch nothing: it fits a telephone and prints on one page."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from core.model.scenario import DecisionColumn, Demand
from core.present.report.page import memo_html
from tests.present.report.memo_build import memo, priced, runs_of, scenario_of

pytestmark = pytest.mark.browser

HOSTILE = "<img src=http://127.0.0.1:9/x.png onerror=document.title='owned'> [link](http://127.0.0.1:9)"


@pytest.fixture(scope="module")
def found():
    runs = runs_of("emulator", "vllm_cpu")
    own = (DecisionColumn(name="Lead time", values={run.id: "6 weeks" for run in runs}),)
    return scenario_of(runs, price=priced(runs), demand=Demand(peak=120), notes=HOSTILE, decision=own)


@pytest.fixture
def sheet(browser):
    """A tab of its own: the file needs no server."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def opened(sheet, tmp_path, text):
    """The page after opening a file, and every address that it asked for beside itself."""
    path = tmp_path / "memo.html"
    path.write_text(text, encoding="utf-8")
    asked, said = [], []
    sheet.on("request", lambda request: asked.append(request.url))
    sheet.on("console", lambda message: said.append(message.text))
    sheet.on("pageerror", lambda error: said.append(str(error)))
    sheet.goto(path.as_uri())
    return [url for url in asked if not url.startswith(("data:", path.as_uri()))], said


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("runs", [1, 2, 4])
def test_it_prints_on_one_page_and_asks_for_nothing(sheet, tmp_path, found, language, runs):
    scenario, fits = found
    answers = {1: scenario.answers[:1], 2: scenario.answers, 4: (*scenario.answers, *_again(scenario))}[runs]
    scenario = replace(scenario, answers=answers, runs=tuple(answer.run for answer in answers))
    asked, said = opened(sheet, tmp_path, memo_html(memo((scenario, fits), language)))
    assert (asked, said) == ([], [])
    assert sheet.title() == scenario.name
    printed = PdfReader(io.BytesIO(sheet.pdf(prefer_css_page_size=True)))
    assert len(printed.pages) == 1
    assert str(answers[0].capacity.safe) in printed.pages[0].extract_text()


def _again(scenario):
    return tuple(replace(a, run=replace(a.run, id=f"{a.run.id}-b", label=f"{a.run.label} b")) for a in scenario.answers)


@pytest.mark.parametrize(
    ("name", "own"), [("W" * 118, 12), ("한글 이름 " * 19, 3), (HOSTILE, 12)], ids=["wide", "korean", "hostile"]
)
def test_names_and_columns_as_long_as_they_may_be_still_print_on_one_page(sheet, tmp_path, found, name, own):
    scenario, fits = found
    answers = (*scenario.answers, *_again(scenario))
    answers = tuple(replace(a, run=replace(a.run, label=f"{i} {name}"[:120])) for i, a in enumerate(answers))
    columns = tuple(
        DecisionColumn(name=f"{i} {name}"[:120], values={a.run.id: name for a in answers}) for i in range(own)
    )
    runs = tuple(answer.run for answer in answers)
    crowded = replace(scenario, name=name[:120], answers=answers, runs=runs, decision=columns, notes=f"{name}\n" * 60)
    opened(sheet, tmp_path, memo_html(memo((crowded, fits), "en")))
    assert len(PdfReader(io.BytesIO(sheet.pdf(prefer_css_page_size=True))).pages) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_telephone_and_follows_the_theme(sheet, tmp_path, found, scheme):
    sheet.emulate_media(color_scheme=scheme)
    sheet.set_viewport_size({"width": 420, "height": 800})
    asked, said = opened(sheet, tmp_path, memo_html(memo(found)))
    assert (asked, said) == ([], [])
    assert sheet.evaluate("document.documentElement.scrollWidth") <= 420
    ground = sheet.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 23, 30)"}[scheme]
    ink = sheet.evaluate("getComputedStyle(document.querySelector('svg.narrow text')).fill")
    assert ink == sheet.evaluate("getComputedStyle(document.body).color")
    assert sheet.locator("svg.narrow").is_visible()
    assert not sheet.locator("svg.wide").is_visible()


def test_the_policy_stops_what_somebody_would_add(sheet, tmp_path, found):
    text = memo_html(memo(found))
    added = text.replace(
        "</body>", "<script>document.title='owned'</script><img src='http://127.0.0.1:9/x.png'></body>"
    )
    _, said = opened(sheet, tmp_path, added)
    sheet.wait_for_timeout(200)
    assert sheet.title() == found[0].name
    assert any("Content Security Policy" in line for line in said)
