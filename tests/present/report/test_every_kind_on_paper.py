"""Every kind of scenario as a memo, read back: it is one page of A4 and says what the screen says."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache

import pytest
from pypdf import PdfReader

from core.model.run import Kind
from core.present.compare_scenario import comparison_of
from core.present.compare_words import accepted_text, chance_text, times_text
from core.present.report.memo import SAID, memo_of
from core.present.report.memo_cut import ROOMS
from core.present.report.page import memo_html
from core.present.report.pdf import fitted, memo_pdf
from tests.present.report.report_kinds import KINDS, LINK, SAVED, cells_on_screen, made, on_screen
from tests.present.report.test_memo_page import Page

every_kind = pytest.mark.parametrize("kind", list(KINDS))
# Both forms are made of one memo: the file for browsers is read where its words are laid out in another way.
IN_BROWSERS = ("two", "unlike", "batch_within", "left_out", "hidden")
every_form = pytest.mark.parametrize(
    ("kind", "form"), [*((kind, "pdf") for kind in KINDS), *((kind, "html") for kind in IN_BROWSERS)]
)
CANDIDATE = {"en": "simulated: candidate, not confirmed", "ko": "시뮬레이션: 확정되지 않은 후보"}
HIDDEN = "prices are hidden in this view"


@cache
def page_of(kind):
    found, fits = made(kind)
    return memo_of(found, fits, KINDS[kind][1], saved=SAVED, link=LINK, prices_hidden=kind == "hidden")


def squeezed(text):
    return re.sub(r"[\s\u200b]+", "", text)


@cache
def pdf_of(kind):
    return PdfReader(io.BytesIO(memo_pdf(page_of(kind))))


@cache
def words_of(kind, form):
    if form == "html":
        return squeezed(Page(memo_html(page_of(kind))).text)
    return squeezed(" ".join(page.extract_text() for page in pdf_of(kind).pages))


@every_kind
def test_it_is_one_page_of_a4(kind):
    (page,) = pdf_of(kind).pages
    assert [float(side) for side in page.mediabox[2:]] == pytest.approx([595.28, 841.89], abs=0.1)


@every_form
def test_it_says_what_the_screen_says(kind, form):
    says_what_the_screen_says(words_of(kind, form), kind)


def says_what_the_screen_says(text, kind):
    """Hold that a document's squeezed words have every sentence of the first answers, and every cell of the table."""
    scenario, language = made(kind)[0], KINDS[kind][1]
    for answer in scenario.answers[:SAID]:
        for part in on_screen(answer, scenario, language):
            assert squeezed(part) in text, part
    for row in cells_on_screen(scenario, language):
        for cell in row:
            assert squeezed(cell) in text, cell


@every_form
def test_a_candidate_is_marked_and_nothing_else_is(kind, form):
    scenario, language = made(kind)[0], KINDS[kind][1]
    simulated = sum(answer.run.kind is Kind.SIMULATED for answer in scenario.answers)
    # Beside the sentence and in the table.
    assert words_of(kind, form).count(squeezed(CANDIDATE[language])) == 2 * simulated


@every_form
def test_money_stands_where_there_is_a_price_alone(kind, form):
    scenario, text = made(kind)[0], words_of(kind, form)
    assert bool(re.search(r"[$€]\d", text)) is (scenario.price is not None)
    assert (squeezed(HIDDEN) in text) is (kind == "hidden")


def test_levels_that_were_left_out_stand_with_their_reasons():
    for form in ("pdf", "html"):
        text = words_of("left_out", form)
        assert "it was warming up".replace(" ", "") in text
        assert "the client was the bottleneck".replace(" ", "") in text


@pytest.mark.parametrize(("kind", "form"), [("chosen", "pdf"), ("chosen", "html"), ("seven", "pdf")])
def test_a_ranking_and_its_multiples_stand_with_everything_that_they_rest_on(kind, form):
    found, language = comparison_of(made(kind)[0]), KINDS[kind][1]
    text = words_of(kind, form)
    assert found.matrix.accepted
    assert squeezed(accepted_text(found, language)) in text
    assert squeezed(str(chance_text(found.deciding.chances[found.deciding.leader]).render(language))) in text
    for each in found.multiples:
        if each.quantity is found.deciding.quantity:
            assert squeezed(times_text(each.times, language)) in text


@every_form
def test_nothing_that_could_change_the_answer_is_cut_or_counted_away(kind, form):
    changes = page_of(kind).changes
    for line in changes.lines[: changes.must]:
        assert squeezed(line) in words_of(kind, form)


def test_a_ranking_whose_differences_do_not_fit_is_not_printed_at_all():
    page = page_of("chosen")
    long = replace(page, beside=replace(page.beside, accepted="a difference against another; " * 900))
    short, room = fitted(long)
    assert short.beside.first is None
    assert short.beside.accepted is None
    assert short.beside.lines == (page.beside.instead,)
    assert "neither ranking nor multiple is printed" in page.beside.instead
    assert room.must == ROOMS[-1].must


def test_more_warnings_than_a_page_holds_are_counted_as_warnings():
    page = page_of("chosen")
    warnings = tuple(f"Warning {i}: " + "what was seen and what follows of it. " * 4 for i in range(60))
    short, room = fitted(replace(page, changes=replace(page.changes, lines=warnings, must=60)))
    assert room.must < len(warnings)
    assert "of them warnings" in short.changes.more
    assert short.beside.first is None
