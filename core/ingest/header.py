"""The header of a table column in parts: what it names, which statistic, which unit.

"TTFT p99 (ms)", "ttft_p99_ms", "p99_ttft_ms" and "P99 TTFT [ms]" are one header in four spellings.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from core.settings import LIMITS

TIME_UNITS = {
    "s": ("s", "sec", "secs", "second", "seconds", "초", "秒"),
    "ms": ("ms", "msec", "msecs", "millis", "millisecond", "milliseconds", "밀리초", "毫秒"),
    "us": ("us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds", "마이크로초", "微秒"),
    "ns": ("ns", "nsec", "nanosecond", "nanoseconds"),
}
UNITS = {word: unit for unit, words in TIME_UNITS.items() for word in words} | {"%": "%", "percent": "%", "pct": "%"}

_STATISTICS = {
    "mean": ("mean", "avg", "average", "평균", "평균값", "平均", "平均值", "均值"),
    "p50": ("median", "med", "중앙값", "중간값", "中位数", "中位值", "中值"),
    "sd": ("sd", "std", "stddev", "stdev", "std_dev", "표준편차", "标准差"),
    "min": ("min", "minimum", "최소", "최솟값", "최소값", "最小", "最小值"),
    "max": ("max", "maximum", "최대", "최댓값", "최대값", "最大", "最大值"),
}
STATISTICS = {word: statistic for statistic, words in _STATISTICS.items() for word in words}

# One spelling for words that tools shorten or put into the plural.
_SAME = {
    "avg": "mean", "average": "mean", "maximum": "max", "number": "num", "no": "num", "n": "num", "nr": "num",
    "counts": "count", "reqs": "request", "req": "request", "requests": "request",
    "users": "user", "tokens": "token", "tok": "token", "toks": "token", "gpus": "gpu", "len": "length",
    "lengths": "length", "lens": "length", "conc": "concurrency", "concurrencies": "concurrency",
    "tput": "throughput", "lat": "latency", "delay": "latency", "latencies": "latency", "err": "error",
    "errors": "error", "failures": "failure", "prompts": "prompt", "seq": "sequence", "gen": "output",
    "generated": "output", "generation": "output", "completion": "output", "out": "output", "in": "input",
    "queueing": "queue", "queuing": "queue", "queued": "queue", "waiting": "wait", "clients": "client",
    "streams": "stream", "threads": "thread", "sessions": "session", "connections": "connection", "vus": "vu",
    "vusers": "vu", "tasks": "task", "qps": "rps", "accelerators": "accelerator", "devices": "device",
    "replicas": "replica", "instances": "instance", "success": "successful", "succeeded": "successful",
    "succeed": "successful", "fail": "failed", "complete": "completed", "transactions": "transaction",
    "1st": "first",
}  # fmt: skip
_FILLERS = frozenset({"of", "the", "a", "an", "results", "result", "quantiles", "quantile", "percentile", "value"})

_PER_SECOND = r"\s*(?:/|_per_| per |_p_|[ _])\s*(?:s|sec|secs|second|seconds)(?![a-z0-9])"
_TOKENS_PER_S = re.compile(rf"(?<![a-z0-9])tok(?:en)?s?{_PER_SECOND}|(?<![a-z0-9])(?:tps|tok/s)(?![a-z0-9])")
_REQUESTS_PER_S = re.compile(
    rf"(?<![a-z0-9])(?:req(?:uest)?s?|transactions?|quer(?:y|ies)|seq(?:uence)?s?){_PER_SECOND}"
)
_REQUESTS_PER_MINUTE = re.compile(
    r"(?<![a-z0-9])(?:req(?:uest)?s?|transactions?|quer(?:y|ies))\s*(?:/|_per_| per )\s*min(?:ute)?s?(?![a-z0-9])"
)
_PERCENTILE = re.compile(
    r"(?<![a-z0-9.])(?:"
    r"t?p[ _]?(?P<a>\d{1,2})[.p](?P<b>\d{1,3})(?![\d])"  # p99.9, p99p9
    r"|(?:t?p|pct|q|percentile)[ _]?(?P<c>\d{1,5})(?!\d)"  # p99, p999, p001, q99, percentile 99
    r"|q?(?P<f>0\.\d{1,5})(?: ?quantile)?(?!\d)"  # 0.99
    r"|(?P<d>[2-9]\d(?:\.\d{1,3})?|\d{1,2}(?:\.\d{1,3})?(?=(?:st|nd|rd|th)? (?:percentile|%ile)))"
    r" ?(?:%|(?:st|nd|rd|th)(?![a-z]))?(?:[ _]?(?:percentile|%?ile|pct)|(?<=[%tdh]))"  # 99.9th percentile, 99%
    r")"
)
_EAST_ASIAN = re.compile(r"[\u3131-\ud79d\u4e00-\u9fff]")
_PERCENTILES = re.compile(r"\s*(?:번째\s*)?(?:백분위수?|분위수?|百分位数?|分位数?值?)")
_APART = sorted((word for word in STATISTICS if _EAST_ASIAN.search(word)), key=len, reverse=True)
_TOKENS_CJK, _SECOND_CJK = r"(?:tok(?:en)?s?|토큰|令牌|词元)(?:\s*(?:수|数))?", r"(?:s|sec|초|秒|秒钟)"
_REQUESTS_CJK, _MINUTE_CJK = r"(?:req(?:uest)?s?|요청|건|请求|次|条)(?:\s*(?:수|数))?", r"(?:min|분|分|分钟)"
_EAST_ASIAN_WORDS = (
    (re.compile("|".join(_APART)), r" \g<0> "),
    (re.compile(rf"{_TOKENS_CJK}\s*[/每]\s*{_SECOND_CJK}(?![a-z])|(?:초당|每秒)\s*{_TOKENS_CJK}(?![a-z])"), " tps "),
    (re.compile(rf"{_REQUESTS_CJK}\s*/\s*{_SECOND_CJK}(?![a-z])|(?:초당|每秒)\s*{_REQUESTS_CJK}(?![a-z])"), " rps "),
    (
        re.compile(rf"{_REQUESTS_CJK}\s*/\s*{_MINUTE_CJK}(?![a-z])|(?:분당|每分钟)\s*{_REQUESTS_CJK}(?![a-z])"),
        " req/min ",
    ),
)
_COUNTERS = frozenset({"개", "건", "명", "회", "대", "장", "个", "次", "条", "路", "张", "人"})
_JOINED = re.compile(r"(?<![a-z0-9])(ttft|tpot|itl|e2el?|latency)(?=p\d{2})")


@dataclass(frozen=True, slots=True)
class Header:
    """A header in parts.

    Attributes:
        words: what is named, in one spelling, without statistic and unit; "tps" and "rps" stand
            for tokens and requests per second.
        statistic: "mean", "sd", "min", "max" or a quantile such as "p99", None where none is named.
        unit: "s", "ms", "us", "ns", "%", "/min", None where none is named.
        stated: every word, with those of the statistic.
        phrase: Korean or Chinese words in their order without blanks, "" where there are none.
    """

    words: frozenset[str]
    statistic: str | None
    unit: str | None
    stated: frozenset[str]
    phrase: str = ""


def parsed(text: str) -> Header:
    """Return the parts of a header.

    >>> parsed("P99 TTFT [s]") == parsed("ttft_p99_sec")
    True
    >>> parsed("Output Token Throughput (tokens/s)").words == frozenset({"output", "token", "throughput", "tps"})
    True
    """
    # Nobody calls a column by a whole page.
    return _parts(text[: LIMITS.name_chars])


@lru_cache(maxsize=16_384)
def _parts(text: str) -> Header:
    plain = _PERCENTILES.sub(" percentile ", _plain(text))
    percentile = _PERCENTILE.search(plain)
    if percentile:
        plain = f"{plain[: percentile.start()]} {plain[percentile.end() :]}"
    for pattern, plainly in _EAST_ASIAN_WORDS:
        plain = pattern.sub(plainly, plain)
    minute = _REQUESTS_PER_MINUTE.search(plain)
    plain = _TOKENS_PER_S.sub(" tps ", _REQUESTS_PER_S.sub(" rps ", _REQUESTS_PER_MINUTE.sub(" rps ", plain)))
    tokens = re.findall(r"[^\W_]+|%", plain.replace("std_dev", "stddev").replace("std dev", "stddev"))
    unit = next((UNITS[token] for token in tokens if token in UNITS), None)
    tokens = [token for token in tokens if token not in UNITS and token not in _FILLERS]
    said = [_SAME.get(token, token) for token in tokens if token not in STATISTICS]
    named = [STATISTICS[token] for token in tokens if token in STATISTICS]
    statistic = _quantile(percentile) if percentile else next(iter(named), None)
    return Header(
        words=frozenset(said),
        statistic=statistic,
        unit="/min" if minute else unit,
        stated=frozenset(_SAME.get(token, token) for token in tokens),
        phrase="".join(word for word in said if word not in _COUNTERS) if _EAST_ASIAN.search(plain) else "",
    )


def _plain(text: str) -> str:
    """One case, one kind of blank, words apart: "ttftP99Ms" is "ttft p99 ms"."""
    normal = unicodedata.normalize("NFKC", text)
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", normal).casefold()
    apart = re.sub(r"(?<=\d)(?=(?:ttft|tpot|itl|e2e|latency))", " ", _JOINED.sub(r"\1 ", apart))
    apart = re.sub(r"\bend[\s_-]*(?:to|2)[\s_-]*end\b|\be2e[_\s-]?l(?:atency)?\b", "e2e", apart.replace("-", " "))
    return re.sub(r"[\s\-\u2010-\u2015]+", " ", apart.replace("#", " num ")).strip()


def _quantile(found: re.Match[str]) -> str:
    """Return "p99.9" for p99.9, p99p9, p999, 0.999 and 99.9th; p001 is 0.1 %, p100 the maximum."""
    if found["f"]:
        return f"p{round(float(found['f']) * 100, 6):g}"
    if found["d"]:
        return f"p{float(found['d']):g}"
    if found["a"]:
        return f"p{float(found['a'] + '.' + found['b']):g}"
    digits = found["c"]
    if digits == "100":
        return "max"
    value = float(digits if len(digits) <= 2 else f"{digits[:2]}.{digits[2:]}")
    return f"p{value:g}" if value else "min"
