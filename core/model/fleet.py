"""What a person says of a fleet: how demand moves and grows, how careful to be, and what else it could cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from core.digits import spelled
from core.errors import UsageError
from core.i18n import Text, t
from core.letters import flat
from core.model.demand_curve import Curve, CurveKind
from core.model.owned import Owned
from core.model.price_bounds import FIELDS, is_day, wrong_owned

LEAST_MONEY, MOST_MONEY = 1e-9, 1e15
MOST_RUNS = 8
MOST_GROWN = 1e6
"""Times today's demand that a fleet may be built for."""

RANGES: dict[str, tuple[float, float]] = {
    "growth": (0.0, 2.0),
    "ahead": (0, 120),
    "burst": (1.0, 100.0),
    "ceiling": (0.05, 1.0),
    "spares": (0, 10_000),
    "zones": (1, 20),
    "out_share": (0.0, 0.9),
    "node": (1, 100_000),
    "floor": (0, 1_000_000),
    "start_s": (0.0, 86_400.0),
    "reserved": (LEAST_MONEY, MOST_MONEY),
    "budget": (LEAST_MONEY, MOST_MONEY),
}
"""Lowest and highest value of each number."""
DAYS = {"reserved_as_of": "reserved-as-of", "owned_as_of": "own-as-of", "api_as_of": "api-as-of"}
"""Word of `core.model.fleet_text` for the day of each price."""
_TYPED = {"out_share": "out", "start_s": "start"}
"""Words of `core.model.fleet_text` that are not the field's name."""
_SHARES = frozenset({"growth", "ceiling", "out_share", "interest"})
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiPrice:
    """What somebody else's API asks for a million tokens.

    Attributes:
        input, output: >= 0, one of them above 0; None is not known. cached: of input from their cache; None costs as
            other input.

    Raises:
        UsageError: "fleet.out_of_range".
    """

    input: float | None
    output: float | None
    cached: float | None = None

    def __post_init__(self) -> None:
        known = [amount for amount in (self.input, self.output, self.cached) if amount is not None]
        is_free = self.input == self.output == 0.0
        if not known or is_free or not all(0.0 <= amount <= MOST_MONEY for amount in known):
            raise _out_of_range("api", tuple(known), t("numbers from 0 up, one of them above"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """Everything a fleet is worked out from beside the answer, the demand and the price.

    All money is in the currency that the price is given in; `core.fleet.amounts` exchanges it as the price is.

    The defaults add nothing: the fleet is then the demand over the safe number, rounded up.

    Attributes:
        curve: how the demand moves over time; None is the peak all the time.
        growth: of the demand, a share a month. ahead: months of growth that the fleet is built for; both together make
            it at most `MOST_GROWN` times as much.
        burst: highest rate inside a step of the curve over its mean, >= 1.
        ceiling: share of the safe number that a replica may be loaded to.
        spares: replicas beyond those needed. zones: over which they are spread so that one may be lost; 1 is none.
        out_share: share of the time that a replica is out of service: failures, updates, restarts.
        node: accelerators that are bought or rented together, None where single replicas are.
        floor: replicas below which an autoscaler does not go. start_s: from the order of a replica to its first answer.
        reserved: price per hour of a reservation, for what the price is for. owned: bought instead of rented.
        api: somebody else's price for the same tokens. budget: money a month.
        reserved_as_of, owned_as_of, api_as_of: day of that price, ISO 8601, or its month or year; "" where nobody said.
        served_by: run id by position of the traffic's profiles; empty where one run serves all.

    Raises:
        UsageError: "fleet.out_of_range".
    """

    curve: Curve | None = None
    growth: float = 0.0
    ahead: int = 0
    burst: float = 1.0
    ceiling: float = 1.0
    spares: int = 0
    zones: int = 1
    out_share: float = 0.0
    node: int | None = None
    floor: int = 1
    start_s: float = 300.0
    reserved: float | None = None
    owned: Owned | None = None
    api: ApiPrice | None = None
    budget: float | None = None
    reserved_as_of: str = ""
    owned_as_of: str = ""
    api_as_of: str = ""
    served_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and least <= value <= most):
                low, high, said = (_shown(name, number) for number in (least, most, value))
                wanted = t("a number from {least} to {most}", least=low, most=high)
                raise _refused(_TYPED.get(name, name), said, wanted)
        grown = (1.0 + self.growth) ** self.ahead
        if grown > MOST_GROWN:
            raise _grown_beyond(self.growth, self.ahead, grown)
        wrong = next(wrong_owned(self.owned), None) if self.owned else None
        if wrong:
            raise _refused(
                f"own {wrong.replace('_', '-')}", _shown(wrong, getattr(self.owned, wrong)), FIELDS[wrong][1]
            )
        for name, word in DAYS.items():
            object.__setattr__(self, name, flat(getattr(self, name)))
            if not is_day(getattr(self, name)):
                raise _refused(word, getattr(self, name)[:_LONGEST_SHOWN], FIELDS["as_of"][1])
        if len(self.served_by) > MOST_RUNS:
            raise _out_of_range("served_by", (float(len(self.served_by)),), t("at most {most} runs", most=MOST_RUNS))
        object.__setattr__(self, "served_by", tuple(flat(name) for name in self.served_by))

    @property
    def plain(self) -> bool:
        """Return True where nothing was said: the fleet is the demand over the safe number."""
        return self == Fleet()

    @property
    def without_money(self) -> Fleet:
        """Return what is left where prices are hidden."""
        none = dict.fromkeys(DAYS, "")
        return replace(self, reserved=None, owned=None, api=None, budget=None, **none)  # type: ignore[arg-type]  # days

    @property
    def without_file(self) -> Fleet:
        """Return the part that an address can hold: a curve that was read from a file is too long for one."""
        is_file = self.curve is not None and self.curve.kind is CurveKind.FILE
        return replace(self, curve=None) if is_file else self


def _grown_beyond(growth: float, ahead: int, grown: float) -> UsageError:
    return UsageError(
        "fleet.out_of_range",
        t(
            "growth={growth} over ahead={ahead} months makes the demand {times} times what it is today",
            growth=_shown("growth", growth),
            ahead=ahead,
            times=f"{grown:.3g}",
        ),
        fix=t("Give less growth or fewer months: at most {most} times is planned for", most=f"{MOST_GROWN:,.0f}"),
    )


def _shown(name: str, value: float) -> str:
    return f"{spelled(value * 100.0)}%" if name in _SHARES else spelled(value)


def _out_of_range(name: str, values: tuple[float, ...], wanted: Text) -> UsageError:
    return _refused(name, ", ".join(spelled(value) for value in values), wanted)


def _refused(name: str, said: str, wanted: Text) -> UsageError:
    return UsageError(
        "fleet.out_of_range",
        t("{name}={value} is out of range", name=name, value=said),
        fix=t("Give {wanted}", wanted=wanted),
    )
