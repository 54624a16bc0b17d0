"""What a person says of columns: proposed, saved, used for the next file, and held against the cells."""

import dataclasses

import pytest

from core.errors import RefusedFileError, UsageError
from core.ingest.mapping import preview_of
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.ingest.roles import ROLES
from core.model.codec import decode, encode
from core.model.mapping import ColumnMeaning, TableMapping, mappings_json, mappings_of_json, same_headers
from core.model.metric import Metric

TABLE = "Batch Size,wert,TTFT,kind\n1,5.2,30,a\n2,6,40,a\n"
SAID = TableMapping(
    name="ours",
    headers=("Batch Size", "wert", "TTFT", "kind"),
    columns={
        "Batch Size": ColumnMeaning(role="asked_concurrency"),
        "wert": ColumnMeaning(role="latency", metric=Metric.E2E, statistic="p99", unit="s"),
        "TTFT": ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p95", unit="ms"),
    },
)


def upload(text, name="t.csv"):
    return Upload(name, text.encode())


def readings(raw):
    return [[(r.metric.value, r.statistic, r.value, r.unit) for r in level.readings] for level in raw.levels]


def said(**columns):
    return dataclasses.replace(SAID, columns={**SAID.columns, **columns})


def refused(text, mapping):
    with pytest.raises(RefusedFileError) as error:
        read_file(upload(text), [mapping])
    return error.value


def test_a_preview_shows_cells_and_says_what_is_unclear_and_why():
    (preview,) = preview_of(upload(TABLE))
    assert preview.headers == ("Batch Size", "wert", "TTFT", "kind")
    assert preview.rows == (("1", "5.2", "30", "a"), ("2", "6", "40", "a"))
    by_key = {column.key: column for column in preview.columns}
    assert by_key["TTFT"].meaning == ColumnMeaning(role="latency", metric=Metric.TTFT)
    assert "neither seconds nor milliseconds" in str(by_key["TTFT"].unclear)
    assert "was not recognised" in str(by_key["wert"].unclear)
    assert by_key["kind"].meaning.role == "setting"
    assert preview.problem.code == "ingest.no_load_column"


def test_a_clear_table_has_a_proposal_that_reads_it_as_recognition_does():
    table = "concurrency,TTFT p99 (ms),failed,gpu\n8,5,0,8xH100\n16,9,1,8xH100\n"
    (preview,) = preview_of(upload(table))
    assert preview.problem is None
    assert [column.unclear for column in preview.columns] == [None] * 4
    plain, mapped = read_file(upload(table)), read_file(upload(table), [preview.mapping("m")])
    assert plain.levels == mapped.levels


def test_what_a_person_says_stands_above_recognition():
    raw = read_file(upload(TABLE), [SAID])
    assert [level.asked_concurrency for level in raw.levels] == [1.0, 2.0]
    assert readings(raw)[0] == [("e2e", "p99", 5.2, "s"), ("ttft", "p95", 30.0, "ms")]
    # A name that recognition would take for something else.
    table = "concurrency,TTFT p99 (ms)\n8,5\n"
    other = TableMapping(
        name="other",
        headers=("concurrency", "TTFT p99 (ms)"),
        columns={
            "concurrency": ColumnMeaning(role="asked_rate"),
            "TTFT p99 (ms)": ColumnMeaning(role="latency", metric=Metric.E2E, statistic="p50", unit="ms"),
        },
    )
    (level,) = read_file(upload(table), [other]).levels
    assert (level.asked_concurrency, level.asked_rate) == (None, 8.0)
    assert level.readings[0].metric is Metric.E2E


def test_a_mapping_is_for_the_next_file_with_the_same_headers_and_for_no_other():
    nxt = "ttft,KIND,  wert ,batch  size\n70,b,7,4\n"
    assert readings(read_file(upload(nxt, "later.csv"), [SAID]))[0] == [
        ("ttft", "p95", 70.0, "ms"),
        ("e2e", "p99", 7.0, "s"),
    ]
    assert refused(TABLE.replace("wert", "value"), SAID).code == "ingest.no_load_column"


def test_a_mapping_stands_above_a_format_of_its_own():
    records = "request_id,wert,TTFT,n\na,1,2,8\n"
    mapping = TableMapping(
        name="m",
        headers=("request_id", "wert", "TTFT", "n"),
        columns={**SAID.columns, "n": ColumnMeaning(role="asked_concurrency")},
    )
    assert read_file(upload(records), [mapping]).levels[0].asked_concurrency == 8.0


@pytest.mark.parametrize(
    ("mapping", "text", "code", "field"),
    [
        (said(wert=ColumnMeaning(role="speed")), TABLE, "ingest.mapping_contradicts", "wert"),
        (said(wert=ColumnMeaning(role="latency")), TABLE, "ingest.mapping_contradicts", "wert"),
        (said(kind=ColumnMeaning(role="requests_good")), TABLE, "ingest.not_a_number", "kind"),
        (said(kind=ColumnMeaning(role="latency", metric=Metric.ITL, unit="s")), TABLE, "ingest.not_a_number", "kind"),
        (said(wert=SAID.columns["TTFT"]), TABLE, "ingest.same_meaning", "TTFT"),
        (said(TTFT=ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p99")), TABLE, "ingest.unit_unknown",
         "TTFT"),
        (said(**{"Batch Size": ColumnMeaning(role="ignored")}), TABLE, "ingest.no_load_column", None),
    ],
)  # fmt: skip
def test_a_mapping_that_the_table_denies_is_refused_with_its_place(mapping, text, code, field):
    error = refused(text, mapping)
    assert (error.code, error.place.field) == (code, field)
    assert error.place.line


def test_a_unit_that_the_header_denies_is_refused():
    mapping = TableMapping(
        name="m",
        headers=("n", "TTFT (ms)"),
        columns={
            "n": ColumnMeaning(role="asked_concurrency"),
            "TTFT (ms)": ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p99", unit="s"),
        },
    )
    error = refused("n,TTFT (ms)\n8,5\n", mapping)
    assert error.code == "ingest.mapping_contradicts"
    assert "ms" in str(error.what)


def test_an_unnamed_column_is_mapped_by_its_number():
    (preview,) = preview_of(upload(",TTFT p99 (ms)\n8,5\n16,9\n"))
    assert [column.key for column in preview.columns] == ["#1", "TTFT p99 (ms)"]
    mapping = preview.mapping("m")
    columns = {**mapping.columns, "#1": ColumnMeaning(role="asked_concurrency")}
    raw = read_file(upload(",TTFT p99 (ms)\n4,7\n"), [dataclasses.replace(mapping, columns=columns)])
    assert raw.levels[0].asked_concurrency == 4.0


def test_a_table_is_turned_where_a_person_says_so():
    text = "what,first,second\nload,8,16\nwait,5,9\n"
    (preview,) = preview_of(upload(text), transposed=True)
    assert preview.headers == ("what", "load", "wait")
    assert preview.rows[0] == ("first", "8", "5")
    mapping = dataclasses.replace(
        preview.mapping("m"),
        columns={
            "load": ColumnMeaning(role="asked_concurrency"),
            "wait": ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p99", unit="s"),
        },
    )
    assert mapping.transposed
    raw = read_file(upload(text), [mapping])
    assert [(level.asked_concurrency, level.readings[0].value) for level in raw.levels] == [(8.0, 5.0), (16.0, 9.0)]


def test_a_setting_tells_configurations_apart_even_where_its_numbers_look_like_results():
    table = "concurrency,ttft_p99_ms,block\n8,5,16\n16,9,32\n"
    mapping = TableMapping(
        name="m",
        headers=("concurrency", "ttft_p99_ms", "block"),
        columns={
            "concurrency": ColumnMeaning(role="asked_concurrency"),
            "ttft_p99_ms": ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p99", unit="ms"),
            "block": ColumnMeaning(role="setting"),
        },
    )
    assert [level.identity["block"] for level in read_file(upload(table), [mapping]).levels] == ["16", "32"]


def test_mappings_survive_json_and_the_codec():
    assert mappings_of_json(mappings_json([SAID])) == (SAID,)
    assert mappings_of_json(mappings_json([SAID, SAID])) == (SAID, SAID)
    assert decode(encode(SAID), TableMapping) == SAID


@pytest.mark.parametrize(
    "data",
    [b"", b"3", b"[]", b"\xff", b'[{"name": "x"}]', b'{"name": "x", "headers": ["a"], "columns": {"a": {"role": 3}}}',
     b'{"name": "x", "headers": ["a"], "columns": {"a": {"role": "latency", "metric": "speed"}}}', b"[" * 2000],
)  # fmt: skip
def test_a_mapping_that_cannot_be_read_is_refused_in_words(data):
    with pytest.raises(UsageError) as error:
        mappings_of_json(data)
    assert error.value.code == "mapping.unreadable"


def test_headers_are_equal_whatever_their_order_case_and_blanks():
    assert same_headers(("TTFT  (ms)", "conc"), ("Conc", "ttft (ms)"))
    assert not same_headers(("a", "b"), ("a", "b", "b"))


def test_every_role_is_offered_in_words():
    assert all(str(text) for text in ROLES.values())
    assert len({str(text) for text in ROLES.values()}) == len(ROLES)
