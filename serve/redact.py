"""Take out of a text what opens something: tokens of links, drafts, cookies, passwords."""

from __future__ import annotations

import re
from collections.abc import Iterable

GONE = "[…]"

_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # Parameters of an address, also of one that stands encoded inside another.
    (re.compile(r"(?i)([?&](?:s|d|back|code|state|token|[a-z]+_token)=)[^&\s\"'#<>]+"), rf"\1{GONE}"),
    (
        re.compile(r"(?i)(%(?:25)*(?:3F|26)(?:s|d|back|code|state|token|[a-z]+_token)%(?:25)*3D)[^%&\s\"'#<>]+"),
        rf"\1{GONE}",
    ),
    # The password in an address: up to the last @ before a space, for passwords hold @ and / too.
    (re.compile(r"(://[^:/@\s\"']*:)[^\s\"']+(?=@)"), rf"\1{GONE}"),
    (
        re.compile(r"(?i)(\b(?:password|passwd|secret|pgpassword)\b[\"']?\s*[=:]\s*)(?:'[^']*'|\"[^\"]*\"|[^\s,;)&]+)"),
        rf"\1{GONE}",
    ),
    (re.compile(r"(?i)(\b(?:proxy-)?authorization\b[\"']?\s*[:=,]\s*).+"), rf"\1{GONE}"),
    (re.compile(r"(?i)(\b(?:set-)?cookie\b[\"']?\s*[:=,]\s*).+"), rf"\1{GONE}"),
    (re.compile(r"(?i)(\bbearer\s+)[\w.~+/=-]{8,}"), rf"\1{GONE}"),
    (re.compile(r"(\b(?:_streamlit_\w+|plimsoll_back)=)[^;\s\"']+"), rf"\1{GONE}"),
    (re.compile(r"(?i)(x-plimsoll-proof\W+)[\w-]{8,}"), rf"\1{GONE}"),
)


def redacted(text: str, known: Iterable[str] = ()) -> str:
    """Return a text without secrets.

    Args:
        text: a line or several.
        known: secrets of this process, taken out wherever they stand.

    >>> redacted("GET /?s=Zm9vYmFy&lang=ko from postgresql://app:p@ss/w@db/plimsoll")
    'GET /?s=[…]&lang=ko from postgresql://app:[…]@db/plimsoll'
    """
    for secret in known:
        text = text.replace(secret, GONE)
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text
