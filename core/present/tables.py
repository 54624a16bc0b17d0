"""The tables behind the screens, with units in their headers; what is unknown is an empty cell, never 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import pandas as pd

from core.i18n import t
from core.letters import seen
from core.model.metric import Metric, quantile_name
from core.model.refusal import Refusal
from core.model.run import Run
from core.model.stage import Stage
from core.present.conditions import conditions_of
from core.present.doubts import place_text
from core.present.files import short_names
from core.present.formats import format_name, format_text
from core.present.names import SEPARATOR, SHORT, kind_text, metric_name
from core.present.reasons import exclusion_text

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes a spreadsheet read a cell as a formula (OWASP, CSV injection); the wide ones in some languages."""

_SHOWN = (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E, Metric.QUEUE, Metric.RTF)
_QUANTILES = (0.5, 0.9, 0.95, 0.99)
_ASKED_RATE, _CUT_OFF, _LEFT_OUT = t("Asked requests/s"), t("Cut off"), t("Left out because")
_LOAD_FROM, _REPEATED = t("Load known from"), t("Times measured")
_IN_SECONDS = frozenset({Metric.E2E})


def stage_table(run: Run, language: str = "en") -> pd.DataFrame:
    """Return one row per level: load, why it is left out, requests, statistics that some level has, rates."""
    stages = run.stages
    names = short_names(stage.where.file for stage in stages if stage.where.file)
    columns: dict[str, pd.Series] = {
        t("Concurrent requests").render(language): _numbers([stage.load for stage in stages]),
        # Beside the load: a mark behind thirty columns is a mark that nobody sees.
        _LEFT_OUT.render(language): _words(
            [exclusion_text(stage.excluded).render(language) if stage.excluded else None for stage in stages]
        ),
        _LOAD_FROM.render(language): _words(
            [t("the file name").render(language) if stage.load_from_name else None for stage in stages]
        ),
        _ASKED_RATE.render(language): _numbers([stage.asked_rate for stage in stages]),
        t("In flight, measured").render(language): _numbers([stage.achieved_concurrency for stage in stages]),
        t("Answered").render(language): _counts([stage.requests_good for stage in stages]),
        t("Failed").render(language): _counts([stage.requests_failed for stage in stages]),
        _CUT_OFF.render(language): _counts([stage.requests_cut_off for stage in stages]),
        _REPEATED.render(language): _counts([stage.replicates if stage.replicates > 1 else None for stage in stages]),
        t("Duration (s)").render(language): _numbers([stage.duration_s for stage in stages]),
    }
    for metric, statistic in _statistics(stages):
        factor = 1000.0 if _unit(metric) == "ms" else 1.0
        values = [_scaled(stage.value(metric, statistic), factor) for stage in stages]
        columns[_column(metric, statistic, language)] = _numbers(values)
    columns |= {
        t("Output tokens/s").render(language): _numbers([stage.output_tok_s for stage in stages]),
        t("Total tokens/s").render(language): _numbers([stage.total_tok_s for stage in stages]),
        t("Requests/s").render(language): _numbers([stage.achieved_rate for stage in stages]),
        t("File").render(language): _words([names.get(stage.where.file or "") for stage in stages]),
    }
    frame = pd.DataFrame(columns)
    optional = [name.render(language) for name in (_LOAD_FROM, _ASKED_RATE, _CUT_OFF, _REPEATED, _LEFT_OUT)]
    return frame.drop(columns=[name for name in optional if frame[name].isna().all()])


def header_help(run: Run, language: str = "en") -> dict[str, str]:
    """Return what the tool of a run calls a column of `stage_table`, where its word means something else here."""
    told = called(run, language)
    return {
        _column(metric, statistic, language): told[metric]
        for metric, statistic in _statistics(run.stages)
        if metric in told
    }


def called(run: Run, language: str = "en") -> dict[Metric, str]:
    """Return the tool's word for each metric where it means something else here, as a sentence."""
    tool = run.conditions.tool or format_name(run.format_id, language)
    return {
        metric: t(
            "{tool} calls {metric} {word}", tool=tool, metric=SHORT[metric].render(language), word=f"“{word}”"
        ).render(language)
        for metric, word in run.calls.items()
    }


def conditions_table(run: Run, language: str = "en") -> pd.DataFrame:
    """Return what is known group by group, with where it is known from, and what is unknown in one row per group."""
    rows: list[tuple[str, str, str, str | None]] = []
    for group, members in groupby(conditions_of(run, language), key=lambda each: each.group):
        every = list(members)
        title = group.render(language)
        for each in every:
            if each.value is not None:
                source = each.source.render(language) if each.source else None
                rows.append((title, each.name.render(language), each.value, source))
        missing = [each.name.render(language) for each in every if each.value is None]
        if missing:
            rows.append((title, SEPARATOR.join(missing), t("unknown").render(language), None))
    names = (t("Group"), t("Condition"), t("Value"), t("Known from"))
    columns = zip(*rows, strict=True)
    return pd.DataFrame(
        {name.render(language): _words(list(column)) for name, column in zip(names, columns, strict=True)}
    )


def files_table(runs: Sequence[Run], language: str = "en") -> pd.DataFrame:
    """Return one row per file that was used: what it was recognised as, and the run it went into."""
    rows = [(file, run) for run in runs for file in run.files]
    names = short_names(file.name for file, _ in rows)
    return pd.DataFrame(
        {
            t("File").render(language): _words([names[file.name] for file, _ in rows]),
            t("Recognised as").render(language): _words([format_text(run, file, language) for file, run in rows]),
            t("Run").render(language): _words([run.label for _, run in rows]),
            t("Kind").render(language): _words([kind_text(run.kind, language) for _, run in rows]),
            t("Levels in the run").render(language): _counts([len(run.stages) for _, run in rows]),
        }
    )


def refusals_table(refused: Sequence[Refusal], language: str = "en") -> pd.DataFrame:
    """Return one row per file that was not used: which, why, what to do."""
    return pd.DataFrame(
        {
            t("File").render(language): _words([place_text(each, language) for each in refused]),
            t("Why it was not used").render(language): _words([each.what.render(language) for each in refused]),
            t("What to do").render(language): _words([each.fix.render(language) for each in refused]),
        }
    )


def rounded(frame: pd.DataFrame, digits: int = 4) -> pd.DataFrame:
    """Return a table with its fractions cut to a few significant digits, for the eye; a file gets them all.

    >>> rounded(pd.DataFrame({"a": pd.Series([64.05263, None], dtype="Float64"), "n": [12345, 7]})).to_dict("list")
    {'a': [64.05, None], 'n': [12345, 7]}
    """
    fractions = frame.select_dtypes(include="float").columns

    def short(value: float) -> float:
        return value if pd.isna(value) else float(f"{value:.{digits}g}")

    return frame.assign(**{name: frame[name].map(short).astype(frame[name].dtype) for name in fractions})


def safe_csv(frame: pd.DataFrame) -> str:
    """Return a table as CSV that no spreadsheet runs: text that starts as a formula gets an apostrophe.

    >>> print(safe_csv(pd.DataFrame({"a": ["=1+1", "b"], "n": [-1.5, None]})), end="")
    a,n
    '=1+1,-1.5
    b,
    """
    plain = frame.rename(columns=str)
    text = plain.select_dtypes(exclude=["number", "bool"]).columns
    safe = plain.assign(**{name: plain[name].map(_harmless) for name in text})
    return safe.rename(columns=_harmless).to_csv(index=False, lineterminator="\n")


def _harmless(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = seen(value)
    safe = f"'{text}" if text.startswith(FORMULA_STARTS) else text
    # A bare carriage return ends a row for some readers, and the next cell could be a formula.
    return safe.replace("\r\n", "\n").replace("\r", "\n")


def _statistics(stages: Sequence[Stage]) -> list[tuple[Metric, str]]:
    names = ("mean", *(quantile_name(q) for q in _QUANTILES))
    pairs = ((metric, name) for metric in _SHOWN for name in names)
    return [pair for pair in pairs if any(stage.value(*pair) is not None for stage in stages)]


def _column(metric: Metric, statistic: str, language: str) -> str:
    name, unit = metric_name(metric, statistic, language), _unit(metric)
    return f"{name} ({unit})" if unit else name


def _unit(metric: Metric) -> str:
    if not metric.is_time:
        return ""
    return "s" if metric in _IN_SECONDS else "ms"


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _numbers(values: Sequence[float | None]) -> pd.Series:
    return pd.Series(list(values), dtype="Float64")


def _counts(values: Sequence[int | None]) -> pd.Series:
    return pd.Series(list(values), dtype="Int64")


def _words(values: Sequence[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype="str")
