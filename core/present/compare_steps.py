"""What to do first so that runs can be compared, ranked or told apart, and what then is still in the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.compare.close import ahead, next_of, one_more_tells
from core.compare.compare import Comparison, Standing, Verdict, Why, may_lead
from core.compare.conditions import Group, Line, Matrix, State
from core.compare.quantity import (
    OF_FLEET,
    Quantity,
    counted,
    is_answered,
    is_of_other_traffic,
    money_per_hour,
    pool_of,
)
from core.i18n import Text, joined, t
from core.model.answer import RunAnswer, Status
from core.model.price import price_for
from core.model.run import Run
from core.present.compare_causes import is_choice, way_out
from core.present.compare_names import GROUPS, OF
from core.present.compare_notes import Typed, count_fix
from core.present.conditions import condition_name
from core.present.demand import UNTOLD
from core.present.measure import next_text
from core.present.traffic import for_traffic_view
from core.price.replicas import Untold

_BY_TOOL = (Group.THROUGHPUT, Group.STATISTICS)
_LENGTHS = ("input_tokens_mean", "output_tokens_mean")
_MONEY = (Quantity.USERS_PER_MONEY, Quantity.COST, Quantity.MONTH)


def first_step(found: Comparison, standing: Standing, language: str = "en", *, flags: bool = False) -> Text | None:
    """Return what would tell the runs apart by one quantity, None where a leader is named or there is one run only.

    Args:
        found: the comparison.
        standing: of it.
        language: of names inside the text.
        flags: name the options of the command line in place of the controls on the pages.
    """
    match standing.verdict:
        case Verdict.NOT_COMPARABLE:
            return _matching(found, language, flags=flags)
        case Verdict.NOT_ASKED:
            return _asking(found, standing.quantity, flags=flags)
        case Verdict.CANNOT_TELL:
            return _telling(found, standing, language, flags=flags)
        case _:
            return None


def _matching(found: Comparison, language: str, *, flags: bool) -> Text:
    """Return how the first condition that is in the way can be made to match, then what is still in the way."""
    matrix, runs = found.matrix, [answer.run for answer in found.answers]
    if matrix.quality_untold:
        # Nothing else lets a multiple be said, whatever else is open.
        first = next(line for line in matrix.lines if line.field == "quality")
        done: Collection[str] = ("quality", *matrix.unsaid)
        said = way_out(first, runs, matrix, language, flags=flags)
    else:
        first = next((line for line in matrix.open if line.state is State.DIFFERENT), matrix.open[0])
        done = _done(first, matrix)
        said = _unknown(matrix, first, runs, language, flags=flags) or way_out(
            first, runs, matrix, language, flags=flags
        )
    left = [line for line in matrix.open if line.field not in done]
    if not left:
        return said
    groups = dict.fromkeys(line.group for line in left)
    return t("{first}. Then still open: {groups}", first=said, groups=joined([GROUPS[each] for each in groups]))


def _done(first: Line, matrix: Matrix) -> set[str]:
    """Return the conditions that are settled once the step for `first` is taken."""
    alike = [line for line in matrix.of(first.group) if line.state is first.state]
    if first.state is State.UNKNOWN or first.group in _BY_TOOL:
        groups = _BY_TOOL if first.state is State.DIFFERENT and first.group in _BY_TOOL else (first.group,)
        return {line.field for group in groups for line in matrix.of(group) if line.state is first.state}
    if is_choice(first) or first.field == "quality":
        return {line.field for line in matrix.of(first.group)}
    if first.field in _LENGTHS:
        return {line.field for line in alike if line.field in _LENGTHS}
    return {first.field}


def _unknown(matrix: Matrix, first: Line, runs: Sequence[Run], language: str, *, flags: bool) -> Text | None:
    """Return what to say of which runs: every unknown condition of a group at once; None where one differs."""
    if first.state is not State.UNKNOWN:
        return None
    lines = [line for line in matrix.of(first.group) if line.is_open and line.state is State.UNKNOWN]
    names = ", ".join(condition_name(line.field, language) for line in lines)
    gaps = [place for place in range(len(runs)) if any(line.values[place] is None for line in lines)]
    values = {"names": names, "runs": ", ".join(runs[place].label for place in gaps)}
    if flags:
        return t(
            "Say on the Data page for {runs}: {names}; or pass --accept {group}", **values, group=first.group.value
        )
    return t(
        'Say on the Data page for {runs}: {names}; or choose "Let stand" for {group}',
        **values,
        group=GROUPS[first.group],
    )


def _asking(found: Comparison, quantity: Quantity, *, flags: bool) -> Text:
    """Return what the quantity needs that nobody said."""
    if quantity in _MONEY and found.question.price is None:
        if flags:
            return t("Give a price: --price 2.50/gpu-h, or --price RUN=20/h for a run")
        return t('Give a price in the panel "Price"')
    if flags:
        return t('Give the demand: --demand "200 users"')
    return t("Give the demand on the Fleet page")


def _telling(found: Comparison, standing: Standing, language: str, *, flags: bool) -> Text | None:
    """Return what tells the number that is unknown, else the measurement that narrows what is known least."""
    if standing.why is Why.UNKNOWN:
        pairs = zip(found.answers, standing.figures, strict=True)
        blind = [answer for answer, figure in pairs if figure.belief.is_unknown]
        for answer in blind:
            said = _own(found, standing.quantity, answer) or _missing(found, standing.quantity, answer, flags=flags)
            if said is not None:
                return said
        return _measured(_widest(blind), language)
    best = ahead(standing) if standing.why is Why.CLOSE else None
    # A run that has lost settles nothing between the others, however little is known of it.
    wanted = _widest([found.answers[place] for place in best or may_lead(standing.chances)])
    if wanted is not None and one_more_tells(found, standing, _place(found, wanted)) is False:
        return t(
            "Their estimates lie so close that one more run of {run} will hardly tell them apart. "
            "Let what else you know decide, such as delivery, power or terms",
            run=wanted.run.label,
        )
    return _measured(wanted, language)


def _place(found: Comparison, wanted: RunAnswer) -> int:
    return next(place for place, answer in enumerate(found.answers) if answer is wanted)


def _own(found: Comparison, quantity: Quantity, answer: RunAnswer) -> Text | None:
    """Return that requests like the service's own have to be measured, None where that is not what lacks."""
    if not is_answered(answer) or not is_of_other_traffic(answer, quantity, found.question):
        return None
    return t(
        "Measure {run} with requests like your own: {what} is not known of them",
        run=answer.run.label,
        what=OF[quantity],
    )


def _missing(found: Comparison, quantity: Quantity, answer: RunAnswer, *, flags: bool) -> Text | None:
    """Return what to say so that a number of one run is known, None where only a measurement tells it."""
    run, price = answer.run, found.question.price
    if not is_answered(answer):
        return None
    pool = pool_of(answer, found.question) if quantity in OF_FLEET else None
    if pool is not None and pool.untold is Untold.THINK_TIME:
        if flags:
            return t("Say how long users pause between requests: --think-time SECONDS")
        return t('Say how long users pause between requests in the panel "Price"')
    if pool is not None and pool.untold is not None:
        return t("{run}: {why}. Measure it again with a tool that records that", run=run.label, why=UNTOLD[pool.untold])
    if quantity in _MONEY and price_for(price, run.id) is None:
        if flags:
            return t("Give a price of {run}: --price {id}=2.50/gpu-h", run=run.label, id=run.id)
        return t('Give a price of {run} in the panel "Price"', run=run.label)
    needs_count = quantity in (Quantity.ACCELERATORS, Quantity.THROUGHPUT) or (
        quantity in _MONEY and money_per_hour(answer, price) is None
    )
    if needs_count and counted(answer, price) is None:
        own = price_for(price, run.id)
        in_panel = not flags and own is not None and own.per_accelerator
        fix = count_fix(Typed.FLAGS if flags else Typed.PAGES, [run], in_panel=in_panel)
        return t("Accelerators unknown of {run}. {fix}", run=run.label, fix=fix)
    if quantity in (Quantity.THROUGHPUT, Quantity.COST):
        return t("Measure {run} with a tool that records output tokens/s", run=run.label)
    if quantity is Quantity.PER_USER:
        return t("Measure {run} with a tool that records TPOT", run=run.label)
    return None


def _measured(answer: RunAnswer | None, language: str) -> Text | None:
    if answer is None:
        return None
    return t("To know, measure {run}. {what}", run=answer.run.label, what=next_text(for_traffic_view(answer), language))


def _widest(answers: Sequence[RunAnswer]) -> RunAnswer | None:
    """Return the answer that is known least: one that cannot be told, then bounds, then the widest range."""

    def known(answer: RunAnswer) -> tuple[int, float]:
        capacity = for_traffic_view(answer).capacity
        span_ = capacity.concurrency
        rank = {Status.CANNOT_TELL: 0, Status.AT_LEAST: 1, Status.BELOW: 1, Status.WITHIN: 2}[capacity.status]
        ends = span_.high / span_.low if span_ and span_.low and span_.high else float("inf")
        return rank, -ends

    asked = [answer for answer in answers if next_of(answer) is not None]
    return min(asked, key=known, default=None)
