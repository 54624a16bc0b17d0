"""The tables of a scenario as every format writes them: answers, levels, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from core.i18n import Text, t
from core.model.counted import counted
from core.model.redaction import without_prices
from core.model.run import Kind, Run
from core.model.scenario import Scenario
from core.present.comparison import runs_table
from core.present.demand import replicas_columns
from core.present.doubts import gathered, severity_text
from core.present.own_columns import own_name
from core.present.tables import stage_table

RUN, KIND = t("Run"), t("Kind")
CANDIDATE = t("simulated: candidate, not confirmed")
MEASURED = t("measured")
HIDDEN_HERE = t("Prices are hidden in this view: no cost stands here until you type a price of your own")
"""On the sheets of a spreadsheet whose cells work out costs."""


def shown(scenario: Scenario) -> Scenario:
    """Return a scenario that speaks of money only where it has a price; the person's own columns stay.

    The number of accelerators that stood with the price is among the conditions of its runs.
    """
    if scenario.price is not None:
        return counted(scenario)
    return replace(without_prices(scenario), decision=scenario.decision)


def kind_cell(run: Run, language: str = "en") -> str:
    """Return where numbers come from, and for simulated ones what that means."""
    return (CANDIDATE if run.kind is Kind.SIMULATED else MEASURED).render(language)


def has_candidates(scenario: Scenario) -> bool:
    """Return True where any number is simulated."""
    return any(answer.run.kind is Kind.SIMULATED for answer in scenario.answers)


def answers_frame(scenario: Scenario, language: str = "en") -> pd.DataFrame:
    """Return the table of the screen, with simulated runs marked, the demand's replicas and the person's columns."""
    scenario = shown(scenario)
    answers = scenario.answers
    frame = runs_table(answers, language, price=scenario.price)
    kind = KIND.render(language)
    if has_candidates(scenario):
        frame = frame.drop(columns=[kind], errors="ignore")
        frame.insert(1, kind, _words([kind_cell(answer.run, language) for answer in answers]))
    extra: list[tuple[str, pd.Series]] = []
    if scenario.demand:
        extra += replicas_columns(answers, scenario.demand, scenario.think_time_s, language, fleet=scenario.fleet)
    extra += [(name, _words(cells)) for name, cells in decided(scenario, language)]
    names = unlike([*frame.columns, *(name for name, _ in extra)])[len(frame.columns) :]
    return frame.assign(**{name: column for name, (_, column) in zip(names, extra, strict=True)})


def decided(scenario: Scenario, language: str = "en") -> Iterator[tuple[str, list[str | None]]]:
    """Yield the names of the person's own columns with their cells, one for each answer; None where unsaid."""
    for column in scenario.decision:
        said = dict(column.values)
        yield own_name(column.name, language), [said.get(answer.run.id) for answer in scenario.answers]


def levels_frame(runs: Sequence[Run], language: str = "en") -> pd.DataFrame:
    """Return every level of every run in one table: the screen's columns behind the run and its kind."""
    parts = [(run, stage_table(run, language)) for run in runs]
    names = _merged([list(part.columns) for _, part in parts])
    kinds = {name: part[name].dtype for _, part in parts for name in part.columns}
    columns = {
        RUN.render(language): _words([run.label for run, part in parts for _ in range(len(part))]),
        KIND.render(language): _words([kind_cell(run, language) for run, part in parts for _ in range(len(part))]),
    }
    for name in names:
        values = [value for _, part in parts for value in (part[name] if name in part else [None] * len(part))]
        columns[name] = pd.Series([None if pd.isna(value) else value for value in values], dtype=kinds[name])
    return pd.DataFrame(columns)


def findings_frame(scenario: Scenario, language: str = "en") -> pd.DataFrame:
    """Return what was found in the files, run by run, the gravest first, as the screen gathers it."""
    rows = [(answer.run.label, each) for answer in shown(scenario).answers for each in gathered(answer.findings)]

    def said(text: Text | None) -> str | None:
        return text.render(language) if text else None

    columns = (
        (RUN, [label for label, _ in rows]),
        (t("Severity"), [severity_text(each.finding.severity, language) for _, each in rows]),
        (t("What was found"), [said(each.finding.what) for _, each in rows]),
        (t("What follows"), [said(each.finding.consequence) for _, each in rows]),
        (t("What to do"), [said(each.finding.fix) for _, each in rows]),
        (t("Where"), [", ".join(each.places) or None for _, each in rows]),
        (t("Code"), [each.finding.code for _, each in rows]),
    )
    return pd.DataFrame({name.render(language): _words(cells) for name, cells in columns})


def unlike(names: Iterable[str]) -> list[str]:
    """Return names of columns that are told apart: a second one of the same name gets a number.

    >>> unlike(["Run", "Cost", "Run"])
    ['Run', 'Cost', 'Run (2)']
    """
    taken: list[str] = []
    for name in names:
        number, own = 1, name
        while own in taken:
            number += 1
            own = f"{name} ({number})"
        taken.append(own)
    return taken


def _merged(lists: Sequence[list[str]]) -> list[str]:
    """Return every name once; a name that only a later list has stands behind the one it follows there."""
    names: list[str] = []
    for each in lists:
        at = 0
        for name in each:
            if name in names:
                at = names.index(name) + 1
            else:
                names.insert(at, name)
                at += 1
    return names


def _words(values: Sequence[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype="str")
