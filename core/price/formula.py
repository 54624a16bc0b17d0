"""Money per token: the three ways to divide one bill. They are shown side by side and never added."""

from __future__ import annotations

from core.model.answer import Interval

SECONDS_PER_HOUR = 3600.0
MILLION = 1e6
HOURS_PER_MONTH = 730.0


def per_million(*, per_hour: float, tok_s: float | None) -> float | None:
    """Money for a million tokens when the whole bill is put on these tokens.

    Args:
        per_hour: the whole deployment, money per hour.
        tok_s: tokens per second of the system at the load in question.

    Returns:
        Money per 10^6 tokens; None where the rate is unknown or zero, since no number
        of hours then yields a million.

    Sources:
        InferenceX dashboard and NVIDIA's published calculation: price / (3600 * tokens/s).

    >>> per_million(per_hour=3.6, tok_s=1000.0)
    1.0
    """
    if tok_s is None or not tok_s > 0.0:
        return None
    return per_hour * MILLION / (SECONDS_PER_HOUR * tok_s)


def weighted_tok_s(
    *, output_tok_s: float, input_tok_s: float, cached_share: float, output_weight: float, cached_weight: float
) -> float:
    """Work done per second, counted in output tokens: W = out + (in - cached + w * cached) / ratio.

    A cached input token is not work done again, so it counts with `cached_weight` only
    (0: not at all). Counting it in full flatters: on DeepSeek's published day, where
    56 % of the input was cached, by a third.

    Args:
        output_tok_s: output tokens per second of the system, >= 0.
        input_tok_s: input tokens per second of the system, cached ones included, >= 0.
        cached_share: share of input tokens that came from the prefix cache, 0 to 1.
        output_weight: input tokens that cost as much as one output token, > 0.
        cached_weight: price of a cached input token over that of an uncached one, 0 to 1.

    Sources:
        Google GKE inference quickstart (ratio 4, its convention); DeepSeek, open-infra-index day 6.

    >>> weighted_tok_s(output_tok_s=100, input_tok_s=800, cached_share=0.5, output_weight=4, cached_weight=0)
    200.0
    """
    worth = 1.0 - cached_share + cached_weight * cached_share
    return output_tok_s + input_tok_s * worth / output_weight


def per_million_interval(per_hour: float, tok_s: Interval | None) -> Interval | None:
    """Money per million tokens from a range of rates: derived bound by bound, never fitted.

    The low cost comes from the high rate. A bound that is unknown stays unknown.

    >>> per_million_interval(3.6, Interval(low=500.0, mid=1000.0, high=2000.0))
    Interval(low=0.5, mid=1.0, high=2.0, level=0.9)
    """
    if tok_s is None:
        return None
    return Interval(
        low=per_million(per_hour=per_hour, tok_s=tok_s.high),
        mid=per_million(per_hour=per_hour, tok_s=tok_s.mid),
        high=per_million(per_hour=per_hour, tok_s=tok_s.low),
        level=tok_s.level,
    )


def per_request(per_hour: float, req_s: Interval | None) -> Interval | None:
    """Money for one request from a range of requests per second, bound by bound.

    >>> per_request(3.6, Interval(low=0.5, mid=1.0, high=None))
    Interval(low=None, mid=0.001, high=0.002, level=0.9)
    """
    if req_s is None:
        return None
    return over(per_hour / SECONDS_PER_HOUR, req_s)


def over(amount: float, rate: Interval) -> Interval:
    """Return an amount >= 0 over a range of rates: the low end comes from the high rate, 0 or unknown stays unknown.

    >>> over(8.0, Interval(low=0.0, mid=2.0, high=4.0))
    Interval(low=2.0, mid=4.0, high=None, level=0.9)
    """
    low, mid, high = (amount / end if end else None for end in (rate.high, rate.mid, rate.low))
    return Interval(low=low, mid=mid, high=high, level=rate.level)


def scaled(interval: Interval, factor: float) -> Interval:
    """Return an interval times a factor >= 0; unknown bounds stay unknown.

    >>> scaled(Interval(low=None, mid=2.0, high=3.0), 0.5)
    Interval(low=None, mid=1.0, high=1.5, level=0.9)
    """
    low, mid, high = (
        None if bound is None else bound * factor for bound in (interval.low, interval.mid, interval.high)
    )
    return Interval(low=low, mid=mid, high=high, level=interval.level)
