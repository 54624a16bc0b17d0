"""A comparison in sentences: which leads and how sure that is, what a multiple is of, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from core.compare.compare import LEADS_FROM, Comparison, Multiple, Standing, Verdict, Why
from core.compare.conditions import Line, Matrix, State
from core.compare.lead import Lead
from core.compare.quantity import Quantity, is_answered, is_of_other_traffic
from core.i18n import Text, joined, t
from core.model.answer import Interval, RunAnswer, Status
from core.model.run import Kind
from core.present.compare_causes import value_text
from core.present.compare_names import GROUPS, OF
from core.present.compare_steps import first_step
from core.present.conditions import condition_name
from core.present.numbers import concurrency, plain, rate, span
from core.present.reasons import reason_text
from core.present.untold import untold

MOST_SURE = 0.99
"""A chance is never said surer than this: the calibration has too few pairs to tell."""

_TIMES: dict[Quantity, Text] = {
    Quantity.CAPACITY: t("{one} carries {times} the concurrent requests of {other}"),
    Quantity.REPLICAS: t("{other} needs {times} the replicas of {one} for the demand"),
    Quantity.MONTH: t("A month of {other} costs {times} a month of {one} for the demand"),
    Quantity.USERS_PER_MONEY: t("{one} carries {times} as much as {other} for the same money"),
    Quantity.COST: t("A million output tokens of {other} cost {times} those of {one}, each at its safe number"),
    Quantity.ACCELERATORS: t("{other} needs {times} the accelerators of {one} for the demand"),
    Quantity.PER_USER: t("One user of {one} gets {times} the tokens/s of one of {other}, each at its safe number"),
    Quantity.THROUGHPUT: t("An accelerator of {one} delivers {times} the output tokens/s of one of {other} (system)"),
}


_APART: dict[Quantity, Text] = {
    Quantity.CAPACITY: t("{one} and {other} may carry as many concurrent requests: {times}"),
    Quantity.REPLICAS: t("{other} and {one} may need as many replicas for the demand: {times}"),
    Quantity.MONTH: t("A month of {other} and of {one} may cost the same for the demand: {times}"),
    Quantity.USERS_PER_MONEY: t("{one} and {other} may carry as much for the same money: {times}"),
    Quantity.COST: t("A million output tokens of {other} and of {one} may cost the same: {times}"),
    Quantity.ACCELERATORS: t("{other} and {one} may need as many accelerators for the demand: {times}"),
    Quantity.PER_USER: t("One user of {one} and one of {other} may get the same tokens/s: {times}"),
    Quantity.THROUGHPUT: t("An accelerator of {one} and one of {other} may deliver as many output tokens/s: {times}"),
}


def headline(found: Comparison, language: str = "en") -> str:
    """Return the one sentence that the page begins with."""
    return _headline(found, found.deciding).render(language)


def standing_text(found: Comparison, standing: Standing, language: str = "en") -> str:
    """Return what is said of one quantity, in a sentence."""
    return _headline(found, standing).render(language)


def _headline(found: Comparison, standing: Standing) -> Text:
    what = OF[standing.quantity]
    match standing.verdict:
        case Verdict.ALONE:
            return t("One run alone: add the files of another one to compare them")
        case Verdict.NOT_ASKED:
            return t("Not asked: {what} needs a price or a demand", what=what)
        case Verdict.NOT_COMPARABLE:
            return t("Not ranked: {groups}", groups=_groups(found.matrix))
        case _:
            return _lead(found, standing, what)


def _lead(found: Comparison, standing: Standing, what: Text) -> Text:
    if standing.leader is None:
        return t("Cannot tell them apart by {what}", what=what)
    answer = found.answers[standing.leader]
    name, chance = answer.run.label, chance_text(standing.chances[standing.leader])
    if standing.verdict is Verdict.LEADS:
        if answer.run.kind is Kind.SIMULATED:
            return t(
                "{run} leads by {what} ({chance}), simulated: a candidate until a benchmark confirms it",
                run=name,
                what=what,
                chance=chance,
            )
        return t("{run} leads by {what} ({chance})", run=name, what=what, chance=chance)
    return t(
        "Cannot tell them apart by {what}: {run} is ahead ({chance}), which is too few to say so",
        run=name,
        what=what,
        chance=chance,
    )


def _groups(matrix: Matrix) -> Text:
    different = [
        GROUPS[group]
        for group in GROUPS
        if any(line.is_open and line.state is State.DIFFERENT for line in matrix.of(group))
    ]
    unknown = [
        GROUPS[group]
        for group in GROUPS
        if GROUPS[group] not in different and any(line.is_open for line in matrix.of(group))
    ]
    if matrix.unsaid:
        return t("precision or verification is not known of every run, so that the quality of the answers is unknown")
    if matrix.quality_untold:
        return t("the quality of the answers is unknown since precision or verification changed")
    if different and unknown:
        return t(
            "{different} differ, parts of {unknown} are not known", different=joined(different), unknown=joined(unknown)
        )
    if different:
        return t("{different} differ", different=joined(different))
    return t("parts of {unknown} are not known", unknown=joined(unknown))


def chance_text(chance: Lead) -> Text:
    """Return a chance that a run leads: "93 in 100", "at least 95 in 100", or a range."""
    low, high = _hundredths(chance.low), _hundredths(chance.high)
    if chance.is_told:
        if chance.low > MOST_SURE:
            return t("more than 99 chances in 100")
        if chance.high < 1.0 - MOST_SURE:
            return t("less than 1 chance in 100")
        return t("{chance} chances in 100", chance=low)
    if chance.high >= 1.0 - 1e-9:
        return t("at least {low} chances in 100", low=low) if chance.low > 0.005 else t("not known")
    if chance.low <= 1e-9:
        return t("at most {high} chances in 100", high=high)
    return t("{low} to {high} chances in 100", low=low, high=high)


def _hundredths(chance: float) -> str:
    """Return a chance in hundredths; one below what a leader needs is never rounded up to it.

    >>> _hundredths(0.896), _hundredths(0.9), _hundredths(0.886)
    ('89', '90', '89')
    """
    shown = min(max(round(100 * chance), 1), 99)
    needed = round(100 * LEADS_FROM)
    return plain(shown - 1 if shown == needed and chance < LEADS_FROM else shown, digits=2)


def why_text(found: Comparison, standing: Standing) -> Text | None:
    """Return why no leader is named, None where one is."""
    if standing.verdict is not Verdict.CANNOT_TELL:
        return None
    match standing.why:
        case Why.CLOSE:
            return t("The ranges are too wide for the gap between them")
        case Why.UNEVEN:
            return t(
                "The chances favour a run whose own number is not the best one: their ranges are too uneven to rank by"
            )
        case Why.BOUNDS:
            return t("Of some runs only a bound is known, such as at least the highest load measured")
        case _:
            pairs = zip(found.answers, standing.figures, strict=True)
            told = [_untold(found, answer, standing.quantity) for answer, figure in pairs if figure.belief.is_unknown]
            return Text(
                "; ".join(f"{{_{i}}}" for i in range(len(told))), {f"_{i}": text for i, text in enumerate(told)}
            )


def _untold(found: Comparison, answer: RunAnswer, quantity: Quantity) -> Text:
    """Return what cannot be told of a run, and why where its answer says so."""
    capacity = answer.for_traffic.capacity if answer.for_traffic else untold(answer)
    name, what = answer.run.label, OF[quantity]
    if is_answered(answer) and is_of_other_traffic(answer, quantity, found.question):
        return t("{run}: {what} is known of the traffic as measured only, not of your own", run=name, what=what)
    if capacity.status is not Status.CANNOT_TELL or not capacity.reasons:
        return t("{run}: {what} cannot be told from what was given", run=name, what=what)
    why = reason_text(capacity.reasons[0])
    return t("{run}: {what} cannot be told, {reason}", run=name, what=what, reason=why)


def next_step(found: Comparison, language: str = "en", *, flags: bool = False) -> str | None:
    """Return what would tell the runs apart: what to match, else what to measure; None where a leader is named.

    `flags` names the option of the command line that accepts a difference in place of the control on the page.
    """
    said = first_step(found, found.deciding, language, flags=flags)
    return said.render(language) if said else None


def times_text(times: Interval, language: str = "en") -> str:
    """Return a multiple with its range: "2.3× (1.8–2.9)"; a bound where only one is known."""

    def show(value: float) -> str:
        return rate(value, "", language)

    if times.mid is None:
        return t("at least {low}×", low=show(times.low or 0.0)).render(language)
    middle = f"{show(times.mid)}×"
    if times.low is None or times.high is None:
        return middle
    return f"{middle} ({span(times.low, times.high, show)})"


def multiple_texts(found: Comparison, language: str = "en", *, of: Sequence[Quantity] = ()) -> tuple[str, ...]:
    """Return each multiple with the quantity that it is of; empty where none may be said."""
    labels = {answer.run.id: answer.run.label for answer in found.answers}
    return tuple(_multiple(each, labels, language) for each in found.multiples if not of or each.quantity in of)


def _multiple(each: Multiple, labels: dict[str, str], language: str) -> str:
    said = _TIMES[each.quantity]
    if each.times.low is not None and each.times.low < 1.0:
        # A multiple on both sides of 1 would read as a lead.
        said = _APART[each.quantity]
    values = {"one": labels[each.one], "other": labels[each.other], "times": times_text(each.times, language)}
    return Text(said.msgid, values).render(language)


def accepted_text(found: Comparison, language: str = "en") -> str | None:
    """Return the differences that the person lets stand, which go with every multiple; None where there are none."""
    different, unknown = accepted_parts(found, language)
    parts = [
        t("Accepted differences: {names}.", names="; ".join(different)) if different else None,
        t("Accepted although not known for all runs: {names}.", names=", ".join(unknown)) if unknown else None,
    ]
    return " ".join(part.render(language) for part in parts if part) or None


def accepted_parts(found: Comparison, language: str = "en") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return each difference that the person lets stand, with its values, and the names of what is accepted unknown."""
    every = found.matrix.accepted
    different = tuple(_accepted(line, language) for line in every if line.state is State.DIFFERENT)
    return different, tuple(condition_name(line.field, language) for line in every if line.state is State.UNKNOWN)


def _accepted(line: Line, language: str) -> str:
    name = condition_name(line.field, language)
    values = dict.fromkeys(
        value_text(line, i, language) or t("unknown").render(language) for i in range(len(line.values))
    )
    against = t("against").render(language)
    return f"{name}: {f' {against} '.join(values)}"


def capacity_text(answer: RunAnswer, language: str = "en") -> str | None:
    """Return the safe number of a run, None where there is none."""
    capacity = (answer.for_traffic or answer).capacity
    return concurrency(capacity.safe, language) if capacity.safe is not None and is_answered(answer) else None
