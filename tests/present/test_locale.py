"""The Korean catalogue is complete, keeps every placeholder, and reads as Korean."""

from __future__ import annotations

import ast
import re
import string

import pytest

from core.i18n import Text, t
from core.present.doubts import doubt_text
from core.present.glossary import ENTRIES, tooltip
from core.present.headline import headline
from core.present.measure import engineer_request
from core.present.stops import stops_texts
from scripts.messages import calls, catalogue, messages, sources
from tests.present.builders import NEXT, TTFT_P99, answer_of, cost_of, run_of
from tests.present.test_headline import AT_LEAST, BELOW, untold_answer

PLACEHOLDER = re.compile(r"\{(\w*)[^}]*\}")
HANGUL = re.compile(r"[가-힣]")
# A particle that depends on the last sound of the word before it must not follow a value.
DEPENDENT = re.compile(r"\}(은|는|이|가|을|를|과|와|으로|로)(?=[\s.,)]|$)")


@pytest.fixture(scope="module")
def wanted():
    return messages()


@pytest.fixture(scope="module")
def korean():
    return {message.id: message for message in catalogue("ko") if message.id}


def test_every_sentence_has_a_korean_one(wanted, korean):
    missing = [f"{wanted[text]}: {text}" for text in wanted if not (text in korean and korean[text].string)]
    assert not missing, "make messages says how to add a Korean sentence for\n" + "\n".join(missing)


def test_nothing_in_the_catalogue_is_left_over_or_unsure(wanted, korean):
    left = sorted(text for text in korean if text not in wanted)
    assert not left, "python scripts/messages.py --write removes what the code no longer says:\n" + "\n".join(left)
    assert [text for text, message in korean.items() if message.fuzzy] == []
    assert not catalogue("ko").obsolete


def test_every_placeholder_is_kept(korean):
    wrong = {
        text
        for text, message in korean.items()
        if sorted(PLACEHOLDER.findall(text)) != sorted(PLACEHOLDER.findall(message.string))
    }
    assert wrong == set()


def test_every_template_can_be_filled_in_both_languages(wanted):
    for text in wanted:
        names = [name for _, name, _, _ in string.Formatter().parse(text) if name]
        for language in ("en", "ko"):
            assert Text(text, dict.fromkeys(names, "x")).render(language)


def test_sentences_are_korean_and_abbreviations_stay_latin(korean):
    abbreviations = {"TTFT", "ITL", "TPOT", "E2E", "RTF", "API"}
    worded = [text for text in korean if re.search(r"[A-Za-z]", re.sub(r"{[^}]*}", "", text))]
    latin = sorted(text for text in worded if not HANGUL.search(korean[text].string) and text not in abbreviations)
    assert not latin, "no Korean letter in the translation of\n" + "\n".join(latin)
    for text, message in korean.items():
        for name in ("TTFT", "TPOT", "ITL", "E2E", "RTF"):
            if re.search(rf"\b{name}\b", text):
                assert name in message.string, text


def test_no_particle_depends_on_a_value_that_is_not_known_yet(korean):
    wrong = [message.string for message in korean.values() if DEPENDENT.search(message.string)]
    assert not wrong, "write 은(는), 이(가), 을(를) or no particle behind the value in\n" + "\n".join(wrong)


def test_every_sentence_of_the_code_begins_with_a_literal():
    """A template that is put together at run time cannot be found, nor translated."""
    wrong = [
        f"{path.name}:{line}"
        for path in sources()
        for first, line in calls(path)
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str))
    ]
    assert wrong == []


def test_a_sentence_inside_an_f_string_is_found(tmp_path):
    path = tmp_path / "page.py"
    path.write_text("x = f\"**{say(t('Inside'))}**\"", encoding="utf-8")
    assert [first.value for first, _ in calls(path)] == ["Inside"]


def test_the_sentence_of_the_first_screen_in_korean():
    said = headline(answer_of(cost=cost_of()), "ko", users=497.2)
    assert said.safe == "동시 요청 41개를 안전하게 감당(활성 사용자 약 500명)"
    assert said.estimate == "추정 47, 범위 36–53"
    assert said.stopped_by == "목표를 넘게 하는 지표: TTFT p99"
    assert said.cost == "출력 백만 토큰당 US$0.83(US$0.78–US$0.90)"
    assert said.source == "gpt-oss-120b · 16 × GB200 · vLLM · 부하 단계 8개 측정 4–512"


def test_the_other_verdicts_in_korean():
    assert headline(answer_of(capacity=AT_LEAST), "ko").safe == "동시 요청 최소 512개(측정한 가장 높은 부하)"
    assert headline(answer_of(capacity=BELOW), "ko").safe == "동시 요청 4개 미만(측정한 가장 낮은 부하)"
    assert headline(untold_answer(next_measurement=NEXT), "ko").safe == (
        "TTFT p99 알 수 없음: 요청 40개에서 나온 값이라 사실상 그중 가장 큰 값입니다. "
        "알려면 동시 요청 8에서 요청 400개를 보내세요."
    )


def test_no_english_word_slips_into_korean_texts():
    """Names of tools, metrics and the model are the only Latin words left."""
    answer = answer_of(run_of(), cost=cost_of(), next_measurement=NEXT)
    texts = [*stops_texts(answer, "ko"), engineer_request(answer, "ko"), *(tooltip(e.key, "ko") for e in ENTRIES)]
    english = re.compile(r"\b(the|is|of|and|requests|level|levels|unknown|mean)\b")
    found = [text for text in texts if english.search(text.replace("It lies at the estimate", ""))]
    assert found == []
    assert doubt_text(None, "ko") is None
    assert str(t("{metric}", metric=TTFT_P99.metric.value)) == "ttft"
