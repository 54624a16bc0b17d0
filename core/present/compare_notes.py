"""What stands below the numbers of a comparison: why one is unknown, where it can be said, and what a chart tells."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core.compare.compare import Comparison, Verdict
from core.compare.quantity import (
    Quantity,
    counted,
    is_of_one_load,
    is_of_other_traffic,
    pool_of,
    speed_of_user,
    user_speed,
)
from core.i18n import Text, t
from core.model.price import price_for
from core.model.run import Run
from core.present.compare_names import OF
from core.present.demand import UNTOLD
from core.price.replicas import Untold


class Typed(StrEnum):
    """Where a reader can say what is unknown: on the pages, by flags of the command line, or nowhere."""

    PAGES = "pages"
    FLAGS = "flags"
    NOWHERE = "nowhere"


def number_notes(found: Comparison, language: str = "en", *, typed: Typed = Typed.PAGES) -> tuple[str, ...]:
    """Return why numbers are unknown and where they can be said, run by run, and what stands without a range.

    Args:
        found: what is shown.
        language: of the words.
        typed: where a count can be typed.
    """
    notes = [*_replicas(found), *_own(found), *_counts(found, typed), *_speeds(found)]
    return tuple(note.render(language) for note in notes)


def _replicas(found: Comparison) -> list[Text]:
    """Return why the demand cannot be turned into replicas of which runs."""
    if found.of(Quantity.REPLICAS).verdict is Verdict.NOT_ASKED:
        return []
    without: dict[Untold, list[str]] = {}
    for answer in found.answers:
        pool = pool_of(answer, found.question)
        if pool and pool.untold:
            without.setdefault(pool.untold, []).append(answer.run.label)
    return [
        t("Replicas unknown of {runs}: {why}", runs=", ".join(names), why=UNTOLD[why]) for why, names in without.items()
    ]


def _own(found: Comparison) -> list[Text]:
    """Return of which runs numbers are not told, because they were measured with other requests than the service's."""
    others = [answer.run.label for answer in found.answers if not is_of_one_load(answer)]
    users = [
        answer.run.label
        for answer in found.answers
        if found.of(Quantity.USERS_PER_MONEY).verdict is not Verdict.NOT_ASKED
        and is_of_other_traffic(answer, Quantity.USERS_PER_MONEY, found.question)
    ]
    notes = []
    if others:
        said = t(
            "The safe number is that for your own traffic. Cost and speeds at it are unknown of {runs}: they are known "
            "of the traffic as measured only",
            runs=", ".join(others),
        )
        notes.append(said)
    if users:
        why = UNTOLD[Untold.OWN_TRAFFIC]
        notes.append(t("Active users unknown of {runs}: {why}", runs=", ".join(users), why=why))
    return notes


def _counts(found: Comparison, typed: Typed) -> list[Text]:
    """Return which runs have no count of accelerators, and where it is typed."""
    price, by_panel = found.question.price, dict[bool, list[Run]]()
    for run in (answer.run for answer in found.answers if counted(answer, price) is None):
        own = price_for(price, run.id)
        in_panel = typed is Typed.PAGES and own is not None and own.per_accelerator
        by_panel.setdefault(in_panel, []).append(run)
    said = []
    for in_panel, runs in by_panel.items():
        names = ", ".join(run.label for run in runs)
        what = t("Accelerators unknown of {runs}: the files do not say how many there are", runs=names)
        fix = count_fix(typed, runs, in_panel=in_panel)
        said.append(what if typed is Typed.NOWHERE else t("{what}. {fix}", what=what, fix=fix))
    return said


def count_fix(typed: Typed, runs: Sequence[Run], *, in_panel: bool) -> Text:
    """Return where the number of accelerators of runs is said; `in_panel` where the panel of prices asks for it."""
    if typed is Typed.FLAGS:
        return t("Say it with --gpus RUN=N beside a price, RUN being {ids}", ids=", ".join(run.id for run in runs))
    if in_panel:
        return t('Type the count in the panel "Price", field "Accelerators of" the run')
    return t('Type the count on the Data page, field "Number of accelerators" of the run')


def _speeds(found: Comparison) -> list[Text]:
    """Return which speeds of a user are read from a median, and which runs have points in the chart and no number."""
    medians, unsafe = [], []
    for answer in (each for each in found.answers if is_of_one_load(each)):
        speeds = [told for stage in answer.run.stages if stage.excluded is None and (told := user_speed(stage))]
        if speeds and speed_of_user(answer) is None and not answer.capacity.safe:
            unsafe.append(answer.run.label)
        elif speeds and not (answer.at_capacity and answer.at_capacity.tok_s_user):
            medians.append(answer.run.label)
    notes = []
    if medians:
        said = t(
            "The speed of one user of {runs} is read between the levels around the safe number, without a range",
            runs=", ".join(medians),
        )
        notes.append(said)
    if unsafe:
        said = t(
            "{runs}: there is no safe number, so nothing stands at it; the charts below draw what the levels measured",
            runs=", ".join(unsafe),
        )
        notes.append(said)
    return notes


def hidden_note(found: Comparison) -> Text | None:
    """Return that a view without prices ranks by another number than money, None where it ranks nothing."""
    standing = found.deciding
    if standing.verdict not in (Verdict.LEADS, Verdict.CANNOT_TELL):
        return None
    return t(
        "Prices are hidden here, so money ranks nothing: what decides is {what}. With prices another run may lead",
        what=OF[standing.quantity],
    )
