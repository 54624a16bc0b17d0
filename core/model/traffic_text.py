"""Traffic as a person types it: on the command line, and in an address."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import UsageError
from core.i18n import t
from core.model.traffic import Arrivals, Profile, Traffic

_OF_PROFILE = {
    "isl": "input_tokens",
    "isl_p95": "input_p95",
    "osl": "output_tokens",
    "osl_p95": "output_p95",
    "hit": "hit_rate",
    "share": "share",
}
_OF_TRAFFIC = {"burst": "burst", "users": "users", "think": "think_s"}
_ARRIVALS = {
    "closed": Arrivals.CLOSED,
    "poisson": Arrivals.POISSON,
    "random": Arrivals.POISSON,
    "bursty": Arrivals.BURSTY,
}
_KEYS = (*_OF_PROFILE, "arrivals", *_OF_TRAFFIC)
_LONGEST = 400


def parse_traffic(texts: Sequence[str]) -> Traffic:
    """Read traffic, one text for each kind of request.

    Args:
        texts: words such as "isl=2000 osl=400 arrivals=poisson hit=30%", in any order; what holds for
            all requests (arrivals, burst, users, think) may stand in any of them, once.

    Raises:
        UsageError: "traffic.unreadable", "traffic.twice", and those of `Traffic`.

    >>> parse_traffic(["isl=2000 osl=400 hit=30% arrivals=poisson"]).hit_rate
    0.3
    >>> parse_traffic(["isl=500 share=0.5", "isl=1500 share=50%"]).input_tokens
    1000.0
    """
    whole: dict[str, str] = {}
    profiles = []
    for text in texts:
        own = _words(text)
        for name in ("arrivals", *_OF_TRAFFIC):
            value = own.pop(name, None)
            if value is not None and whole.setdefault(name, value) != value:
                raise _twice(name)
        if own or len(texts) == 1:
            profiles.append(Profile(**{_OF_PROFILE[name]: _number(name, value) for name, value in own.items()}))
    arrivals = whole.pop("arrivals", None)
    if arrivals is not None and arrivals not in _ARRIVALS:
        raise _unreadable(f"arrivals={arrivals}")
    known = tuple(profile for profile in profiles if not profile.unknown or profile.share is not None)
    numbers = {_OF_TRAFFIC[name]: _number(name, value) for name, value in whole.items()}
    return Traffic(profiles=known, arrivals=_ARRIVALS[arrivals] if arrivals else None, **numbers)


def traffic_texts(traffic: Traffic) -> tuple[str, ...]:
    """Return what `parse_traffic` reads as the same traffic, one text for each kind of request."""
    lines = [
        [
            f"{name}={value:.12g}"
            for name, field in _OF_PROFILE.items()
            if (value := getattr(profile, field)) is not None
        ]
        for profile in traffic.profiles
    ] or [[]]
    if traffic.arrivals is not None:
        lines[0].append(f"arrivals={traffic.arrivals.value}")
    lines[0] += [
        f"{name}={value:.12g}" for name, field in _OF_TRAFFIC.items() if (value := getattr(traffic, field)) is not None
    ]
    return tuple(" ".join(line) for line in lines if line)


def _words(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in text[:_LONGEST].replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals or name.lower() not in _KEYS or not value:
            raise _unreadable(word)
        if name.lower() in found:
            raise _twice(name.lower())
        found[name.lower()] = value.lower()
    return found


def _number(name: str, text: str) -> float:
    """Read a plain number, "30%" as 0.3, "8k" as 8000; a range is judged by `Traffic`."""
    factor = {"%": 0.01, "k": 1000.0, "s": 1.0}.get(text[-1:], 0.0)
    allowed = {"%": name in ("hit", "share"), "k": name not in ("hit", "share"), "s": name == "think"}
    digits = text[:-1] if factor else text
    plain = digits.isascii() and digits.replace(".", "", 1).replace("e-", "", 1).replace("e+", "", 1).isalnum()
    try:
        value = float(digits) if plain else float("nan")
    except ValueError:
        value = float("nan")
    if not value >= 0.0 or value == float("inf") or (factor and not allowed[text[-1]]):
        raise _unreadable(f"{name}={text}")
    return float(f"{value * (factor or 1.0):.12g}")


def _unreadable(word: str) -> UsageError:
    return UsageError(
        "traffic.unreadable",
        t('Cannot read "{word}" in the traffic', word=word[:60]),
        fix=t(
            'Write it as "{example}"; known are {names}',
            example="isl=2000 osl=400 arrivals=poisson hit=0.3",
            names=", ".join(_KEYS),
        ),
    )


def _twice(name: str) -> UsageError:
    return UsageError(
        "traffic.twice",
        t('The traffic says "{name}" twice', name=name),
        fix=t("Say it once; give --traffic again for another kind of request"),
    )
