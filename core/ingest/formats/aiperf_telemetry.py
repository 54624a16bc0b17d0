"""What AIPerf's summary says of the accelerators: `telemetry_data`, where telemetry was on. docs/formats/aiperf.md.

Source: AIPerf's guide to GPU telemetry, whose sample has 92.7 GB used and 9,387 MB free of one H100.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.ingest.fields import Fields

_USED = ("nvidia_memory_used", "gpu_memory_used", "amd_memory_used")
_FREE = ("nvidia_fb_free", "gpu_memory_free", "fb_free")
_TOTAL = ("nvidia_fb_total", "gpu_memory_total", "total_gpu_memory")
_GIGABYTES = {"GB": 1.0, "MB": 1e-3, "GiB": 1.073741824, "MiB": 1.048576e-3}


def accelerators_of(top: Fields) -> list[str]:
    """Return the name of every accelerator that telemetry saw, one per device."""
    found = [gpu.text("gpu_name") for gpu in _devices(top)]
    return [name for name in found if name]


def memory_used(top: Fields) -> float | None:
    """Return the mean share of memory in use on the fullest accelerator, 0 to 1; None where it is not known.

    Telemetry sees every accelerator of the host, so an average would count those that served nobody.
    """
    return max((share for gpu in _devices(top) if (share := _share(gpu.inner("metrics"))) is not None), default=None)


def _devices(top: Fields) -> list[Fields]:
    endpoints = top.inner("telemetry_data").inner("endpoints")
    return [
        gpus.inner(gpu)
        for host in endpoints.values
        for gpus in (endpoints.inner(host).inner("gpus"),)
        for gpu in gpus.values
    ]


def _share(metrics: Fields) -> float | None:
    used, free, total = (_gigabytes(metrics, names) for names in (_USED, _FREE, _TOTAL))
    if used is None:
        return None
    whole = total if total is not None else None if free is None else used + free
    return used / whole if whole and used <= whole else None


def _gigabytes(metrics: Fields, names: Iterable[str]) -> float | None:
    for name in names:
        row = metrics.inner(name)
        value, scale = row.not_negative("avg"), _GIGABYTES.get(row.text("unit") or "")
        if value is not None and scale is not None:
            return value * scale
    return None
