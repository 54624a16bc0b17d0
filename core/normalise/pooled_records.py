"""Records of a whole run in one file, given to the levels that they are of.

Some tools write the requests of all levels into one list that does not say which is whose. The
levels' own reports do: how many each sent, in which order, and what the mean of its good ones was.
Levels run one after another, so the list sorted by start parts into them; where one part does not
reproduce what its level says, none is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawFile, RawLevel, RawRequests
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.normalise.level import family
from core.normalise.units import seconds

SAME = 1e-6
"""Relative difference up to which a mean of records is the mean that the level's report gives."""


def with_pooled_records(files: Sequence[RawFile]) -> list[RawFile]:
    """Return files with the records of each pool given to the levels of its folder, where they part exactly."""
    found = list(files)
    for file in files:
        if file.pool is not None:
            found = _placed(found, file, file.pool)
    return found


def _placed(files: list[RawFile], source: RawFile, pool: RawRequests) -> list[RawFile]:
    near = sorted(
        (file for file in files if file.levels and _beside(file, source)), key=lambda file: (file.format_id, file.name)
    )
    wanted: dict[tuple[int, int], RawLevel] = {}
    seen: set[int] = set()
    for i, file in enumerate(near):
        for j, level in enumerate(file.levels):
            # A level may be described by several reports: one of them takes its records.
            if level.position is not None and level.requests is None and level.position not in seen:
                seen.add(level.position)
                wanted[i, j] = level
    if not wanted:
        return files
    parts = _parts(pool, wanted)
    by_file = {id(file): i for i, file in enumerate(near)}
    return [_told(file, by_file[id(file)], source, parts) if id(file) in by_file else file for file in files]


def _beside(file: RawFile, source: RawFile) -> bool:
    same_tool = family(file.format_id) == family(source.format_id)
    return same_tool and PurePosixPath(file.name).parent == PurePosixPath(source.name).parent


def _told(file: RawFile, index: int, source: RawFile, parts: Mapping[tuple[int, int], RawRequests]) -> RawFile:
    levels = tuple(
        replace(
            level,
            requests=parts.get((index, j), level.requests),
            beside=(*level.beside, (source.name, source.sha256)),
            findings=level.findings if parts else (*level.findings, _does_not_part(source)),
        )
        for j, level in enumerate(file.levels)
    )
    return replace(file, levels=levels)


def _parts(pool: RawRequests, levels: Mapping[tuple[int, int], RawLevel]) -> dict[tuple[int, int], RawRequests]:
    """Return the requests of every level, none at all where one does not fit."""
    order = np.argsort(pool.start, kind="stable")
    ranked = sorted(levels.items(), key=lambda item: item[1].position or 0)
    counts = [level.requests_sent for _, level in ranked]
    if None in counts or sum(count or 0 for count in counts) != order.size:
        return {}
    found: dict[tuple[int, int], RawRequests] = {}
    begin = 0
    for (key, level), count in zip(ranked, counts, strict=True):
        part = _chosen(pool, np.sort(order[begin : begin + (count or 0)]))
        begin += count or 0
        if not _reproduces(part, level):
            return {}
        found[key] = part
    return found


def _chosen(pool: RawRequests, rows: npt.NDArray[np.int64]) -> RawRequests:
    """Return the requests in some rows of a pool, with the gaps that are theirs."""
    gaps = np.empty(0)
    if pool.gap_counts is not None:
        owner = np.repeat(np.arange(pool.good.size), pool.gap_counts)
        gaps = pool.gaps[np.isin(owner, rows)]
    start = pool.start[rows]
    known = start[np.isfinite(start)]
    return replace(
        pool,
        good=pool.good[rows],
        cut_off=None if pool.cut_off is None else pool.cut_off[rows],
        start=start - (known.min() if known.size else 0.0),
        ttft=pool.ttft[rows],
        e2e=pool.e2e[rows],
        tpot=None if pool.tpot is None else pool.tpot[rows],
        input_tokens=pool.input_tokens[rows],
        output_tokens=pool.output_tokens[rows],
        gaps=gaps,
        gap_counts=None,
    )


def _reproduces(part: RawRequests, level: RawLevel) -> bool:
    """Return whether records give the level's own count of good requests and mean E2E."""
    if int(part.good.sum()) != level.requests_good:
        return False
    told = [reading for reading in level.readings if (reading.metric, reading.statistic) == (Metric.E2E, "mean")]
    if not told:
        return level.requests_good == 0
    mean_s = float(seconds(part.e2e[part.good], part.unit).mean())
    told_s = float(seconds(np.array([told[0].value]), told[0].unit)[0])
    return abs(mean_s - told_s) <= SAME * told_s


def _does_not_part(source: RawFile) -> Finding:
    return Finding(
        code="records.do_not_part",
        severity=Severity.WARNING,
        where=Place(source.name),
        what=t("The requests of {file} do not part into the levels beside it", file=source.name),
        consequence=t("They are not used: the statistics are those of the levels' own reports"),
        fix=t("Send the files of all levels of the run, and of that run alone"),
    )
