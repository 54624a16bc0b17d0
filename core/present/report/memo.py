"""The one-page memo of a scenario: every word that stands on it, whoever sets it on paper or on a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.counted import counted
from core.model.metric import fraction
from core.model.scenario import Scenario
from core.model.target import Target
from core.present.accuracy import versions_text
from core.present.headline import promise
from core.present.names import LONG
from core.present.numbers import percent
from core.present.report.brand import PLIMSOLL, Brand
from core.present.report.memo_beside import beside
from core.present.report.memo_chart import chart_of
from core.present.report.memo_choice import choice
from core.present.report.memo_conditions import conditions
from core.present.report.memo_lines import asked, assumed, changes
from core.present.report.memo_parts import Memo, SavedAs, Section
from core.present.report.memo_sentence import sayings
from core.present.report.memo_table import tables

SAID = 4
"""Runs whose sentence stands on the page; the table holds more."""

NOT_SAVED = SavedAs()


def memo_of(
    scenario: Scenario,
    fits: Mapping[str, Fit],
    language: str = "en",
    *,
    saved: SavedAs = NOT_SAVED,
    link: str | None = None,
    brand: Brand = PLIMSOLL,
    prices_hidden: bool = False,
) -> Memo:
    """Return the memo of a scenario with its numbers as they were saved.

    Args:
        scenario: one run or more. Without its prices where `prices_hidden` (`core.model.redaction`).
        fits: by run id, for the chart.
        language: "en" or "ko", of every word.
        saved: when and as which version; of a scenario that is not saved it is empty.
        link: address of the shared view, None where there is none.
        brand: logo and accent.
        prices_hidden: say so where money would stand.
    """
    scenario, place = counted(scenario), _where(saved, link)
    where = place.render(language)
    said = sayings(scenario, language, prices_hidden=prices_hidden, today=saved.read_on)
    left = len(said) - SAID
    side_by_side = beside(scenario, language, place, prices_hidden=prices_hidden)
    lines, grave = changes(scenario, language)
    # Of many runs the fleet of the leader is told, whose own sentence may have no room on the page.
    asked_too = choice(scenario, fits, language, saved.read_on)
    rests, billed = assumed(scenario, language, prices_hidden=prices_hidden, today=saved.read_on)
    return Memo(
        language=language,
        kind=t("Capacity memo").render(language),
        when=_when(saved, language),
        title=scenario.name,
        asked=asked(scenario, language),
        sayings=said[:SAID],
        more_runs=_more(left, t("see the table below").render(language), language) if left > 0 else None,
        beside=side_by_side,
        reading=_reading(scenario, language, ranked=side_by_side is not None and side_by_side.ranked),
        tables=tables(scenario, language, where, prices_hidden=prices_hidden),
        chart=chart_of(scenario, fits, language),
        chart_absent=t("No level of these files can be drawn").render(language),
        conditions_title=t("Conditions").render(language),
        conditions=conditions([answer.run for answer in scenario.answers], language),
        assumptions=Section(title=t("Assumptions").render(language), lines=rests, must=billed),
        changes=Section(title=t("What could change the answer").render(language), lines=lines, must=grave),
        notes=Section(title=t("Notes").render(language), lines=_paragraphs(scenario.notes)),
        footer=_footer(scenario, language),
        link=link if link and link.startswith(("https://", "http://")) else None,
        link_label=t("Open it").render(language),
        saved_at=saved.when,
        brand=brand,
        where=where,
        choice=replace(asked_too, lines=(*(one.fleet for one in said[SAID:] if one.fleet), *asked_too.lines)),
    )


def _when(saved: SavedAs, language: str) -> str:
    day = f"{saved.when:%Y-%m-%d}" if saved.when else ""
    match saved.when, saved.version:
        case None, None:
            said = t("not saved")
        case None, int(version):
            said = t("version {version}", version=version)
        case _, None:
            said = t("saved on {date}", date=day)
        case _, version:
            said = t("saved on {date}, version {version}", date=day, version=version or 0)
    return said.render(language)


def _where(saved: SavedAs, link: str | None) -> Text:
    """Return where what is left off can be read."""
    if link:
        return t("see the link at the foot")
    if saved.when is not None or saved.version is not None:
        return t("see the saved scenario")
    return t("see the pages of the app")


def _reading(scenario: Scenario, language: str, *, ranked: bool) -> str:
    """Return what the numbers promise, each kind of answer once, and that several runs are no ranking where not."""
    said = dict.fromkeys(
        promise((answer.for_traffic or answer).capacity).render(language) for answer in scenario.answers
    )
    parts = [*said] if any(answer.per_target for answer in scenario.answers) else []
    if len(scenario.answers) > 1 and not ranked:
        ranking = t("Different conditions stand side by side here; they are not a ranking")
        parts.append(ranking.render(language) + ".")
    return " ".join([*parts, *_words(scenario.targets, language)])


def _words(targets: Sequence[Target], language: str) -> Iterator[str]:
    """Yield what the metrics and percentiles of the targets are called in full, for who never met them."""
    metrics = dict.fromkeys(target.metric for target in targets)
    if metrics:
        named = ", ".join(LONG[metric].render(language) for metric in metrics)
        yield t("Judged by: {metrics}.", metrics=named).render(language)
    for statistic in dict.fromkeys(target.statistic for target in targets):
        share = fraction(statistic)
        if share is not None:
            said = t(
                "{statistic} is the value that {share} of all requests stay at or below.",
                statistic=statistic,
                share=percent(share, language),
            )
            yield said.render(language)


def _footer(scenario: Scenario, language: str) -> tuple[str, ...]:
    method = versions_text(scenario.method_version, scenario.constants_version, language)
    return (method, f"Plimsoll {scenario.app_version}")


def _paragraphs(notes: str) -> tuple[str, ...]:
    """Return the notes line by line, without the empty ones."""
    return tuple(" ".join(line.split()) for line in notes.splitlines() if line.strip())


def _more(count: int, where: str, language: str) -> str:
    one, several = t("1 more run: {where}", where=where), t("{count} more runs: {where}", count=count, where=where)
    return (one if count == 1 else several).render(language)
