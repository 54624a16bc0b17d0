"""Statistics that a tool writes as nothing but zeros: nothing was measured, whatever stands there."""

from __future__ import annotations

from collections.abc import Sequence

from core.ingest.fields import Fields
from core.ingest.notices import not_measured
from core.ingest.raw import Reading


def without_unmeasured(fields: Fields, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings without the metrics whose every value is 0; each of these leaves a finding in `fields`."""
    empty = {reading.metric for reading in readings} - {reading.metric for reading in readings if reading.value}
    for metric in sorted(empty):
        first = next(reading for reading in readings if reading.metric is metric)
        fields.findings.append(not_measured(fields.at(first.field), metric))
    return tuple(reading for reading in readings if reading.metric not in empty)
