"""What a person says where runs are compared: differences that may stand, and a study of before and after."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from enum import StrEnum

from core.errors import UsageError
from core.i18n import t
from core.letters import one_line

ACCEPTED = 64
"""Conditions that may be accepted; there are fewer."""

NAME_CHARS = 120
RUNS = 100
WORKERS = 1_000
"""Of one deployment."""


class Layer(StrEnum):
    """What was changed between before and after. Stored: never rename one."""

    MODEL = "model"
    ENGINE = "engine"
    BATCHING = "batching"
    KERNELS = "kernels"
    CACHE = "cache"
    ROUTING = "routing"
    PARALLELISM = "parallelism"
    DISAGGREGATION = "disaggregation"
    SPECULATION = "speculation"
    HARDWARE = "hardware"
    NETWORK = "network"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """One change, measured before and after it.

    Attributes:
        before, after: ids of runs, "" where not chosen.
        layer: what was changed, None where nobody said.
        dates: day of measuring by run id, ISO 8601; only where a person said so.
        kv_transfer_s: seconds to move the KV cache of a request from prefill to decode, by run id.
        worker_loads: requests (or tokens) of each worker in one time, by run id, as "120, 98, 110".

    Raises:
        UsageError: "compare.bad_date", "compare.bad_transfer", "compare.bad_workers".
    """

    before: str = ""
    after: str = ""
    layer: Layer | None = None
    dates: tuple[tuple[str, str], ...] = ()
    kv_transfer_s: tuple[tuple[str, float], ...] = ()
    worker_loads: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "before", one_line(self.before)[:NAME_CHARS])
        object.__setattr__(self, "after", one_line(self.after)[:NAME_CHARS])
        dates = {one_line(run)[:NAME_CHARS]: _day(day) for run, day in self.dates[:RUNS]}
        moved = {one_line(run)[:NAME_CHARS]: seconds for run, seconds in self.kv_transfer_s[:RUNS]}
        object.__setattr__(self, "dates", tuple(sorted(dates.items())))
        object.__setattr__(self, "kv_transfer_s", tuple(sorted(moved.items())))
        loads = {one_line(run)[:NAME_CHARS]: _loads_text(text) for run, text in self.worker_loads[:RUNS]}
        object.__setattr__(self, "worker_loads", tuple(sorted(loads.items())))
        for _, seconds in self.kv_transfer_s:
            if not (math.isfinite(seconds) and seconds >= 0.0):
                raise UsageError(
                    "compare.bad_transfer",
                    t("The time to move the KV cache is not a number of seconds"),
                    fix=t("Give it in seconds, 0 or more, or leave it empty"),
                )

    def date(self, run: str) -> str | None:
        """Return the day on which a run was measured, None where nobody said."""
        return dict(self.dates).get(run)

    def kv_transfer(self, run: str) -> float | None:
        """Return seconds to move the KV cache of a request, None where nobody said."""
        return dict(self.kv_transfer_s).get(run)

    def workers(self, run: str) -> tuple[float, ...] | None:
        """Return the load of each worker of a run, None where nobody said."""
        text = dict(self.worker_loads).get(run)
        return None if text is None else _loads(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a person says where runs are compared.

    Attributes:
        accepted: names of conditions that may differ or be unknown; printed with every multiple.
        runs: ids of the runs that are compared; none means all.
        study: before and after, None where none is made.
    """

    accepted: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    study: Study | None = None

    def __post_init__(self) -> None:
        for name, most in (("accepted", ACCEPTED), ("runs", RUNS)):
            kept = {one_line(each)[:NAME_CHARS] for each in getattr(self, name)[:most]}
            object.__setattr__(self, name, tuple(sorted(each for each in kept if each)))


NOTHING = Compared()


def _loads(text: str) -> tuple[float, ...]:
    """Return loads that are written with commas or spaces between them.

    Raises:
        UsageError: "compare.bad_workers": fewer than two, none above 0, or something that is no load.
    """
    try:
        found = tuple(float(part) for part in text.replace(",", " ").replace(";", " ").split())
    except ValueError:
        found = ()
    if not 2 <= len(found) <= WORKERS or not all(0.0 <= each < math.inf for each in found) or not sum(found) > 0.0:
        raise UsageError(
            "compare.bad_workers",
            t("{text} is not the load of two workers or more", text=one_line(text)[:40] or "–"),
            fix=t("Write the requests of each worker with commas between them, such as 120, 98, 110"),
        )
    return found


def _loads_text(text: str) -> str:
    return ", ".join(f"{each:.12g}" for each in _loads(text))


def _day(text: str) -> str:
    try:
        return dt.date.fromisoformat(text.strip()).isoformat()
    except ValueError as error:
        raise UsageError(
            "compare.bad_date",
            t("{text} is no day of the calendar", text=one_line(text)[:40]),
            fix=t("Write it as 2026-11-30"),
        ) from error


def compared_texts(said: Compared) -> tuple[str, ...]:
    """Return what a person said as parameters of an address, and () where nothing was."""
    found = [f"accept~{name}" for name in said.accepted] + [f"run~{name}" for name in said.runs]
    study = said.study
    if study is not None:
        parts = (("before", study.before), ("after", study.after), ("layer", study.layer.value if study.layer else ""))
        found += [f"{name}~{value}" for name, value in parts if value] or ["before~"]
        found += [f"date~{day}~{run}" for run, day in study.dates]
        found += [f"kv~{seconds:.12g}~{run}" for run, seconds in study.kv_transfer_s]
        found += [f"workers~{loads.replace(' ', '')}~{run}" for run, loads in study.worker_loads]
    return tuple(found)


def parse_compared(texts: tuple[str, ...]) -> Compared:
    """Return what parameters say; one that cannot be read is left out.

    >>> parse_compared(("accept~engine", "layer~cache", "date~2026-11-30~a", "date~soon~a")).study.dates
    (('a', '2026-11-30'),)
    """
    listed: dict[str, list[str]] = {"accept": [], "run": []}
    said: dict[str, str] = {}
    dates: list[tuple[str, str]] = []
    transfers: list[tuple[str, float]] = []
    loads: list[tuple[str, str]] = []
    has_study = False
    for text in texts:
        name, _, value = text.partition("~")
        if name in listed:
            listed[name].append(value)
            continue
        has_study = has_study or name in ("before", "after", "layer", "date", "kv", "workers")
        if name in ("before", "after", "layer"):
            said[name] = value
        elif name in ("date", "kv", "workers"):
            first, _, run = value.partition("~")
            _take(name, first, run, dates, transfers, loads)
    layer = Layer(said["layer"]) if said.get("layer") in {each.value for each in Layer} else None
    study = Study(
        before=said.get("before", ""),
        after=said.get("after", ""),
        layer=layer,
        dates=tuple(dates),
        kv_transfer_s=tuple(transfers),
        worker_loads=tuple(loads),
    )
    return Compared(accepted=tuple(listed["accept"]), runs=tuple(listed["run"]), study=study if has_study else None)


def _take(
    name: str,
    first: str,
    run: str,
    dates: list[tuple[str, str]],
    transfers: list[tuple[str, float]],
    loads: list[tuple[str, str]],
) -> None:
    try:
        if name == "date":
            dates.append((run, _day(first)))
        elif name == "workers":
            loads.append((run, _loads_text(first)))
        elif math.isfinite(seconds := float(first)) and seconds >= 0.0:
            transfers.append((run, seconds))
    except (UsageError, ValueError):
        return
