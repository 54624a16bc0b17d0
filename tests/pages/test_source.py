"""What the code of the pages may not do."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from pages.parts.frame import KEEP_WORDS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted((ROOT / "pages").glob("*.py"))
EVERY = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
DRAWS_TEXT = {
    *("title", "header", "subheader", "markdown", "caption", "text", "write", "info", "warning", "error", "success"),
    *("button", "selectbox", "number_input", "text_input", "text_area", "toggle", "expander", "popover", "toast"),
    *("segmented_control", "file_uploader", "download_button", "form_submit_button", "badge", "metric"),
}


def calls(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


@pytest.mark.parametrize("path", EVERY, ids=lambda p: p.stem)
def test_no_sentence_reaches_the_screen_untranslated(path):
    bare = [
        ast.unparse(node)
        for name, node in calls(path)
        if name.split(".")[-1] in DRAWS_TEXT and name.startswith("st.")
        for first in node.args[:1]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and re.search(r"[A-Za-z]", first.value)
    ]
    assert not bare


@pytest.mark.parametrize("path", EVERY, ids=lambda p: p.stem)
def test_nothing_is_drawn_as_html(path):
    text = path.read_text(encoding="utf-8")
    assert "unsafe_allow" not in text
    assert "components" not in text
    # One rule of style, written out: nothing that a person or a file says can be in it.
    drawn = [ast.unparse(node) for name, node in calls(path) if name == "st.html"]
    assert drawn == (["st.html(KEEP_WORDS)"] if path.stem == "frame" else [])
    assert text.count("st.html") == len(drawn)


def test_the_one_rule_of_style_holds_no_words_and_loads_nothing():
    assert re.fullmatch(r"<style>\.stApp \* \{( [a-z-]+: [a-z-]+( !important)?;)+ \}</style>", KEEP_WORDS)


@pytest.mark.parametrize("path", EVERY, ids=lambda p: p.stem)
def test_errors_are_caught_in_one_place(path):
    caught = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Try)]
    # links.py reads addresses, which anybody may write: it catches what cannot be read.
    assert not caught or path.stem in ("errors", "links")


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_a_page_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.stem)
def test_a_page_does_not_compute(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    sums = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    # A path is built with "/", a title with "+": neither is arithmetic on results.
    assert not [found for found in sums if re.search(r"[*]|\d\s*[-+/]", found)]


def test_the_app_keeps_to_itself():
    with (ROOT / ".streamlit" / "config.toml").open("rb") as source:
        config = tomllib.load(source)
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["address"] == "127.0.0.1"
    assert config["client"]["showErrorDetails"] in ("type", "none", False)
    icon = re.search(r"page_icon=str\(BRAND / \"(.+?)\"\)", (ROOT / "app.py").read_text(encoding="utf-8"))
    assert (ROOT / "data" / "brand" / icon[1]).is_file()


def test_navigation_is_decided_before_anything_can_end_the_run():
    names = [name for name, _ in sorted(calls(ROOT / "app.py"), key=lambda pair: pair[1].lineno)]
    assert names.index("st.navigation") < names.index("page.run")
    tree = ast.parse((ROOT / "app.py").read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.Assign) and "st.navigation" in ast.unparse(node) for node in tree.body)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_legible_in_both_themes(theme):
    """WCAG 2.1 contrast of text, of paler captions (60 % of it) and of links: 4.5 : 1 or more."""
    with (ROOT / ".streamlit" / "config.toml").open("rb") as source:
        colours = tomllib.load(source)["theme"][theme]
    ground = rgb(colours["backgroundColor"])
    text = rgb(colours["textColor"])
    pale = tuple(0.6 * ink + 0.4 * paper for ink, paper in zip(text, ground, strict=True))
    assert contrast(text, rgb(colours["secondaryBackgroundColor"])) >= 7
    assert contrast(pale, ground) >= 4.5
    for name in ("linkColor", "primaryColor"):
        assert contrast(rgb(colours[name]), ground) >= 4.5
        assert contrast(rgb(colours[name]), rgb(colours["secondaryBackgroundColor"])) >= 4.5


def rgb(text):
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
