"""How busy the accelerator was, from a trace of its kernels: the one thing that latencies cannot show.

Two exports are read: the Chrome trace JSON that the PyTorch profiler writes (events of category "kernel" with `ts`
and `dur`), and the CSV of `nsys stats --report cuda_gpu_trace` ("Start (ns)", "Duration (ns)"). The share is the time
during which any kernel ran, over the time between the start of the first kernel and the end of the last one; of
several accelerators the mean.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator

import msgspec
import numpy as np

from core.errors import RefusedFileError
from core.i18n import Text, t
from core.ingest.decode import refusal, text_of, unpacked
from core.ingest.raw import Upload
from core.model.stage import FloatArray

FEWEST = 10
"""Fewer kernels than this are no profile of serving."""

_START, _DURATION, _DEVICE, _NAME = "start (", "duration (", "device", "name"
_SUMMARY = "total time ("
_COPIES = ("[cuda memcpy", "[cuda memset")
"""Copies may run beside the kernels and keep no multiprocessor busy."""

Kernels = dict[str, list[tuple[float, float]]]
"""Start and duration of every kernel, by accelerator, in the file's own unit of time."""


class _Event(msgspec.Struct):
    ph: str = ""
    cat: str = ""
    ts: float | str | None = None
    dur: float | str | None = None
    pid: int | str | None = None
    args: msgspec.Raw = msgspec.Raw(b"{}")


class _Arguments(msgspec.Struct):
    device: int | str | None = None


class _Trace(msgspec.Struct):
    events: list[_Event] = msgspec.field(name="traceEvents")


_TRACE = msgspec.json.Decoder(_Trace | list[_Event], strict=False)
_ARGUMENTS = msgspec.json.Decoder(_Arguments)


def gpu_busy_of(upload: Upload) -> float:
    """Return the share of time in which an accelerator computed, in (0, 1].

    Args:
        upload: a trace of one server under a steady load; gzip is unpacked.

    Raises:
        RefusedFileError: no trace, cut off, too large, too few kernels, or a summary
            without times of start.

    Sources:
        Chrome trace event format ("X" events, microseconds); Nsight Systems, statistical reports.
    """
    file = unpacked(upload)
    is_json = file.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    kernels = _from_json(file) if is_json else _from_table(file)
    count = sum(len(each) for each in kernels.values())
    if count < FEWEST:
        raise _refused(
            "profile.no_kernels",
            t("The trace holds {count} kernels of an accelerator", count=count),
            file,
            t("Record the accelerator's activity as well (CUDA), over a few seconds under load"),
        )
    return _busy({device: np.array(each, float) for device, each in kernels.items()}, file)


def covered(start: FloatArray, end: FloatArray) -> float:
    """Return how much of a line is covered by intervals that may overlap.

    Args:
        start: shape (n,), n >= 1, in any order.
        end: shape (n,), end >= start.

    >>> covered(np.array([0.0, 1.0, 5.0]), np.array([2.0, 3.0, 6.0]))
    4.0
    """
    order = np.argsort(start, kind="stable")
    begin, stop = start[order], end[order]
    reached = np.concatenate(([begin[0]], np.maximum.accumulate(stop)[:-1]))
    return float(np.maximum(stop - np.maximum(begin, reached), 0.0).sum())


def _busy(kernels: dict[str, FloatArray], file: Upload) -> float:
    every = np.concatenate(list(kernels.values()))
    # The clock may start anywhere: near zero no digit of a short kernel is lost.
    origin = every[:, 0].min() if every.size else 0.0
    if not np.isfinite(every).all() or (every[:, 1] < 0.0).any():
        raise _refused("profile.unreadable", t("A kernel has no time of start or no duration"), file, _AS_WRITTEN)
    window = float((every[:, 0] - origin + every[:, 1]).max())
    if window <= 0.0:
        raise _refused("profile.unreadable", t("All kernels start and end at one instant"), file, _AS_WRITTEN)
    shares = [covered(each[:, 0] - origin, each[:, 0] - origin + each[:, 1]) / window for each in kernels.values()]
    return min(float(np.mean(shares)), 1.0)


_AS_WRITTEN = t("Send the trace as the profiler wrote it")


def _from_json(file: Upload) -> Kernels:
    try:
        trace = _TRACE.decode(file.data.removeprefix(b"\xef\xbb\xbf"))
        events = trace.events if isinstance(trace, _Trace) else trace
        found: Kernels = defaultdict(list)
        for event in events:
            if event.ph == "X" and event.cat.lower() == "kernel":
                found[_device(event)].append((_number(event.ts), _number(event.dur)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        what = t("The trace is not a Chrome trace JSON, or it ends in the middle")
        raise _refused("profile.unreadable", what, file, _AS_WRITTEN) from error
    return found


def _device(event: _Event) -> str:
    """Return which accelerator ran a kernel: its argument "device", else the process it is drawn under."""
    try:
        device = _ARGUMENTS.decode(event.args).device
    except (msgspec.DecodeError, RecursionError):
        device = None
    return str(event.pid if device is None else device)


def _number(value: float | str | None) -> float:
    return float("nan") if value is None else float(value)


def _from_table(file: Upload) -> Kernels:
    """Read the CSV of nsys; it may follow lines about the export."""
    found: Kernels = defaultdict(list)
    place: dict[str, int] = {}
    for row in _rows(file):
        if not place:
            place = _header(row, file)
            continue
        if len(row) <= max(place.values()) or row[place[_NAME]].lower().startswith(_COPIES):
            continue
        try:
            times = float(row[place[_START]]), float(row[place[_DURATION]])
        except ValueError as error:
            what = t("A kernel has no time of start or no duration")
            raise _refused("profile.unreadable", what, file, _AS_WRITTEN) from error
        found[row[place[_DEVICE]] if _DEVICE in place else ""].append(times)
    if not place:
        what = t("This is no trace of an accelerator that Plimsoll knows")
        raise _refused("profile.unknown", what, file, _HOW)
    return found


_HOW = t("Send a PyTorch profiler trace (JSON), or the output of nsys stats --report cuda_gpu_trace --format csv")


def _rows(file: Upload) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text_of(file)))
    except csv.Error as error:
        what = t("This is no trace of an accelerator that Plimsoll knows")
        raise _refused("profile.unknown", what, file, _HOW) from error


def _header(row: list[str], file: Upload) -> dict[str, int]:
    """Return where the columns are, {} where the row is no header.

    Raises:
        RefusedFileError: a summary by kernel, which does not say how long the window was.
    """
    names = [name.strip().lower() for name in row]
    found = {key: i for key in (_START, _DURATION) for i, name in enumerate(names) if name.startswith(key)}
    if len(found) == 2 and _NAME in names:
        return found | {key: names.index(key) for key in (_NAME, _DEVICE) if key in names}
    if any(name.startswith(_SUMMARY) for name in names) and "instances" in names:
        what = t("This summary adds kernels up but does not say over how long a time: it holds no share")
        raise _refused("profile.summary_only", what, file, _HOW)
    return {}


def _refused(code: str, what: Text, file: Upload, fix: Text) -> RefusedFileError:
    return refusal(code, what, file.name, fix)
