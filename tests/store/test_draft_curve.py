"""A demand over time that was read from a file comes back with the unsaved work, as long as it is."""

from __future__ import annotations

from core.model.demand_curve import Curve, CurveKind
from core.store.drafts import Work
from tests.store.store_build import a_run


def test_a_year_of_hours_comes_back_with_the_draft(store):
    points = tuple(float(hour % 24) for hour in range(8760))
    curve = Curve(
        points=points, kind=CurveKind.FILE, name="year.csv", peak=23.0, inside=1.5, missing=24, said="time, n"
    )
    kept = store.drafts.keep(Work(opened=(a_run(),), curve=curve), {"t": ["ttft-p99-500ms"]})
    assert store.drafts.find(kept.id).work.curve == curve


def test_work_without_one_has_none(store):
    kept = store.drafts.keep(Work(opened=(a_run(),)), {})
    assert store.drafts.find(kept.id).work.curve is None
