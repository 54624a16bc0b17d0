"""One published bill divided four ways (data/examples/deepseek_day.csv): same day, same money, other denominators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from core.catalogue.rows import rows
from core.price.formula import MILLION, weighted_tok_s

RATIO = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was published of one day.

    Attributes:
        bill: money for the whole day. output, input, cached: tokens; cached ones are among the input.
    """

    bill: float
    output: float
    input: float
    cached: float
    currency: str
    source: str
    url: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """The bill over the tokens of four ways, money per million.

    Attributes:
        per_output: all on output. per_total: over every token, cached ones too.
        weighted: per output token where 4 input tokens cost as much, all input counted.
        weighted_uncached: the same with only the input that was not cached.
    """

    per_output: float
    per_total: float
    weighted: float
    weighted_uncached: float


@cache
def deepseek_day() -> Day:
    """Return DeepSeek's published day of February 2025."""
    found = {row["quantity"]: row for row in rows("examples", "deepseek_day.csv")}
    first = found["bill"]
    return Day(
        bill=float(first["value"]),
        output=float(found["output_tokens"]["value"]),
        input=float(found["input_tokens"]["value"]),
        cached=float(found["cached_input_tokens"]["value"]),
        currency=first["unit"],
        source=first["source"],
        url=first["url"],
        as_of=first["as_of"],
    )


def divided(day: Day) -> Divided:
    """Return the bill of a day in money per million tokens, divided four ways."""

    def work(cached: float) -> float:
        return weighted_tok_s(
            output_tok_s=day.output,
            input_tok_s=day.input,
            cached_share=cached / day.input,
            output_weight=RATIO,
            cached_weight=0.0,
        )

    tokens = (day.output, day.input + day.output, work(0.0), work(day.cached))
    per_output, per_total, weighted, uncached = (day.bill * MILLION / each for each in tokens)
    return Divided(per_output=per_output, per_total=per_total, weighted=weighted, weighted_uncached=uncached)
