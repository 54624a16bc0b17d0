"""What memory allows: folded until a config.json is dropped, then kept like everything that a person says of a run."""

from __future__ import annotations

import json

import pytest

from pages.parts import keys
from tests.limits import configs
from tests.pages.conftest import at_page, calm, press, words

LOG = "Available KV cache memory: 28.20 GiB\nGPU KV cache size: 184,832 tokens"


LLAMA_SIZED = configs.MISTRAL_SMALL | {"text_config": configs.MISTRAL_SMALL["text_config"] | {"model_type": "llama"}}
"""A model of the sample's family, with a part for pictures."""


def run_id(app):
    return app.session_state[keys.HELD].shown[0].id


def key(app, *parts):
    return keys.of(keys.ALLOWS, run_id(app), *parts)


def drop(app, config, name="config.json"):
    data = config if isinstance(config, bytes) else json.dumps(config).encode()
    rounds = app.session_state[keys.of(keys.ALLOWS_ROUND, run_id(app))] if _dropped(app) else 0
    uploader = app.file_uploader(key=keys.of(keys.ALLOWS_DROP, run_id(app), rounds))
    return calm(uploader.set_value((name, data, "application/json")).run())


def _dropped(app):
    return keys.of(keys.ALLOWS_ROUND, run_id(app)) in app.session_state


def frame_with(app, name):
    return next(each.value for each in app.dataframe if name in set(each.value.iloc[:, 0]))


@pytest.fixture
def sampled(visit):
    return press(visit(t=["ttft-p99-500ms", "tpot-p99-50ms"]), keys.SAMPLE)


def test_the_panel_is_folded_until_a_model_is_given(sampled):
    assert "What memory allows" in [each.label for each in sampled.expander]
    assert "Choose the accelerator" not in words(sampled)


def test_a_model_and_an_accelerator_tell_what_memory_allows(sampled):
    app = drop(sampled, LLAMA_SIZED)
    assert "Choose the accelerator to see what its memory allows" in words(app)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("H100-SXM").run())
    app = calm(app.selectbox(key=key(app, "engine")).set_value("vLLM").run())
    shown = words(app)
    assert "requests at once, at their mean lengths" in shown
    assert "The targets stop it earlier" in shown
    assert "the weights of the part for pictures or sound" in shown
    # Two ranks hold half of the weights and of the cache of a token each.
    app = calm(app.number_input(key=key(app, "tp")).set_value(2).run())
    assert frame_with(app, "A token takes, bytes on one accelerator").iloc[0, 1] == "81,920"


def test_what_was_said_survives_a_reload_and_can_be_undone(sampled, visit):
    app = drop(sampled, configs.LLAMA_8B)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("L4").run())
    again = visit(d=app.session_state[keys.HELD].draft)
    (run,) = again.session_state[keys.HELD].shown[:1]
    assert run.sizing.accelerator == "L4"
    assert run.sizing.architecture.kind == "llama"
    app = press(press(app, keys.UNDO), keys.UNDO)
    assert app.session_state[keys.HELD].shown[0].sizing is None


def test_a_file_of_another_family_is_told_and_stands_beside_nothing(sampled):
    # The sample's model is a Llama.
    app = drop(sampled, configs.MISTRAL_SMALL)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("H100-SXM").run())
    app = calm(app.number_input(key=key(app, "tp")).set_value(1).run())
    shown = words(app)
    assert any("another family than the file" in each.value for each in app.warning)
    assert "limits.other_model" in shown
    assert "The targets stop it earlier" not in shown
    assert "No load meets" not in shown
    shown = words(at_page(app, "data"))
    assert "limits.other_model" in shown
    assert "limits.itl_below_floor" not in shown


def test_a_target_below_the_floor_is_named(sampled):
    app = drop(sampled, configs.LLAMA_8B)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("L4").run())
    # 50.03 ms for the weights, and the cache of one request.
    assert "No load meets TPOT p99 ≤ 50 ms" in words(app)


def test_the_data_page_tells_what_lies_below_its_floor(sampled):
    # The sample is a small model on a processor: said to be 8B on an L4, it is faster than that can be.
    app = drop(sampled, configs.LLAMA_8B)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("L4").run())
    assert "limits.itl_below_floor" not in words(at_page(app, "data"))
    app = at_page(app, "plan")
    app = calm(app.number_input(key=key(app, "tp")).set_value(1).run())
    shown = words(at_page(app, "data"))
    assert "reading the weights alone takes" in shown
    assert "limits.itl_below_floor" in shown


def test_a_file_that_is_no_model_is_refused_and_nothing_is_lost(sampled):
    app = drop(sampled, configs.LLAMA_8B)
    app = drop(app, b'{"results": []}')
    assert "does not describe a model" in words(app)
    assert app.session_state[keys.HELD].shown[0].sizing.architecture.kind == "llama"


def test_the_log_of_the_engine_stands_beside(sampled):
    app = drop(sampled, configs.MISTRAL_SMALL)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("H100-SXM").run())
    field = keys.of(keys.ALLOWS_LOG, run_id(app), 1)
    app = calm(app.text_area(key=field).set_value("nothing of it").run())
    assert "The log says nothing of memory" in words(app)
    app = calm(app.text_area(key=field).set_value(LOG).run())
    table = frame_with(app, "Bytes of a token on one accelerator")
    assert list(table.iloc[:, -1]) == ["agrees", "agrees"]
    assert "The log says otherwise" not in words(app)
    app = press(app, keys.of(keys.ALLOWS_UNLOG, run_id(app)))
    assert app.session_state[keys.HELD].shown[0].sizing.logged is None


def test_a_log_of_another_model_is_told_apart(sampled):
    app = drop(sampled, configs.LLAMA_8B)
    app = calm(app.selectbox(key=key(app, "accelerator")).set_value("H100-SXM").run())
    app = calm(app.text_area(key=keys.of(keys.ALLOWS_LOG, run_id(app), 1)).set_value(LOG).run())
    assert "The log says otherwise: Left for the cache, GiB, Bytes of a token on one accelerator" in words(app)
    # And what was measured stands beside the floor.
    assert "of the peak bandwidth" in words(app)
