"""ITL and TPOT: two metrics that tools name alike and that differ in their tails."""

from __future__ import annotations

from operator import itemgetter

from core.check.levels import in_use, judged, listed, place, stages
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind, Run
from core.model.stage import Stage

# fit.md 4.8: mean ITL / TPOT lies between 0.93 and 1.005 where each token comes alone; a p99
# "TPOT" above twice its neighbours', or one that equals the ITL column, is ITL under that name.
CHUNKED = 1.10
ABOVE_NEIGHBOURS = 2.0
SAME = 1e-9
FEWER_GAPS = 0.8
_NO_SPECULATION = frozenset({"", "none", "no", "off", "false", "0", "disabled"})


def check_itl(run: Run) -> tuple[Finding, ...]:
    """Return findings about ITL and TPOT that stand in each other's place."""
    return (*_equal(run), *_spikes(run), *_chunks(run))


def comes_in_chunks(run: Run) -> bool:
    """Return True where a gap in the stream holds several tokens: by speculation, or by what the levels show."""
    known = run.conditions
    lengths = [known.acceptance_length, *(stage.acceptance_length for stage in in_use(run))]
    speculates = (known.speculation or "").strip().lower() not in _NO_SPECULATION
    return speculates or any((length or 0.0) > 1.0 for length in lengths) or any(map(_is_chunked, in_use(run)))


def _is_chunked(stage: Stage) -> bool:
    """Return True where gaps are longer than the time per token, or fewer than the tokens after the first.

    A count of gaps that is not above the count of requests is not one of gaps.
    """
    if (_gap_ratio(stage) or 0.0) > CHUNKED:
        return True
    found, good, tokens = stage.statistics.get(Metric.ITL), stage.requests_good, stage.output_tokens_mean
    gaps = found.n if found else None
    return bool(gaps and good and tokens and good < gaps < FEWER_GAPS * good * (tokens - 1.0))


def _equal(run: Run) -> list[Finding]:
    same = [stage for stage in judged(run) if _same_columns(stage)]
    if len(same) < 2 or run.kind is Kind.SIMULATED:
        return []
    return [
        Finding(
            code="itl.equals_tpot",
            severity=Severity.WARNING,
            where=place(same[0], "tpot"),
            what=t("At load {levels}, every figure of TPOT equals that of ITL", levels=listed(same)),
            consequence=t("One of them is the other under its name; their tails differ by factors"),
            fix=t("Find out which of the two the tool measures, and judge that one"),
        )
    ]


def _same_columns(stage: Stage) -> bool:
    itl, tpot = stage.statistics.get(Metric.ITL), stage.statistics.get(Metric.TPOT)
    if itl is None or tpot is None:
        return False
    tails = [q for q in itl.quantiles.keys() & tpot.quantiles.keys() if q > 0.5]
    if not tails or not (itl.mean or tails):
        return False
    return all(abs(itl.quantiles[q] - tpot.quantiles[q]) <= SAME * abs(tpot.quantiles[q]) for q in tails)


def _spikes(run: Run) -> list[Finding]:
    known = [(stage, value) for stage in in_use(run) if (value := stage.value(Metric.TPOT, "p99"))]
    spikes = [
        stage
        for (_, before), (stage, value), (_, after) in zip(known, known[1:], known[2:], strict=False)
        if value > ABOVE_NEIGHBOURS * max(before, after)
    ]
    if not spikes:
        return []
    return [
        Finding(
            code="itl.as_tpot",
            severity=Severity.WARNING,
            where=place(spikes[0], "p99 tpot"),
            what=t(
                "At load {levels}, the p99 of TPOT is more than twice that of both neighbours", levels=listed(spikes)
            ),
            consequence=t("The level was disturbed, or its file holds ITL in the TPOT column"),
            fix=t("Check the file of this level, and measure it again"),
        )
    ]


def _chunks(run: Run) -> list[Finding]:
    ratios = [(stage, ratio) for stage in judged(run) if (ratio := _gap_ratio(stage)) and ratio > CHUNKED]
    if not ratios:
        return []
    worst, highest = max(ratios, key=itemgetter(1))
    return [
        Finding(
            code="itl.chunks",
            severity=Severity.WARNING,
            where=place(worst, "itl"),
            what=t(
                "At load {levels}, the mean ITL is up to {ratio} times the mean TPOT",
                levels=listed(stages(ratios)),
                ratio=f"{highest:.3g}",
            ),
            consequence=t("Several tokens came in one piece (speculation, batched streaming): ITL counts pieces"),
            fix=t("Judge the target on TPOT"),
        )
    ]


def _gap_ratio(stage: Stage) -> float | None:
    itl, tpot = stage.value(Metric.ITL, "mean"), stage.value(Metric.TPOT, "mean")
    return itl / tpot if itl and tpot else None
