"""What a looser limit is worth and how sure the tool is, as a visitor meets them."""

from __future__ import annotations

from core.fit.edition import edition
from core.fit.method import METHOD
from pages.parts import keys
from tests.pages.conftest import calm, press, words


def test_the_plan_says_what_a_looser_limit_is_worth_and_how_sure_the_tool_is(visit):
    app = press(visit(t=["ttft-p99-500ms", "tpot-p99-12ms"], price="2/h"), keys.SAMPLE)
    shown = words(app)
    assert "What a looser limit is worth" in shown
    assert "Relaxing TTFT p99 from 500 ms to" in shown
    assert "A million output tokens would cost" in shown
    assert "Simulated deployments, whose true answer is known" in shown
    assert f"Method {METHOD}, constants {edition()}" in shown


def test_another_target_can_be_looked_at_and_is_kept(visit):
    app = press(visit(t=["ttft-p99-500ms", "tpot-p99-12ms"]), keys.SAMPLE)
    picker = app.segmented_control(key=keys.WORTH_PICK)
    picker.set_value("TPOT p99 ≤ 12 ms")
    calm(app.run())
    assert "TPOT p99 does not stop it" in words(app)
    calm(app.run())
    assert app.session_state[keys.WORTH] == "TPOT p99 ≤ 12 ms"


def test_one_target_needs_no_choice_and_korean_is_whole(visit):
    app = press(visit(t=["ttft-p99-500ms"], lang="ko"), keys.SAMPLE)
    shown = words(app)
    assert "목표를 완화하면 얻는 것" in shown
    assert keys.WORTH_PICK not in app.session_state
    assert "Relaxing" not in shown
