"""Which browsers opened which links lately, so that a reload is no further view. Nothing of it is kept on disk."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections import OrderedDict

LASTS_S = 30 * 60
"""Seconds after which the same browser counts anew."""

MOST = 20_000

COOKIE = "_streamlit_xsrf"
"""Streamlit's cookie against forged requests: random for each browser, and masked anew with every answer."""

_MASKED = re.compile(r'"?2\|([0-9a-f]{8})\|((?:[0-9a-f]{2}){1,64})\|\d+"?')


class Visits:
    """What one process remembers of who opened what."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: OrderedDict[bytes, float] = OrderedDict()

    def begins(self, token: str, cookie: str, now: float | None = None) -> bool:
        """Return True unless this browser opened this link less than `LASTS_S` ago, and remember it.

        Args:
            token: of the link.
            cookie: value of `COOKIE`; a browser without one cannot be told from others and always begins.
            now: seconds on a clock that never goes back, None for the system's.
        """
        browser = _unmasked(cookie)
        if browser is None:
            return True
        at = time.monotonic() if now is None else now
        which = hashlib.sha256(browser + b"|" + token.encode("utf-8", "replace")).digest()
        with self._lock:
            while self._begun and (len(self._begun) >= MOST or next(iter(self._begun.values())) <= at - LASTS_S):
                self._begun.popitem(last=False)
            if which in self._begun:
                return False
            self._begun[which] = at
            return True


VISITS = Visits()


def _unmasked(cookie: str) -> bytes | None:
    """Return the random part of the cookie, which stays while the mask changes; None where it has another form."""
    found = _MASKED.fullmatch(cookie)
    if found is None:
        return None
    mask, masked = (bytes.fromhex(part) for part in found.groups())
    return bytes(sign ^ mask[place % len(mask)] for place, sign in enumerate(masked))
