"""InferenceX: what its golden files do not show."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Place, RefusedFileError
from core.ingest.copied_rows import Filed, copied_rows
from core.ingest.fields import Fields
from core.ingest.formats.inferencex_gpus import throughput_of
from core.ingest.formats.inferencex_speed import tpot_from_speed
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import fraction
from core.normalise.runs import runs_of
from tests.ingest.golden_files import golden_bytes


def fixed(**changes) -> dict:
    return json.loads(golden_bytes("inferencex/fixed_length")) | changes


def agentic() -> list[dict]:
    return json.loads(golden_bytes("inferencex/agentic_array"))


def read(document, name="agg_bmk.json"):
    return read_file(Upload(name, json.dumps(document).encode()))


def codes(level) -> list[str]:
    return [finding.code for finding in level.findings]


def speeds(values: dict[str, float]) -> Fields:
    return Fields(values, Place("x.json"))


def told(values: dict[str, float], known: dict[float, float] | None = None) -> dict[str, float]:
    return {r.statistic: r.value for r in tpot_from_speed(speeds(values), known or {})}


def test_falling_percentiles_of_interactivity_are_the_slow_tail():
    assert told({"p90_intvty": 40.0, "p99_intvty": 25.0}) == {"p90": 0.025, "p99": 0.04}


def test_rising_percentiles_of_interactivity_are_the_fast_tail():
    assert told({"p90_intvty": 50.0, "p99.9_intvty": 100.0}) == {"p0.1": 0.01, "p10": 0.02}


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"p90_intvty": 40.0}, {}),
        ({"mean_intvty": 40.0, "std_intvty": 3.0, "p90_intvty": 40.0}, {}),
        ({"p90_intvty": 40.0, "p95_intvty": 40.0}, {}),
        ({"p75_intvty": 40.0, "p90_intvty": 50.0, "p95_intvty": 30.0}, {}),
        ({"p90_intvty": 0.0, "p99_intvty": 25.0}, {}),
        # A tenth percentile of 0.5 s cannot lie above a median of 0.1 s.
        ({"p90_intvty": 2.0, "p95_intvty": 2.5}, {0.5: 0.1}),
    ],
)
def test_a_direction_that_is_not_proven_is_not_read(values, known):
    assert told(values, known) == {}


def test_a_percentile_that_the_row_states_is_not_told_twice():
    assert told({"p90_intvty": 40.0, "p99_intvty": 25.0}, {0.9: 0.025, 0.99: 0.04}) == {}


@given(st.lists(st.floats(1e-4, 1e2), min_size=30, max_size=60, unique=True))
def test_both_ways_of_writing_one_sample_agree_with_it(tpots):
    """The N-th percentile of the speed and the speed at the N-th percentile of the time give the sample's own order."""
    times = sorted(tpots)
    slow = {f"p{q}_intvty": 1.0 / times[len(times) * q // 100] for q in (50, 75, 90)}
    rates = sorted(1.0 / value for value in times)
    fast = {f"p{q}_intvty": rates[len(rates) * q // 100] for q in (50, 75, 90)}
    for written in (slow, fast):
        found = told(written)
        assert [found[name] for name in sorted(found, key=fraction)] == sorted(found.values())
        assert all(times[0] * 0.999 <= value <= times[-1] * 1.001 for value in found.values())


@pytest.mark.parametrize(
    ("changes", "output", "total"),
    [
        ({}, 800.0, 1600.0),
        ({"pp": 2, "pcp_size": 2}, 3200.0, 6400.0),
        ({"input_tput_per_gpu": None}, 800.0, 1600.0),
        ({"input_tput_per_gpu": 150.0}, None, None),
        ({"is_multinode": True}, None, None),
        ({"num_prefill_gpu": 4}, None, None),
        ({"pp": 10**4, "pcp_size": 10**4}, None, None),
        ({"num_prefill_gpu": 10**8, "num_decode_gpu": 8}, None, None),
        ({"tp": None, "prefill_tp": 4}, None, None),
        ({"tput_per_gpu": None, "output_tput_per_gpu": None}, None, None),
        ({"output_tput_per_gpu": None}, None, 1600.0),
    ],
)
def test_throughput_is_multiplied_only_where_the_count_is_proven(changes, output, total):
    level = read(fixed(**changes)).levels[0]
    assert (level.output_tok_s, level.total_tok_s) == (output, total)


def test_system_throughput_beside_the_one_per_accelerator_counts():
    row = speeds({"total_tput_tps": 10.0, "output_tput_tps": 4.0, "tput_per_gpu": 99.0})
    assert throughput_of(row, None) == (4.0, 10.0)


def test_attention_split_by_data_is_a_configuration_of_its_own_although_written_as_text():
    levels = read([fixed(), fixed(dp_attention="true", conc=32), fixed(conc=64)]).levels
    assert [level.identity["dp_attention"] for level in levels] == ["false", "true", "false"]
    assert len(runs_of([read([fixed(), fixed(dp_attention="true", conc=32, mean_ttft=0.4)])])) == 2


def test_tp4_and_tp8_share_levels_and_no_run():
    runs = runs_of([read(agentic())])
    assert sorted(run.conditions.tp for run in runs) == [4, 8]


def test_a_sweep_of_single_files_is_one_run_and_a_second_folder_of_the_same_adds_nothing():
    files = [read(fixed(conc=c, mean_ttft=0.1 * c), f"{d}/agg_conc{c}.json") for d in ("a", "b") for c in (4, 8)]
    (run,) = runs_of(files)
    assert [stage.load for stage in run.stages] == [4.0, 8.0]


def test_a_copy_that_nobody_can_place_stays_and_is_said():
    rows = [fixed(tp=4), fixed(tp=8)]
    raw = read(rows)
    assert len(raw.levels) == 2
    assert [finding.code for finding in raw.findings] == ["inferencex.row_copied"]
    assert "tp: 8" in str(raw.findings[0].what)


def test_the_name_of_an_experiment_is_not_told_because_it_names_a_host():
    raw = read_file(Upload("summary.csv", golden_bytes("inferencex/multiturn_users")))
    assert "host-a" not in repr(raw)
    assert "line 5" in str(raw.findings[0].what)


def test_a_hosts_name_behind_the_accelerator_is_not_kept():
    assert "cluster-3" not in repr(read(fixed()))


numbers = st.lists(st.floats(0.1, 9.0), min_size=4, max_size=6, unique=True)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4), numbers), max_size=12))
def test_rows_are_copies_only_of_rows_with_other_settings_and_equal_figures(rows):
    filed = [Filed((name, load), tuple(figures)) for name, load, figures in rows]
    for pair in copied_rows(filed):
        assert filed[pair.row].figures == filed[pair.twin].figures
        assert filed[pair.row].under != filed[pair.twin].under
        if pair.proven:
            assert sum(row.under == filed[pair.row].under for row in filed) > 1


def test_rows_of_few_figures_are_not_judged():
    zeros = Filed(("a",), (0.0,) * 9), Filed(("b",), (0.0,) * 9)
    few = Filed(("a",), (1.0, None, 2.0)), Filed(("b",), (1.0, None, 2.0))
    assert copied_rows(zeros) == ()
    assert copied_rows(few) == ()


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([fixed(), 7], "inferencex.no_row"),
        ([fixed(), {"conc": 4}], "inferencex.no_row"),
        (fixed(mean_ttft="fast"), "ingest.not_a_number"),
        ([fixed()] * 2001, "ingest.too_large"),
    ],
)
def test_what_is_no_row_is_refused(document, code):
    with pytest.raises(RefusedFileError) as refused:
        read(document)
    assert refused.value.code == code
    assert refused.value.place.file


def test_a_row_without_a_load_says_so():
    level = read(fixed(conc=0)).levels[0]
    assert level.asked_concurrency is None
    assert "ingest.no_load" in codes(level)


def test_itl_is_kept_where_it_is_not_aiperfs():
    raw = read(fixed())
    assert raw.calls == {}
    assert read(agentic()).calls != {}


@pytest.mark.parametrize("load", ["users", "bs"])
def test_a_table_row_without_a_load_is_refused_with_its_line(load):
    case = f"multiturn_{load}"
    lines = golden_bytes(f"inferencex/{case}").decode().splitlines()
    index = lines[0].split(",").index(load)
    cells = lines[2].split(",")
    cells[index] = "0"
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("summary.csv", "\n".join([*lines[:2], ",".join(cells), ""]).encode()))
    assert (refused.value.code, refused.value.place.line) == ("ingest.no_load_value", 3)


def test_ledgers_are_refused_in_words(shared_data):
    paths = sorted((shared_data / "public/inferencemax_agg_json").rglob("*.jsonl"))
    assert len(paths) == 5
    for path in paths:
        with pytest.raises(RefusedFileError) as refused:
            read_file(Upload(path.name, path.read_bytes()))
        assert refused.value.code == "ingest.by_product"
        assert "ledger" in str(refused.value.what)
