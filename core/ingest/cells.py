"""One cell of a table: the number in it, and what people write around numbers.

"2265.07 ± 142.42", "8 (onnx fp32)", "~120", "<5", "1200+", "1 146,31 ms" and "OOM" are all cells of
real tables. Only a number that stands for itself is a value; a bound such as "<5" never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from core.ingest.fields import MISSING
from core.ingest.header import UNITS
from core.settings import LIMITS

DECIMAL_MARKS = (",", ".")
_NUMBER = re.compile(r"([+-]?[\d.,]*\d[\d.,]*(?:e[+-]?\d+)?)\s*([^\d\s.,+-][^\d]*)?", re.IGNORECASE)
_GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:\{mark}\d{{3}})+(?:[.,]\d+)?") for mark in ",."}
# Three digits after the only mark can be thousands; any other count, or a leading zero, cannot.
_DECIMAL = {
    mark: re.compile(
        rf"[+-]?(?:(?:\d+|\d{{1,3}}(?:\{other}\d{{3}})+)\{mark}(?:\d{{1,2}}|\d{{4,}})|0*\{mark}\d+|\d{{4,}}\{mark}\d+"
        rf"|\d{{1,3}}(?:\{other}\d{{3}})+\{mark}\d+)(?:e[+-]?\d+)?",
        re.IGNORECASE,
    )
    for mark, other in ((",", "."), (".", ","))
}
_SPACED = re.compile(r"([+-]?\d{1,3}(?:[ ']\d{3})+)(?=[.,]\d|\s*[^\d\s.,']|\s*$)")
# Full-width forms, the many blanks, dashes and apostrophes that spreadsheets and typesetters use.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x2212: "-", 0x2019: "'", 0x02BC: "'", 0x3000: " ", 0x00A0: " ", 0x202F: " ", 0x2009: " ", 0x2007: " ", 0x2008: " ",
}  # fmt: skip

_ABOUT, _ABOVE, _BELOW = "about", "above", "below"
_PREFIXES = (
    (re.compile(r"(?:~|≈|≒|∼|〜|about |approx\.? ?|circa |ca\. ?|约|약 ?)\s*", re.IGNORECASE), _ABOUT),
    (re.compile(r"(?:>=?|≥|≧|大于|超过|more than |over |at least )\s*", re.IGNORECASE), _ABOVE),
    (re.compile(r"(?:<=?|≤|≦|小于|低于|less than |under |up to |at most )\s*", re.IGNORECASE), _BELOW),
)
_SUFFIXES = (
    (re.compile(r"\s*(?:\+|이상|초과|以上)"), _ABOVE),
    (re.compile(r"\s*(?:미만|이하|以下|以内)"), _BELOW),
    (re.compile(r"\s*[*†‡§¶¹²³⁴⁵⁶⁷⁸⁹⁰]+"), _ABOUT),
)
_SPREAD = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_NOTE = re.compile(r"([^()\[\]]*\d[^()\[\]]*?)\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])")
_MISSING = frozenset({
    "—", "–", "―", "/", "\\", ".", "..", "...", "…", "?", "--", "---", "n.a.", "n/d", "n.d.", "nd", "tbd", "tba", "x/x",
    "not measured", "not available", "#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "無", "无", "未测",
    "未测试", "暂无", "없음", "해당 없음", "해당없음", "미측정", "측정 안 함",
})  # fmt: skip
_UNLIMITED = frozenset({"∞", "+∞", "无限", "不限", "无限制", "무제한", "unbounded", "no limit"})
_FAILED = re.compile(
    r"(?:(?:cuda |gpu |vram )?(?:oom|out of memory)|time(?:d)?[ -]?out|err(?:or)?s?|fail(?:ed|ure|s)?|crash(?:ed)?|dnf"
    r"|killed|aborted|hang|hung|unstable|✗|✘|❌|×|超时|失败|錯誤|错误|崩溃|显存不足|显存溢出|爆显存|内存不足"
    r"|시간 ?초과|타임 ?아웃|실패|오류|에러|메모리 ?부족|측정 ?불가)(?![a-z]).*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says.

    Attributes:
        text: the number as Python writes it, "" where the cell says that there is none, else the text as it stands.
        unit: behind the number, in lower case.
        spread: the number behind ±, as Python writes it.
        note: words in brackets behind the number.
        bound: True where the value is only known to lie above or below the number.
        rough: True where the number is marked as approximate, or has a footnote.
        failed: True where the cell says that the level failed.
    """

    text: str
    unit: str = ""
    spread: str = ""
    note: str = ""
    bound: bool = False
    rough: bool = False
    failed: bool = False

    @property
    def number(self) -> float | None:
        """The value, None where the cell holds none, only a bound, or one beyond every measurement."""
        value = None if self.bound else _float(self.text)
        return value if value is not None and abs(value) < 1e300 else None

    @property
    def is_words(self) -> bool:
        """True where it says something that is neither a number, nor "missing", nor "failed"."""
        return bool(self.text) and not self.failed and _float(self.text) is None


def cell_of(text: str, mark: str) -> Cell:
    """Return what a cell says, its numbers written with this decimal mark.

    >>> cell_of("2265.07 ± 142.42", "."), cell_of("8 (onnx fp32)", ".").note
    (Cell(text='2265.07', unit='', spread='142.42', note='', bound=False, rough=False, failed=False), 'onnx fp32')
    >>> cell_of("1200+", ".").number, cell_of("~120 ms", ".").number, cell_of("OOM", ".").failed
    (None, 120.0, True)
    """
    # No number takes a page, and looking for one in it would.
    return _cell(text, mark) if len(text) <= LIMITS.name_chars else Cell(text.strip())


@lru_cache(maxsize=65_536)
def _cell(text: str, mark: str) -> Cell:
    bare = text.translate(_PLAIN).strip()
    if bare.casefold() in _MISSING | MISSING:
        return Cell("")
    if bare.casefold() in _UNLIMITED:
        return Cell("inf")
    if _FAILED.fullmatch(bare):
        return Cell(text.strip(), failed=True)
    parts = _SPREAD.split(bare)
    if len(parts) == 2:
        value, spread = _marked(parts[0], mark), _marked(parts[1], mark)
        if _float(value.text) is not None and _float(spread.text) is not None:
            return replace(value, spread=spread.text, unit=value.unit or spread.unit)
    if len(parts) > 1:
        return Cell(text.strip())
    found = _marked(bare, mark)
    return found if _float(found.text) is not None else Cell(text.strip())


def number_text(cell: str, mark: str) -> tuple[str, str]:
    """Return a number as Python writes it, and the unit behind it; other text comes back as it is.

    >>> number_text("1,146.31", "."), number_text("1.146,31 ms", ","), number_text("OOM", ".")
    (('1146.31', ''), ('1146.31', 'ms'), ('OOM', ''))
    """
    if len(cell) > LIMITS.name_chars:
        return cell.strip(), ""
    bare = _joined(cell.translate(_PLAIN).strip())
    found = _NUMBER.fullmatch(bare)
    if not found:
        return cell.strip(), ""
    digits, unit = found[1], (found[2] or "").strip().lower()
    other = "." if mark == "," else ","
    if _GROUPED[other].fullmatch(digits):
        digits = digits.replace(other, "")
    elif other in digits:
        return cell.strip(), ""
    return digits.replace(mark, "."), unit


def marks_in(cells: Iterable[str]) -> set[str]:
    """Return the decimal marks that a column's cells prove; one that could be thousands proves nothing."""
    found = (
        _NUMBER.fullmatch(_joined(part))
        for cell in cells
        if len(cell) <= LIMITS.name_chars
        for part in map(_undecorated, _SPREAD.split(_plain(cell)))
    )
    return {mark for hit in found if hit for mark in DECIMAL_MARKS if _DECIMAL[mark].fullmatch(hit[1])}


def _marked(text: str, mark: str) -> Cell:
    """A number with what stands around it: a note in brackets, a prefix, a suffix, a unit."""
    bracketed = _NOTE.fullmatch(text)
    note = ""
    if bracketed:
        inner = (bracketed[2] or bracketed[3] or "").strip()
        text = bracketed[1]
        if inner.casefold() in UNITS:
            text = f"{text} {inner}"
        else:
            note = inner
    bare, sign = _stripped(text)
    number, unit = number_text(bare, mark)
    return Cell(number, unit, note=note, bound=sign in (_ABOVE, _BELOW), rough=sign == _ABOUT)


def _stripped(text: str) -> tuple[str, str]:
    """A number without the one word or sign before or behind it that makes it a bound or a rough one."""
    for pattern, sign in _PREFIXES:
        found = pattern.match(text)
        if found and found.end():
            return text[found.end() :], sign
    for pattern, sign in _SUFFIXES:
        found = re.search(rf"(?<=\d)(?:{pattern.pattern})(?=\s*[^\d]*$)", text)
        if found:
            return text[: found.start()] + text[found.end() :], sign
    return text, ""


def _undecorated(text: str) -> str:
    bracketed = _NOTE.fullmatch(text)
    return _stripped(bracketed[1] if bracketed else text)[0]


def _plain(cell: str) -> str:
    return cell.translate(_PLAIN).strip()


def _joined(text: str) -> str:
    """A number without the blanks or apostrophes between its thousands."""
    found = _SPACED.match(text)
    return re.sub(r"[ ']", "", found[1]) + text[found.end() :] if found else text


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
