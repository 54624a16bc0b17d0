"""Korean particles fit the value before them, wherever a catalogue leaves the choice open."""

from __future__ import annotations

import re

import pytest

from core.i18n import Text
from core.particles import PAIRS, fitting
from core.settings import DATA


# Read aloud: 하나 둘 … by the digit's Sino-Korean name (영 일 이 삼 사 오 육 칠 팔 구), capitals by their letters.
@pytest.mark.parametrize(
    ("before", "object_", "topic", "toward"),
    [
        ("버전 2", "를", "는", "로"),
        ("버전 3", "을", "은", "으로"),
        ("버전 7", "을", "은", "로"),
        ("버전 10", "을", "은", "으로"),
        ("결과 파일", "을", "은", "로"),
        ("메모", "를", "는", "로"),
        ('"부하"', "를", "는", "로"),
        ("TPOT", "를", "는", "로"),
        ("ITL", "을", "은", "로"),
        ("VRAM", "을", "은", "으로"),
        ("99%", "를", "는", "로"),
        ("llama", "을(를)", "은(는)", "(으)로"),
        ("", "을(를)", "은(는)", "(으)로"),
    ],
)
def test_the_form_follows_the_sound(before, object_, topic, toward):
    assert [fitting(before, pair) for pair in ("을(를)", "은(는)", "(으)로")] == [object_, topic, toward]


def test_a_sentence_takes_the_form_that_fits_its_value(monkeypatch):
    monkeypatch.setattr("core.i18n.translator", lambda language: lambda msgid: msgid)
    sentence = Text('버전 {version}(으)로, "{name}"을(를)', {"version": 2, "name": "결과"})
    assert sentence.render("ko") == '버전 2로, "결과"를'


def test_what_a_person_wrote_is_not_rewritten(monkeypatch):
    monkeypatch.setattr("core.i18n.translator", lambda language: lambda msgid: msgid)
    assert Text("{note}", {"note": "메모을(를)"}).render("ko") == "메모을(를)"


def test_every_open_particle_of_the_catalogue_is_one_that_is_fitted_and_stands_behind_a_value():
    catalogue = (DATA / "locale" / "ko" / "LC_MESSAGES" / "plimsoll.po").read_text(encoding="utf-8")
    catalogue = catalogue.replace('"\n"', "").replace('\\"', '"')
    # Every bracketed syllable that could be half of a pair, with what stands before it.
    halves = "을를은는이가과와으"
    for found in re.finditer(rf"(.)([{halves}]?\([{halves}]\)[로라]?)", catalogue):
        assert found[2] in PAIRS, found[0]
        assert found[1] in '}"”)', found[0]
