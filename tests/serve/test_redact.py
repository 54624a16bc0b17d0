"""No secret is left in a line, wherever it stands in it."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serve.logs import passwords
from serve.redact import redacted

TOKEN = "Zm9vYmFyLV9mb29iYXI"

LINES = [
    "GET /?s={} HTTP/1.1",
    "GET /shared?lang=ko&s={}&x=1",
    '127.0.0.1 - "GET /?t=ttft-p99-300ms&d={} HTTP/1.1" 200',
    "next=%2F%3Fs%3D{}",
    "next=%252Fx%253Flang%253Dko%2526d%253D{}%2526x",
    "Cookie: theme=dark; _streamlit_user={}; other=1",
    "{{'cookie': '_streamlit_xsrf={}'}}",
    "(b'cookie', b'a={}')",
    "_streamlit_user={}",
    "Authorization: Bearer {}",
    "{{'authorization': 'Basic {}'}}",
    "bearer {}",
    "password={} host=db",
    "conninfo: host=db password='{} with spaces' user=x",
    "/oauth2callback?code={}&state=abc",
    "/oauth2callback?x=1&state={}",
    "?id_token={}",
    "x-plimsoll-proof: {}",
]


@pytest.mark.parametrize("line", LINES)
def test_a_secret_is_gone_and_the_rest_is_there(line):
    text = redacted(line.format(TOKEN))
    assert TOKEN not in text
    assert text[:5] == line.format(TOKEN)[:5]


@given(
    st.text(
        st.characters(
            codec="utf-8", exclude_characters=" \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\"'", exclude_categories=["Z", "C"]
        ),
        min_size=8,
        max_size=30,
    )
)
def test_the_password_of_a_database_is_gone_however_it_is_written(password):
    for written in (password, quote(password, safe="")):
        url = f"postgresql+psycopg://app:{written}@db.example:5432/plimsoll"
        text = redacted(f"cannot connect to {url}", passwords(url))
        assert written not in text
        assert text.endswith("@db.example:5432/plimsoll")


def test_a_known_secret_is_gone_from_anywhere():
    assert TOKEN not in redacted(f"odd{TOKEN}place", [TOKEN])


@pytest.mark.parametrize(
    "line", ["The code=1008 was sent", "s=3 d=4", "http://127.0.0.1:8501/compare?t=ttft-p99-300ms"]
)
def test_what_is_no_secret_stays(line):
    assert redacted(line) == line
