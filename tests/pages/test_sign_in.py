"""The door of the app where nobody has signed in, or where a setting of it makes no sense."""

from __future__ import annotations

import pytest

from tests.pages.conftest import words


@pytest.fixture
def said(monkeypatch):
    def say(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(f"PLIMSOLL_{name}", value)

    return say


def test_header_mode_without_the_middleware_lets_nobody_in(visit, said):
    said(SIGN_IN="header")
    app = visit()
    assert "Sign in to Plimsoll" in words(app)
    assert "Open Plimsoll at the address" in words(app)
    assert not {"sample", "save"} & {each.key for each in app.button}


@pytest.mark.parametrize(
    "settings", [{"SIGN_IN": "on"}, {"SIGN_IN": "oidc", "SESSION_HOURS": "x"}, {"ADMINS": "a@b.example"}]
)
def test_a_setting_that_makes_no_sense_lets_nobody_in(visit, said, settings):
    said(**settings)
    app = visit()
    assert "Sign in to Plimsoll" in words(app)
    assert [each.value for each in app.error]
    assert not {"sample", "save"} & {each.key for each in app.button}


def test_a_provider_that_was_not_handed_on_is_said(visit, said):
    said(SIGN_IN="oidc")
    assert "this server was started without one" in words(visit())
