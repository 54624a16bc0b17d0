"""The formulas of the cost sheet, over named cells. They are those of docs/cost.md, written for a spreadsheet."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.scenario import DemandKind
from core.price.formula import MILLION, SECONDS_PER_HOUR

OPPOSITE = {"low": "high", "mid": "mid", "high": "low"}
"""The lowest cost comes from the highest rate."""

_HOUR, _MILLION = f"{SECONDS_PER_HOUR:.0f}", f"{MILLION:.0f}"


@dataclass(frozen=True, slots=True)
class Formulas:
    """Formulas of one run.

    Attributes:
        run: name that its cells begin with.
        unknown: what is said where a cell that is needed is empty, instead of a number.
        one: the word that says the price is for one accelerator.
        hour: the cell of the bill per hour.
        terms: factors of the price by names of cells, such as "(1-discount)"; needed: those that may not be empty.
        price, basis: the cells of the price per hour and of what it is for.
    """

    run: str
    unknown: str
    one: str
    hour: str = ""
    terms: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    price: str = "price_per_hour"
    basis: str = "price_basis"

    def bill(self) -> str:
        """Return the bill per hour: the price with its terms, times the accelerators where it is for one of them."""
        count, each = f"{self.run}_accelerators", f'{self.basis}="{self.one}"'
        lacking = ",".join(f"NOT(ISNUMBER({cell}))" for cell in (self.price, *self.needed))
        blank = f"OR({lacking},AND({each},NOT(ISNUMBER({count}))))"
        price = "*".join((self.price, *self.terms))
        return self._known(blank, f"IF({each},{price}*{count},{price})")

    def pools(self) -> str:
        """Return the accelerators of both pools together."""
        both = f"{self.run}_prefill", f"{self.run}_decode"
        return self._known(f"OR({','.join(f'ISBLANK({cell})' for cell in both)})", "+".join(both))

    def per_million(self, load: str, key: str) -> dict[str, str]:
        """Return the cost of a million tokens of one kind, "output" or "total": the whole bill is put on them."""
        share = f"{load}_good_{key}"
        return {
            end: self._per_million(f"{load}_{key}_{rate}*{share}", (f"{load}_{key}_{rate}", share))
            for end, rate in OPPOSITE.items()
        }

    def weighted(self, load: str) -> dict[str, str]:
        """Return the cost of a million output tokens where input tokens count as the work that they are."""
        worth = f"(1-{load}_cached+cached_weight*{load}_cached)/output_weight"
        output_share, input_share = f"{load}_good_output", f"{load}_good_input"
        found = {}
        for end, rate in OPPOSITE.items():
            output, into = f"{load}_output_{rate}", f"{load}_input_{rate}"
            work = f"({output}*{output_share}+{into}*{input_share}*{worth})"
            needed = (output, into, output_share, input_share, "output_weight", "cached_weight")
            found[end] = self._per_million(work, needed)
        return found

    def of_weighted(self, cell: str) -> str:
        """Return the cost of a million input tokens from that of output tokens."""
        return self._known(f"OR(NOT(ISNUMBER({cell})),ISBLANK(output_weight))", f"{cell}/output_weight")

    def per_request(self, load: str) -> dict[str, str]:
        """Return the cost of one answered request."""
        found = {}
        for end, rate in OPPOSITE.items():
            cell, share = f"{load}_requests_{rate}", f"{load}_good_requests"
            value = self._if_positive(f"{cell}*{share}", f"{self.hour}/({_HOUR}*{cell}*{share})")
            found[end] = self._known(f"OR(NOT(ISNUMBER({self.hour})),ISBLANK({cell}),ISBLANK({share}))", value)
        return found

    def cached(self, load: str, weighted: str) -> str:
        """Return the cost of a million cached input tokens, from that of other input."""
        blank = f"OR(NOT(ISNUMBER({weighted})),ISBLANK({load}_cached),ISBLANK(cached_weight))"
        return self._known(blank, f"{weighted}*cached_weight")

    def over(self, cells: str, *factors: str) -> dict[str, str]:
        """Return the bill per hour times factors over a range of cells, such as users or hours of sound."""
        found = {}
        for end, rate in OPPOSITE.items():
            cell = f"{cells}_{rate}"
            value = self._if_positive(cell, f"{'*'.join((self.hour, *factors))}/{cell}")
            blank = ",".join(f"ISBLANK({each})" for each in (cell, *factors))
            found[end] = self._known(f"OR(NOT(ISNUMBER({self.hour})),{blank})", value)
        return found

    def jobs(self) -> dict[str, str]:
        """Return how many such jobs one accelerator does in an hour."""
        count, found = f"{self.run}_accelerators", {}
        for end, time in OPPOSITE.items():
            cell = f"{self.run}_job_s_{time}"
            value = self._if_positive(f"{cell}*{count}", f"{_HOUR}/({cell}*{count})")
            found[end] = self._known(f"OR(ISBLANK({cell}),NOT(ISNUMBER({count})))", value)
        return found

    def energy(self, load: str) -> dict[str, str]:
        """Return kWh of a million output tokens, every accelerator at its power all the time."""
        count, power, found = f"{self.run}_accelerators", f"{self.run}_power_kw", {}
        for end, rate in OPPOSITE.items():
            cell = f"{load}_output_{rate}"
            value = self._if_positive(cell, f"{count}*{power}*{_MILLION}/({_HOUR}*{cell})")
            blank = f"OR(NOT(ISNUMBER({count})),ISBLANK({power}),ISBLANK({cell}))"
            found[end] = self._known(blank, value)
        return found

    def job(self) -> dict[str, str]:
        """Return the cost of the whole job: the bill for as long as it takes."""
        found = {}
        for end in OPPOSITE:
            cell = f"{self.run}_job_s_{end}"
            found[end] = self._known(f"OR(NOT(ISNUMBER({self.hour})),ISBLANK({cell}))", f"{cell}*{self.hour}/{_HOUR}")
        return found

    def carried(self, kind: DemandKind, *, rate_known: bool) -> str:
        """Return how much of the demand one copy carries; see `core.present.replicas`."""
        safe, whole, rate = f"{self.run}_promised", f"{self.run}_request_s", f"{self.run}_safe_requests_mid"
        if kind is DemandKind.CONCURRENCY:
            return self._known(f"ISBLANK({safe})", self._if_positive(safe, safe))
        if kind is DemandKind.USERS:
            value = self._if_positive(f"{safe}*{whole}", f"{safe}*({whole}+think_time_s)/{whole}")
            return self._known(f"OR(ISBLANK({safe}),ISBLANK({whole}),ISBLANK(think_time_s))", value)
        if rate_known:
            return self._known(f"ISBLANK({rate})", rate)
        return self._known(f"OR(ISBLANK({safe}),ISBLANK({whole}))", self._if_positive(whole, f"{safe}/{whole}"))

    def sure(self, one: str) -> str:
        """Return what one copy is planned with: less than it carries, where the rate is in doubt."""
        share = f"{self.run}_sure_share"
        return self._known(f"OR(NOT(ISNUMBER({one})),ISBLANK({share}))", f"{one}*{share}")

    def replicas(self, one: str) -> str:
        """Return how many copies the demand needs; the dust of a division buys no machine."""
        value = self._if_positive(one, f"MAX(1,ROUNDUP(ROUND(demand_peak/{one},9),0))")
        return self._known(f"OR(ISBLANK(demand_peak),NOT(ISNUMBER({one})))", value)

    def at_work(self, one: str) -> str:
        """Return how many copies are at work at the peak, with room for growth, bursts and under the ceiling."""
        factor = f"{self.run}_load_factor"
        value = self._if_positive(one, f"MAX(1,ROUNDUP(ROUND(demand_peak*{factor}/{one},9),0))")
        return self._known(f"OR(ISBLANK(demand_peak),ISBLANK({factor}),NOT(ISNUMBER({one})))", value)

    def with_spares(self, base: str) -> str:
        """Return how many copies there have to be for so many at work: spares or zones, then time out of service."""
        spares, zones, out = (f"{self.run}_{name}" for name in ("spares", "zones", "out_share"))
        zoned = f"IF({zones}>1,{base}+ROUNDUP({base}/({zones}-1),0),0)"
        value = f"ROUNDUP(ROUND(MAX({base}+{spares},{zoned})/(1-{out}),9),0)"
        blank = ",".join(f"ISBLANK({cell})" for cell in (spares, zones, out))
        return self._known(f"OR(NOT(ISNUMBER({base})),{blank})", value)

    def in_nodes(self, copies: str) -> str:
        """Return for how many copies is paid where nodes are whole: those of the accelerators in all of them."""
        each, node = f"{self.run}_accelerators", f"{self.run}_node"
        nodes = f"IF({each}>{node},{copies}*ROUNDUP({each}/{node},0),ROUNDUP({copies}/ROUNDDOWN({node}/{each},0),0))"
        blank = f"OR(NOT(ISNUMBER({copies})),NOT(ISNUMBER({each})),ISBLANK({node}))"
        return self._known(blank, f"{nodes}*{node}/{each}")

    def monthly(self, copies: str) -> str:
        """Return what the copies cost in a month."""
        blank = f"OR(NOT(ISNUMBER({self.hour})),NOT(ISNUMBER({copies})),ISBLANK(hours_per_month))"
        return self._known(blank, f"{copies}*{self.hour}*hours_per_month")

    def _per_million(self, tokens: str, needed: tuple[str, ...]) -> str:
        blank = ",".join(f"ISBLANK({cell})" for cell in needed)
        value = self._if_positive(tokens, f"{self.hour}*{_MILLION}/({_HOUR}*{tokens})")
        return self._known(f"OR(NOT(ISNUMBER({self.hour})),{blank})", value)

    def _if_positive(self, divisor: str, value: str) -> str:
        return f'IF({divisor}>0,{value},"{self.unknown}")'

    def _known(self, blank: str, value: str) -> str:
        return f'IF({blank},"{self.unknown}",{value})'
