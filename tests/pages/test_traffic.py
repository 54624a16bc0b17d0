"""The service's own traffic on the Plan page: typed, from a preset, in the address, saved and shared."""

from __future__ import annotations

from core.model.traffic import Arrivals, Profile, Traffic
from core.model.traffic_text import parse_traffic
from core.settings import database_url
from core.store.store import open_store
from pages.parts import keys
from pages.parts.links import from_params, to_params
from pages.parts.links_unread import unread
from pages.parts.state import FIRST_ASK
from pages.parts.traffic import lawful
from tests.pages.conftest import at_page, calm, press, unfold, words
from tests.pages.test_plan_page import SWEEP, address, drop

TRAFFIC = "isl=1200 osl=201 hit=0 arrivals=poisson"


def typed(app, field, value, position=0):
    return calm(app.number_input(key=keys.of(keys.TRAFFIC, field, position)).set_value(value).run())


def test_nothing_is_said_of_traffic_until_some_is_given(visit):
    app = drop(visit(lang="en"), SWEEP)
    assert "For your traffic" not in words(app)
    assert app.session_state[keys.ASK].traffic is None


def test_typed_traffic_leads_the_answer_and_stands_in_the_address(visit):
    app = drop(visit(lang="en"), SWEEP)
    app = typed(app, "input_tokens", 1300.0)
    app = calm(app.selectbox(key=keys.of(keys.TRAFFIC, "arrivals")).select(Arrivals.POISSON).run())
    shown = words(app)
    assert "For your traffic (1,300 in, arrivals at random):" in shown
    assert "As measured (1,000 in, 201 out):" in shown
    assert address(app)[keys.Q_TRAFFIC] == ["isl=1300 arrivals=poisson"]
    table = next(each.value for each in app.dataframe if "What it does" in each.value.columns)
    assert table["Yours"].fillna("unknown").tolist() == ["1,300", "unknown", "at random"]
    assert "--random-input-len 1300" in shown


def test_an_address_brings_traffic_back_and_clearing_takes_it_away(visit):
    app = drop(visit(lang="en", traffic=TRAFFIC), SWEEP)
    assert "For your traffic (1,200 in, 201 out, 0% cached, arrivals at random):" in words(app)
    app = press(app, keys.of(keys.TRAFFIC, "clear"))
    assert "For your traffic" not in words(app)
    assert keys.Q_TRAFFIC not in address(app)


def test_a_preset_fills_the_lengths_and_leaves_the_rest_unknown(visit):
    app = unfold(drop(visit(lang="en"), SWEEP), keys.TRAFFIC_PRESET)
    press(app, keys.of(keys.TRAFFIC_PRESET, "chat"))
    assert app.session_state[keys.ASK].traffic == Traffic(profiles=(Profile(input_tokens=512.0, output_tokens=256.0),))


def test_a_mix_is_added_and_removed(visit):
    app = drop(visit(lang="en", traffic=TRAFFIC), SWEEP)
    app = press(app, keys.of(keys.TRAFFIC, "add"))
    app = typed(app, "input_tokens", 600.0, 1)
    app = typed(app, "output_tokens", 100.0, 1)
    traffic = app.session_state[keys.ASK].traffic
    assert (traffic.input_tokens, [each.share for each in traffic.profiles]) == (900.0, [1.0, 1.0])
    app = press(app, keys.of(keys.TRAFFIC, "remove", 0))
    assert app.session_state[keys.ASK].traffic.profiles == (Profile(input_tokens=600.0, output_tokens=100.0),)


def test_saved_traffic_is_shared_and_opened_again(visit):
    app = drop(visit(lang="en", traffic=TRAFFIC), SWEEP)
    app.text_input(key=keys.SAVE_NAME).set_value("ours")
    app = press(app, keys.SAVE)
    saved = app.session_state[keys.SAVED]
    store = open_store(database_url())
    token = store.shares.make(saved.id).token
    store.close()
    assert "For your traffic (1,200 in" in words(visit(s=token, lang="en"))
    app = press(at_page(visit(lang="en"), "scenarios"), keys.of(keys.REOPEN, saved.id))
    app = at_page(press(app, keys.GO_ON), "plan")
    assert app.session_state[keys.ASK].traffic == parse_traffic([TRAFFIC])


def test_korean_has_words_for_all_of_it(visit):
    shown = words(drop(visit(lang="ko", traffic=TRAFFIC), SWEEP))
    assert "내 트래픽(입력 1,200, 출력 201, 캐시 0%, 무작위 도착) 기준:" in shown
    assert "측정된 그대로(입력 1,000, 출력 201)" in shown


def test_an_address_that_means_no_traffic_is_no_traffic():
    for texts in (["isl=many"], ["arrivals=bursty"], [""], ["isl=5", "isl=6"]):
        assert from_params({keys.Q_TRAFFIC: texts}, FIRST_ASK).traffic in (None, Traffic())
    mix = parse_traffic(["isl=5 share=1 users=9", "isl=6 share=3"])
    asked = from_params({keys.Q_TRAFFIC: ["isl=5 share=1 users=9", "isl=6 share=3"]}, FIRST_ASK)
    assert asked.traffic == mix
    assert from_params(to_params(asked), FIRST_ASK).traffic == mix
    assert unread(to_params(asked)) == ()


def test_a_p95_follows_a_mean_that_overtakes_it():
    assert lawful(Profile(input_tokens=100.0, input_p95=200.0), "input_tokens", 300.0).input_p95 == 300.0
    assert lawful(Profile(input_tokens=100.0, input_p95=200.0), "input_tokens", None).input_p95 == 200.0
