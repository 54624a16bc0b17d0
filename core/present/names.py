"""What things are called: metrics, statistics, targets, values with their unit, runs."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.target import Target
from core.present.numbers import percent, plain, rate, seconds

SEPARATOR = " · "

SHORT: dict[Metric, Text] = {
    Metric.TTFT: t("TTFT"),
    Metric.ITL: t("ITL"),
    Metric.TPOT: t("TPOT"),
    Metric.E2E: t("E2E"),
    Metric.QUEUE: t("Queue wait"),
    Metric.RTF: t("RTF"),
    Metric.TOK_S_USER: t("Tokens/s per user"),
    Metric.SUCCESS_RATE: t("Success rate"),
    Metric.GOODPUT: t("Goodput share"),
}

LONG: dict[Metric, Text] = {
    Metric.TTFT: t("Time to first token (TTFT)"),
    Metric.ITL: t("Gap between tokens (ITL)"),
    Metric.TPOT: t("Time per output token (TPOT)"),
    Metric.E2E: t("Time of the whole request (E2E)"),
    Metric.QUEUE: t("Wait before the engine starts"),
    Metric.RTF: t("Real-time factor (RTF)"),
    Metric.TOK_S_USER: t("Output tokens per second of one user"),
    Metric.SUCCESS_RATE: t("Success rate"),
    Metric.GOODPUT: t("Goodput share"),
}


def statistic_name(statistic: str, language: str = "en") -> str:
    """Return a statistic as people write it; the single value of a share has no name.

    >>> statistic_name("p99"), statistic_name("mean"), statistic_name("value")
    ('p99', 'mean', '')
    """
    if statistic == "mean":
        return t("mean").render(language)
    return "" if statistic == "value" else statistic


def metric_name(metric: Metric, statistic: str, language: str = "en") -> str:
    """Return metric and statistic, such as "TTFT p99".

    >>> metric_name(Metric.TTFT, "p99"), metric_name(Metric.GOODPUT, "value")
    ('TTFT p99', 'Goodput share')
    """
    return f"{SHORT[metric].render(language)} {statistic_name(statistic, language)}".rstrip()


def target_name(target: Target, language: str = "en") -> str:
    """Return what a target judges, without its limit.

    >>> target_name(Target(Metric.TPOT, "mean", 0.05))
    'TPOT mean'
    """
    return metric_name(target.metric, target.statistic, language)


def target_text(target: Target, language: str = "en") -> str:
    """Return a target with its limit.

    >>> target_text(Target(Metric.TTFT, "p99", 0.5)), target_text(Target(Metric.SUCCESS_RATE, "value", 0.99))
    ('TTFT p99 ≤ 500 ms', 'Success rate ≥ 99%')
    """
    sign = "≥" if target.metric.higher_is_better else "≤"
    return f"{target_name(target, language)} {sign} {value_text(target.metric, target.limit, language)}"


def value_text(metric: Metric, value: float, language: str = "en") -> str:
    """Return a value of a metric with its unit.

    >>> value_text(Metric.TTFT, 1.5), value_text(Metric.TOK_S_USER, 24.96), value_text(Metric.RTF, 0.8)
    ('1.5 s', '25 tok/s', '0.8')
    """
    if metric.is_time:
        return seconds(value, language)
    if metric is Metric.TOK_S_USER:
        return rate(value, "tok/s", language)
    return plain(value, language) if metric is Metric.RTF else percent(value, language)


def requests_text(number: str, language: str = "en") -> str:
    """Return a number, already written, of concurrent requests with its noun.

    >>> requests_text("1"), requests_text("1.5"), requests_text("12")
    ('1 concurrent request', '1.5 concurrent requests', '12 concurrent requests')
    """
    said = t("1 concurrent request") if number == "1" else t("{number} concurrent requests", number=number)
    return said.render(language)


def hardware_text(run: Run, count: int | None = None, language: str = "en") -> str:
    """Return accelerators with their count, such as "16 × GB200"; what is unknown is said.

    Args:
        run: whose conditions are read.
        count: the count that a person gave, which goes before the file's.
        language: language of the words.
    """
    kind, known = run.conditions.accelerator, count or run.conditions.accelerator_count
    if kind and known:
        return f"{plain(known, language, digits=9)} × {kind}"
    if kind:
        return t("{accelerator}, count unknown", accelerator=kind).render(language)
    if known:
        said = t("{count} accelerators of unknown kind", count=known)
        return (t("1 accelerator of unknown kind") if known == 1 else said).render(language)
    return t("accelerators unknown").render(language)


def kind_text(kind: Kind, language: str = "en") -> str:
    """Return where numbers come from, as a word for a badge."""
    return (t("measured") if kind is Kind.MEASURED else t("simulated")).render(language)
