"""Where the app is found from outside, for links that are sent: behind a proxy the app itself cannot know."""

from __future__ import annotations

from urllib.parse import urlsplit

from core.i18n import t
from core.settings import setting
from core.sign_in import invalid

NAME = "PUBLIC_URL"


def public_url() -> str | None:
    """Return the address that people type, without a slash at its end: PLIMSOLL_PUBLIC_URL, None where it is not set.

    Raises:
        UsageError: "setting.invalid" where it is no address of a web page, or holds more than scheme, host and path.
    """
    said = setting(NAME)
    if not said:
        return None
    if not _is_address(said):
        raise invalid(
            NAME, t("It is the address that people type, such as {example}", example="https://plimsoll.example/team")
        )
    return said.rstrip("/")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    plain = text.isascii() and text.isprintable() and " " not in text
    more = parts.query or parts.fragment or "@" in parts.netloc or "?" in text or "#" in text or port == 0
    return plain and parts.scheme in ("http", "https") and bool(host) and not more
