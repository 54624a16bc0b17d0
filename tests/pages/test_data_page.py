"""The Data page: what was recognised, what is doubtful, what a person may change."""

from __future__ import annotations

import json

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from pages.parts import keys
from pages.parts.doubts import title
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SAFE, SWEEP, address, drop


def slower(data):
    """The same result with every latency a third longer."""
    document = json.loads(data)
    longer = {key: value * 4 / 3 for key, value in document.items() if key.endswith("_ms")}
    rates = {key: value * 3 / 4 for key, value in document.items() if key.endswith("throughput")}
    return json.dumps({**document, **longer, **rates, "duration": document["duration"] * 4 / 3}).encode()


OTHER = {name.replace("run/", "other/"): slower(data).replace(b"model-8b", b"model-9b") for name, data in SWEEP.items()}


def without_load(data):
    """The same result without the number of requests in flight."""
    return json.dumps({key: value for key, value in json.loads(data).items() if key != "max_concurrency"}).encode()


def held(app):
    return app.session_state[keys.HELD]


def shown(app, place=0):
    return held(app).shown[place]


def leave_out(app, what, why, place=0):
    run = shown(app, place)
    if what is not None:
        app.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, run.id)).set_value(what)
    app.text_input(key=keys.of(keys.EXCLUDE_WHY, run.id)).set_value(why)
    return press(app, keys.of(keys.EXCLUDE, run.id, "go"))


def test_files_conditions_and_levels_are_shown(visit):
    app = at_page(drop(visit(), {**SWEEP, "broken.json": b"{"}), "data")
    files, levels = (each.value for each in app.dataframe)
    assert len(files) == len(levels) == len(SWEEP)
    assert "example/model" in app.table[0].value.to_string()
    assert "broken.json" in words(app)


def test_what_the_files_do_not_say_can_be_added_and_is_marked(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    run = shown(app)
    app.text_input(key=keys.of(keys.CONDITION, run.id, "accelerator")).set_value("H100")
    app.number_input(key=keys.of(keys.CONDITION, run.id, "accelerator_count")).set_value(8)
    app.text_input(key=keys.of(keys.CONDITION, run.id, "network")).set_value("RoCE 400G")
    press(app, keys.of(keys.CONDITIONS_SAVE, run.id))
    conditions = shown(app).conditions
    assert (conditions.accelerator, conditions.accelerator_count, conditions.network) == ("H100", 8, "RoCE 400G")
    assert set(shown(app).asked) == {"accelerator", "accelerator_count", "network"}
    assert "given by hand" in app.table[0].value.to_string()
    assert "8 × H100" in words(at_page(app, "plan"))
    app = at_page(visit(**address(app)), "data")
    assert shown(app).conditions.network == "RoCE 400G"
    assert app.text_input(key=keys.of(keys.CONDITION, run.id, "network")).value == "RoCE 400G"


def test_a_likely_value_is_a_hint_and_nothing_more(visit):
    app = at_page(drop(visit(), {name.replace("run/", "h100-tp8/"): data for name, data in SWEEP.items()}), "data")
    run = shown(app)
    field = app.text_input(key=keys.of(keys.CONDITION, run.id, "accelerator"))
    assert (field.value, "H100" in field.placeholder) == ("", True)
    press(app, keys.of(keys.CONDITIONS_SAVE, run.id))
    assert shown(app).conditions.accelerator is None


def test_one_answer_can_be_the_same_for_all_runs_and_never_overrules_one(visit):
    app = at_page(drop(visit(), {**SWEEP, **OTHER}), "data")
    first, second = held(app).shown
    app.selectbox(key=keys.RUN_PICK).set_value(second.id)
    calm(app.run())
    app.text_input(key=keys.of(keys.CONDITION, second.id, "accelerator")).set_value("L40S")
    press(app, keys.of(keys.CONDITIONS_SAVE, second.id))
    app.selectbox(key=keys.RUN_PICK).set_value(first.id)
    calm(app.run())
    app.text_input(key=keys.of(keys.CONDITION, first.id, "accelerator")).set_value("H100")
    app.text_input(key=keys.of(keys.CONDITION, first.id, "network")).set_value("NVLink")
    app.checkbox(key=keys.of(keys.CONDITION, first.id, "all")).check()
    press(app, keys.of(keys.CONDITIONS_SAVE, first.id))
    assert [run.conditions.accelerator for run in held(app).shown] == ["H100", "L40S"]
    assert [run.conditions.network for run in held(app).shown] == ["NVLink", "NVLink"]


def test_a_level_can_be_left_out_with_a_reason_and_taken_in_again(visit):
    app = drop(visit(t=["ttft-p99-300ms"]), SWEEP)
    before = SAFE.search(words(app))[1]
    leave_out(at_page(app, "data"), "level_3", "another job ran")
    assert {stage.load: stage.excluded for stage in shown(app).stages}[64.0] == "another job ran"
    assert "Left out: level 64 of" in words(app)
    assert "another job ran" in words(app)
    assert SAFE.search(words(at_page(app, "plan")))[1] != before
    again = at_page(visit(**address(app)), "data")
    assert "another job ran" in words(again)
    press(again, keys.of(keys.TAKE_BACK, 0))
    assert SAFE.search(words(at_page(again, "plan")))[1] == before


def test_a_whole_run_can_be_left_out_and_says_why(visit):
    app = at_page(drop(visit(), {**SWEEP, **OTHER}), "data")
    leave_out(app, "run", "wrong cluster")
    assert {stage.excluded for stage in shown(app).stages} == {"wrong cluster"}
    assert {stage.excluded for stage in shown(app, 1).stages} == {None}
    assert "as a whole" in words(app)
    assert SAFE.search(words(at_page(app, "plan")))


def test_nothing_is_left_out_without_a_reason(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    leave_out(app, "level_3", " ")
    assert all(stage.excluded is None for stage in shown(app).stages)
    assert "give a reason" in words(app)


def test_two_runs_are_put_together_split_and_renamed_and_all_of_it_can_be_undone(visit):
    app = at_page(drop(visit(), {**SWEEP, **OTHER}), "data")
    first, second = held(app).shown
    app.multiselect(key=keys.of(keys.MERGE_WITH, first.id)).set_value([second.id])
    press(app, keys.of(keys.MERGE, first.id, "go"))
    (merged,) = held(app).shown
    assert [stage.replicates for stage in merged.stages] == [2] * len(SWEEP)
    assert "put together by hand" in words(app)
    assert f"Put together: {first.label} + {second.label}" in words(app)
    app.text_input(key=keys.of(keys.RENAME_TO, merged.id)).set_value("Both racks")
    press(app, keys.of(keys.RENAME, merged.id, "go"))
    assert shown(app).label == "Both racks"
    again = at_page(visit(**address(app)), "data")
    assert [run.label for run in held(again).shown] == ["Both racks"]
    press(app, keys.UNDO)
    press(app, keys.UNDO)
    assert [run.id for run in held(app).shown] == [first.id, second.id]
    press(app, keys.REDO)
    assert len(held(app).shown) == 1
    ways = app.radio(key=keys.of(keys.SPLIT_BY, merged.id))
    assert [way.split(":")[0] for way in ways.options][:2] == ["as the files alone say", "by folder"]
    press(app, keys.of(keys.SPLIT, merged.id, "go"))
    assert [run.id for run in held(app).shown] == [first.id, second.id]


def test_levels_can_be_taken_apart(visit):
    app = at_page(drop(visit(), SWEEP), "data")
    run = shown(app)
    app.multiselect(key=keys.of(keys.APART_LEVELS, run.id)).set_value([0, 1])
    press(app, keys.of(keys.APART, run.id, "go"))
    assert sorted(len(each.stages) for each in held(app).shown) == [2, 4]


def test_a_doubt_is_asked_with_both_readings_and_answered_in_one_click(visit):
    again = {name.replace("run/", "later/"): slower(data) for name, data in SWEEP.items()}
    app = at_page(drop(visit(), {**SWEEP, **again}), "data")
    (doubt,) = held(app).doubts
    assert "Are later, run the same run, measured again?" in words(app)
    assert "as it is read now" in words(app)
    apart, one = (app.table[i].value for i in (0, 1))
    assert (len(apart), len(one)) == (2, 1)
    assert len(held(app).shown) == 2
    press(app, keys.of(keys.READING, doubt.id, 1))
    (run,) = held(app).shown
    assert [stage.replicates for stage in run.stages] == [2] * len(SWEEP)
    assert "Are later, run the same run, measured again? Yes" in words(app)
    assert not [each for each in app.button if str(each.key).startswith(keys.READING)]
    later = at_page(visit(**address(app)), "data")
    assert len(held(later).shown) == 1
    press(later, keys.of(keys.TAKE_BACK, 0))
    assert len(held(later).shown) == 2
    assert "the same run, measured again?" in words(later)


def test_keeping_the_reading_settles_the_doubt_too(visit):
    again = {name.replace("run/", "later/"): slower(data) for name, data in SWEEP.items()}
    app = at_page(drop(visit(), {**SWEEP, **again}), "data")
    press(app, keys.of(keys.READING, held(app).doubts[0].id, 0))
    assert len(held(app).shown) == 2
    assert not [each for each in app.button if str(each.key).startswith(keys.READING)]


def test_a_level_known_from_a_name_only_is_marked(visit):
    named = {f"conc_{load}.json": without_load(SWEEP[f"run/level_{load}.json"]) for load in (4, 16, 64)}
    app = at_page(drop(visit(), named), "data")
    levels = app.dataframe[1].value
    assert list(levels["Load known from"]) == ["the file name"] * 3
    assert "Load known from" not in at_page(drop(visit(), SWEEP), "data").dataframe[1].value


def test_files_of_one_name_are_told_apart(visit):
    flat = {name.removeprefix("run/"): data for name, data in SWEEP.items()}
    app = drop(drop(visit(), flat), {name: slower(data) for name, data in flat.items()})
    at_page(app, "data")
    assert sorted(app.dataframe[0].value["File"])[:1] == ["(2)/level_1.json"]
    assert [doubt.kind.value for doubt in held(app).doubts] == ["folders"]


def test_a_log_that_came_before_its_results_is_no_longer_refused(visit, root):
    log = next((root / "tests/golden/engine_log").glob("*/input.*"))
    app = drop(visit(), {f"run/{log.name}": log.read_bytes()})
    assert [each.code for each in held(app).refused] == ["ingest.about_nothing"]
    app = drop(app, SWEEP)
    assert not held(app).refused
    assert f"run/{log.name}" in {file.name for file in shown(app).files}


def test_a_file_that_was_repaired_is_no_longer_refused(visit):
    name, data = next(iter(SWEEP.items()))
    app = drop(visit(), {name: data[:200]})
    assert [each.file for each in held(app).refused] == [name]
    assert not held(drop(app, {name: data})).refused


def test_files_without_results_of_their_own_are_one_quiet_line(visit):
    latency = {"avg_latency": 1.5, "latencies": [1.5], "percentiles": {"50": 1.5}}
    beside = {f"run/latency_{n}.json": json.dumps({**latency, "n": n}).encode() for n in range(5)}
    app = at_page(drop(visit(), {**SWEEP, **beside, "run/broken.json": b"{"}), "data")
    assert ["run/broken.json" in each.value for each in app.warning] == [True]
    (quiet,) = [each for each in app.expander if "hold no results" in each.label]
    assert "5 files hold no results of their own" in quiet.label
    assert len(quiet.dataframe[0].value) == 5


def test_a_new_visitor_is_offered_the_drop_box(visit):
    app = at_page(visit(), "data")
    assert [each.label for each in app.file_uploader][:1] == ["Drop benchmark result files here"]
    assert "No files are held yet" in words(app)


def test_many_files_that_were_not_used_become_one_table_on_both_pages(visit):
    app = drop(visit(), {**SWEEP, **{f"logs/{n}.json": b"{" for n in range(5)}})
    for page in ("plan", "data"):
        at_page(app, page)
        assert not [each for each in app.warning if "logs/" in each.value]
        assert [each.label for each in app.expander if "not used" in each.label] == ["5 files were not used"]
        table = next(each.value for each in app.dataframe if "What to do" in each.value.columns)
        assert [name.split(" ")[0] for name in table["File"]] == [f"logs/{n}.json" for n in range(5)]


def test_files_and_levels_are_both_counted(visit):
    assert "Files read: 6 · runs: 1 · levels used: 6, left out: 0" in words(drop(visit(), SWEEP))


def test_one_doubt_is_a_finding_and_none_is_no_plural_of_it():
    one = Finding(code="a.b", severity=Severity.INFO, where=Place("a"), what=t("Seen"))
    assert [title([one] * n).render("en") for n in (0, 1, 2)] == [
        "Doubts (0 findings)",
        "Doubts (1 finding)",
        "Doubts (2 findings)",
    ]


FMBENCH = "public/aws_fmbench_csv"


def test_a_whole_folder_of_tables_with_many_doubts_is_shown(visit, shared_data):
    folder = shared_data / FMBENCH
    app = visit()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        app.file_uploader[0].upload(path.relative_to(folder.parent).as_posix(), path.read_bytes(), "text/csv")
    app = at_page(calm(app.run()), "data")
    doubts = held(app).doubts
    assert len(doubts) > 20
    assert len({doubt.id for doubt in doubts}) == len(doubts)
