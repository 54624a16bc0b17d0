"""Laws of the requests of a whole run: each level gets its own, or none gets any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.raw import RawFile, RawRequests
from core.model.run import Kind
from core.normalise.level import level_of
from core.normalise.pooled_records import with_pooled_records
from core.normalise.runs import runs_of
from core.normalise.same_run import one_per_execution
from tests.normalise.raw_build import level, readings

COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=5)


def file(name, *levels, format_id="inference_perf", **more):
    told = {"sha256": name, "format_version": None, "kind": Kind.MEASURED, "levels": levels}
    return RawFile(name=name, format_id=format_id, **(told | more))


def run_of(counts, seed):
    """Stages of so many requests, one after another, and the pool of all of them in a shuffled order."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(counts)), counts)
    n = owner.size
    start = owner * 100.0 + rng.uniform(0.0, 90.0, n)
    e2e, good = rng.uniform(0.1, 5.0, n), rng.random(n) < 0.8
    gap_counts = np.where(good, rng.integers(0, 4, n), 0)
    order = rng.permutation(n)
    pool = RawRequests(
        unit="s", good=good[order], start=start[order], ttft=e2e[order] / 2, e2e=e2e[order],
        input_tokens=owner[order].astype(float), output_tokens=np.full(n, 10.0),
        gaps=np.repeat(owner[order], gap_counts[order]).astype(float), gap_counts=gap_counts[order],
    )  # fmt: skip
    stages = []
    for stage in range(len(counts)):
        mine = owner == stage
        told = readings(e2e_mean=float(e2e[mine & good].mean())) if (mine & good).any() else ()
        name = f"run/stage_{stage}.json"
        counted = {"requests_sent": int(mine.sum()), "requests_good": int((mine & good).sum())}
        stages.append(file(name, level(float(stage + 1), name, position=stage, readings=told, **counted)))
    expected = [int((gap_counts[owner == stage]).sum()) for stage in range(len(counts))]
    return stages, file("run/requests.json", format_id="inference_perf_records", pool=pool), expected


@given(COUNTS, st.integers(0, 999), st.randoms())
def test_every_level_gets_its_own_requests_whatever_the_order_of_files(counts, seed, random):
    stages, pool, gaps = run_of(counts, seed)
    files = [*stages, pool]
    random.shuffle(files)
    placed = [f.levels[0] for f in with_pooled_records(files) if f.levels]
    for each in placed:
        assert each.requests is not None
        assert set(each.requests.input_tokens) == {float(each.position)}
        assert each.requests.good.size == counts[each.position]
        assert each.requests.gaps.tolist() == [float(each.position)] * gaps[each.position]
        assert each.requests.start.min() == 0.0
        assert each.findings == ()


@given(COUNTS, st.integers(0, 999), st.data())
def test_one_request_too_many_or_too_few_and_none_is_used(counts, seed, data):
    stages, pool, _ = run_of(counts, seed)
    spoilt = data.draw(st.integers(0, len(stages) - 1))
    (told,) = stages[spoilt].levels
    more = data.draw(st.sampled_from([-1, 1]))
    stages[spoilt] = replace(stages[spoilt], levels=(replace(told, requests_sent=told.requests_sent + more),))
    placed = [f.levels[0] for f in with_pooled_records([*stages, pool]) if f.levels]
    assert all(each.requests is None for each in placed)
    assert all([finding.code for finding in each.findings] == ["records.do_not_part"] for each in placed)


def test_a_pool_counts_as_a_file_of_its_run():
    stages, pool, _ = run_of([3, 4], 1)
    files = {ref.name for run in runs_of([*stages, pool]) for ref in run.files}
    assert "run/requests.json" in files


def test_files_without_a_pool_come_back_as_they_are():
    stages, _, _ = run_of([3, 4], 1)
    assert with_pooled_records(stages) == stages


def test_a_start_that_is_unknown_does_not_spoil_the_others():
    stages, pool, _ = run_of([3], 1)
    start = pool.pool.start.copy()
    start[0] = np.nan
    spoilt = replace(pool, pool=replace(pool.pool, start=start))
    (placed,) = [f.levels[0] for f in with_pooled_records([*stages, spoilt]) if f.levels]
    assert np.isfinite(placed.requests.start).sum() == 2
    assert np.nanmin(placed.requests.start) == 0.0


def levels_of(*files):
    return one_per_execution([level_of(raw, f) for f in files for raw in f.levels])


def test_a_key_of_numbers_holds_across_formats_and_any_other_within_one():
    def both(key):
        one = file("run/a.json", level(run_key=key, readings=readings(e2e_mean=1.0)))
        other = file("run/b.yaml", level(None, "b", run_key=key), format_id="llm_d_report")
        return levels_of(one, other)

    assert len(both("numbers|run|20|1|")) == 1
    assert len(both("tool|20|1|")) == 2


def test_the_report_that_knows_its_load_comes_first_though_another_has_more_percentiles():
    knows = level(8.0, run_key="numbers|x", readings=readings(e2e_mean=1.0), output_tokens_mean=32.0)
    fuller = level(None, "b", run_key="numbers|x", readings=readings(e2e_p50=1.0, e2e_p99=2.0), output_tokens_mean=34.0)
    (merged,) = levels_of(file("run/b.yaml", fuller), file("run/a.json", knows))
    assert (merged.stage.asked_concurrency, merged.stage.output_tokens_mean) == (8.0, 32.0)
    assert len(next(iter(merged.stage.statistics.values())).quantiles) == 2
