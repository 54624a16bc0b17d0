"""Glossary: the words in which an answer is given."""

from __future__ import annotations

from core.i18n import t
from core.present.glossary_metrics import Row

_CONTRACT = t("Source: Plimsoll's contract of the command line.")
_METHOD = t("Source: Plimsoll's method, docs/method.md.")

ANSWERS: tuple[Row, ...] = (
    (
        "safe",
        t("Safe number"),
        t(
            "The number of concurrent requests to promise. There is one chance in ten that it is too much. It is never "
            "above the highest load measured."
        ),
        t("Safe number = the 10% quantile of the capacity, rounded down"),
        None,
        _CONTRACT,
    ),
    (
        "range",
        t("Estimate and range"),
        t(
            "The estimate is as likely too high as too low. The range holds the true limit nine times in ten; "
            "one time in twenty it lies below, one time in twenty above."
        ),
        None,
        None,
        _METHOD,
    ),
    (
        "percentile",
        t("Percentile"),
        t(
            "p99 ≤ 500 ms means: 99 of 100 requests stay within 500 ms. A mean says nothing about the slowest. p99 of "
            "fewer than 100 requests is in effect the slowest of them; below 300 it is weak."
        ),
        t("Where Plimsoll computes it: linear between the two nearest requests. A file's own value stays as given."),
        t("vLLM, SGLang and AIPerf interpolate as well; MLPerf takes the nearest request."),
        _CONTRACT,
    ),
    (
        "within",
        t("Verdict: a number"),
        t("Some measured load keeps every target and a higher one does not: the limit lies in between."),
        None,
        None,
        _CONTRACT,
    ),
    (
        "at_least",
        t("Verdict: at least"),
        t("Even the highest load measured keeps every target. What lies above was not measured and is not guessed."),
        None,
        None,
        _CONTRACT,
    ),
    (
        "below",
        t("Verdict: below"),
        t("Even the lowest load measured misses a target. It may carry less than that, or nothing."),
        None,
        None,
        _CONTRACT,
    ),
    (
        "cannot_tell",
        t("Verdict: cannot tell"),
        t(
            "The files do not hold enough: too few levels or requests, or levels that contradict each other. It is not "
            "a missed target. The answer says what to measure."
        ),
        None,
        None,
        _CONTRACT,
    ),
    (
        "measured",
        t("Measured"),
        t("A benchmark ran and recorded it. Drawn as filled circles and solid lines."),
        None,
        None,
        _CONTRACT,
    ),
    (
        "simulated",
        t("Simulated"),
        t(
            "A model of the engine computed it. Drawn as hollow diamonds and dashed lines. It is a candidate until a "
            "benchmark confirms it."
        ),
        None,
        None,
        _CONTRACT,
    ),
    (
        "interpolated",
        t("Interpolated"),
        t(
            "Read from the curve between two measured levels, never beyond them. It has a range; the range is wider "
            "where the levels are further apart."
        ),
        None,
        None,
        _METHOD,
    ),
    (
        "assumed",
        t("Assumed"),
        t("Given by a person or taken from a table, not measured. Drawn dotted, and named as an assumption."),
        None,
        None,
        _CONTRACT,
    ),
    (
        "doubt",
        t("Where the doubt comes from"),
        t(
            "Noise between runs, too few levels, too few requests: the three shares of the range. The largest tells "
            "what the next measurement should be."
        ),
        None,
        None,
        _METHOD,
    ),
)
