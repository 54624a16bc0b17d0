"""How sure the tool is, as it was measured: the shipped figures as tables and sentences in plain words."""

from __future__ import annotations

from functools import cache

import msgspec
import pandas as pd

from core.fit.method import VERSION
from core.i18n import Text, t
from core.present.numbers import concurrency, percent
from core.settings import DATA

FEW, LEAST, MOST = 500, 0.86, 0.95
"""A group of so many questions is named where its range holds less or more often than this."""

SHOWN = ("this", "best_pass", "linear", "isotonic_pchip")
"""Methods of the short table."""

METHODS: dict[str, Text] = {
    "this": t("This tool"),
    "best_pass": t("Largest level that passed"),
    "linear": t("Straight lines between levels"),
    "isotonic_pchip": t("Smoothed curve (PAVA + PCHIP), as AIPerf searches"),
    "log_linear": t("Straight lines on a logarithmic axis"),
    "pchip": t("Smooth curve (PCHIP)"),
    "cubic": t("Cubic polynomial"),
    "quadratic": t("Parabola"),
    "usl": t("Universal scalability law"),
}

GROUPS: dict[str, Text] = {
    "grid": t("levels measured"),
    "statistic": t("statistic"),
    "metric": t("metric"),
    "slope": t("steepness of the curve"),
}

_GRIDS: dict[str, Text] = {
    "log4": t("4 levels, evenly spread"),
    "log6": t("6 levels, evenly spread"),
    "log8": t("8 levels, evenly spread"),
    "log12": t("12 levels, evenly spread"),
    "pow2": t("each level twice the one before"),
    "pow4": t("each level four times the one before"),
    "rand6": t("6 levels at random"),
}

_LAST = {"p50": 1, "p90": 2, "p99": 3, "log12": 4, ">1": 4}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of one method, or of this tool in one group; shares from 0 to 1, None where they mean nothing.

    Attributes:
        median_error, p90_error: |estimate - truth| / truth, what half and nine tenths of the answers stay below.
        coverage: share of ranges that hold the truth.
        safe_unsafe5: share of safe numbers at which the truth is over the limit by more than 5 %.
        safe_loss: median of what the safe number gives away. refused: share without an answer.
    """

    name: str
    n: int
    refused: float
    group: str = ""
    median_error: float | None = None
    p90_error: float | None = None
    coverage: float | None = None
    safe_unsafe5: float | None = None
    safe_loss: float | None = None


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """One set of questions with known answers."""

    name: str
    sweeps: int
    deployments: int
    questions: int
    rows: tuple[Row, ...]
    cells: tuple[Row, ...]


class Accuracy(msgspec.Struct, frozen=True, kw_only=True):
    """What benchmarks/accuracy measured, and of which constants."""

    version: str
    method: str
    constants: str
    sets: tuple[Dataset, ...]


@cache
def accuracy() -> Accuracy | None:
    """Return the figures that come with Plimsoll, None where they are missing or of another form."""
    path = DATA / "method" / f"accuracy-{VERSION}.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Accuracy)
    except (OSError, msgspec.MsgspecError):
        return None


def set_title(found: Dataset, language: str = "en") -> str:
    """Return the name of a set with its mark: hollow where it is simulated, filled where it was measured."""
    simulated = t("◇ Simulated deployments, whose true answer is known")
    real = t("● Published benchmarks, with each level hidden in turn")
    return (simulated if found.name == "simulated" else real).render(language)


def set_text(found: Dataset, language: str = "en") -> str:
    """Return what the set is and how much it holds."""
    counts = {name: concurrency(getattr(found, name), language) for name in ("questions", "sweeps", "deployments")}
    if found.name == "simulated":
        return t(
            "{questions} questions on {sweeps} sweeps of {deployments} deployments of other sizes and loads.", **counts
        ).render(language)
    return t(
        "{questions} questions on {sweeps} sweeps. The truth is one noisy run, so part of the error is not the tool's.",
        **counts,
    ).render(language)


def method_table(found: Dataset, language: str = "en", *, every: bool = False) -> pd.DataFrame:
    """Return one row per method, this tool first; the short table leaves the less usual ones out."""
    rows = [row for row in found.rows if every or row.name in SHOWN]
    names = [METHODS[row.name].render(language) if row.name in METHODS else row.name for row in rows]
    return _table(t("Method").render(language), names, rows, language).drop(columns=t("Questions").render(language))


def cell_table(found: Dataset, group: str, language: str = "en") -> pd.DataFrame:
    """Return one row per group of questions, for this tool."""
    rows = sorted((cell for cell in found.cells if cell.group == group), key=lambda c: (_LAST.get(c.name, 0), c.name))
    names = [_cell_name(row, language) for row in rows]
    return _table(GROUPS[group].render(language), names, rows, language)


def meanings(language: str = "en") -> tuple[str, ...]:
    """Return how the columns are to be read, and what was taken care of."""
    texts = (
        t("Error: how far the load that was found is from the true one at which the limit is reached."),
        t("The range should hold the truth 9 times of 10. Methods without a range show a dash."),
        t("At the safe number the limit should be broken at most once in 10. Shown is how often by more than 5%."),
        t("No deployment was scored with constants that had seen it."),
    )
    return tuple(text.render(language) for text in texts)


def weaknesses(found: Accuracy, language: str = "en") -> tuple[str, ...]:
    """Return where it fails: what is known of the method, and the groups whose range does not hold as it says."""
    texts = [
        t("Flat curves: where latency hardly grows with load, the load at a limit is uncertain. More requests help."),
        t("Percentiles of the gap between tokens (ITL) are the hardest; many questions about them get no answer."),
        t("Simulated deployments and the method share some physics, so the published benchmarks are the harder test."),
        t("Levels that ran different work, as agentic benchmarks do, break what the method assumes."),
        t("A machine much noisier than those tested: it is refused above 20% of noise, and too sure shortly below."),
    ]
    marked = [_cell_name(cell, language) for one in found.sets for cell in one.cells if _is_marked(cell)]
    if marked:
        groups = ", ".join(marked)
        texts.append(t("Groups whose range holds less often than 86% or more often than 95%: {groups}.", groups=groups))
    return tuple(text.render(language) for text in texts)


def versions_text(method: str, constants: str, language: str = "en") -> str:
    """Return the footer of an answer: by which method and with which constants it was found."""
    if not constants:
        return t("Method {method}", method=method).render(language)
    return t("Method {method}, constants {constants}", method=method, constants=constants).render(language)


def _is_marked(cell: Row) -> bool:
    return cell.n >= FEW and cell.coverage is not None and not LEAST <= cell.coverage <= MOST


def _cell_name(cell: Row, language: str) -> str:
    if cell.group == "grid" and cell.name in _GRIDS:
        return _GRIDS[cell.name].render(language)
    if cell.group == "metric":
        return cell.name.upper()
    return t("mean").render(language) if cell.name == "mean" else cell.name


def _table(first: str, names: list[str], rows: list[Row], language: str) -> pd.DataFrame:
    columns: dict[str, list[float | None]] = {
        t("Median error").render(language): [row.median_error for row in rows],
        t("9 of 10 within").render(language): [row.p90_error for row in rows],
        t("Range holds").render(language): [row.coverage for row in rows],
        t("Safe number breaks the limit by > 5%").render(language): [row.safe_unsafe5 for row in rows],
        t("Given away").render(language): [row.safe_loss for row in rows],
        t("No answer").render(language): [row.refused for row in rows],
    }
    shown = {name: [_share(value, language) for value in values] for name, values in columns.items()}
    frame = pd.DataFrame({first: names, **shown}, dtype="str")
    frame[t("Questions").render(language)] = pd.Series([row.n for row in rows], dtype="Int64")
    return frame


def _share(value: float | None, language: str) -> str | None:
    return None if value is None else percent(round(value, 3), language)
