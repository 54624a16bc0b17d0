"""Runs side by side under the same targets, their conditions as a matrix; what the screen shows and the CSV holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pandas as pd

from core.compare.compare import Comparison, Standing, Verdict
from core.compare.conditions import Group, Line, State
from core.compare.quantity import OF_FLEET, Quantity
from core.fleet.answer import Whole
from core.fleet.cautions import cautions_of
from core.i18n import Text, joined, t
from core.model.answer import Interval, RunAnswer
from core.model.fleet import Fleet
from core.present.bill import PAID_FOR, basis_text
from core.present.compare_causes import consequence, value_text, way_out
from core.present.compare_names import GROUPS, STATES
from core.present.compare_notes import Typed, number_notes
from core.present.compare_words import accepted_text, capacity_text, chance_text, headline, multiple_texts
from core.present.comparison import estimate_cell
from core.present.conditions import condition_name
from core.present.dated import Dated, bill_marks
from core.present.fleet_numbers import amount_text, whole_text
from core.present.fleet_words import IN_WORDS
from core.present.money import with_range
from core.present.names import SEPARATOR, kind_text
from core.present.numbers import rate, span
from core.present.per_money import header_of, in_amount
from core.present.replicas import demand_text
from core.present.status import status_of
from core.present.stopped import stop_cell
from core.present.traffic import for_traffic_view

RUN, SAFE, CHANCE = t("Run"), t("Safe number"), t("Chance that it leads")


def numbers_table(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return one row per run: capacity, fleet and its bill, users for the money, cost, speeds, each with its range.

    The order is that of the files: a table is no ranking. A column that nobody asked for is left out.
    """
    answers, deciding = found.answers, found.deciding
    columns: list[tuple[Text, list[str | None]]] = [
        (RUN, [answer.run.label for answer in answers]),
        (SAFE, [capacity_text(answer, language) for answer in answers]),
        (t("Estimate (90% range)"), [_estimate(answer, language) for answer in answers]),
        (t("Answer"), [status_of((answer.for_traffic or answer).capacity).render(language) for answer in answers]),
    ]
    columns += [
        (header(found, standing.quantity, language), _cells(found, standing, language))
        for standing in found.standings
        if standing.quantity is not Quantity.CAPACITY and standing.verdict is not Verdict.NOT_ASKED
    ]
    if deciding.chances:
        columns.append((CHANCE, [chance_text(each).render(language) for each in deciding.chances]))
    columns.append((t("Stopped by"), [stop_cell(for_traffic_view(answer), language) for answer in answers]))
    price = found.question.price
    if price is not None:
        columns.append((PAID_FOR, [basis_text(answer.run, price, language) for answer in answers]))
    columns.append((t("Kind"), [kind_text(answer.run.kind, language) for answer in answers]))
    frame = {name.render(language): pd.Series(cells, dtype="str") for name, cells in columns}
    return pd.DataFrame(frame)


def header(found: Comparison, quantity: Quantity, language: str = "en") -> Text:
    """Return the name of a quantity with its unit and what it is divided by."""
    demand = found.question.demand
    match quantity:
        case Quantity.CAPACITY:
            return t("Estimate (90% range)")
        case Quantity.USERS_PER_MONEY:
            return header_of(found, language)
        case Quantity.COST:
            return t("Cost per million output tokens, at the safe number")
        case Quantity.REPLICAS | Quantity.ACCELERATORS:
            asked = demand_text(demand, language) if demand else t("the demand").render(language)
            return _fleet_header(asked, found.question.fleet, counts_replicas=quantity is Quantity.REPLICAS)
        case Quantity.MONTH:
            return t("Cost a month of these replicas (730 hours)")
        case Quantity.PER_USER:
            return t("One user, tokens/s, at the safe number")
        case Quantity.THROUGHPUT:
            return t("System, output tokens/s per accelerator, at the safe number")


def _fleet_header(asked: str, fleet: Fleet | None, *, counts_replicas: bool) -> Text:
    """Return what heads the count of a fleet: the demand, and every caution that is in the number."""
    held = fleet or Fleet()
    inside = [IN_WORDS[caution] for caution in cautions_of(held)]
    if len(set(held.served_by)) > 1:
        inside.append(t("each run serving every kind of the mix alone"))
    if counts_replicas:
        if not inside:
            return t("Replicas for {demand} at the peak, at the safe number, without growth and spares", demand=asked)
        return t(
            "Replicas for {demand} at the peak, at the safe number, with {cautions}",
            demand=asked,
            cautions=joined(inside),
        )
    if not inside:
        return t("Accelerators for {demand} at the peak, without growth, ceiling and spares", demand=asked)
    return t("Accelerators for {demand} at the peak, with {cautions}", demand=asked, cautions=joined(inside))


def matrix_table(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return the seven conditions, one row each: its state, what differs, and what is accepted."""
    rows = []
    for group in Group:
        lines = found.matrix.of(group)
        rows.append(
            {
                t("Condition").render(language): GROUPS[group].render(language),
                t("State").render(language): STATES[found.matrix.state(group)].render(language),
                t("Different").render(language): _names(lines, State.DIFFERENT, language),
                t("Unknown").render(language): _names(lines, State.UNKNOWN, language),
                t("Accepted").render(language): ", ".join(
                    condition_name(line.field, language) for line in lines if line.accepted
                )
                or None,
            }
        )
    return pd.DataFrame(rows).astype("str").where(pd.DataFrame(rows).notna(), None)


def matrix_in_view(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return `matrix_table` for a screen, where a telephone has room for four columns: what is accepted is a state."""
    frame = matrix_table(found, language)
    accepted, state = t("Accepted").render(language), t("State").render(language)
    whole, part = t("accepted").render(language), t("accepted in part").render(language)
    told = []
    for group, said in zip(Group, frame[state], strict=True):
        lines = [line for line in found.matrix.of(group) if line.state in (State.DIFFERENT, State.UNKNOWN)]
        held = [line.accepted for line in lines]
        told.append(f"{said}, {whole if all(held) else part}" if any(held) else said)
    return frame.drop(columns=accepted).assign(**{state: told})


def open_table(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return what differs or is unknown, group by group: the values, what that does and the way out."""
    every = conditions_table(found, language)
    stands = [line.state in (State.DIFFERENT, State.UNKNOWN) for line in found.matrix.lines]
    frame = every[stands].drop(columns=[t("Accepted").render(language)])
    groups = [GROUPS[line.group].render(language) for line in found.matrix.lines]
    frame.insert(0, t("Group").render(language), pd.Series(groups, dtype="str")[stands])
    return frame.reset_index(drop=True)


def conditions_table(found: Comparison, language: str = "en") -> pd.DataFrame:
    """Return every condition of every run with its state, what it does, and the way out."""
    runs = [answer.run for answer in found.answers]
    rows = []
    for line in found.matrix.lines:
        values = (value_text(line, place, language) for place in range(len(runs)))
        row = {t("Condition").render(language): condition_name(line.field, language)}
        row |= {
            _column(run.label, i, runs): v or t("unknown").render(language)
            for i, (run, v) in enumerate(zip(runs, values, strict=True))
        }
        row[t("State").render(language)] = STATES[line.state].render(language)
        stands = line.state in (State.DIFFERENT, State.UNKNOWN)
        row[t("What it does").render(language)] = consequence(line).render(language) if stands else ""
        row[t("Way out").render(language)] = (
            way_out(line, runs, found.matrix, language).render(language) if stands else ""
        )
        row[t("Accepted").render(language)] = (
            (t("yes") if line.accepted else t("no")).render(language) if stands else ""
        )
        rows.append(row)
    return pd.DataFrame(rows, dtype="str")


def whole_csv(
    found: Comparison, language: str = "en", *, typed: Typed = Typed.PAGES, today: date | None = None
) -> pd.DataFrame:
    """Return what the screen shows for a file: the numbers, then sentence, notes, multiples and what is accepted.

    Last stands which price is old or undated, told by `today`; None marks nothing.
    """
    frame = numbers_table(found, language)
    notes_below = number_notes(found, language, typed=typed)
    told = [headline(found, language), *notes_below, *multiple_texts(found, language), accepted_text(found, language)]
    told += _price_notes(found, today, language) if today else []
    lines = [line for line in told if line]
    first = frame.columns[0]
    notes = pd.DataFrame({first: lines}, dtype="str")
    return pd.concat([frame, notes], ignore_index=True)


def _price_notes(found: Comparison, today: date, language: str) -> list[str]:
    """Return a line for each run whose price is old or undated: the marks alone, so that hidden amounts stay hidden."""
    dated = Dated(today=today, price=found.question.price)
    marks = [bill_marks([answer], dated, language) for answer in found.answers]
    return [
        f"{answer.run.label}: {SEPARATOR.join(said)}" for answer, said in zip(found.answers, marks, strict=True) if said
    ]


def _column(label: str, place: int, runs: list) -> str:  # type: ignore[type-arg]  # only their names are read
    """Return a column's name, numbered where two runs are called the same."""
    same = [run.label for run in runs].count(label) > 1
    return f"{label} ({place + 1})" if same else label


def _names(lines: tuple[Line, ...], state: State, language: str) -> str | None:
    return ", ".join(condition_name(line.field, language) for line in lines if line.state is state) or None


def _estimate(answer: RunAnswer, language: str) -> str | None:
    return estimate_cell((answer.for_traffic or answer).capacity, language)


def _cells(found: Comparison, standing: Standing, language: str) -> list[str | None]:
    return [cell(found, standing.quantity, figure.shown, language) for figure in standing.figures]


def cell(found: Comparison, quantity: Quantity, shown: Interval | None, language: str = "en") -> str:
    """Return one number with its range, a bound where only one is known, "unknown" where none is."""
    if quantity is Quantity.USERS_PER_MONEY:
        shown = in_amount(shown, found)
    if shown is None:
        return t("unknown").render(language)
    if quantity is Quantity.COST:
        currency = found.question.price.currency if found.question.price else ""
        return with_range(shown, currency, language) or t("unknown").render(language)
    if quantity is Quantity.MONTH:
        currency = found.question.price.currency if found.question.price else ""
        return amount_text(shown, currency, language) or t("unknown").render(language)
    if quantity in OF_FLEET:
        low, mid, high = (None if end is None else round(end) for end in (shown.low, shown.mid, shown.high))
        return whole_text(Whole(count=mid, fewest=low, most=high), language) or t("unknown").render(language)
    return with_ends(shown, lambda x: rate(x, "", language), language)


def with_ends(shown: Interval, show: Callable[[float], str], language: str = "en") -> str:
    """Return "47 (36–53)", "47 (the same over the whole range)", "47 (36 or more)", "512 or more" or "below 4"."""
    if shown.low is not None and shown.high is not None:
        text = span(shown.low, shown.high, show)
        if shown.mid is not None and text == show(shown.mid):
            return t("{amount} (the same over the whole range)", amount=text).render(language)
    elif shown.low is not None:
        text = t("{low} or more", low=show(shown.low)).render(language)
    elif shown.high is not None:
        text = t("below {high}", high=show(shown.high)).render(language)
    else:
        return show(shown.mid) if shown.mid is not None else t("unknown").render(language)
    return text if shown.mid is None else f"{show(shown.mid)} ({text})"
