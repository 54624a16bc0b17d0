"""The Plan page as a visitor meets it, without a browser."""

from __future__ import annotations

import json
import re

import pytest

from pages.parts import keys
from pages.parts.links import to_params
from tests.pages.conftest import at_page, calm, press, unfold, words

SAFE = re.compile(r"([\d,]+) concurrent requests, safely")


def bench(concurrency, ttft_ms, tpot_ms, requests=2000):
    """A vLLM bench serve summary of one level with a spread that real ones have."""
    duration = requests / concurrency * (ttft_ms + 200 * tpot_ms) / 1000
    document = {
        "date": "20260101-000000",
        "backend": "vllm",
        "model_id": "example/model-8b",
        "num_prompts": requests,
        "request_rate": "inf",
        "max_concurrency": concurrency,
        "duration": duration,
        "completed": requests,
        "total_input_tokens": 1000 * requests,
        "total_output_tokens": 201 * requests,
        "request_throughput": requests / duration,
        "output_throughput": 201 * requests / duration,
        "total_token_throughput": 1201 * requests / duration,
    }
    for name, mean in {"ttft": ttft_ms, "tpot": tpot_ms, "itl": tpot_ms, "e2el": ttft_ms + 200 * tpot_ms}.items():
        document |= {f"mean_{name}_ms": mean, f"median_{name}_ms": 0.98 * mean, f"std_{name}_ms": 0.1 * mean}
        document |= {f"p90_{name}_ms": 1.13 * mean, f"p99_{name}_ms": 1.25 * mean}
    return json.dumps(document).encode()


SWEEP = {
    f"run/level_{load}.json": bench(load, ttft, tpot)
    for load, ttft, tpot in [(1, 60, 8), (4, 70, 9), (16, 90, 12), (64, 160, 22), (128, 320, 38), (256, 900, 71)]
}


def drop(app, files):
    box = app.file_uploader[0]
    for name, data in files.items():
        box.upload(name, data, "application/json")
    return calm(app.run())


def address(app):
    """What the address of the page restores: the browser writes it there, see tests/browser."""
    kept = app.session_state
    params = {**to_params(kept[keys.ASK]), "lang": [kept[keys.LANGUAGE]], "d": [kept[keys.HELD].draft]}
    return {name: value for name, value in params.items() if value != [""]}


def test_the_first_visit_promises_and_offers_two_ways_in(visit):
    app = visit()
    said = words(app)
    assert "how many concurrent requests your LLM deployment safely carries" in said
    assert "vLLM" in said
    assert len(app.file_uploader) == 1
    assert app.button(key=keys.SAMPLE).label == "Try it with sample data"
    assert not SAFE.search(said)


def test_one_click_on_the_sample_answers(visit):
    said = words(press(visit(), keys.SAMPLE))
    assert SAFE.search(said)
    assert "estimate" in said
    assert "range" in said
    assert "stopped by" in said
    assert "no price given" in said


def test_a_tighter_target_lowers_the_safe_number(visit):
    app = drop(visit(t=["ttft-p99-500ms"]), SWEEP)
    loose = int(SAFE.search(words(app))[1])
    app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(150.0)
    tight = int(SAFE.search(words(calm(app.run())))[1])
    assert 16 <= tight < 64 <= loose < 256


def test_a_unit_changes_the_writing_and_not_the_answer(visit):
    app = drop(visit(t=["ttft-p99-500ms"]), SWEEP)
    before = SAFE.search(words(app))[1]
    app.selectbox(key=keys.of(keys.TARGET_UNIT, 0)).set_value("s")
    calm(app.run())
    assert app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).value == 0.5
    assert SAFE.search(words(app))[1] == before


def test_targets_can_be_added_and_removed_until_none_is_left(visit):
    app = drop(visit(t=["ttft-p99-500ms"]), SWEEP)
    press(app, keys.ADD_TARGET)
    assert "itl-p99-50ms" in address(app)["t"]
    press(app, keys.of(keys.TARGET_REMOVE, 1))
    press(app, keys.of(keys.TARGET_REMOVE, 0))
    assert "without one there is nothing to plan for" in words(app)


def test_a_preset_replaces_the_targets(visit):
    app = drop(visit(), SWEEP)
    press(unfold(app, keys.PRESET), keys.of(keys.PRESET, "chat_premium"))
    assert address(app)["t"] == ["ttft-p99-450ms", "tpot-p99-40ms"]


def test_a_price_without_a_count_says_why_there_is_no_cost(visit):
    app = drop(visit(price="2.5/gpu-h"), SWEEP)
    assert "number of accelerators unknown" in words(app)
    app.number_input(key=keys.of(keys.PRICE_COUNT, app.session_state[keys.HELD].shown[0].id)).set_value(8)
    assert re.search(r"\$[\d.,]+ per million output tokens", words(calm(app.run())))


def test_a_count_stays_while_columns_and_files_are_added_and_a_scenario_is_opened(visit):
    early = dict(list(SWEEP.items())[:4])
    app = drop(visit(t=["ttft-p99-300ms"], price="2.5/gpu-h"), early)
    app.number_input(key=keys.of(keys.PRICE_COUNT, app.session_state[keys.HELD].shown[0].id)).set_value(8)
    calm(app.run())
    counts = app.session_state[keys.ASK].counts
    press(app, next(each.key for each in app.button if str(each.key).startswith(keys.DECISION_ADD)))
    assert app.session_state[keys.ASK].counts == counts
    app = drop(app, dict(list(SWEEP.items())[4:]))
    assert app.session_state[keys.ASK].counts == counts
    assert re.search(r"\$[\d.,]+ per million output tokens", words(app))


def test_think_time_adds_people(visit):
    app = drop(visit(t=["ttft-p99-500ms"]), SWEEP)
    assert "active users" not in SAFE.split(words(app), maxsplit=1)[-1].split("\n")[0]
    app.number_input(key=keys.THINK).set_value(20.0)
    assert "active users" in words(calm(app.run()))


def test_a_bad_file_is_refused_and_the_good_ones_answer(visit):
    app = drop(visit(), {**SWEEP, "notes.json": b"{not json", "empty.json": b""})
    said = words(app)
    assert SAFE.search(said)
    assert "notes.json" in said
    assert "empty.json" in said


def test_a_file_name_is_never_markdown(visit):
    app = drop(visit(), {"![x](http://a.example/x.png).json": b"{not json"})
    assert not [each for each in app.warning if re.search(r"(?<!\\)\]\(http", str(each.value))]
    assert "![x](http://a.example/x.png).json" in words(app)


def test_files_of_a_later_drop_join_the_run(visit):
    early = dict(list(SWEEP.items())[:3])
    app = drop(visit(), early)
    app = drop(app, dict(list(SWEEP.items())[3:]))
    runs = app.session_state[keys.HELD].shown
    assert [[stage.load for stage in run.stages] for run in runs] == [[1, 4, 16, 64, 128, 256]]


def test_a_reload_brings_back_question_and_files(visit):
    app = drop(visit(t=["ttft-p99-300ms"], price="20/h", think="20"), SWEEP)
    again = visit(**address(app))
    assert SAFE.search(words(again))
    assert words(again) == words(app)


def test_targets_and_files_survive_other_pages(visit):
    app = drop(visit(t=["ttft-p99-300ms"]), SWEEP)
    before = SAFE.search(words(app))[1]
    at_page(app, "guide")
    assert address(app)["t"] == ["ttft-p99-300ms"]
    at_page(app, "plan")
    assert SAFE.search(words(app))[1] == before


def test_clearing_can_be_undone(visit):
    app = drop(visit(), SWEEP)
    press(app, keys.CLEAR)
    assert not SAFE.search(words(app))
    press(app, keys.UNDO)
    assert SAFE.search(words(app))


def test_two_runs_stand_side_by_side_and_none_wins(visit):
    other = {name.replace("run/", "other/"): data.replace(b"model-8b", b"model-9b") for name, data in SWEEP.items()}
    app = drop(visit(), {**SWEEP, **other})
    table = next(each.value for each in app.dataframe if len(each.value) == 2)
    assert len(table) == 2
    assert len(app.selectbox(key=keys.RUN_PICK).options) == 2
    assert not re.search(r"winner|cheaper|times (faster|slower)|\d ?×", words(app))


def test_korean_is_spoken_when_asked(visit):
    said = words(press(visit(lang="ko"), keys.SAMPLE))
    assert "동시 요청" in said
    assert not SAFE.search(said)


def test_the_language_can_be_switched(visit):
    app = visit()
    app.button_group(key=keys.LANGUAGE_PICK).set_value("ko")
    calm(app.run())
    assert address(app)["lang"] == ["ko"]


@pytest.mark.parametrize("name", ["data", "scenarios", "guide"])
def test_every_page_opens_for_a_new_visitor(visit, name):
    assert words(at_page(visit(), name))


def test_an_address_whose_files_are_gone_keeps_the_question_and_says_so(visit):
    app = visit(t="ttft-p99-300ms", d="forgotten")
    assert "no longer held" in words(app)
    assert address(app)["t"] == ["ttft-p99-300ms"]


def test_the_same_files_twice_stay_one_run(visit):
    app = drop(drop(visit(), SWEEP), SWEEP)
    runs = app.session_state[keys.HELD].shown
    assert [len(run.stages) for run in runs] == [len(SWEEP)]


def test_six_runs_stay_apart_and_can_each_be_shown(visit):
    many = {
        f"{n}/{name}": data.replace(b"model-8b", b"model-%db" % n) for n in range(6) for name, data in SWEEP.items()
    }
    app = drop(visit(t=["ttft-p99-300ms"]), many)
    ids = [run.id for run in app.session_state[keys.HELD].shown]
    assert len(set(ids)) == 6
    app.selectbox(key=keys.RUN_PICK).set_value(ids[4])
    assert "example/model-4b" in words(calm(app.run()))


def means_only(concurrency, ttft_ms, tpot_ms):
    document = json.loads(bench(concurrency, ttft_ms, tpot_ms))
    return json.dumps({k: v for k, v in document.items() if not k.startswith(("p90", "p99", "median"))}).encode()


MEANS = {f"run/{load}.json": means_only(load, ttft, 10) for load, ttft in [(1, 60), (16, 90), (64, 160), (256, 900)]}


def test_the_first_targets_are_those_that_the_files_can_answer(visit):
    app = drop(visit(), MEANS)
    assert address(app)["t"] == ["ttft-mean-500ms", "tpot-mean-50ms"]
    assert SAFE.search(words(app))
    press(app, keys.CLEAR)
    assert address(app)["t"] == ["ttft-p99-500ms", "tpot-p99-50ms"]


@pytest.mark.parametrize("own", ["ttft-p99-300ms", "ttft-p95-500ms"])
def test_targets_of_the_address_are_left_alone_by_files(visit, own):
    assert address(drop(visit(t=[own]), MEANS))["t"] == [own]


def test_targets_that_the_person_chose_are_left_alone_by_files(visit):
    app = drop(visit(), MEANS)
    app.selectbox(key=keys.of(keys.TARGET_STATISTIC, 0)).set_value("p99")
    calm(app.run())
    assert address(drop(app, SWEEP))["t"] == ["ttft-p99-500ms", "tpot-mean-50ms"]


def test_first_targets_follow_later_files_after_a_reload_too(visit):
    again = visit(**address(drop(visit(), MEANS)))
    other = {name.replace("run/", "other/"): data.replace(b"model-8b", b"model-9b") for name, data in SWEEP.items()}
    press(again, keys.CLEAR)
    assert address(drop(again, other))["t"] == ["ttft-p99-500ms", "tpot-p99-50ms"]


def test_a_price_shows_every_figure_with_its_range_and_what_it_leaves_open(visit):
    app = drop(visit(t=["ttft-p99-300ms"], price="20/h"), SWEEP)
    bill = next(each.value for each in app.table if "Amount (range)" in each.value.columns)["Amount (range)"]
    amounts = {name: amount.replace("\\", "") for name, amount in bill.items()}
    known = {name for name, amount in amounts.items() if re.fullmatch(r"\$[\d.]+ \(\$[\d.]+–\$[\d.]+\)", amount)}
    assert known == {
        "A million output tokens, whole bill on them",
        "A million tokens, input and output",
        "A million output tokens, weighted",
        "A million input tokens, weighted",
        "An answered request",
    }
    assert all(amount.startswith("unknown: ") for name, amount in amounts.items() if name not in known)
    assert "the true cost per good token is at least this" in words(app)
    assert "bill per hour × 10⁶ ÷ (3,600 × output tokens/s × share inside the targets)" in words(app)
    assert not any("Amount (range)" in each.value.columns for each in drop(visit(), SWEEP).table)


def test_the_run_shown_first_is_one_that_can_be_told(visit):
    mean = {f"a/{name}": data.replace(b"model-8b", b"model-7b") for name, data in MEANS.items()}
    app = drop(visit(t=["ttft-p99-300ms"]), mean | SWEEP)
    runs = app.session_state[keys.HELD].shown
    assert [run.label for run in runs] == ["model-7b", "model-8b"]
    assert app.selectbox(key=keys.RUN_PICK).value == runs[1].id
    app.selectbox(key=keys.RUN_PICK).set_value(runs[0].id)
    assert not SAFE.search(words(calm(app.run())))


@pytest.mark.parametrize("typed", [-5.0, 0.0, 1e300])
def test_a_limit_that_none_can_be_is_told_and_the_one_that_holds_comes_back(visit, typed):
    app = drop(visit(lang="en", t="ttft-p99-500ms"), SWEEP)
    value = app.number_input(key=keys.of(keys.TARGET_VALUE, 0))
    calm(value.set_value(typed).run())
    assert app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).value == 500.0
    assert f'"{typed:.12g}" cannot be taken' in words(app)
    calm(app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(400.0).run())
    assert "cannot be taken" not in words(app)
    assert address(app)["t"] == ["ttft-p99-400ms"]


def test_what_of_an_address_cannot_be_read_is_told_until_something_is_asked(visit):
    app = drop(visit(t=["ttft-p99-500ms"], terms=["discount=100%"], price="2.5/gpu-h"), SWEEP)
    assert "Left out of this address, since it cannot be read: discount=100%" in words(app)
    app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(400.0)
    assert "Left out of this address" not in words(calm(app.run()))
