"""What is written is what is read, for anything that the model can hold."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from core.i18n import Text
from core.model.answer import Interval, NextMeasurement, RunAnswer
from core.model.codec import decode, encode
from core.model.price import Price
from core.model.run import Run
from core.model.scenario import Scenario
from core.model.target import Target
from tests.model.model_strategies import differences, of

big = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.parametrize("kind", [Run, RunAnswer, Target, Price, Scenario])
@big
@given(data=st.data())
def test_every_value_comes_back_exactly_and_is_written_the_same_again(kind, data):
    value = data.draw(of(kind))
    written = encode(value)
    back = decode(written, kind)
    assert differences(value, back) == []
    assert encode(back) == written


@given(st.floats(), st.floats())
def test_numbers_that_json_does_not_have_come_back_too(low, high):
    interval = Interval(low=low, mid=None, high=high)
    back = decode(encode(interval), Interval)
    assert [repr(back.low), back.mid, repr(back.high)] == [repr(low), None, repr(high)]
    assert math.isnan(low) == math.isnan(back.low)


@given(st.dictionaries(st.just("$float"), st.just("nan") | st.floats() | st.text(), max_size=1), st.floats())
def test_a_value_that_looks_like_the_tag_is_not_taken_for_it(values, number):
    measured = NextMeasurement(concurrency=number, requests=1, why=Text("{a}", {"a": Text("b", values)}), command=None)
    assert differences(decode(encode(measured), NextMeasurement), measured) == []


@given(st.dictionaries(st.just("$float"), st.just("nan") | st.floats() | st.text(), max_size=1), st.floats())
def test_a_mapping_whose_only_key_is_the_tag_comes_back(values, number):
    text = Text("", {"$float": Text("", values), "n": number})
    assert differences(decode(encode(text), Text), text) == []


@given(st.binary(max_size=200))
def test_other_bytes_give_an_error_with_a_code(data):
    with pytest.raises(StoreError) as refused:
        decode(data, Run)
    assert refused.value.code == "store.unreadable"


SAMPLE = encode(Interval(low=1.0, mid=float("nan"), high=None))


@given(st.integers(0, len(SAMPLE) - 1), st.binary(min_size=1, max_size=1))
def test_a_changed_byte_gives_a_value_or_an_error_with_a_code_and_no_traceback(at, byte):
    changed = SAMPLE[:at] + byte + SAMPLE[at + 1 :]
    with contextlib.suppress(StoreError):
        assert isinstance(decode(changed, Interval), Interval)
