"""The importer for any table with one row per level: what it reads, what it asks, what it leaves alone."""

import csv

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.formats import generic_csv
from core.ingest.importer import ranked
from core.ingest.raw import Head, Upload
from core.ingest.read import HEAD_BYTES, read_file
from core.ingest.registry import IMPORTERS
from tests.ingest.golden_files import codes_of, readings_of


def read(text, name="t.csv"):
    return read_file(Upload(name, text.encode()))


def refused(text):
    with pytest.raises(RefusedFileError) as error:
        read(text)
    return error.value


def match(text):
    return generic_csv.match(Head("t.csv", text.encode()))


def groups(raw):
    """Levels by configuration: the loads of each."""
    found = {}
    for level in raw.levels:
        key = (tuple(sorted(level.conditions.items())), tuple(sorted(level.identity.items())))
        found.setdefault(key, []).append(level.asked_concurrency)
    return sorted(found.values())


def test_itl_and_tpot_stay_apart():
    (level,) = read("concurrency,itl_p99_ms,tpot_p99_ms\n8,643.6,79.7\n").levels
    assert readings_of(level) == {"itl p99": (643.6, "ms"), "tpot p99": (79.7, "ms")}


@pytest.mark.parametrize("missing", ["", "-", "--", "N/A", "na", "null", "None", "NaN", "nan"])
def test_a_missing_value_is_unknown_however_it_is_written(missing):
    (level,) = read(f"concurrency,ttft_p50_ms,ttft_p99_ms\n8,5,{missing}\n").levels
    assert readings_of(level) == {"ttft p50": (5.0, "ms")}


@pytest.mark.parametrize(
    ("cell", "code"), [("inf", "ingest.not_finite"), ("-3", "ingest.negative"), ("0", "ingest.zero_latency")]
)
def test_a_value_that_cannot_be_is_unknown_with_a_finding(cell, code):
    (level,) = read(f"concurrency,ttft_p50_ms,ttft_p99_ms\n8,5,{cell}\n").levels
    assert "ttft p99" not in readings_of(level)
    assert codes_of(level) == [code]


def test_zero_is_a_value_of_queue_time_and_counts():
    (level,) = read("concurrency,ttft_p99_ms,queue_p50_ms,failed\n8,5,0,0\n").levels
    assert readings_of(level)["queue p50"] == (0.0, "ms")
    assert level.requests_failed == 0


@pytest.mark.parametrize("cell", ["fast", "2 x 5", "12;5", "5 apples", "1,14,6"])
def test_a_cell_that_is_no_number_refuses_the_file_with_line_and_column(cell):
    error = refused(f'concurrency,ttft_p99_ms\n8,5\n16,"{cell}"\n')
    assert (error.code, error.place.line, error.place.field) == ("ingest.not_a_number", 3, "ttft_p99_ms")


def test_a_column_that_mixes_decimal_comma_and_point_is_refused():
    assert refused('concurrency,ttft_p99_ms\n8,2.5\n16,"3,14"\n').place.line == 3


@pytest.mark.parametrize("load", ["", "0", "-4", "N/A"])
def test_a_row_without_a_load_refuses_the_file(load):
    error = refused(f"concurrency,ttft_p99_ms\n8,5\n{load},6\n")
    assert (error.code, error.place.line) == ("ingest.no_load_value", 3)


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("concurrency,ttft_p99_ms,P99 TTFT (ms)", "P99 TTFT (ms)"),
        ("concurrency,p50_ttft_ms,median_ttft_ms", "median_ttft_ms"),
        ("concurrency,users,ttft_p99_ms", "users"),
        ("concurrency,latency_ms,e2e_mean_ms", "e2e_mean_ms"),
        ("concurrency,completed,successful,ttft_p99_ms", "successful"),
    ],
)
def test_two_columns_of_one_meaning_are_refused_by_name(header, named):
    row = ",".join(["8"] * len(header.split(",")))
    error = refused(f"{header}\n{row}\n")
    assert error.code == "ingest.same_meaning"
    assert named in str(error.what)
    assert header.split(",")[-1] in str(error) or error.place.field == named


@pytest.mark.parametrize("header", ["concurrency,ttft_p99", "concurrency,latency", "concurrency,tpot_mean,ttft_p50"])
def test_a_latency_without_a_unit_is_asked_for(header):
    error = refused(f"{header}\n{','.join(['8'] * len(header.split(',')))}\n")
    assert error.code == "ingest.unit_unknown"
    assert error.place.field in header
    assert "Add ms or s to the header" in str(error.fix)


def test_littles_law_settles_a_unit_only_within_ten_per_cent():
    good = read("concurrency,latency_mean,request_throughput\n8,2000,4\n16,4100,4\n")
    assert [readings_of(level)["e2e mean"] for level in good.levels] == [(2000.0, "ms"), (4100.0, "ms")]
    assert codes_of(good) == ["ingest.unit_by_arithmetic"]
    assert refused("concurrency,latency_mean,request_throughput\n8,2000,5\n16,4100,5\n").code == "ingest.unit_unknown"


def test_a_unit_in_the_cells_is_used_row_by_row():
    raw = read("concurrency,ttft_p99\n1,850 ms\n2,1.2 s\n4,\n")
    assert [readings_of(level).get("ttft p99") for level in raw.levels] == [(850.0, "ms"), (1.2, "s"), None]


def test_a_statistic_that_is_not_named_is_read_as_the_mean_and_said():
    raw = read("concurrency,ttft_ms\n8,5\n")
    assert readings_of(raw.levels[0]) == {"ttft mean": (5.0, "ms")}
    assert codes_of(raw) == ["ingest.statistic_not_named"]


def test_an_asked_rate_is_open_loop_and_unlimited_is_no_rate():
    raw = read("request_rate,max_concurrency,request_throughput,ttft_p99_ms\ninf,8,3.5,5\n4,64,3.9,7\n")
    assert [(level.asked_rate, level.asked_concurrency, level.request_rate) for level in raw.levels] == [
        (None, 8.0, 3.5),
        (4.0, 64.0, 3.9),
    ]


def test_a_rate_beside_a_concurrency_that_arithmetic_cannot_place_is_asked_for():
    assert refused("concurrency,request_rate,ttft_p99_ms\n8,4,5\n").code == "ingest.rate_unclear"
    placed = read("concurrency,request_rate,ttft_p99_ms,e2e_mean_s\n8,4,5,2.0\n")
    assert (placed.levels[0].asked_rate, placed.levels[0].request_rate) == (None, 4.0)


def test_requests_per_minute_become_requests_per_second():
    (level,) = read("concurrency,transactions_per_minute,ttft_p99_ms\n8,120,5\n").levels
    assert level.request_rate == 2.0


@pytest.mark.parametrize(
    ("extra", "row", "good", "failed"),
    [
        ("num_requests,error_rate", "200,0.05", 190, 10),
        ("num_requests,error_rate (%)", "200,0.5", 199, 1),
        ("num_requests,error_rate", "200,5", 190, 10),
        ("num_requests,success_rate", "200,97.5%", 195, 5),
        ("error_rate", "0.0", None, 0),
        ("error_rate", "1.0", 0, None),
        ("error_rate", "0.82", None, None),
    ],
)
def test_a_share_of_errors_is_a_count_only_where_it_leaves_no_choice(extra, row, good, failed):
    (level,) = read(f"concurrency,ttft_p99_ms,{extra}\n8,5,{row}\n").levels
    assert (level.requests_good, level.requests_failed) == (good, failed)
    assert ("ingest.errors_without_count" in codes_of(level)) == (row == "0.82")


def test_an_all_failed_level_has_no_latencies():
    levels = read("concurrency,completed,ttft_p99_ms\n8,100,5\n16,0,0.0\n").levels
    assert levels[1].readings == ()
    assert levels[1].requests_good == 0
    assert codes_of(levels[1]) == ["ingest.none_completed"]


def test_output_length_got_wins_over_output_length_asked():
    (level,) = read("concurrency,ttft_p99_ms,osl,completed,total_output_tokens\n8,5,128,50,3100\n").levels
    assert level.output_tokens_mean == 62.0
    asked = read("concurrency,ttft_p99_ms,osl\n8,5,128\n16,6,128\n")
    assert [level.output_tokens_mean for level in asked.levels] == [128.0, 128.0]
    assert codes_of(asked) == ["ingest.length_asked"]


@pytest.mark.parametrize(
    ("value", "output", "total"), [("400", 400.0, None), ("2400", None, 2400.0), ("1000", None, None)]
)
def test_a_throughput_counts_the_tokens_that_arithmetic_says(value, output, total):
    raw = read(f"concurrency,ttft_p99_ms,isl,mean_osl,req/s,tokens/s\n8,5,500,100,4,{value}\n")
    (level,) = raw.levels
    assert (level.output_tok_s, level.total_tok_s) == (output, total)
    assert ("ingest.column_unclear" in codes_of(raw)) == (output is None and total is None)


@pytest.mark.parametrize(
    ("header", "cell", "seconds"),
    [
        ("duration (s)", "60", 60.0),
        ("duration", "2 min", 120.0),
        ("duration_ms", "1500", 1.5),
        ("duration", "60", None),
    ],
)
def test_a_duration_needs_its_unit(header, cell, seconds):
    raw = read(f"concurrency,ttft_p99_ms,{header}\n8,5,{cell}\n")
    assert raw.levels[0].duration_s == seconds
    assert codes_of(raw) == (["ingest.column_unclear"] if seconds is None else [])


def test_configurations_of_one_file_stay_apart_by_text_and_by_settings_that_repeat():
    text = "concurrency,ttft_p99_ms,offload,block,score\n"
    text += "".join(f"{c},5,{o},{b},{c * 7 + b + len(o)}\n" for o in ("on", "off") for b in (16, 32) for c in (1, 2, 4))
    raw = read(text)
    assert groups(raw) == [[1.0, 2.0, 4.0]] * 4
    assert codes_of(raw) == ["ingest.columns_unused", "ingest.setting_by_values"]
    assert "block" in str(raw.findings[0].what)
    assert "score" in str(raw.findings[1].what)


def test_a_batch_size_that_follows_the_load_does_not_tear_a_sweep_apart():
    raw = read("concurrency,batch_size,ttft_p99_ms\n1,1,5\n2,2,6\n4,4,7\n")
    assert groups(raw) == [[1.0, 2.0, 4.0]]


def test_a_label_that_repeats_the_load_does_not_tear_a_sweep_apart():
    raw = read("name,concurrency,ttft_p99_ms\nfp8_c1,1,5\nfp8_c2,2,6\nbf16_c1,1,7\nbf16_c2,2,8\n")
    assert groups(raw) == [[1.0, 2.0], [1.0, 2.0]]
    serial = read("name,concurrency,ttft_p99_ms\nalpha,1,5\nbeta,2,6\ngamma,4,7\n")
    assert groups(serial) == [[1.0, 2.0, 4.0]]
    assert codes_of(serial) == ["ingest.row_label"]


def test_two_files_with_a_sweep_each_are_two_configurations():
    text = "concurrency,ttft_p99_ms\n1,5\n2,6\n"
    one, other = read(text, "a100.csv"), read(text, "h100.csv")
    assert one.levels[0].identity != other.levels[0].identity
    single = read("concurrency,ttft_p99_ms\n1,5\n", "c1.csv")
    assert single.levels[0].identity == {}


def test_repeated_levels_are_kept():
    assert [level.asked_concurrency for level in read("concurrency,ttft_p99_ms\n8,5\n8,6\n8,7\n").levels] == [8.0] * 3


def test_a_gpu_column_is_a_name_or_a_count():
    (named,) = read("concurrency,ttft_p99_ms,GPU\n8,5,H100\n").levels
    (counted,) = read("concurrency,ttft_p99_ms,GPUs\n8,5,16\n").levels
    (both,) = read("concurrency,ttft_p99_ms,hardware\n8,5,4 x MI300X\n").levels
    assert (named.conditions, counted.conditions) == ({"accelerator": "H100"}, {"accelerator_count": 16})
    assert both.conditions == {"accelerator": "MI300X", "accelerator_count": 4}


def test_a_peak_of_requests_is_no_asked_concurrency_beside_one():
    (level,) = read("max_concurrency,max_concurrent_requests,ttft_p99_ms\n2,6,5\n").levels
    assert level.asked_concurrency == 2.0


def test_a_percentile_never_becomes_a_mean_or_another_percentile():
    (level,) = read("concurrency,p001_ttft_ms,p01_ttft_ms,p999_ttft_ms\n8,1,2,3\n").levels
    assert readings_of(level) == {"ttft p0.1": (1.0, "ms"), "ttft p1": (2.0, "ms"), "ttft p99.9": (3.0, "ms")}


@pytest.mark.parametrize(
    ("text", "missing", "seen"),
    [
        ("concurrency,count\n1,5\n", "latency", "concurrency"),
        ("ttft_p99_ms,model\n5,m\n", "load", "ttft_p99_ms"),
        ("Batch Size,Latency p99 (s)\n16,0.5\n", "load", "Batch Size"),
    ],
)
def test_what_is_missing_is_said_with_what_was_seen(text, missing, seen):
    error = refused(text)
    assert error.code == f"ingest.no_{missing}_column"
    assert seen in str(error.what)


def test_batch_size_is_asked_about():
    assert "call it concurrency" in str(refused("Batch Size,Latency p99 (s)\n16,0.5\n").fix)


@pytest.mark.parametrize(
    "text",
    [
        "Metric,avg,min,max,p1,p50,p99,std\nTime to First Token (ms),1,2,3,4,5,6,7\n",
        "prompt_tokens,generation_tokens,ttft,generation_time,user_id,question_id,launch_time,finish_time\n1,2,3,4,5,6,7,8\n",
        "arrived_at,num_prefill_tokens,num_decode_tokens\n0.1,2,3\n",
        "request_id,concurrency,ttft_ms\nabc,8,5\n",
        "t,prompt_throughput,gen_throughput,running,waiting,kv_cache_pct\n1,2,3,4,5,6\n",
        '{"concurrency": 8, "ttft_p99_ms": 5}',
        "concurrency\n8\n",
        "",
    ],
)
def test_tables_of_other_kinds_are_left_alone(text):
    assert match(text) == 0.0


def test_a_claim_is_never_stronger_than_that_of_a_format_of_its_own():
    assert 0.0 < match("concurrency,ttft_p99_ms\n8,5\n") <= 0.3
    assert 0.0 < match("concurrency,count\n8,5\n") < 0.1


def test_no_public_file_that_another_format_reads_is_claimed_more_surely_than_any_table(shared_data):
    root = shared_data / "public"
    with (root / "INDEX.csv").open(encoding="utf-8") as index:
        paths = [row["path"] for row in csv.DictReader(index)]
    claimed = set()
    for path in paths:
        try:
            plain = unpacked(Upload(path, (root / path).read_bytes()))
        except RefusedFileError:
            continue
        scores = {i.FORMAT_ID: score for score, i in ranked(IMPORTERS, Head(plain.name, plain.data[:HEAD_BYTES]))}
        if scores.get("generic_csv", 0.0) >= 0.3:
            claimed.add(path.split("/")[0])
    assert claimed == {"handmade_tables", "speech_serving"}


def test_inferencex_columns_are_read_with_their_units():
    head = (
        "exp_name,tp,users,offload,status,num_requests,throughput_rps,mean_ttft_ms,p99_ttft_ms,mean_tpot_ms,p99_tpot_ms"
    )
    (level,) = read(f"{head}\na_conc16,4,16,off,SUCCESS,160,2.5,120,340,21,34.5\n").levels
    assert readings_of(level) == {
        "ttft mean": (120.0, "ms"),
        "ttft p99": (340.0, "ms"),
        "tpot mean": (21.0, "ms"),
        "tpot p99": (34.5, "ms"),
    }
    assert (level.asked_concurrency, level.request_rate, level.conditions["tp"]) == (16.0, 2.5, 4)


def test_argonne_batch_tables_are_not_taken_for_load_sweeps(shared_data):
    (path,) = (shared_data / "public" / "handmade_tables").rglob("Fig_18__SN40L_latency_throughput.csv")
    with pytest.raises(RefusedFileError) as error:
        read_file(Upload(path.name, path.read_bytes()))
    assert error.value.code == "ingest.no_load_column"
