"""The service's own traffic: what its users send, as far as a person knows it. Meanings: docs/traffic.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum

from core.digits import spelled
from core.errors import UsageError
from core.i18n import Text, t

MOST_PROFILES = 8
MOST_TOKENS = 1e8
MOST_USERS = 1e9
MOST_BURST = 100.0
MOST_SHARE = 1e6
_P95_Z = 1.6448536269514722
_NAMES = {
    "input_tokens": "isl",
    "input_p95": "isl_p95",
    "output_tokens": "osl",
    "output_p95": "osl_p95",
    "hit_rate": "hit",
    "share": "share",
    "burst": "burst",
    "users": "users",
    "think_s": "think",
}
"""What each field is called where it is typed, see core.model.traffic_text."""


class Arrivals(StrEnum):
    """How requests arrive. Stored and printed: never rename one."""

    CLOSED = "closed"
    POISSON = "poisson"
    BURSTY = "bursty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One kind of request. None is unknown.

    Attributes:
        input_tokens, output_tokens: mean tokens of a request, > 0.
        input_p95, output_p95: tokens that 95 % of the requests stay within, at least the mean.
        hit_rate: share of the prompts' tokens that a prefix cache holds, 0 to 1.
        share: of all requests, > 0, relative to the shares of the others; None for an only profile.

    Raises:
        UsageError: "traffic.out_of_range", "traffic.p95_below_mean".
    """

    input_tokens: float | None = None
    input_p95: float | None = None
    output_tokens: float | None = None
    output_p95: float | None = None
    hit_rate: float | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        for name in ("input_tokens", "input_p95", "output_tokens", "output_p95"):
            _within(name, getattr(self, name), MOST_TOKENS, zero=False)
        _within("hit_rate", self.hit_rate, 1.0, zero=True)
        _within("share", self.share, MOST_SHARE, zero=False)
        for mean, p95 in ((self.input_tokens, self.input_p95), (self.output_tokens, self.output_p95)):
            if mean is not None and p95 is not None and p95 < mean:
                raise UsageError(
                    "traffic.p95_below_mean",
                    t("A p95 of {p95} tokens is below the mean of {mean}", p95=f"{p95:g}", mean=f"{mean:g}"),
                    fix=t("Give the length that 95 % of the requests stay within"),
                )

    @property
    def unknown(self) -> bool:
        """Return True where nothing is known of it."""
        return all(getattr(self, f.name) is None for f in fields(self) if f.name != "share")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """What the service's users send. None is unknown, and unknown changes no answer.

    Attributes:
        profiles: kinds of requests, at most 8; each of several has a share.
        burst: squared coefficient of variation of the gaps between requests (1: at random), only
            with bursty arrivals, which cannot do without it.
        users: people who use the service at the same time.
        think_s: seconds that one of them pauses between an answer and the next request.

    Raises:
        UsageError: "traffic.out_of_range", "traffic.shares", "traffic.too_many_profiles", "traffic.burst".
    """

    profiles: tuple[Profile, ...] = ()
    arrivals: Arrivals | None = None
    burst: float | None = None
    users: float | None = None
    think_s: float | None = None

    def __post_init__(self) -> None:
        _within("burst", self.burst, MOST_BURST, zero=False)
        _within("users", self.users, MOST_USERS, zero=False)
        _within("think_s", self.think_s, MOST_TOKENS, zero=True)
        if (self.arrivals is Arrivals.BURSTY) != (self.burst is not None):
            raise UsageError(
                "traffic.burst",
                t("Bursty arrivals and how bursty they are belong together"),
                fix=t("Write arrivals=bursty burst=4, where 1 is as good as at random"),
            )
        if len(self.profiles) > MOST_PROFILES:
            raise UsageError(
                "traffic.too_many_profiles",
                t("The traffic has {count} kinds of requests, more than {limit}", count=len(self.profiles), limit=8),
                fix=t("Put similar ones together"),
            )
        _check_shares(self.profiles)

    @property
    def unknown(self) -> bool:
        """Return True where nothing is known that an answer could be compared with."""
        return all(profile.unknown for profile in self.profiles) and self.arrivals is None and self.users is None

    @property
    def input_tokens(self) -> float | None:
        """Return the mean input tokens of all requests, None where a profile does not say."""
        return self._mean(lambda profile: profile.input_tokens)

    @property
    def output_tokens(self) -> float | None:
        """Return the mean output tokens of all requests, None where a profile does not say."""
        return self._mean(lambda profile: profile.output_tokens)

    @property
    def hit_rate(self) -> float | None:
        """Return the share of all prompt tokens that is cached; by requests where lengths are not known."""
        if any(profile.hit_rate is None for profile in self.profiles):
            return None
        tokens = [profile.input_tokens for profile in self.profiles]
        weights = [n if n is not None and None not in tokens else 1.0 for n in tokens]
        pairs = [(p, w * (p.share or 1.0)) for p, w in zip(self.profiles, weights, strict=True)]
        total = sum(weight for _, weight in pairs)
        return sum((p.hit_rate or 0.0) * weight for p, weight in pairs) / total if total else None

    def input_quantile(self, q: float) -> float | None:
        """Return the input length that the share q of requests stays within, None where no spread is known."""
        return self._quantile(q, lambda profile: (profile.input_tokens, profile.input_p95))

    def output_quantile(self, q: float) -> float | None:
        """Return the output length that the share q of requests stays within, None where no spread is known."""
        return self._quantile(q, lambda profile: (profile.output_tokens, profile.output_p95))

    def _mean(self, of: Callable[[Profile], float | None]) -> float | None:
        values = [(of(profile), profile.share or 1.0) for profile in self.profiles]
        known = [(value, share) for value, share in values if value is not None]
        if not known or len(known) < len(values):
            return None
        return sum(value * share for value, share in known) / sum(share for _, share in known)

    def _quantile(self, q: float, of: Callable[[Profile], tuple[float | None, float | None]]) -> float | None:
        """Find the quantile of the mixture by halving; each profile is lognormal, or one length without a p95."""
        parts = [(*of(profile), profile.share or 1.0) for profile in self.profiles]
        if self._mean(lambda p: of(p)[0]) is None or (len(parts) == 1 and parts[0][1] is None):
            return None
        shapes = [(*_lognormal(mean or 1.0, p95), share) for mean, p95, share in parts]
        total = sum(share for _, _, share in shapes)

        def below(log_tokens: float) -> float:
            return sum(share * _normal_below(log_tokens, *shape) for *shape, share in shapes) / total

        low, high = min(m - 9.0 * s for m, s, _ in shapes) - 1e-9, max(m + 9.0 * s for m, s, _ in shapes) + 1e-9
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if below(middle) < q else (low, middle)
        return math.exp(high)


def _lognormal(mean: float, p95: float | None) -> tuple[float, float]:
    """Return mean and sd of ln tokens from mean and p95: ln(p95 / mean) = z s - s^2 / 2."""
    if p95 is None or p95 <= mean:
        return math.log(mean), 0.0
    spread = _P95_Z - math.sqrt(max(_P95_Z**2 - 2.0 * math.log(p95 / mean), 0.0))
    return math.log(mean) - 0.5 * spread**2, spread


def _normal_below(x: float, mean: float, sd: float) -> float:
    if sd == 0.0:
        return 1.0 if x >= mean else 0.0
    return 0.5 * math.erfc((mean - x) / (sd * math.sqrt(2.0)))


def _check_shares(profiles: tuple[Profile, ...]) -> None:
    if len(profiles) > 1 and any(profile.share is None for profile in profiles):
        raise UsageError(
            "traffic.shares",
            t("Of several kinds of requests each needs its share"),
            fix=t("Give every kind of request its share, such as share=0.7 and share=0.3"),
        )


def _within(name: str, value: float | None, most: float, *, zero: bool) -> None:
    """Refuse what is no number in range; `zero` says whether 0 is one."""
    if value is None or ((value >= 0.0 if zero else value > 0.0) and value <= most):
        return
    said: Text = t("{name}={value} is out of range", name=_NAMES[name], value=spelled(value))
    least = t("from 0") if zero else t("above 0")
    raise UsageError(
        "traffic.out_of_range",
        said,
        fix=t("Give a number {least}, and at most {most}", least=least, most=spelled(most)),
    )
