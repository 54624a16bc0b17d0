"""A mistake in the settings of signing in opens the app to nobody."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.sign_in import SESSION_S, Way, auth_secrets, sign_in, sign_out_address
from core.vouched import PERSON_HEADER

SECRET = "0123456789abcdef0123456789abcdef"
WHOLE = {
    "SIGN_IN": "oidc",
    "OIDC_ISSUER": "https://id.example.com/realms/main/",
    "OIDC_CLIENT_ID": "plimsoll",
    "OIDC_CLIENT_SECRET": "client",
    "OIDC_REDIRECT_URI": "https://plimsoll.example.com/oauth2callback",
    "COOKIE_SECRET": SECRET,
}


@pytest.fixture
def say(monkeypatch, tmp_path):
    """Set settings, and nothing else, in a folder without secrets.toml."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    def said(**settings):
        for name in (*WHOLE, "ADMINS", "SESSION_HOURS", "OIDC_TRUST_EMAIL", "SIGN_OUT_URL"):
            monkeypatch.delenv(f"PLIMSOLL_{name}", raising=False)
            monkeypatch.delenv(f"PLIMSOLL_{name}_FILE", raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(f"PLIMSOLL_{name}", value)

    said()
    return said


def test_nothing_said_is_one_local_person(say):
    assert sign_in().way is Way.OFF
    assert auth_secrets() == {}


@pytest.mark.parametrize("said", ["OIDC", " oidc ", "Oidc"])
def test_the_way_is_read_whatever_its_case(say, said):
    say(**{**WHOLE, "SIGN_IN": said})
    assert sign_in().way is Way.OIDC


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SIGN_IN", "on"),
        ("SIGN_IN", "oidcc"),
        ("SIGN_IN", "true"),
        ("ADMINS", "ana"),
        ("ADMINS", "ana@example.com ben@example.com"),
        ("SESSION_HOURS", "0"),
        ("SESSION_HOURS", "-1"),
        ("SESSION_HOURS", "nan"),
        ("SESSION_HOURS", "inf"),
        ("SESSION_HOURS", "1e9"),
        ("SESSION_HOURS", "٣"),
        ("SESSION_HOURS", "721"),
        ("OIDC_TRUST_EMAIL", "yes"),
        ("COOKIE_SECRET_FILE", "/no/such/file"),
        ("COOKIE_SECRET", "short"),
        ("OIDC_ISSUER", "http://id.example.com"),
        ("OIDC_ISSUER", "id.example.com"),
        ("OIDC_REDIRECT_URI", "https://plimsoll.example.com/"),
        ("OIDC_REDIRECT_URI", "http://plimsoll.example.com/oauth2callback"),
    ],
)
def test_a_setting_that_makes_no_sense_stops_the_start(say, name, value):
    settings = {**WHOLE, name: value}
    if name.endswith("_FILE"):
        settings.pop("COOKIE_SECRET")
    say(**settings)
    with pytest.raises(UsageError) as told:
        auth_secrets()
    assert told.value.code == "setting.invalid"
    assert f"PLIMSOLL_{name.removesuffix('_FILE')}" in str(told.value)


@pytest.mark.parametrize("name", [name for name in WHOLE if name != "SIGN_IN"])
def test_a_missing_setting_stops_the_start(say, name):
    say(**{**WHOLE, name: ""})
    with pytest.raises(UsageError) as told:
        auth_secrets()
    assert told.value.code == "setting.missing"
    assert f"PLIMSOLL_{name}" in str(told.value)


@pytest.mark.parametrize("name", ["OIDC_ISSUER", "OIDC_CLIENT_ID", "ADMINS"])
def test_settings_without_the_one_that_turns_it_on_do_not_mean_off(say, name):
    say(**{name: WHOLE.get(name, "ana@example.com")})
    with pytest.raises(UsageError) as told:
        sign_in()
    assert told.value.code == "setting.invalid"


def test_no_secret_is_in_what_an_error_says(say):
    say(**{**WHOLE, "COOKIE_SECRET": "my-short-secret"})
    with pytest.raises(UsageError) as told:
        auth_secrets()
    assert "my-short-secret" not in str(told.value)


def test_a_provider_is_handed_on_as_streamlit_asks_for_it(say):
    say(**WHOLE)
    assert auth_secrets() == {
        "auth": {
            "redirect_uri": "https://plimsoll.example.com/oauth2callback",
            "cookie_secret": SECRET,
            "client_id": "plimsoll",
            "client_secret": "client",
            "server_metadata_url": "https://id.example.com/realms/main/.well-known/openid-configuration",
        }
    }


def test_a_secret_may_lie_in_a_file(say, tmp_path):
    (tmp_path / "secret").write_text(f"{SECRET}\n", encoding="utf-8")
    say(**{**WHOLE, "COOKIE_SECRET": "", "COOKIE_SECRET_FILE": str(tmp_path / "secret")})
    assert auth_secrets()["auth"]["cookie_secret"] == SECRET


def test_a_file_of_secrets_may_say_it_all(say, tmp_path):
    say(SIGN_IN="oidc")
    (tmp_path / ".streamlit").mkdir()
    path = tmp_path / ".streamlit" / "secrets.toml"
    path.write_text(f'[auth]\nredirect_uri = "x"\ncookie_secret = "{SECRET}"\n', encoding="utf-8")
    assert auth_secrets() == {}
    path.write_text('[auth]\nredirect_uri = "x"\ncookie_secret = "short"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="COOKIE_SECRET"):
        auth_secrets()
    path.write_text('[auth]\nredirect_uri = "x"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="COOKIE_SECRET"):
        auth_secrets()
    path.write_text("[auth", encoding="utf-8")
    with pytest.raises(UsageError, match="secrets"):
        auth_secrets()


def test_what_else_is_said_of_people(say):
    say(SIGN_IN="header", ADMINS=" Ana@Example.com ,, ben@example.com", SESSION_HOURS="0.5", OIDC_TRUST_EMAIL="1")
    found = sign_in()
    assert found.admins == {"ana@example.com", "ben@example.com"}
    assert found.longest_s == 1800.0
    assert found.trust_email
    say(SIGN_IN="header")
    assert sign_in().longest_s == SESSION_S
    assert not sign_in().trust_email


@pytest.mark.parametrize("address", ["//evil.example", "/\\evil.example", "javascript:alert(1)", "http://evil.example"])
def test_the_way_out_leads_here_or_over_https(say, address):
    say(SIGN_OUT_URL=address)
    with pytest.raises(UsageError):
        sign_out_address()
    say(SIGN_OUT_URL="/oauth2/sign_out")
    assert sign_out_address() == "/oauth2/sign_out"


def test_the_headers_of_the_middleware_are_ours():
    assert PERSON_HEADER.startswith("x-plimsoll-")
