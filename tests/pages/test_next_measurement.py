"""The panel of the next measurement: what it brings, and the command of each load generator."""

from __future__ import annotations

from pages.parts import keys
from tests.pages.conftest import calm, press, words

ASKED = {"t": ["ttft-p99-300ms", "tpot-p95-50ms"]}


def tools(app):
    return next(each for each in app.selectbox if str(each.key).startswith(keys.TOOL))


def test_the_width_expected_after_it_is_told_at_once(visit):
    said = words(press(visit(**ASKED), keys.SAMPLE))
    assert "The range should shrink from about ±" in said
    assert "It takes about " in said


def test_the_files_own_tool_comes_first_and_the_others_can_be_chosen(visit):
    app = press(visit(**ASKED), keys.SAMPLE)
    assert tools(app).options == ["vLLM", "AIPerf", "GuideLLM", "inference-perf", "SGLang"]
    said = words(app)
    assert "vllm bench serve " in said
    assert "Written for vLLM 0.32.0. Which version is installed is unknown" in said
    said = words(calm(tools(app).set_value("guidellm").run()))
    assert "guidellm run " in said
    assert "Written for GuideLLM 0.8.1." in said


def test_while_a_target_is_moved_the_width_is_told_on_demand(visit):
    app = press(visit(**ASKED), keys.SAMPLE)
    moved = next(each for each in app.number_input if str(each.key).startswith(keys.TARGET_VALUE))
    calm(moved.set_value(250.0).run())
    assert "should shrink" not in words(app)
    said = words(press(app, keys.NARROWS))
    assert "The range should shrink from about ±" in said


def test_in_korean(visit):
    said = words(press(visit(**ASKED, lang="ko"), keys.SAMPLE))
    assert "좁아질 것으로 예상합니다" in said
    assert "vLLM 0.32.0에 맞춘 명령입니다." in said
