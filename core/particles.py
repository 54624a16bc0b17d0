"""Korean particles after a value: which of two forms fits depends on the sound that the value ends with."""

from __future__ import annotations

PAIRS = {
    "을(를)": ("을", "를"),
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "과(와)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)라": ("이라", "라"),
}
"""As catalogues write them, with the form after a consonant and the form after a vowel."""

CLOSING = "\"'”’»」』)]}"

_FIRST, _LAST, _FINALS = 0xAC00, 0xD7A3, 28
_FINAL_R = 8
_R = "ㄹ"
_ENDS = {"0": "ㅇ", "1": _R, "2": "", "3": "ㅁ", "4": "", "5": "", "6": "ㄱ", "7": _R, "8": _R, "9": "", "%": ""}
"""Digits and signs as they are read: 0 is 영, and 십, 백, 천 or 만 behind other digits, all with a consonant."""
_LETTERS = {"L": _R, "M": "ㅁ", "N": "ㄴ", "R": _R}
"""Letters that are read by a name ending in a consonant (엘, 엠, 엔, 알); every other name ends in a vowel."""


def fitting(before: str, pair: str) -> str:
    """Return the form of a particle that fits what stands before it; both where the sound is not known.

    Latin words may be read in many ways, and so keep both forms; capitals are read letter by letter.

    >>> fitting("버전", "(으)로"), fitting("3", "(으)로"), fitting("1", "(으)로"), fitting("TTFT p99", "을(를)")
    ('으로', '으로', '로', '를')
    >>> fitting('"파일"', "이(가)"), fitting("TPOT", "은(는)"), fitting("plan.csv", "은(는)")
    ('이', '는', '은(는)')
    """
    closed, opened = PAIRS[pair]
    end = _end(before.rstrip(CLOSING + " "))
    if end is None:
        return pair
    # (으)로 goes without 으 after ㄹ as after a vowel: 서울로, not 서울으로.
    return opened if not end or (end == _R and pair == "(으)로") else closed


def _end(text: str) -> str | None:
    """Return the consonant that a text ends with, "" after a vowel, None where the sound is not known."""
    if not text:
        return None
    last = text[-1]
    if _FIRST <= ord(last) <= _LAST:
        final = (ord(last) - _FIRST) % _FINALS
        return "" if final == 0 else _R if final == _FINAL_R else "ㅇ"
    if last in _ENDS:
        return _ENDS[last]
    word = text.rsplit(maxsplit=1)[-1]
    return _LETTERS.get(last, "") if last.isascii() and word.isalpha() and word.isupper() else None
