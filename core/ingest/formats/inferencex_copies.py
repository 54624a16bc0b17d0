"""Levels of an InferenceX collection without the rows that are filed under a configuration they are not of."""

from __future__ import annotations

from collections.abc import Sequence

from core.i18n import Text, joined, t
from core.ingest.copied_rows import Copied, Filed, copied_rows
from core.ingest.raw import RawLevel
from core.model.finding import Finding, Severity

_TOLD = ("offload", "offloading", "kv_offloading")


def judged(levels: Sequence[RawLevel]) -> tuple[tuple[RawLevel, ...], tuple[Finding, ...]]:
    """Return the levels without those proven to be of another configuration, and what was found.

    A copy of which nobody can tell which one is right stays, with a finding at it.
    """
    pairs = copied_rows([_filed(level) for level in levels])
    wrong = {pair.row for pair in pairs if pair.proven}
    kept = tuple(level for position, level in enumerate(levels) if position not in wrong)
    return kept, tuple(_found(levels, pair) for pair in pairs)


def _filed(level: RawLevel) -> Filed:
    settings = (*sorted(map(str, level.conditions.items())), *sorted(map(str, level.identity.items())))
    figures = {(r.metric, r.statistic): r.value for r in level.readings}
    others = (level.requests_good, level.request_rate)
    return Filed((*settings, level.asked_concurrency), (*others, *(figures[key] for key in sorted(figures))))


def _found(levels: Sequence[RawLevel], pair: Copied) -> Finding:
    row, twin = levels[pair.row], levels[pair.twin]
    what = t("{row} repeats every figure of {twin}, which is another configuration", row=_named(row), twin=_named(twin))
    if pair.proven:
        return Finding(
            code="inferencex.row_of_another",
            severity=Severity.WARNING,
            where=row.place,
            what=what,
            consequence=t("It is left out: its own level was measured another time, the other row's was not"),
            fix=t("Look for the result that should stand there"),
        )
    return Finding(
        code="inferencex.row_copied",
        severity=Severity.WARNING,
        where=row.place,
        what=what,
        consequence=t("One of the two is filed under the wrong configuration, and nothing tells which: both are kept"),
        fix=t("Find out which one is right and exclude the other"),
    )


def _named(level: RawLevel) -> Text:
    """Return a row by its place, settings and load, without the experiment's name: that names a host."""
    where = t("line {line}", line=level.place.line) if level.place.line else t("row {row}", row=level.place.field or "")
    told = [t("{name}: {value}", name="tp", value=str(level.conditions["tp"]))] if level.conditions.get("tp") else []
    told += [t("{name}: {value}", name=key, value=str(level.identity[key])) for key in _TOLD if key in level.identity]
    told.append(t("{load} at once", load=f"{level.asked_concurrency or 0.0:g}"))
    return t("{row}, that is {settings}", row=where, settings=joined(told))
