"""The memo as one HTML file: words are words, nothing is fetched, and it holds what the PDF holds."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core.model.answer import Interval
from core.model.scenario import DecisionColumn, Demand
from core.present.money import with_range
from core.present.report.brand import Brand, own_logo
from core.present.report.memo_cut import ROOMS, cut
from core.present.report.memo_widths import BESIDE, LETTERS, LONGEST_NUMBER, OVER, breakable, shares, width
from core.present.report.page import POLICY, memo_html
from tests.present.report.memo_build import LINK, memo, priced, runs_of, scenario_of
from tests.present.report.test_brand import picture

HOSTILE = "<script>alert(1)</script><img src=http://evil.example/x.png onerror=alert(1)> {{ 7*7 }} {% raw %} \"'&amp;"
VOID = {"meta", "img", "col", "br", "wbr", "link", "input"}


class Page(HTMLParser):
    """Tags with their attributes, and all words that are seen."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())

    def all(self, name):
        return [attrs for tag, attrs in self.tags if tag == name]


@pytest.fixture(scope="module")
def found():
    runs = runs_of("emulator", "vllm_cpu")
    own = (DecisionColumn(name="Lead time", values={run.id: "6 weeks" for run in runs}),)
    return scenario_of(runs, price=priced(runs), demand=Demand(peak=120), notes="Ask first.", decision=own)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_word_of_the_memo_is_on_the_page(found, language):
    described = memo(found, language)
    page = Page(memo_html(described))
    assert page.open == []
    assert page.all("html")[0]["lang"] == language
    for saying in described.sayings:
        for words in (saying.first, *saying.lines):
            assert words in page.text
    for table in described.tables:
        for cell in (*table.headers, *(cell for row in table.rows for cell in row)):
            assert " ".join(cell.split()) in page.text
    for condition in described.conditions:
        assert condition.name in page.text
    for words in (*described.footer, described.title, described.when, LINK):
        assert words in page.text


def test_nothing_is_fetched_run_or_sent(found):
    brand = Brand(logo=own_logo(picture()), accent="#aa3300")
    text = memo_html(memo(found, brand=brand))
    page = Page(text)
    policy = next(attrs for attrs in page.all("meta") if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == POLICY
    assert "default-src 'none'" in POLICY
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "iframe", "object", "form", "base", "image"})
    for tag, attrs in page.tags:
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
        href = attrs.get("href") or attrs.get("xlink:href") or "#"
        assert href.startswith("#") or (tag == "a" and href == LINK)
    styles = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in styles
    assert "@import" not in styles
    assert "--accent: #aa3300" in styles


def test_hostile_words_are_words(found):
    scenario, fits = found
    own = (DecisionColumn(name=HOSTILE, values={run.id: HOSTILE for run in scenario.runs}),)
    answers = tuple(replace(a, run=replace(a.run, label=f"{i} {HOSTILE}"[:80])) for i, a in enumerate(scenario.answers))
    hostile = replace(scenario, name=HOSTILE[:120], notes=HOSTILE, decision=own, answers=answers)
    text = memo_html(memo((hostile, fits)))
    page = Page(text)
    assert page.open == []
    assert not page.all("script")
    assert all(attrs["src"].startswith("data:") for attrs in page.all("img"))
    assert HOSTILE[:120] in page.text
    assert "{{ 7*7 }}" in page.text
    assert "49" not in re.findall(r"\b49\b", text[text.index("<h1") : text.index("</h1>")])


def test_tables_and_charts_speak_to_those_who_do_not_see_them(found):
    described = memo(found)
    page = Page(memo_html(described))
    scopes = [attrs.get("scope") for attrs in page.all("th")]
    assert scopes.count("row") == len(found[0].runs)
    assert scopes.count("col") > len(described.tables[0].headers)
    assert len(page.all("caption")) == len(described.tables) + 1
    charts = [attrs for attrs in page.all("svg") if attrs.get("role") == "img"]
    assert [attrs["aria-label"] for attrs in charts] == [described.chart.figure.alt] * 2
    assert all(attrs.get("alt") for attrs in page.all("img"))
    assert next(level for level, _ in page.tags if level in {"h1", "h2", "h3"}) == "h1"


def test_a_link_that_is_no_web_address_makes_no_link(found):
    for link in ("javascript:alert(1)", "data:text/html,x", None):
        assert not Page(memo_html(memo(found, link=link))).all("a")


def test_what_is_cut_is_counted_and_nothing_is_cut_that_fits(found):
    described = memo((replace(found[0], notes="word " * 300), found[1]))
    for room in ROOMS:
        short = cut(described, room)
        for section, whole in ((short.changes, described.changes), (short.assumptions, described.assumptions)):
            left = len(whole.lines) - len(section.lines)
            assert (section.more is not None) is (left > 0)
            assert left == 0 or section.more.startswith(f"{left} more: see the link")
            assert left != 1
        shown = sum(len(line) for line in short.notes.lines)
        assert shown <= room.notes_chars
        assert short.notes.more.startswith(f"{sum(map(len, described.notes.lines)) - shown} more characters")
    roomy = cut(replace(described, notes=replace(described.notes, lines=("short",))), ROOMS[0])
    assert roomy.notes.more is None


def test_columns_are_as_wide_as_their_words_and_no_wider_than_the_page():
    rows = [("Run", "Safe number", "What stops it"), ("a name of a run that is long " * 3, "41", "TTFT p99")]
    found = shares(rows)
    assert found[0] > found[1]
    assert sum(found) <= LETTERS + BESIDE
    assert all(each > BESIDE for each in found)
    assert shares([("",)])[0] > BESIDE


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("currency", ["USD", "KRW", "CHF"])
def test_no_number_of_a_table_is_broken_however_large_it_is(language, currency):
    cell = with_range(Interval(low=572_000.4, mid=613_000.6, high=654_000.9), currency, language)
    names = [f"a rather long word such as accelerators{place}" for place in range(8)]
    rows = [["Run", *names, "Cost per month"], ["h100_sxm_tp4_fp8_kv_cache_prefix", *(["measured"] * 8), cell]]
    wide = shares(rows)
    assert breakable(cell, 1.0) == cell, "no sign in it at which a line may end"
    assert all(wide[-1] - BESIDE >= min(width(word), LONGEST_NUMBER) for word in cell.split())
    # A range beyond that ends a line behind its dash, and never inside one of its numbers.
    assert all(wide[-1] - BESIDE >= width(end) for word in cell.split() for end in re.split("(?<=\u2013)", word))
    assert sum(wide) <= LETTERS * (1.0 + OVER)
