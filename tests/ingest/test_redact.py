"""What is kept of a file without its texts: every number, no prompt."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Place
from core.ingest.execution import NUMBERS
from core.ingest.harmless import LONGEST, TEXTS, is_setting
from core.ingest.raw import RawFile, RawLevel, Upload
from core.ingest.redact import settings_told_apart, stripped, without_texts
from core.model.run import Kind
from core.pipeline import load
from tests.model.model_strategies import differences

SECRET = "PRIVATE-canary"
PROSE = f"Tell me in no more than ten words {SECRET}"


def of(name, text):
    return stripped(Upload(name, text if isinstance(text, bytes) else text.encode()))


@pytest.mark.parametrize("inside", [SECRET, [SECRET, SECRET], [{"role": SECRET}], {"a": [{"b": SECRET}]}], ids=str)
def test_a_field_of_texts_loses_them_in_any_shape(inside):
    for name in TEXTS:
        kept = of("a.json", json.dumps({"requests": [{name: inside, "ttft": 0.25}]}, ensure_ascii=False))
        assert SECRET.encode() not in kept
        assert json.loads(kept)["requests"][0]["ttft"] == 0.25


@pytest.mark.parametrize("spelling", ["Prompt", "prompt_text", "user prompt", "generated-texts", "GENERATED_TEXT"])
def test_spelling_does_not_matter(spelling):
    assert SECRET.encode() not in of("a.json", json.dumps({spelling: SECRET}))
    assert SECRET.encode() not in of("a.csv", f"ttft,{spelling}\n0.5,{SECRET}\n")


@pytest.mark.parametrize("text", [PROSE, "x" * (LONGEST + 1) + SECRET])
def test_prose_goes_whatever_its_field_is_called(text):
    assert SECRET.encode() not in of("a.jsonl", json.dumps({"anything": text, "list": [text]}))
    assert SECRET.encode() not in of("a.csv", f"ttft,anything\n0.5,{text}\n")
    assert SECRET.encode() not in of("a.json", json.dumps({"x" * LONGEST + text: 1}))


NAMES = ("note", "frage", "title", "id", "name", "label", "description", "x", "first_question", "url", "host", "질문1")
SHORT = (SECRET, f"Sing {SECRET}", f"{SECRET} latency p99", f"8 {SECRET}", f"{SECRET}: 3.5")


@settings(max_examples=40)
@given(
    name=st.sampled_from(NAMES) | st.text(max_size=12).filter(lambda name: not is_setting(name)),
    text=st.sampled_from(SHORT),
    deep=st.sampled_from([lambda each: each, lambda each: [each], lambda each: {"a": [each, 1]}]),
)
def test_no_short_text_stays_under_a_name_that_nobody_knows(name, text, deep):
    document = {"requests": [{name: deep(text), "ttft": 0.25}]}
    kept = of("a.json", json.dumps(document))
    assert SECRET.encode() not in kept
    assert json.loads(kept)["requests"][0]["ttft"] == 0.25
    within = of("a.json", json.dumps({"args": json.dumps(document)}))
    assert SECRET.encode() not in within


@settings(max_examples=40)
@given(
    name=st.sampled_from(NAMES) | st.text("abc 가나,;", max_size=12).filter(lambda name: not is_setting(name)),
    text=st.sampled_from(SHORT),
    status=st.sampled_from(["7", "ok", "success", "status", ""]),
    blanks=st.integers(0, 2),
)
def test_no_short_cell_stays_in_a_column_that_nobody_knows(name, text, status, blanks):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([["ttft", "status", name], *[[]] * blanks, ["0.5", status, text], ["", status, text]])
    kept = of("a.csv", out.getvalue())
    assert SECRET.encode() not in kept
    assert b"0.5" in kept


def test_results_keyed_by_a_prompt_lose_it():
    assert SECRET.encode() not in of("a.json", json.dumps({f"Sing {SECRET}": {"ttft": 0.25}}))


@pytest.mark.parametrize("name", ["task", "scenario", "role", "profile", "strategy"])
def test_a_setting_of_one_word_takes_no_sentence(name):
    assert SECRET.encode() not in of("a.json", json.dumps({name: f"Sing {SECRET}"}))
    assert json.loads(of("a.json", json.dumps({name: "chat"})))[name] == "chat"


def test_words_of_a_failure_go_and_that_there_were_some_stays():
    kept = json.loads(of("a.json", json.dumps({"errors": ["", f"refused {SECRET}"]})))
    assert kept["errors"] == ["", "error"]


def test_numbers_flags_and_known_settings_stay():
    document = {
        "prompt": 7,
        "output": [1.5, None, True],
        "model_id": "org/model-8b",
        "status": "ok",
        "big": 1e300,
        "date": "20250511-230027",
        "stamp": "2026-05-01T10:00:00.25Z",
        "batch": "6f1c2a9e-5b1d-4b8a-9d34-0a1b2c3d4e5f",
        "lengths": "prompt_tokens=256,output_tokens=128",
        "list": "[0.25, 0.5]",
    }
    assert json.loads(of("a.json", json.dumps(document))) == document
    assert of("a.csv", "prompt,status\n7,ok\n").decode() == "prompt,status\n7,ok\n"


def test_a_long_path_of_a_model_stays():
    path = "/models/" + "x" * LONGEST
    assert json.loads(of("a.json", json.dumps({"model_id": path})))["model_id"] == path


def test_not_a_number_and_infinity_stay():
    assert of("a.jsonl", '{"rate": Infinity, "ttft": NaN}\n') == b'{"rate": Infinity, "ttft": NaN}\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_over_several_lines_go_too(delimiter):
    rows = [["ttft", "prompt", "n"], ["0.5", f'"one\n{SECRET}"', "3"], ["0.7", SECRET, "4"]]
    kept = of("a.csv", "\n".join(delimiter.join(row) for row in rows)).decode()
    assert kept == "\n".join(delimiter.join(row) for row in [rows[0], ["0.5", "", "3"], ["0.7", "", "4"], [""]])


def test_a_second_table_in_a_file_has_columns_of_its_own():
    kept = of("a.csv", f"ttft,n\n0.5,3\n\nn,response\n1,{SECRET}\n").decode()
    assert SECRET not in kept
    assert "0.5,3" in kept


@pytest.mark.parametrize("name", ["a.parquet", "a.zip", "a.xlsx", "a.log", "a.txt", "a.db", "a.yaml", "a"])
def test_what_cannot_be_taken_apart_is_not_kept(name):
    assert of(name, json.dumps({"prompt": SECRET})) is None


@pytest.mark.parametrize("text", ["{", "[1,", "\x00\x01", '{"a": ' * 5000, "null\nfalse\n{"])
def test_what_cannot_be_read_is_not_kept(text):
    assert of("a.json", text) is None


def test_a_quote_that_never_ends_is_not_kept():
    assert of("a.csv", f'ttft,prompt\n0.5,"{SECRET}') is None


def test_a_document_a_line_may_be_called_json():
    assert of("a.json", f'{{"prompt": "{SECRET}", "n": 1}}\n{{"n": 2}}\n') == b'{"prompt": "", "n": 1}\n{"n": 2}\n'


def test_tables_that_a_draft_keeps_lose_their_texts_or_are_left_out():
    markdown = "| ttft | prompt |\n|---|---|\n| 0.5 | {} |\n"
    assert without_texts(Upload("a.csv", f"ttft,prompt\n0.5,{SECRET}\n".encode())) == b"ttft,prompt\n0.5,\n"
    assert without_texts(Upload("a.md", markdown.format(SECRET).encode())) is None
    plain = b"| ttft | load |\n|---|---|\n| 0.5 | 8 |\n"
    assert without_texts(Upload("a.md", plain)) == plain
    assert without_texts(Upload("a.md", plain.replace(b"| 8", f"| {PROSE}".encode()))) is None


def golden(root):
    paths = sorted((root / "tests" / "golden").rglob("input.*"))
    return [path for path in paths if path.suffix in (".json", ".jsonl", ".csv")]


def test_what_is_kept_reads_as_the_file_itself(root):
    """The numbers of a run come from the numbers of its file: without the texts it is the same run, called the same."""
    seen = 0
    for path in golden(root):
        whole = Upload(f"{path.parent.name}/{path.name}", path.read_bytes())
        less = Upload(whole.name, stripped(whole))
        before, after = load([whole]), load([less])
        seen += len(before.runs)
        for one, other in zip(before.runs, after.runs, strict=True):
            assert (one.label, differences(one.conditions, other.conditions)) == (other.label, []), path
            levels = [tuple(replace(stage, where=one.stages[0].where) for stage in run.stages) for run in (one, other)]
            assert differences(*levels) == [], path
    assert seen > 80


def test_no_text_of_any_golden_file_is_kept(root):
    """Texts are planted where the tools write theirs: in each object of the file, under each name that is known."""
    planted = 0
    for path in golden(root):
        if path.suffix == ".csv":
            continue
        text = path.read_text(encoding="utf-8-sig")
        lines = text.splitlines() if path.suffix == ".jsonl" else [text]
        documents = [plant(json.loads(line), unknown=True) for line in lines if line.strip()]
        written = "\n".join(json.dumps(document) for document in documents)
        planted += written.count(SECRET)
        assert SECRET.encode() not in of(path.name, written), path
    assert planted > 100
    assert b"PRIVATE" in (root / "tests/golden/inference_perf_records/v0_7_http500/input.json").read_bytes()


def plant(value, *, unknown=False):
    """A document with prompts and answers beside everything that it holds."""
    if isinstance(value, list):
        return [plant(one, unknown=unknown) for one in value]
    if isinstance(value, dict):
        texts = {"prompt": SECRET, "generated_texts": [SECRET], "messages": [{"role": "user", "content": SECRET}]}
        texts |= {"note": SECRET} if unknown else {}
        return {key: plant(one, unknown=unknown) for key, one in value.items()} | texts
    return value


@pytest.mark.parametrize(
    ("setting", "stays"),
    [
        ('{"tp": 2, "mode": "agg"}', True),
        ('{"input": 512, "output": 128}', True),
        ('{"tp": 2, "prompt": "PRIVATE"}', False),
        ('[{"messages": [{"role": "user", "content": "PRIVATE"}]}]', False),
        ('{"prompt": "PRIVATE', False),
    ],
)
def test_a_setting_that_is_json_stays_where_no_text_is_in_it(setting, stays):
    whole = RawFile(name="a.json", sha256="0", format_id="f", format_version=None, kind=Kind.MEASURED, levels=())
    key = NUMBERS + "PRIVATE" * LONGEST
    told = RawLevel(place=Place("a.json"), identity={"topology": setting, "tp": 2}, run_key=key)
    (level,) = settings_told_apart(replace(whole, levels=(told,))).levels
    assert (level.identity["topology"] == setting) is stays
    assert level.identity["topology"]
    assert level.identity["tp"] == 2
    assert level.run_key.startswith(NUMBERS)
    assert "PRIVATE" not in f"{level.run_key}{level.identity}"
