"""The docs hold what they promise: links lead somewhere, no blank was left to fill, every decision is listed."""

from __future__ import annotations

import re

import pytest

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
BLANK = re.compile(r"\b(?:[A-Z]{3,}_(?:TABLE|TEXT|HERE)|TODO|FIXME|TBD|XXX)\b")


def pages(root):
    return [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "benchmarks").rglob("*.md")]


@pytest.fixture(scope="module")
def texts(root):
    return {page: page.read_text(encoding="utf-8") for page in pages(root)}


def test_every_link_leads_to_a_file(texts):
    broken = [
        f"{page.name}: {target}"
        for page, text in texts.items()
        for target in LINK.findall(text)
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_nothing_was_left_to_fill_in(texts):
    assert [page.name for page, text in texts.items() if BLANK.search(text)] == []


def test_every_decision_and_every_page_is_in_the_index(root, texts):
    index = texts[root / "docs" / "index.md"]
    listed = [p for p in (root / "docs").glob("*.md") if p.name != "index.md"]
    missing = [p.name for p in [*listed, *(root / "docs" / "decisions").glob("*.md")] if p.name not in index]
    assert missing == []


def test_the_readme_shows_both_commands_and_a_picture_on_its_first_screen(root, texts):
    first = "\n".join(texts[root / "README.md"].splitlines()[:25])
    assert all(word in first for word in ("make run", "make test", "docs/images/plan.png"))
