"""Accelerators: what each has, according to whom, and where sources disagree (data/hardware)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from core.catalogue.rows import rows


class Quantity(StrEnum):
    """What a figure is of, as data/hardware/figures.csv names it. All TFLOPS in use are dense."""

    MEMORY = "memory"
    MEMORY_SEEN = "memory_seen"
    BANDWIDTH = "bandwidth"
    BF16 = "bf16_dense"
    FP8 = "fp8_dense"
    FP4 = "fp4_dense"
    TDP = "tdp"
    LINK_ONE_WAY = "link_one_way"
    LINK_BOTH_WAYS = "link_both_ways"
    SCALEUP_DOMAIN = "scaleup_domain"
    ALL_IN_POWER = "all_in_power"


class Standing(StrEnum):
    """What a figure is good for: the one in use, one that another source gives, or one that counts sparsity."""

    USED = "used"
    OTHER = "other"
    SPARSE = "sparse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of one source.

    Attributes:
        value: in `unit`. certainty: "good", "partial" or "uncertain".
        as_of: day on which the source said so, ISO 8601.
    """

    value: float
    unit: str
    standing: Standing
    certainty: str
    source: str
    as_of: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """One part of one vendor. A figure that nobody published is None.

    Attributes:
        name: as data/hardware and data/prices name it. certainty: of the row as a whole.
        figures: by quantity, the one in use first, then what other sources say.
    """

    name: str
    vendor: str
    form_factor: str
    interconnect: str
    certainty: str
    source: str
    as_of: str
    notes: str
    figures: Mapping[Quantity, tuple[Figure, ...]]

    def used(self, quantity: Quantity) -> Figure | None:
        """Return the figure in use, None where there is none."""
        return next((one for one in self.figures.get(quantity, ()) if one.standing is Standing.USED), None)

    def value(self, quantity: Quantity) -> float | None:
        """Return the figure in use as a number, None where it is unknown."""
        figure = self.used(quantity)
        return figure.value if figure else None

    def others(self, quantity: Quantity) -> tuple[Figure, ...]:
        """Return what other sources say of a quantity."""
        return tuple(one for one in self.figures.get(quantity, ()) if one.standing is not Standing.USED)

    @property
    def memory_gb(self) -> float | None:
        """Return memory as sold, 10^9 bytes or 2^30 by vendor: `memory_mib` is what software sees."""
        return self.value(Quantity.MEMORY)

    @property
    def memory_mib(self) -> float | None:
        """Return memory as software sees it, MiB."""
        return self.value(Quantity.MEMORY_SEEN)

    @property
    def bandwidth_tb_s(self) -> float | None:
        """Return peak memory bandwidth, 10^12 bytes/s."""
        return self.value(Quantity.BANDWIDTH)

    @property
    def bf16_tflops(self) -> float | None:
        """Return dense BF16, 10^12 operations/s."""
        return self.value(Quantity.BF16)

    @property
    def fp8_tflops(self) -> float | None:
        """Return dense FP8, 10^12 operations/s."""
        return self.value(Quantity.FP8)

    @property
    def fp4_tflops(self) -> float | None:
        """Return dense FP4, 10^12 operations/s."""
        return self.value(Quantity.FP4)

    @property
    def tdp_w(self) -> float | None:
        """Return thermal design power of the chip alone, W."""
        return self.value(Quantity.TDP)

    @property
    def link_gb_s(self) -> float | None:
        """Return bandwidth to the other accelerators of the domain, one way, 10^9 bytes/s."""
        return self.value(Quantity.LINK_ONE_WAY)

    @property
    def scaleup_domain(self) -> int | None:
        """Return how many accelerators the fast links join."""
        size = self.value(Quantity.SCALEUP_DOMAIN)
        return None if size is None else int(size)

    @property
    def all_in_kw(self) -> float | None:
        """Return modelled power of one accelerator with its share of host, network and cooling, kW."""
        return self.value(Quantity.ALL_IN_POWER)


@cache
def catalogue() -> tuple[Accelerator, ...]:
    """Return every accelerator in the order of the table: by vendor and generation, which ranks nothing."""
    figures: dict[str, dict[Quantity, list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for row in rows("hardware", "figures.csv"):
        figures[row["accelerator"]][Quantity(row["quantity"])].append(
            Figure(
                value=float(row["value"]),
                unit=row["unit"],
                standing=Standing(row["standing"]),
                certainty=row["certainty"],
                source=row["source"],
                as_of=row["as_of"],
                note=row["note"],
            )
        )
    return tuple(
        Accelerator(
            **row,
            figures=MappingProxyType({quantity: tuple(found) for quantity, found in figures[row["name"]].items()}),
        )
        for row in rows("hardware", "accelerators.csv")
    )


def accelerator(name: str) -> Accelerator | None:
    """Return the accelerator of a name as a file or a person writes it.

    Args:
        name: such as "NVIDIA H100 80GB HBM3", "h100_sxm", "8 x GB200".

    Returns:
        None where no row has that name, and where several parts do ("H100"): see `candidates`.

    >>> accelerator("NVIDIA H100 80GB HBM3").name, accelerator("h100_sxm").name, accelerator("8 x GB200").name
    ('H100-SXM', 'H100-SXM', 'GB200-NVL72')
    >>> accelerator("H100") is None
    True
    """
    found = candidates(name)
    return found[0] if len(found) == 1 else None


def candidates(name: str) -> tuple[Accelerator, ...]:
    """Return every accelerator that a name may mean, in the order of the table.

    >>> [one.name for one in candidates("NVIDIA H100")]
    ['H100-SXM', 'H100-PCIe', 'H100-NVL']
    """
    wanted = _names().get(_key(name), ())
    return tuple(one for one in catalogue() if one.name in wanted)


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    own = {_key(one.name): (one.name,) for one in catalogue()}
    said: dict[str, list[str]] = defaultdict(list)
    for row in rows("hardware", "aliases.csv"):
        said[_key(row["alias"])].append(row["accelerator"])
    return {key: tuple(names) for key, names in said.items()} | own


_COUNT = re.compile(r"^\s*\d+\s*[x×*]\s*", re.IGNORECASE)
_MAKER = re.compile(r"\b(nvidia|amd|intel|aws|google|instinct|geforce|tesla|habana|cloud|corporation)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[^a-z0-9]+")


def _key(name: str) -> str:
    """Return a name without count, maker, case and punctuation.

    >>> _key("8x NVIDIA A100-SXM4-80GB")
    'a100sxm480gb'
    """
    bare = _MAKER.sub(" ", _BETWEEN.sub(" ", _COUNT.sub("", name).lower()))
    return _BETWEEN.sub("", bare)
