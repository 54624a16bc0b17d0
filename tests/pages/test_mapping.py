"""Saying what the columns of a table are: offered, tried, put to use, kept for the next file, and taken back."""

from __future__ import annotations

import io
import json

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from core.model.mapping import TableMapping, content_hash, mappings_json, mappings_of_json
from core.model.metric import Metric
from core.present.meanings import CHOICES, Choice, choice_text
from core.store.store import open_store
from pages.parts import keys
from pages.parts.mapping_columns import SHOWN
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SWEEP, address, drop

# What a load test of a Korean bank writes: nobody knows these words, and decimals have commas.
ROWS = ((1, "0,21"), (2, "0,22"), (4, "0,24"), (8, "0,29"), (16, "0,40"), (32, "0,71"), (64, "1,52"), (128, "3,9"))
ODD = "동접;응답(99);비고\n" + "".join(f"{load};{seconds};메모\n" for load, seconds in ROWS)
LATER = ODD.replace("0,21", "0,23").replace("3,9", "4,1")
LOAD, TTFT = Choice("asked_concurrency"), Choice("latency", Metric.TTFT)


def table(text=ODD, name="부하시험.csv"):
    return {name: text.encode()}


def held(app):
    return app.session_state[keys.HELD]


def codes(app):
    return [each.code for each in held(app).refused]


def choose(app: AppTest, key: str, column: int, value: object, place: int = 0) -> AppTest:
    return calm(app.selectbox(key=keys.of(key, place, column)).set_value(value).run())


def open_editor(app: AppTest) -> AppTest:
    (button,) = [each for each in app.button if str(each.key).startswith(keys.MAPPING_SAY)]
    return press(app, button.key)


def say_all(app: AppTest) -> AppTest:
    choose(app, keys.MAPPING_ROLE, 0, LOAD)
    choose(app, keys.MAPPING_ROLE, 1, TTFT)
    choose(app, keys.MAPPING_STATISTIC, 1, "p99")
    return choose(app, keys.MAPPING_UNIT, 1, "s")


def edited(visit, **drop_more):
    app = at_page(drop(visit(t=["ttft-p99-1000ms"]), {**table(), **drop_more}), "data")
    return open_editor(app)


def kept_in(tmp_path) -> list[TableMapping]:
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    found = [each.mapping for each in store.mappings.list()]
    store.close()
    return found


def keep_as(app: AppTest, name: str) -> AppTest:
    calm(app.toggle(key=keys.MAPPING_KEEP).set_value(True).run())
    app.text_input(key=keys.of(keys.MAPPING_NAME, 0)).set_value(name)
    return press(app, keys.MAPPING_APPLY)


def test_an_unknown_table_is_refused_and_offered_to_be_told_about_on_both_pages(visit):
    app = drop(visit(), table())
    assert len(codes(app)) == 1
    for page in ("plan", "data"):
        at_page(app, page)
        assert [each.label for each in app.button if str(each.key).startswith(keys.MAPPING_SAY)] == [
            "Say what the columns are"
        ]


def test_the_result_is_told_before_anything_changes_and_then_read(visit):
    app = edited(visit)
    assert list(app.dataframe[0].value.columns) == ["동접", "응답(99)", "비고"]
    assert app.button(key=keys.MAPPING_APPLY).disabled
    assert "Nothing can be read yet" in words(app)
    choose(app, keys.MAPPING_ROLE, 0, LOAD)
    choose(app, keys.MAPPING_ROLE, 1, TTFT)
    assert "neither seconds nor milliseconds" in words(app)
    choose(app, keys.MAPPING_STATISTIC, 1, "p99")
    choose(app, keys.MAPPING_UNIT, 1, "s")
    assert "8 levels would be read" in words(app)
    assert codes(app)
    assert not held(app).shown
    press(app, keys.MAPPING_APPLY)
    assert not codes(app)
    (run,) = held(app).shown
    assert [stage.asked_concurrency for stage in run.stages] == [float(load) for load, _ in ROWS]
    first, *_, last = (stage.statistics[Metric.TTFT].quantiles[0.99] for stage in run.stages)
    assert (first, last) == (0.21, 3.9)
    assert keys.MAPPING_APPLY not in {each.key for each in app.button}
    assert "concurrent requests" in words(at_page(app, "plan"))


def test_what_was_said_survives_a_reload_and_can_be_undone(visit):
    app = press(say_all(edited(visit)), keys.MAPPING_APPLY)
    again = at_page(visit(**address(app)), "data")
    assert len(held(again).shown[0].stages) == len(ROWS)
    assert held(again).tables
    press(app, keys.UNDO)
    assert codes(app)
    assert not held(app).shown


def test_a_refused_table_can_still_be_told_about_after_a_reload(visit):
    app = drop(visit(), table())
    again = at_page(visit(**address(app)), "data")
    press(say_all(open_editor(again)), keys.MAPPING_APPLY)
    assert len(held(again).shown[0].stages) == len(ROWS)


def test_only_what_fits_together_can_be_chosen(visit):
    app = edited(visit)
    statistic, unit = (keys.of(key, 0, 1) for key in (keys.MAPPING_STATISTIC, keys.MAPPING_UNIT))

    def shown():
        return {each.key for each in app.selectbox} & {statistic, unit}

    assert shown() == set()
    choose(app, keys.MAPPING_ROLE, 1, TTFT)
    assert shown() == {statistic, unit}
    choose(app, keys.MAPPING_ROLE, 1, Choice("latency", Metric.RTF))
    assert shown() == {statistic}
    choose(app, keys.MAPPING_ROLE, 1, Choice("requests_good"))
    assert shown() == set()


def test_a_unit_that_the_header_says_is_not_up_for_choice(visit):
    app = at_page(drop(visit(), table("동접,첫답(ms)\n1,200\n2,300\n")), "data")
    choose(open_editor(app), keys.MAPPING_ROLE, 1, TTFT)
    unit = app.selectbox(key=keys.of(keys.MAPPING_UNIT, 0, 1))
    assert (unit.options, unit.disabled) == (["milliseconds"], True)


def test_unclear_columns_stand_first_with_their_reason(visit):
    text = "concurrency,TTFT p99 (ms),비밀번호같은,TPOT\n8,500,3,20\n16,900,4,30\n"
    app = at_page(drop(visit(), table(text)), "data")
    open_editor(app)
    order = [each.key for each in app.selectbox if str(each.key).startswith(keys.MAPPING_ROLE)]
    assert order == [keys.of(keys.MAPPING_ROLE, 0, column) for column in (3, 2, 0, 1)]
    assert '"TPOT" says neither seconds nor milliseconds' in words(app)


def test_kept_columns_are_used_for_the_next_file_and_it_says_so(visit, tmp_path):
    app = keep_as(say_all(edited(visit)), "Load test team")
    (kept,) = kept_in(tmp_path)
    assert kept.name == "Load test team"
    other = drop(visit(), table(LATER, "다음.csv"))
    assert not codes(other)
    (run,) = held(other).shown
    assert run.stages[0].statistics[Metric.TTFT].quantiles[0.99] == 0.23
    (told,) = [each for each in run.findings if each.code == "ingest.mapped"]
    assert "Load test team" in str(told.what)
    assert content_hash(kept).startswith(told.what.values["content"])
    assert "Load test team" in words(at_page(other, "data"))
    assert [each.code for each in held(app).shown[0].findings if each.code == "ingest.mapped"] == ["ingest.mapped"]


def test_a_saved_scenario_tells_which_columns_were_said(visit, tmp_path):
    app = keep_as(say_all(edited(visit)), "Load test team")
    at_page(app, "plan")
    app.text_input(key=keys.SAVE_NAME).set_value("Launch")
    press(app, keys.SAVE)
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    (listed,) = store.list()
    scenario = store.load(listed.id)[1]
    store.close()
    (told,) = [each for each in scenario.runs[0].findings if each.code == "ingest.mapped"]
    assert told.what.values["name"] == "Load test team"
    assert content_hash(kept_in(tmp_path)[0]).startswith(told.what.values["content"])


def test_a_kept_mapping_that_the_cells_deny_refuses_that_file_only_and_says_the_way_out(visit):
    app = keep_as(say_all(edited(visit)), "Load test team")
    wrong = LATER.replace("0,23", "빠름")
    drop(app, {**table(wrong, "나쁜.csv"), **table(LATER, "좋은.csv")})
    (refused,) = held(app).refused
    assert (refused.file, refused.line, refused.field) == ("나쁜.csv", 2, "응답(99)")
    assert "Load test team" in str(refused.fix)
    assert {file.name for file in held(app).files} == {"부하시험.csv", "좋은.csv"}
    # The way out: correct what was said, for this table.
    at_page(app, "data")
    open_editor(app)
    assert app.selectbox(key=keys.of(keys.MAPPING_ROLE, 0, 1)).value == TTFT
    assert "Nothing can be read yet (line 2, 응답(99))" in words(app)


def test_a_table_that_was_read_wrongly_is_corrected_and_read_as_recognised_again(visit):
    text = "concurrency,TTFT p99 (ms)\n8,500\n16,900\n"
    app = at_page(drop(visit(), table(text, "a.csv")), "data")
    assert held(app).shown[0].stages[0].asked_concurrency == 8.0
    offer = next(each for each in app.selectbox if str(each.key).startswith(keys.MAPPING_OF))
    calm(offer.set_value("a.csv").run())
    choose(app, keys.MAPPING_ROLE, 0, Choice("asked_rate"))
    press(app, keys.MAPPING_APPLY)
    stage = held(app).shown[0].stages[0]
    assert (stage.asked_concurrency, stage.asked_rate) == (None, 8.0)
    offer = next(each for each in app.selectbox if str(each.key).startswith(keys.MAPPING_OF))
    calm(offer.set_value("a.csv").run())
    assert app.selectbox(key=keys.of(keys.MAPPING_ROLE, 0, 0)).value == Choice("asked_rate")
    press(app, keys.MAPPING_FORGET)
    assert held(app).shown[0].stages[0].asked_concurrency == 8.0


def book(*sheets):
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets:
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def test_each_sheet_of_a_workbook_is_said_for_itself_and_one_can_be_left_out(visit):
    first = [("동접", "답 p99 (ms)"), (1, 200.0), (2, 300.0)]
    second = [("사람", "종단 p95 (s)"), (4, 5.0), (8, 6.5), (16, 9.0)]
    third = [("concurrency", "TTFT"), (4, 5.0), (8, 6.5)]
    data = book(("하나", first), ("둘", second), ("셋", third))
    app = at_page(drop(visit(), {"책.xlsx": data}), "data")
    open_editor(app)
    choose(app, keys.MAPPING_ROLE, 0, LOAD)
    choose(app, keys.MAPPING_ROLE, 1, TTFT)
    calm(app.selectbox(key=keys.MAPPING_TABLE).set_value(1).run())
    choose(app, keys.MAPPING_ROLE, 0, LOAD, place=1)
    choose(app, keys.MAPPING_ROLE, 1, Choice("latency", Metric.E2E), place=1)
    assert "neither seconds nor milliseconds" in words(app)
    calm(app.selectbox(key=keys.MAPPING_TABLE).set_value(2).run())
    calm(app.toggle(key=keys.of(keys.MAPPING_OUT, 2)).set_value(True).run())
    assert "5 levels of 2 deployments would be read" in words(app)
    press(app, keys.MAPPING_APPLY)
    assert sorted(len(run.stages) for run in held(app).shown) == [2, 3]
    assert not codes(app)


def test_a_table_is_turned_where_its_levels_are_columns(visit):
    text = "이름,가,나\n동접,1,2\n답,200,300\n"
    app = at_page(drop(visit(), table(text)), "data")
    open_editor(app)
    calm(app.toggle(key=keys.of(keys.MAPPING_TURNED, 0)).set_value(True).run())
    names = list(app.dataframe[0].value.columns)
    assert "동접" in names
    choose(app, keys.MAPPING_ROLE, names.index("이름"), Choice("ignored"))
    choose(app, keys.MAPPING_ROLE, names.index("동접"), LOAD)
    choose(app, keys.MAPPING_ROLE, names.index("답"), TTFT)
    choose(app, keys.MAPPING_UNIT, names.index("답"), "ms")
    press(app, keys.MAPPING_APPLY)
    assert [stage.asked_concurrency for stage in held(app).shown[0].stages] == [1.0, 2.0]


def test_many_columns_come_in_pages_and_what_was_said_stays(visit):
    names = [f"값{n}" for n in range(3 * SHOWN)]
    text = f"동접,{','.join(names)}\n" + "".join(f"{n},{','.join(['1.5'] * len(names))}\n" for n in (1, 2))
    app = at_page(drop(visit(), table(text)), "data")
    open_editor(app)
    roles = [each for each in app.selectbox if str(each.key).startswith(keys.MAPPING_ROLE)]
    assert len(roles) == SHOWN


def test_prompts_are_not_kept_for_a_later_reading(visit):
    secret = "our customers and their debts " * 20
    app = drop(visit(), table(f"동접;응답;질문\n1;2;{secret}\n2;3;{secret}\n"))
    assert codes(app)
    assert held(app).tables == ()
    assert not [each for each in app.button if str(each.key).startswith(keys.MAPPING_SAY)]


def test_results_of_a_tool_are_not_asked_about(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    assert held(app).tables == ()
    assert not [each for each in app.selectbox if str(each.key).startswith(keys.MAPPING_OF)]


# What is kept.


def pick(app: AppTest, count: int = 1, which: int = 0) -> AppTest:
    box = app.selectbox(key=keys.of(keys.MAPPINGS_PICK, count))
    return calm(box.select_index(which).run())


def test_kept_columns_are_renamed_deleted_and_brought_back(visit, tmp_path):
    app = pick(keep_as(say_all(edited(visit)), "Load test team"))
    (field,) = [each for each in app.text_input if str(each.key).startswith(keys.MAPPINGS_RENAME)]
    calm(field.set_value("Nightly ![x](http://a/b.png)").run())
    press(app, keys.of(keys.MAPPINGS_RENAME, "go"))
    (kept,) = kept_in(tmp_path)
    assert kept.name == "Nightly ![x](http://a/b.png)"
    assert not [each.value for each in app.markdown if "![x]" in str(each.value)]
    press(pick(app), keys.MAPPINGS_DELETE)
    assert kept_in(tmp_path) == []
    assert len(codes(drop(visit(), table(LATER, "다음.csv")))) == 1
    press(app, keys.MAPPINGS_UNDO)
    assert kept_in(tmp_path) == [kept]


def bring(app: AppTest, data: bytes) -> AppTest:
    at = app.session_state.get(keys.MAPPINGS_ROUND, 0)
    box = app.file_uploader(key=keys.of(keys.MAPPINGS_DROP, at))
    return calm(box.upload("m.json", data, "application/json").run())


def test_columns_that_come_as_json_read_tables_that_wait_for_them(visit, tmp_path):
    app = keep_as(say_all(edited(visit)), "Load test team")
    document = mappings_json(kept_in(tmp_path))
    press(pick(app), keys.MAPPINGS_DELETE)
    app = at_page(drop(visit(), table(LATER, "다음.csv")), "data")
    assert codes(app)
    bring(app, document)
    assert not codes(app)
    assert len(held(app).shown[0].stages) == len(ROWS)
    assert kept_in(tmp_path) == list(mappings_of_json(document))


def hostile():
    said = {"name": "x", "headers": ["a", "b"], "columns": {"a": {"role": "asked_concurrency"}}}
    deep = b"[" * 100_000
    yield "deep", deep
    yield "no json", b"\x80\x04\x95"
    yield "large", json.dumps({**said, "name": "x" * 3_000_000}).encode()
    yield "role", json.dumps({**said, "columns": {"a": {"role": "__class__"}}}).encode()
    yield "column", json.dumps({**said, "columns": {"c": {"role": "ignored"}}}).encode()
    yield (
        "statistic",
        json.dumps(
            {**said, "columns": {"a": {"role": "latency", "metric": "ttft", "statistic": "p99; DROP TABLE"}}}
        ).encode(),
    )
    yield "unit", json.dumps({**said, "columns": {"a": {"role": "latency", "metric": "ttft", "unit": "%"}}}).encode()
    yield "metric", json.dumps({**said, "columns": {"a": {"role": "latency", "metric": "goodput"}}}).encode()
    yield "headers", json.dumps({**said, "headers": [str(n) for n in range(2001)]}).encode()
    yield "header", json.dumps({**said, "headers": ["a", "b" * 301]}).encode()
    yield "name", json.dumps({**said, "name": "\x00\n"}).encode()
    yield "second", json.dumps([said, {**said, "name": ""}]).encode()


@pytest.mark.parametrize("data", [data for _, data in hostile()], ids=[name for name, _ in hostile()])
def test_hostile_json_is_refused_in_words_and_keeps_nothing(visit, tmp_path, data):
    app = bring(at_page(visit(), "data"), data)
    assert len(app.error) == 1
    assert kept_in(tmp_path) == []


def test_rtfx_needs_a_percentile_and_is_then_read_as_rtf(visit):
    text = "동접,음성배속\n1,20\n2,10\n"
    app = open_editor(at_page(drop(visit(), table(text)), "data"))
    choose(app, keys.MAPPING_ROLE, 0, LOAD)
    choose(app, keys.MAPPING_ROLE, 1, Choice("latency", Metric.RTF, inverse=True))
    assert "needs a percentile" in words(app)
    assert app.button(key=keys.MAPPING_APPLY).disabled
    assert "p5 of the column (p95 of RTF)" in app.selectbox(key=keys.of(keys.MAPPING_STATISTIC, 0, 1)).options
    choose(app, keys.MAPPING_STATISTIC, 1, "p95")
    press(app, keys.MAPPING_APPLY)
    assert [stage.statistics[Metric.RTF].quantiles[0.95] for stage in held(app).shown[0].stages] == [0.05, 0.1]


def test_a_store_that_fails_is_told_and_takes_no_table_away(visit, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    app = visit()
    monkeypatch.setenv("PLIMSOLL_DATABASE_URL", f"sqlite:///{blocked}/plimsoll.db")
    app = at_page(drop(app, table("concurrency,TTFT p99 (ms)\n8,500\n16,900\n", "a.csv")), "data")
    assert len(held(app).shown[0].stages) == 2
    assert len(app.error) == 1


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_choice_has_words_of_its_own(language):
    shown = [choice_text(choice).render(language) for choice in CHOICES]
    assert len(set(shown)) == len(shown)
    assert not [text for text in shown if "_" in text or "conditions." in text]
