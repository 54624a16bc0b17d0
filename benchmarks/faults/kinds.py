"""The faults: what is done to a clean sweep, and the codes of which one has to appear."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.faults.writers import METRICS, STATISTICS, Files, Row

EVERY = ("vllm", "aiperf", "table")
NO_ITL_UNDER_THAT_NAME = ("vllm", "table")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One kind of fault.

    Attributes:
        rows: changes the levels (in seconds), or None.
        files: changes the written files, or None.
        codes: any of these says what is wrong.
        writers: the tools whose files can show it.
    """

    name: str
    codes: frozenset[str]
    rows: Callable[[list[Row]], list[Row]] | None = None
    files: Callable[[Files], Files] | None = None
    writers: tuple[str, ...] = field(default=EVERY)


def _at(index: int, **changes: Callable[[Row], object]) -> Callable[[list[Row]], list[Row]]:
    """Return what changes one level; the others stay."""

    def change(rows: list[Row]) -> list[Row]:
        made = [dict(row) for row in rows]
        for key, value in changes.items():
            made[index][key] = value(rows[index])  # type: ignore[assignment]  # a lambda gives no type
        return made

    return change


def _everywhere(change: Callable[[Row], Row]) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [{**row, **change(row)} for row in rows]


def _times(metrics: tuple[str, ...], factor: float, statistics: tuple[str, ...] = STATISTICS) -> Callable[[Row], Row]:
    return lambda row: {f"{m}_{s}": float(row[f"{m}_{s}"] or 0) * factor for m in metrics for s in statistics}


def _one(index: int, change: Callable[[Row], Row]) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [{**row, **change(row)} if i == index % len(rows) else row for i, row in enumerate(rows)]


def _swapped(one: str, other: str) -> Callable[[Row], Row]:
    return lambda row: {
        **{f"{one}_{s}": row[f"{other}_{s}"] for s in STATISTICS},
        **{f"{other}_{s}": row[f"{one}_{s}"] for s in STATISTICS},
    }


def _copied(row: Row, source: Row) -> Row:
    keys = [f"{m}_{s}" for m in METRICS for s in STATISTICS] + ["req_s", "out_tok_s", "total_tok_s", "duration"]
    return {**row, **{key: source[key] for key in keys}}


def _first_file(change: Callable[[bytes], bytes]) -> Callable[[Files], Files]:
    return lambda files: {name: change(data) if i == 0 else data for i, (name, data) in enumerate(files.items())}


def _open_loop(rows: list[Row], sent_share: float, *, known: bool) -> list[Row]:
    """Return the sweep as one at a rate: what was asked is what was answered, or more."""
    made = []
    for row in rows:
        asked = float(row["req_s"] or 0) / sent_share
        told: Row = {} if known else {"sent": None, "failed": None}
        made.append({**row, "concurrency": None, "request_rate": asked, **told})
    return made


def _failing(row: Row, share: float, faster: float) -> Row:
    sent = float(row["sent"] or 0)
    failed = round(share * sent)
    good = sent - failed
    kept = {key: float(row[key] or 0) * good / sent for key in ("req_s", "out_tok_s", "total_tok_s")}
    return {"good": good, "failed": failed, **kept, **_times(METRICS, faster)(row)}


def _wobbling(rows: list[Row]) -> list[Row]:
    """Return the sweep with a stall of the machine in the middle: throughput falls and comes back."""
    middle = len(rows) // 2

    def slow(row: Row) -> Row:
        load = {key: float(row[key] or 0) * 0.6 for key in ("req_s", "out_tok_s", "total_tok_s")}
        return {**_times(METRICS, 1 / 0.6)(row), **load, "duration": float(row["duration"] or 0) / 0.6}

    return _one(middle, slow)(rows)


_EMPTY_GAPS: Row = {"itl_p50": 4e-5, "tpot_p50": 4e-5}

NAMED = {
    "units": {
        "ttft of one level in seconds": _one(3, _times(("ttft",), 1e-3)),
        "e2e in seconds": _everywhere(_times(("e2el",), 1e-3)),
        "tpot in seconds": _everywhere(_times(("tpot",), 1e-3)),
        "e2e in microseconds": _everywhere(_times(("e2el",), 1e3)),
    },
}

FAULTS: tuple[Fault, ...] = (
    *(Fault(name=name, rows=change, codes=frozenset({"unit.factor_1000"})) for name, change in NAMED["units"].items()),
    Fault(
        name="ttft and e2e swapped",
        rows=_everywhere(_swapped("ttft", "e2el")),
        codes=frozenset({"latency.ttft_above_e2e"}),
    ),
    Fault(
        name="itl and tpot swapped",
        rows=_everywhere(_swapped("itl", "tpot")),
        codes=frozenset({"itl.swapped"}),
    ),
    Fault(
        name="itl stands in the tpot column",
        rows=_everywhere(lambda row: {f"tpot_{s}": row[f"itl_{s}"] for s in STATISTICS}),
        codes=frozenset({"itl.equals_tpot"}),
    ),
    Fault(
        name="p50 and p99 swapped",
        rows=_everywhere(lambda row: {"ttft_p50": row["ttft_p99"], "ttft_p99": row["ttft_p50"]}),
        codes=frozenset({"latency.percentile_order"}),
    ),
    Fault(
        name="mean above p99",
        rows=_one(2, _times(("ttft",), 8.0, ("mean",))),
        codes=frozenset({"latency.mean_above_p99"}),
    ),
    Fault(
        name="every request took the same time",
        rows=_everywhere(
            lambda row: {f"ttft_{s}": row["ttft_mean"] for s in STATISTICS if s != "std"} | {"ttft_std": 0.0}
        ),
        codes=frozenset({"latency.no_spread"}),
    ),
    Fault(
        name="a level filed under another load",
        rows=_at(-1, concurrency=lambda row: float(row["concurrency"] or 0) * 2),
        codes=frozenset({"load.littles_law"}),
    ),
    Fault(
        name="a request rate in the concurrency column",
        rows=_everywhere(lambda row: {"concurrency": row["req_s"]}),
        codes=frozenset({"load.looks_like_rate"}),
        writers=("table",),
    ),
    Fault(
        name="every request failed",
        rows=_one(4, lambda row: {"good": 0, "failed": row["sent"], "req_s": 0, "out_tok_s": 0, "total_tok_s": 0}
                  | _times(METRICS, 0.0)(row)),
        codes=frozenset({"sample.none_completed", "ingest.none_completed"}),
    ),
    Fault(
        name="a fifth of the requests failed",
        rows=_one(4, lambda row: _failing(row, 0.2, 1.0)),
        codes=frozenset({"sample.failed_requests"}),
    ),
    Fault(
        name="failures make a level look faster",
        rows=_one(-1, lambda row: _failing(row, 0.4, 0.3)),
        codes=frozenset({"sample.survivors"}),
    ),
    Fault(
        name="fewer requests than should be in flight",
        rows=_one(-1, lambda row: {"sent": 20, "good": 20, "duration": 20 / float(row["req_s"] or 1)}),
        codes=frozenset({"load.never_reached"}),
    ),
    Fault(
        name="a level copied under another load",
        rows=lambda rows: [*rows[:-1], _copied(rows[-1], rows[-2])],
        codes=frozenset({"copy.between_levels"}),
    ),
    Fault(
        name="a row copied to another configuration",
        rows=lambda rows: [*rows, *({**row, "model": "m-70b", **_times(METRICS, 1.4)(row),
                                     "req_s": float(row["req_s"] or 0) / 1.4,
                                     "duration": float(row["duration"] or 0) * 1.4,
                                     "out_tok_s": float(row["out_tok_s"] or 0) / 1.4,
                                     "total_tok_s": float(row["total_tok_s"] or 0) / 1.4} for row in rows[:-1]),
                           {**rows[-1], "model": "m-70b"}],
        codes=frozenset({"copy.between_runs"}),
    ),
    Fault(
        name="each token counted as two events",
        rows=_everywhere(lambda row: _times(("itl", "tpot"), 0.48, ("mean",))(row) | _EMPTY_GAPS),
        codes=frozenset({"itl.counted_twice"}),
        writers=NO_ITL_UNDER_THAT_NAME,
    ),
    Fault(
        name="a time per token of the whole server",
        rows=_everywhere(lambda row: _times(("tpot",), 1 / float(row["concurrency"] or 1))(row)),
        codes=frozenset({"tpot.of_system"}),
    ),
    Fault(
        name="streaming switched off",
        rows=_everywhere(lambda row: {f"ttft_{s}": row[f"e2el_{s}"] for s in STATISTICS}),
        codes=frozenset({"ttft.equals_e2e"}),
    ),
    Fault(
        name="several tokens in one piece",
        rows=_everywhere(_times(("itl",), 3.5)),
        codes=frozenset({"itl.chunks"}),
    ),
    Fault(
        name="reasoning tokens not counted",
        rows=_everywhere(lambda row: {key: float(row[key] or 0) / 3 for key in ("osl", "out_tok_s")}),
        codes=frozenset({"reasoning.not_counted"}),
    ),
    Fault(
        name="tokens per second per accelerator",
        rows=_everywhere(lambda row: {"out_tok_s": float(row["out_tok_s"] or 0) / 8}),
        codes=frozenset({"rate.tokens_disagree"}),
    ),
    Fault(
        name="requests per minute",
        rows=_everywhere(lambda row: {"req_s": float(row["req_s"] or 0) * 60}),
        codes=frozenset({"rate.count_disagrees", "load.littles_law"}),
    ),
    Fault(
        name="no warm-up before the first level",
        rows=_one(0, lambda row: {f"ttft_{s}": float(row[f"ttft_{s}"] or 0) * 6 for s in STATISTICS}),
        codes=frozenset({"sweep.warm_up"}),
    ),
    Fault(
        name="the machine stalled at one level",
        rows=_wobbling,
        codes=frozenset({"sweep.unstable", "sweep.latency_falls"}),
    ),
    Fault(
        name="other work at one level",
        rows=_one(3, lambda row: {"isl": float(row["isl"] or 0) * 3}),
        codes=frozenset({"sweep.lengths_differ", "group.by_length"}),
    ),
    Fault(
        name="one p99 of tpot is an outlier",
        rows=_one(4, _times(("tpot",), 6.0, ("p99",))),
        codes=frozenset({"itl.as_tpot"}),
    ),
    Fault(
        name="the rate was not achieved",
        rows=lambda rows: _open_loop(rows, 0.6, known=True),
        codes=frozenset({"load.saturated", "load.client_limited"}),
    ),
    Fault(
        name="requests that are in no count",
        rows=lambda rows: _open_loop(rows, 0.6, known=False),
        codes=frozenset({"sample.vanished", "load.saturated"}),
        writers=("table",),
    ),
    Fault(
        name="the same file twice",
        files=lambda files: files | {f"again/{name}": data for name, data in files.items()},
        codes=frozenset({"ingest.duplicate_file"}),
    ),
    Fault(
        name="a file that was cut off",
        files=_first_file(lambda data: data[: len(data) * 2 // 3]),
        codes=frozenset({"ingest.truncated", "ingest.ragged_row", "ingest.no_line_end"}),
    ),
    Fault(
        name="a packed file that was cut off",
        files=_first_file(lambda data: gzip.compress(data)[:-20]),
        codes=frozenset({"ingest.truncated"}),
    ),
    Fault(
        name="a value that is not finite",
        rows=_one(2, lambda _: {"ttft_p99": float("inf")}),
        codes=frozenset({"ingest.not_finite"}),
    ),
    Fault(
        name="a negative latency",
        rows=_one(2, lambda _: {"ttft_p50": -0.01}),
        codes=frozenset({"ingest.negative", "latency.percentile_order"}),
    ),
    Fault(
        name="text in place of a number",
        rows=_one(2, lambda _: {"ttft_p99": "see log"}),
        codes=frozenset({"ingest.not_a_number"}),
    ),
    Fault(
        name="no load anywhere",
        rows=_everywhere(lambda _: {"concurrency": None}),
        codes=frozenset({"ingest.no_load", "ingest.no_load_column"}),
    ),
)  # fmt: skip
