"""Text of strangers is shown letter by letter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.i18n import t
from core.letters import seen
from pages.parts.speech import JOINER, plain, say
from tests.pages.test_plan_page import SWEEP, drop

HOSTILE = [
    "![x](http://a.example/x.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "**bold** _soft_ ~~gone~~ `code`",
    "$x^2$ :red[text] :material/bug_report: :smile:",
    "# heading",
    "> quote",
    "| a | b |",
    "1. list",
    "- list",
    "a\n\n## b",
]


def unescaped(text):
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_markdown_acts_on_is_left_bare(text):
    quiet = plain(text)
    assert not re.search(r"(?<!\\)[\[\]<>`*_$|~#:]", quiet)
    assert not re.match(r"[-+]|\d+[.)]", quiet)
    assert "\n" not in quiet


def test_a_colon_after_a_word_is_read_aloud_without_an_escape():
    """Streamlit names a field by its label as it is written; a colon that Markdown does not read needs no escape."""
    assert plain("Let stand: Load (unknown: Arrivals)") == "Let stand: Load (unknown: Arrivals)"
    assert plain(":smile: a :red[b]: c:d e:") == r"\:smile\: a \:red\[b\]\: c\:d e\:"
    assert plain("\\: a") == r"\\: a"


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"])))
def test_the_reader_sees_the_same_letters(text):
    assert unescaped(plain(text)).replace(JOINER, "") == " ".join(seen(text).split()).replace(JOINER, "")


@pytest.mark.parametrize(
    "text", ["http://a.example", "see HTTPS://a.example/b?c", "(www.a.example)", "xhttp://a", "WWW.a"]
)
def test_an_address_is_no_link_even_where_its_signs_are_escaped(text):
    """Markdown of GitHub's kind looks for addresses in what is left once the escapes are gone."""
    assert not re.search(r"https?://|www\.", unescaped(plain(text)), re.IGNORECASE)


def test_values_inside_our_sentences_are_quiet_too():
    assert say(t('Cannot read the target "{text}"', text="![x](http://a)")) == (
        f'Cannot read the target "!\\[x\\](http\\:{JOINER}//a)"'
    )


def test_the_heading_of_a_panel_is_a_heading_for_whoever_listens_too(visit):
    """A bold paragraph looks like one and is none: nobody could walk from panel to panel."""
    shown = [str(each.value) for each in drop(visit(), SWEEP).markdown]
    for name in ("Targets", "Price", "Files"):
        assert f"#### {name}" in shown
        assert f"**{name}**" not in shown
