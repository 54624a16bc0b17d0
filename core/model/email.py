"""Addresses of e-mail as names of people: compared letter by letter, so each has one spelling."""

from __future__ import annotations

import re
import string

EMAIL_CHARS = 254
"""RFC 5321, 4.5.3.1.3: a path holds 256 octets with its angle brackets."""

_EMAIL = re.compile(r"[^\s@,;:<>()\[\]\\\"\x00-\x20\x7f-\x9f]{1,64}@[^\s@,;:<>()\[\]\\\"\x00-\x20\x7f-\x9f]+")
# Not str.lower(): it folds other letters onto ours (U+212A becomes k), and two people would share an address.
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def email_of(text: object) -> str | None:
    """Return the one spelling of an address, None where it is none.

    >>> email_of(" Ana@Example.com "), email_of("ana"), email_of(7)
    ('ana@example.com', None, None)
    """
    if not isinstance(text, str):
        return None
    address = text.strip(" ").translate(_LOWER)
    return address if len(address) <= EMAIL_CHARS and address.isprintable() and _EMAIL.fullmatch(address) else None
