"""Where tables are in a file and how they lie."""

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.ingest.tables import tables_of


def tables(text, name="t.csv", encoding="utf-8"):
    return tables_of(Upload(name, text.encode(encoding)))


def table(text, **how):
    (found,) = tables(text, **how)
    return found


def read(text, name="t.csv"):
    return read_file(Upload(name, text.encode()))


def code_of(text, name="t.csv"):
    with pytest.raises(RefusedFileError) as error:
        read(text, name)
    assert error.value.place.file == name
    return error.value.code


def test_units_in_a_row_of_their_own_belong_to_the_header():
    found = table("concurrency,TTFT p99,E2E mean\n,(ms),[s]\n8,5,1\n")
    assert found.header == ("concurrency", "TTFT p99 (ms)", "E2E mean (s)")
    assert [row.line for row in found.rows] == [3]


def test_a_header_over_several_columns_belongs_to_each():
    found = table("Concurrency,TTFT (ms),,TPOT (ms)\n,mean,p99,mean\n8,5,9,2\n")
    assert found.header == ("Concurrency", "TTFT (ms) mean", "TTFT (ms) p99", "TPOT (ms) mean")


def test_headers_over_configurations_are_never_merged_silently():
    assert code_of("concurrency,vLLM,SGLang\n,TTFT p99 (ms),TTFT p99 (ms)\n8,5,6\n") in (
        "ingest.duplicate_column", "ingest.no_latency_column",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Metric,1,8\nConcurrency,1,8\nTTFT p99 (ms),5,9\n",
        "Metric,Unit,a,b\nConcurrency,,1,8\nTTFT p99,ms,5,9\n",
        "metric / concurrency,1,8\nTTFT p99 (ms),5,9\n",
        "指标,并发1,并发8\n首字延迟 P99 (ms),5,9\n",
        "지표,동시 1,동시 8\n첫 토큰 지연 p99 (ms),5,9\n",
        ",c1,c8\nTTFT p99 (ms),5,9\n",
        ",1 users,8 users\nTTFT p99 (ms),5,9\n",
    ],
)
def test_load_levels_may_be_columns(text):
    assert table(text).transposed
    raw = read(text)
    assert [level.asked_concurrency for level in raw.levels] == [1.0, 8.0]
    assert [[(r.statistic, r.value, r.unit) for r in level.readings] for level in raw.levels] == [
        [("p99", 5.0, "ms")],
        [("p99", 9.0, "ms")],
    ]
    assert [level.place.field for level in raw.levels][1].startswith("column")


def test_a_title_above_a_turned_table_of_one_level_is_no_row_of_it():
    (level,) = read("Night run\nconcurrency,8\nTTFT p99 (ms),5\n").levels
    assert (level.asked_concurrency, level.readings[0].value) == (8.0, 5.0)


def test_a_header_may_begin_with_a_number():
    assert read("concurrency,99th percentile TTFT (ms)\n8,5\n").levels[0].readings[0].statistic == "p99"


def test_statistics_as_columns_are_no_load_levels():
    assert not any(t.transposed for t in tables("Metric,avg,p50,p99\nConcurrency,8,8,8\nTTFT (ms),5,4,9\n"))


def test_the_rows_of_a_turned_table_may_not_be_cut():
    assert code_of("Metric,c1,c8\nTTFT p99 (ms),5,9\nTPOT mean (ms),2\n") == "ingest.ragged_row"


def test_load_levels_may_stand_in_headers():
    text = "gpu,TTFT p99 (ms) c8,TTFT p99 (ms) c16\nH100,5,9\nH200,4,7\n"
    assert table(text).header == ("gpu", "concurrency", "TTFT p99 (ms)")
    assert [(level.asked_concurrency, level.readings[0].value) for level in read(text).levels] == [
        (8.0, 5.0), (16.0, 9.0), (8.0, 4.0), (16.0, 7.0),
    ]  # fmt: skip


def test_levels_may_stand_over_groups_of_columns():
    text = (
        ",Concurrency 8,,Concurrency 16,\nModel,TTFT p99 (ms),TPOT mean (ms),TTFT p99 (ms),TPOT mean (ms)\nm,5,1,9,2\n"
    )
    assert [level.asked_concurrency for level in read(text).levels] == [8.0, 16.0]
    assert [len(level.readings) for level in read(text).levels] == [2, 2]


def test_lines_above_a_table_are_its_settings_and_its_title():
    text = "Night run\nModel,m\nGPU,4xH100\nAuthor,somebody\n\nconcurrency,ttft_p99_ms\n8,5\n"
    (level,) = read(text).levels
    assert level.conditions == {"model": "m", "accelerator": "H100", "accelerator_count": 4}
    assert "somebody" not in str(level)


def test_a_load_above_the_table_is_the_load_of_every_row():
    raw = read("Concurrency,16\n\nmodel,ttft_p99_ms\nm,5\nn,6\n")
    assert [level.asked_concurrency for level in raw.levels] == [16.0, 16.0]
    raw = read("# Concurrency 32\n\n| model | ttft p99 (ms) |\n|---|---|\n| m | 5 |\n", "t.md")
    assert raw.levels[0].asked_concurrency == 32.0
    assert [f.code for f in raw.findings] == ["ingest.load_from_title"]


def test_a_load_in_the_file_name_is_used_and_marked():
    (level,) = read("model,ttft_p99_ms\nm,5\n", "night/run_conc16.csv").levels
    assert level.asked_concurrency == 16.0
    assert [f.code for f in level.findings] == ["ingest.from_file_name"]
    (level,) = read("model,ttft_p99_ms\nm,5\n", "rate2.5.csv").levels
    assert (level.asked_concurrency, level.asked_rate) == (None, 2.5)


def test_sections_tell_configurations_apart():
    raw = read("concurrency,ttft_p99_ms\nvLLM,\n8,5\n16,9\nSGLang,\n8,4\n16,7\n")
    assert [level.identity["section"] for level in raw.levels] == ["vLLM", "vLLM", "SGLang", "SGLang"]


def test_tables_below_each_other_are_read_apart():
    raw = read("vLLM\nconcurrency,ttft_p99_ms\n8,5\n\nSGLang\nconcurrency,ttft_p99_ms\n8,4\n")
    assert [level.identity["table"] for level in raw.levels] == ["vLLM", "SGLang"]


def test_a_header_that_is_repeated_is_no_row():
    assert len(read("concurrency,ttft_p99_ms\n8,5\nconcurrency,ttft_p99_ms\n16,9\n").levels) == 2


def test_sums_and_notes_are_left_out_and_said():
    raw = read("concurrency,ttft_p99_ms\n8,5\n16,9\nAverage,7\n* measured at night\n")
    assert len(raw.levels) == 2
    assert [f.code for f in raw.findings] == ["ingest.rows_left_out"]
    assert "Average" in str(raw.findings[0].what)


def test_an_error_page_among_the_rows_is_said():
    raw = read("concurrency,ttft_p99_ms\n8,5\n<html>\n<h1>502 Bad Gateway</h1>\n</html>\n32,9\n")
    assert [level.asked_concurrency for level in raw.levels] == [8.0, 32.0]
    assert [(f.code, f.where.line) for f in raw.findings] == [("ingest.error_page", 3)]


def test_a_failed_level_is_kept_and_said():
    raw = read("concurrency,ttft_p99_ms,tpot_mean_ms\n8,5,2\n16,9,timeout\n32,OOM,OOM\n")
    assert [[f.code for f in level.findings] for level in raw.levels] == [
        [], ["ingest.level_failed"], ["ingest.level_failed"],
    ]  # fmt: skip
    assert [level.requests_good for level in raw.levels] == [None, None, 0]
    assert raw.levels[2].readings == ()


def test_many_rows_of_one_level_without_a_statistic_are_requests():
    rows = "".join(f"8,{i + 1}.5\n" for i in range(40))
    assert code_of(f"concurrency,ttft_ms\n{rows}") == "ingest.rows_are_requests"


def test_a_table_left_out_beside_one_that_is_read_is_said():
    raw = read("concurrency,ttft_p99_ms\n8,5\n\nmodel,score\nm,3\n")
    assert [f.code for f in raw.findings] == ["ingest.table_left_out"]


def test_a_factor_of_the_system_is_no_factor_of_a_request():
    system = "| tasks | RTF | Speedup Rate |\n|---|---|---|\n| 1 | 0.08 | 12.5 |\n| 8 | 0.015 | 67 |\n"
    system = system.replace("tasks", "concurrent-tasks")
    assert code_of(system, "t.md") == "ingest.rtf_of_system"
    with_latency = "concurrency,rtf,ttft_p99_ms\n1,0.08,5\n8,0.015,9\n"
    raw = read(with_latency)
    assert {r.metric.value for level in raw.levels for r in level.readings} == {"ttft"}
    assert [f.code for f in raw.findings] == ["ingest.rtf_of_system"]
    of_requests = read("concurrency,rtf mean\n1,0.08\n8,0.11\n")
    assert [level.readings[0].value for level in of_requests.levels] == [0.08, 0.11]
    # One level above 1 without a statistic: nothing tells.
    assert code_of("concurrency,rtf\n8,0.1\n") == "ingest.rtf_of_system"


@pytest.mark.parametrize("text", ["# only\n# comments\n", "one\ntwo\nthree\n"])
def test_a_text_without_a_table_is_refused(text):
    with pytest.raises(RefusedFileError) as error:
        tables(text)
    assert error.value.code == "ingest.no_table"


def test_markdown_cells_lose_their_marks_and_keep_their_underscores():
    found = table(
        "| **concurrency** | `ttft_p99_ms` | [x](http://y) |\n|:-:|---|---|\n| 8 | *5* | a\\|b |\n", name="t.md"
    )
    assert found.header == ("concurrency", "ttft_p99_ms", "x")
    assert found.rows[0].cells == ("8", "5", "a|b")


@pytest.mark.parametrize(
    "text",
    [
        "| concurrency | ttft p99 (ms) |\n|---|---|\n| 8 | 5 |\n| 16 ",
        "| concurrency | ttft p99 (ms) |\n|---|---|\n| 8 | 5 |\n\n| concurrency | tt",
        "| concurrency | ttft p99 (ms) |\n|---|---|\n| 8 | 5 |\n\n| concurrency | ttft p99 (ms) |\n|--",
    ],
)
def test_markdown_that_was_cut_off_is_refused(text):
    assert code_of(text, "t.md") in ("ingest.truncated", "ingest.no_rows", "ingest.ragged_row")
