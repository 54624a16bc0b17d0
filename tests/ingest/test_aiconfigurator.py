"""AIConfigurator's files: simulated means, never one curve of many deployments."""

import csv

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.run import Kind
from core.normalise.runs import runs_of
from tests.ingest.golden_files import claimants, codes_of, golden_bytes, readings_of

AGGREGATED = golden_bytes("aiconfigurator/agg_pareto").decode()
CURVE = golden_bytes("aiconfigurator/curve")


def read(text, name="pareto.csv"):
    return read_file(Upload(name, text.encode() if isinstance(text, str) else text))


def paretos(shared_data):
    return sorted((shared_data / "simulated").glob("*_pareto.csv"))


def test_every_simulated_file_is_claimed_by_this_importer_alone(shared_data):
    claims = {}
    for path in sorted((shared_data / "simulated").glob("*.csv")):
        head = Head(path.name, path.read_bytes()[:65_536])
        claims[path.name] = claimants(head)
    assert claims.pop("aic_steps.csv") == []
    assert len(claims) == 11
    assert all(claimed == ["aiconfigurator"] for claimed in claims.values())


def test_everything_is_simulated_and_nothing_is_a_percentile_or_a_count(shared_data):
    for path in sorted((shared_data / "simulated").glob("aic_*_*.csv")):
        if path.name == "aic_steps.csv":
            continue
        raw = read(path.read_bytes(), path.name)
        assert raw.kind is Kind.SIMULATED
        assert "simulated.candidate" in codes_of(raw)
        for level in raw.levels:
            assert {reading.statistic for reading in level.readings} == {"mean"}
            assert (level.requests_sent, level.requests_good, level.requests_failed) == (None, None, None)
            assert level.sample_n == {}
            assert level.requests is None


def test_means_obey_the_identity_of_the_end_to_end_time(shared_data):
    for path in paretos(shared_data):
        for level in read(path.read_bytes(), path.name).levels:
            found = readings_of(level)
            ttft, tpot, e2e = (found[f"{name} mean"][0] for name in ("ttft", "tpot", "e2e"))
            assert ttft + (level.output_tokens_mean - 1.0) * tpot == pytest.approx(e2e, rel=1e-3)


def test_a_frontier_never_ends_as_one_run(shared_data):
    for path in paretos(shared_data):
        with path.open(encoding="utf-8") as source:
            rows = list(csv.DictReader(source))
        raw = read(path.read_bytes(), path.name)
        runs = runs_of([raw])
        pools = [key for key in rows[0] if key.endswith("parallel") and not key.startswith("(e)")]
        deployments = {tuple(row[key] for key in pools) for row in rows}
        assert len(runs) >= len(deployments) > 1
        assert sum(len(run.stages) for run in runs) == len(rows)
        for run in runs:
            lines = {stage.where.line for stage in run.stages}
            assert len({tuple(row[key] for key in pools) for at, row in enumerate(rows, 2) if at in lines}) == 1
            assert len({stage.asked_concurrency for stage in run.stages}) == len(run.stages)
        assert "simulated.frontier" in codes_of(raw)


def test_two_prefill_budgets_of_one_level_are_two_runs():
    raw = read(AGGREGATED)
    first, second = raw.levels[:2]
    assert first.asked_concurrency == second.asked_concurrency
    assert first.identity["ctx_tokens"] != second.identity["ctx_tokens"]
    assert all(stage.replicates == 1 for run in runs_of([raw]) for stage in run.stages)


def test_the_best_points_of_a_frontier_are_not_counted_twice(shared_data):
    folder = shared_data / "simulated"
    names = [f"aic_llama70b_h100_vllm_disagg_{kind}.csv" for kind in ("pareto", "best_config_topn")]
    frontier, best = (read((folder / name).read_bytes(), name) for name in names)
    keys = {level.run_key for level in frontier.levels}
    shared = [level for level in best.levels if level.run_key in keys]
    assert shared
    for run in runs_of([frontier, best]):
        assert all(stage.replicates == 1 for stage in run.stages)


def test_prefill_and_decode_accelerators_add_up_to_all_of_them(shared_data):
    for path in paretos(shared_data):
        for level in read(path.read_bytes(), path.name).levels:
            pools = [level.conditions.get(f"{pool}_accelerators") for pool in ("prefill", "decode")]
            if level.conditions["serving_mode"] == "disaggregated":
                assert sum(pools) == level.conditions["accelerator_count"]
            else:
                assert pools == [None, None]


def test_two_curves_are_two_runs():
    one = read(CURVE, "aic_curve_Qwen3-32B_h200_sxm_tp2.csv")
    other = read(CURVE, "renamed.csv")
    assert len(runs_of([one])) == 1
    assert one.levels[0].conditions["accelerator_count"] == 2
    assert other.levels[0].conditions == {"accelerator_count": 2}
    assert one.levels[0].identity != other.levels[0].identity


def test_a_time_of_zero_is_one_that_is_not_covered():
    header, row = AGGREGATED.splitlines()[:2]
    raw = read(f"{header}\n{row.replace('562.948', '0.0')}\n")
    assert "ttft mean" not in readings_of(raw.levels[0])


@pytest.mark.parametrize(("old", "new", "field"), [("562.948", "oom", "ttft"), (",64,2.819", ",,2.819", "concurrency")])
def test_a_damaged_row_refuses_the_file_with_its_place(old, new, field):
    with pytest.raises(RefusedFileError) as error:
        read(AGGREGATED.replace(old, new))
    assert (error.value.place.line, error.value.place.field) == (2, field)
