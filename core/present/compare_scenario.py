"""What a scenario says of its runs side by side, in memos and files, with what the person lets stand."""

from __future__ import annotations

from dataclasses import dataclass

from core.compare.compare import Comparison, compare
from core.compare.quantity import Question
from core.compare.study import Finding, studied
from core.model.scenario import Scenario
from core.present.compare_document import standing_document
from core.present.compare_words import accepted_text, headline, multiple_texts, why_text
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSaid:
    """What is said of the runs side by side.

    Attributes:
        sentence: which leads and how sure that is, that it cannot be told, or why nothing is ranked; None where one run
            stands alone. why: why no leader can be told.
        multiples: of what decides. accepted: the differences that ranking and multiples stand on, whole: neither may be
            said without them. study: the verdict on a change.
        count: of those differences. ranked: True where the conditions allow a ranking and multiples.
    """

    sentence: str | None
    why: str | None
    multiples: tuple[str, ...]
    accepted: str | None
    study: str | None
    count: int = 0
    ranked: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Return everything in its order."""
        return tuple(line for line in (self.sentence, self.why, *self.multiples, self.accepted, self.study) if line)


def compare_said(scenario: Scenario, language: str = "en") -> CompareSaid | None:
    """Return what is said of a scenario's runs side by side, None where there is nothing to compare."""
    return said_of(comparison_of(scenario), study_of(scenario), language)


def said_of(found: Comparison | None, change: Finding | None, language: str = "en") -> CompareSaid | None:
    """Return what is said of a comparison and of a study of a change, None where there is neither."""
    told = f"{verdict_text(change, language)}." if change else None
    if found is None:
        return CompareSaid(sentence=None, why=None, multiples=(), accepted=None, study=told) if told else None
    why, ranked = why_text(found, found.deciding), found.matrix.is_comparable
    return CompareSaid(
        sentence=f"{headline(found, language)}.",
        why=f"{why.render(language)}." if why else None,
        multiples=tuple(f"{text}." for text in multiple_texts(found, language, of=(found.deciding.quantity,))),
        accepted=accepted_text(found, language) if ranked else None,
        study=told,
        count=len(found.matrix.accepted),
        ranked=ranked,
    )


def compare_part(scenario: Scenario) -> Json | None:
    """Return the comparison of a scenario for its JSON: sentence, numbers, multiples, what is accepted."""
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
        "deciding": found.deciding.quantity.value,
        "standings": [standing_document(each, found) for each in found.standings],
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
        "worker_loads": {run: study.workers(run) for run, _ in study.worker_loads},
        "verdict": found.verdict.value,
        "sentence": verdict_text(found),
        "simulated": list(found.simulated),
        "evidence": [
            {
                "measure": each.measure.value,
                "metric": each.metric.value if each.metric else None,
                "statistic": each.statistic or None,
                "in_place_of": "itl" if each.stands_in else None,
                "before": each.before,
                "after": each.after,
                "change": interval_document(each.change),
                "judged": each.judged.value,
            }
            for each in found.evidence
        ],
    }
