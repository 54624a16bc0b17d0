"""The parts of the one-page memo: rendered words in the order that they stand in, and nothing that draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from core.present.canvas import Figure
from core.present.report.brand import Brand


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedAs:
    """When a scenario was saved and as which version; None is not saved, or not known.

    `read_on` is the day on which its documents are made, by which old prices are told; None tells none.
    """

    when: datetime | None = None
    version: int | None = None
    read_on: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What is said of one run.

    Attributes:
        label: the run's name with its number on the page, None where there is one run alone.
        first: the sentence: what is carried, or what cannot be told.
        lines: its doubt, what stops it, its rate, what it costs, what the demand needs.
        small: what has to be known beside it, and where it comes from.
        candidate: that it is simulated and not confirmed, None where it was measured.
        told: False where `first` explains why there is no number: it is longer then.
        fleet: how many replicas carry the demand with which cautions, and their bill a month; None without a demand.
    """

    label: str | None
    first: str
    lines: tuple[str, ...]
    small: tuple[str, ...] = ()
    candidate: str | None = None
    told: bool = True
    fleet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of words: one row for each run.

    Attributes:
        title: what it holds, for those who hear it. numeric: which columns stand to the right.
        widths: shares of the width, one for each column.
        more: what was left off, and where it stands; None where nothing was.
        own: how many of the columns, the last ones, are the person's own.
        apart: it holds nothing but the names of the runs and those. left: rows that were left off.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    widths: tuple[int, ...]
    more: str | None = None
    own: int = 0
    apart: bool = False
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One of the seven conditions: what is known of it as pairs of name and value, and what is not."""

    name: str
    known: tuple[tuple[str, str], ...]
    unknown: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled list of sentences; `more` says what was left off and where it stands.

    `must` of the lines, the first ones, could change the answer or make the bill: they stand whole while anything else
    can give way.
    """

    title: str
    lines: tuple[str, ...]
    more: str | None = None
    must: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is said of the runs side by side.

    Attributes:
        first: which leads and how sure that is, that it cannot be told, or why nothing is ranked.
        lines: why, and the multiples; the verdict on a change.
        accepted: the differences that they stand on, never cut: where they do not fit, nothing of it stands.
        instead: what stands there then; None where nothing is accepted. ranked: the conditions allow a ranking.
    """

    first: str | None
    lines: tuple[str, ...] = ()
    accepted: str | None = None
    instead: str | None = None
    ranked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The chart, its title, and what is to be said below it."""

    figure: Figure = field(compare=False)
    title: str
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """The page.

    Attributes:
        language: of every word.
        kind: what sort of paper it is. when: when it was saved, as which version.
        title: the scenario's name. asked: targets and what it is for.
        sayings: of the runs, in their order. more_runs: how many others there are. beside: of them side by side.
        reading: how the numbers are to be read.
        tables: the runs, and the person's own columns where they do not fit beside them.
        chart: None where nothing can be drawn; `chart_absent` says so.
        conditions: the seven. changes: what could change the answer.
        notes: the person's own words. footer: method, constants, program.
        link: to the scenario, None where there is none. saved_at: for the properties of a file.
        brand: logo and accent.
        where: where what is left off can be read.
        choice: what else was asked of the fleet: budget, autoscaling, other ways to pay, growth; a sentence each.
        assumptions_beside: they stand beside the chart, below what could change the answer, and not below the chart.
    """

    language: str
    kind: str
    when: str
    title: str
    asked: tuple[str, ...]
    sayings: tuple[Saying, ...]
    more_runs: str | None
    beside: Beside | None
    reading: str
    tables: tuple[Table, ...]
    chart: Chart | None
    chart_absent: str
    conditions_title: str
    conditions: tuple[Condition, ...]
    assumptions: Section
    changes: Section
    notes: Section
    footer: tuple[str, ...]
    link: str | None
    link_label: str
    saved_at: datetime | None
    brand: Brand
    where: str
    choice: Section
    assumptions_beside: bool = False
