"""The app without a browser: every test starts a new visitor with an empty store."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts import drawer, keys

PATIENCE_S = 60

Visit = Callable[..., AppTest]


@pytest.fixture
def visit(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Open the app as a new visitor, with parameters of an address; every panel that can be folded is open."""
    monkeypatch.setattr(drawer, "SHUT", False)
    monkeypatch.setenv("PLIMSOLL_HOME", str(tmp_path))
    monkeypatch.delenv("PLIMSOLL_DATABASE_URL", raising=False)
    monkeypatch.chdir(root)
    # Running a page makes its script the main module, which every process started later would run again.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    st.cache_data.clear()
    st.cache_resource.clear()

    def go(**params: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(root / "app.py"), default_timeout=PATIENCE_S)
        for name, value in params.items():
            app.query_params[name] = value
        return calm(app.run())

    return go


def calm(app: AppTest) -> AppTest:
    """Fail where the page raised something."""
    assert not app.exception, [each.value for each in app.exception]
    return app


def words(app: AppTest) -> str:
    """Return every sentence on the page as a reader sees it, without the signs that keep Markdown and links quiet."""
    kinds = (app.title, app.header, app.subheader, app.markdown, app.caption, app.text, app.code)
    boxes = (app.error, app.warning, app.info, app.success)
    shown = [str(each.value) for kind in (*kinds, *boxes) for each in kind]
    return re.sub(r"\\(?=[!-/:-@\[-`{-~])|\u2060", "", "\n".join(shown))


def at_page(app: AppTest, name: str) -> AppTest:
    """Go to another page by its file name."""
    return calm(app.switch_page(f"pages/{name}.py").run())


def press(app: AppTest, key: str) -> AppTest:
    """Press the button with this key."""
    return calm(app.button(key=key).click().run())


def unfold(app: AppTest, key: str) -> AppTest:
    """Open the panel with this key, as a click on its name does."""
    app.session_state[key] = app.session_state[keys.of(keys.DRAWER, key)] = True
    return calm(app.run())
