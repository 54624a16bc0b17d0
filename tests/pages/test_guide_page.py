"""The Guide: every word of the glossary, in order, beside a live example."""

from __future__ import annotations

from core.present.glossary import ENTRIES
from tests.pages.conftest import at_page, words


def test_every_word_is_explained_in_order(visit):
    app = at_page(visit(), "guide")
    names = [str(each.value).replace("\\", "") for each in app.subheader]
    assert names == [entry.name.render("en") for entry in ENTRIES]


def test_the_example_is_answered_live(visit):
    assert "concurrent requests, safely" in words(at_page(visit(), "guide"))


def test_the_guide_is_korean_where_the_reader_is(visit):
    app = at_page(visit(lang="ko"), "guide")
    names = [str(each.value).replace("\\", "") for each in app.subheader]
    assert names == [entry.name.render("ko") for entry in ENTRIES]
