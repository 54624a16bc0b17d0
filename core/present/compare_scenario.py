"""What a scenario says of its runs side by side, in memos and files, with what the person lets stand."""

from __future__ import annotations

from core.compare.compare import Comparison, compare
from core.compare.quantity import Question
from core.compare.study import Finding, studied
from core.model.scenario import Scenario
from core.present.compare_words import accepted_text, headline, multiple_texts
from core.present.documents import Json, interval_document
from core.present.study import verdict_text


def comparison_of(scenario: Scenario) -> Comparison | None:
    """Return the comparison of a scenario's answers as they were saved, None where there is one run or none."""
    said = scenario.compared
    named = [a for a in scenario.answers if not said or not said.runs or a.run.id in said.runs]
    answers = named if len(named) > 1 else scenario.answers
    if len(answers) < 2 or not scenario.targets:
        return None
    asked = Question(price=scenario.price, demand=scenario.demand, think_s=scenario.think_time_s, fleet=scenario.fleet)
    return compare(answers, asked, said.accepted if said else ())


def compare_lines(scenario: Scenario, language: str = "en") -> tuple[str, ...]:
    """Return the ranking and the multiples of what decides, with what is accepted, and the verdict on a change.

    () where neither may be said.
    """
    found, change = comparison_of(scenario), study_of(scenario)
    told = (f"{verdict_text(change, language)}.",) if change else ()
    if found is None or not found.matrix.is_comparable:
        return told
    said = multiple_texts(found, language, of=(found.deciding.quantity,))
    stands = accepted_text(found, language)
    return (f"{headline(found, language)}.", *(f"{text}." for text in said), *((stands,) if stands else ()), *told)


def compare_part(scenario: Scenario) -> Json | None:
    """Return the comparison for the JSON of a scenario: sentence, multiples and what is accepted; None without one."""
    found = comparison_of(scenario)
    if found is None:
        return None
    sentences = multiple_texts(found)
    return {
        "sentence": headline(found),
        "comparable": found.matrix.is_comparable,
        "accepted": [line.field for line in found.matrix.accepted],
        "accepted_text": accepted_text(found),
        "study": _study(scenario),
        "multiples": [
            {
                "quantity": each.quantity.value,
                "one": each.one,
                "other": each.other,
                "times": interval_document(each.times),
                "sentence": sentence,
            }
            for each, sentence in zip(found.multiples, sentences, strict=True)
        ],
    }


def study_of(scenario: Scenario) -> Finding | None:
    """Return what the study of a change came to, None where none is made or one of its runs is gone."""
    said = scenario.compared
    by_id = {answer.run.id: answer for answer in scenario.answers}
    if said is None or said.study is None or not {said.study.before, said.study.after} <= set(by_id):
        return None
    return studied(by_id[said.study.before], by_id[said.study.after], said.study, scenario.price, said.accepted)


def _study(scenario: Scenario) -> Json | None:
    found = study_of(scenario)
    if found is None or scenario.compared is None or scenario.compared.study is None:
        return None
    study = scenario.compared.study
    return {
        "before": study.before,
        "after": study.after,
        "layer": study.layer.value if study.layer else None,
        "dates": dict(study.dates),
        "kv_transfer_s": dict(study.kv_transfer_s),
        "verdict": found.verdict.value,
        "sentence": verdict_text(found),
        "evidence": [
            {
                "measure": each.measure.value,
                "metric": each.metric.value if each.metric else None,
                "statistic": each.statistic or None,
                "before": each.before,
                "after": each.after,
                "change": interval_document(each.change),
                "judged": each.judged.value,
            }
            for each in found.evidence
        ],
    }
