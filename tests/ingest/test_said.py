"""Mappings as hostile data, the finding that one was used, which tables are kept, and what a trial promises."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedFileError, UsageError
from core.ingest import trial
from core.ingest.mapping import preview_of
from core.ingest.mapping_check import LARGEST, checked, mappings_from
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.ingest.roles import ROLES
from core.ingest.trial import kept_table, outcome_of, together, used_by
from core.model.mapping import ColumnMeaning, content_hash, mappings_json
from core.pipeline import load
from tests.ingest.test_mapping import SAID, TABLE, upload

HEADERS = st.lists(
    st.sampled_from(
        ["TTFT p99 (ms)", "RTFx p5", "latency", "동시성", "qps", "req/min", "완료 (%)", "duration", "error rate %",
         "gpu", "model", "메모", "시간 (s)", "cache hit rate (%)", "throughput",
         "batch", "latency min", "TTFT max (ms)", "p99 throughput"]
    ),
    min_size=2, unique=True,
)  # fmt: skip


@given(headers=HEADERS)
def test_every_proposal_is_a_mapping_that_may_come_back(headers):
    text = (
        ",".join(headers) + "\n" + "\n".join(",".join(str(n + k) for n in range(len(headers))) for k in (1, 2)) + "\n"
    )
    mappings = [preview.mapping("proposal") for preview in preview_of(upload(text))]
    assert list(mappings_from(mappings_json(mappings))) == mappings


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
MEANING = st.fixed_dictionaries(
    {"role": st.sampled_from(sorted(ROLES)) | st.text(max_size=8)},
    optional={
        "metric": st.sampled_from(["ttft", "rtf", "goodput", "x", None]),
        "statistic": st.sampled_from(["mean", "sd", "p99", "value", "max", "p100", "", None]),
        "unit": st.sampled_from(["ms", "%", "/min", "h", None]),
        "inverse": st.booleans(),
    },
)
MAPPING = st.fixed_dictionaries(
    {"name": st.text(max_size=4), "headers": st.lists(st.sampled_from(["a", "b", ""]), max_size=3)},
    optional={
        "columns": st.dictionaries(st.sampled_from(["a", "b", "#2", "c"]), MEANING, max_size=3),
        "transposed": st.booleans(),
        "sheet": st.none() | st.text(max_size=3),
    },
)


def possible(data):
    """The mappings of a text, () where it is refused; anything but a refusal of these kinds fails the test."""
    found, code = (), None
    try:
        found = mappings_from(data)
    except UsageError as error:
        code = error.code
    assert (code is None) == bool(found)
    assert code in (None, "mapping.unreadable", "mapping.invalid")
    return found


@given(document=ANYTHING | MAPPING | st.lists(MAPPING, max_size=2))
def test_whatever_comes_as_json_is_a_possible_mapping_or_refused_in_words(document):
    for mapping in possible(json.dumps(document).encode()):
        assert mapping.name == mapping.name.strip() != ""
        assert checked(mapping) == mapping
        # No possible mapping makes reading a table raise anything but a refusal.
        outcome = outcome_of(upload("a,b\n1,2\n2,3\n"), [mapping])
        assert (outcome.refused is None) == (outcome.levels > 0)


@given(data=st.binary(max_size=200))
def test_no_bytes_break_the_reading_of_mappings(data):
    assert possible(data) == ()


def test_a_mapping_is_not_parsed_beyond_a_size():
    with pytest.raises(UsageError) as refused:
        mappings_from(b" " * LARGEST + b"[]")
    assert refused.value.code == "mapping.too_large"


def test_the_hash_tells_the_content_and_not_the_name():
    assert content_hash(SAID) == content_hash(dataclasses.replace(SAID, name="another"))
    others = [
        dataclasses.replace(SAID, transposed=True),
        dataclasses.replace(SAID, sheet="s"),
        dataclasses.replace(SAID, headers=SAID.headers[:-1]),
        dataclasses.replace(SAID, columns={**SAID.columns, "kind": ColumnMeaning(role="setting")}),
    ]
    assert len({content_hash(each) for each in (SAID, *others)}) == len(others) + 1


def test_a_table_read_by_a_mapping_says_so_with_its_name_and_hash():
    (told,) = [each for each in read_file(upload(TABLE), [SAID]).findings if each.code == "ingest.mapped"]
    assert told.what.values == {"name": "ours", "content": content_hash(SAID)[:12]}
    assert (told.where.file, told.where.line) == ("t.csv", 1)
    assert not [each for each in read_file(upload("concurrency,TTFT p99 (ms)\n8,5\n"), [SAID]).findings if each is told]


def test_a_refusal_names_the_mapping_as_what_may_be_wrong():
    with pytest.raises(RefusedFileError) as refused:
        read_file(upload(TABLE.replace("5.2", "fast")), [SAID])
    assert (refused.value.code, refused.value.place.line, refused.value.place.field) == (
        "ingest.not_a_number",
        2,
        "wert",
    )
    assert '"ours"' in str(refused.value.fix)


def test_a_trial_promises_what_reading_then_gives():
    outcome = outcome_of(upload(TABLE), [SAID])
    assert (outcome.levels, outcome.settings, outcome.refused) == (2, 1, None)
    assert outcome.levels == len(read_file(upload(TABLE), [SAID]).levels)
    apart = dataclasses.replace(SAID, columns={**SAID.columns, "kind": ColumnMeaning(role="setting")})
    two = TABLE.replace("40,a", "40,b")
    assert outcome_of(upload(two), [apart]).settings == len(
        {run.id for run in load([upload(two)], mappings=[apart]).runs}
    )
    assert outcome_of(upload(TABLE), []).refused.code == "ingest.no_load_column"


def test_a_table_that_is_left_out_does_not_stop_another_one():
    good = "| concurrency | TTFT p99 (ms) |\n| --- | --- |\n| 8 | 5 |\n| 16 | 9 |\n"
    bad = "| concurrency | TTFT |\n| --- | --- |\n| 8 | 5 |\n"
    both = upload(f"# One\n\n{good}\n# Two\n\n{bad}", "t.md")
    with pytest.raises(RefusedFileError):
        read_file(both)
    out = preview_of(both)[1].mapping("out")
    out = dataclasses.replace(out, columns={key: ColumnMeaning(role="ignored") for key in out.columns})
    assert out.leaves_out
    assert len(read_file(both, [out]).levels) == 2


def test_a_mapping_of_turned_tables_leaves_one_alone_that_cannot_be_turned():
    turned = dataclasses.replace(SAID, transposed=True)
    repeated = upload("endpoint,concurrency,TTFT p99 (ms)\na,8,5\na,16,9\n")
    assert read_file(repeated, [turned]).levels == read_file(repeated).levels
    assert used_by(repeated, [turned]) == ()
    with pytest.raises(RefusedFileError):
        preview_of(repeated, transposed=True)
    assert [each.transposed for each in preview_of(repeated, transposed=True, where_possible=True)] == [False]


def test_only_tables_are_kept_and_never_those_with_long_texts(monkeypatch):
    keep = upload(TABLE)
    assert kept_table(keep, None) == keep
    assert kept_table(Upload("a\\b.csv", keep.data), None).name == "a/b.csv"
    assert kept_table(Upload("t.json", keep.data), None) is None
    assert kept_table(upload("only one\n1\n"), None) is None
    assert kept_table(upload(TABLE.replace("a\n", "a" * 301 + "\n")), None) is None
    read = read_file(upload("concurrency,TTFT p99 (ms)\n8,5\n"))
    assert kept_table(keep, read) == keep
    assert kept_table(keep, dataclasses.replace(read, format_id="vllm_bench")) is None
    monkeypatch.setattr(trial, "KEPT_BYTES", len(keep.data) - 1)
    assert kept_table(keep, None) is None


def test_a_session_keeps_the_newest_tables_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(trial, "KEPT_TOGETHER", 10)
    tables = [Upload(str(n), b"1234") for n in range(4)]
    assert [each.name for each in together(tables)] == ["2", "3"]


def test_a_load_hands_tables_back_read_or_refused():
    loaded = load(
        [upload(TABLE, "bad.csv"), upload("concurrency,TTFT p99 (ms)\n8,5\n", "good.csv"), Upload("x.json", b"{")]
    )
    assert [each.name for each in loaded.tables] == ["bad.csv", "good.csv"]
    assert used_by(loaded.tables[0], [SAID]) == (SAID,)
    assert used_by(loaded.tables[1], [SAID]) == ()
