"""The JSON document of `compare`, key by key as docs/schemas/compare.schema.json promises; sentences are in English."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core import VERSION
from core.compare.compare import Comparison, Multiple, Standing
from core.compare.conditions import Line, State
from core.compare.pareto import Point, points_of, region_of
from core.compare.shape import VERSION as SHAPE_VERSION
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.refusal import Refusal
from core.model.target import Target
from core.present.compare_causes import consequence, way_out
from core.present.compare_notes import Typed, number_notes
from core.present.compare_steps import first_step
from core.present.compare_words import accepted_text, headline, multiple_texts, next_step
from core.present.documents import Json, capacity_document, interval_document, refusal_document, target_document
from core.present.paid import paid_document


def compare_document(
    found: Comparison, targets: Sequence[Target], refused: Sequence[Refusal] = (), today: date | None = None
) -> Json:
    """Return a comparison as a document, valid against compare.schema.json; `today` tells the age of prices."""
    asked, region = found.question, region_of(targets)
    return {
        "schema": "plimsoll.compare/1",
        "generator": {
            "version": VERSION,
            "method": METHOD,
            "constants": edition(),
            "comparison": f"resampled/{SHAPE_VERSION}",
        },
        "targets": [target_document(target) for target in targets],
        "currency": asked.price.currency if asked.price else None,
        "demand": {"peak": asked.demand.peak, "kind": asked.demand.kind.value} if asked.demand else None,
        "sentence": headline(found),
        "next_step": next_step(found, flags=True),
        "comparable": found.matrix.is_comparable,
        "quality_untold": found.matrix.quality_untold,
        "accepted": [line.field for line in found.matrix.accepted],
        "accepted_text": accepted_text(found),
        "notes": list(number_notes(found, typed=Typed.FLAGS)),
        "runs": [
            {
                "id": answer.run.id,
                "label": answer.run.label,
                "kind": answer.run.kind.value,
                "capacity": capacity_document((answer.for_traffic or answer).capacity),
                **paid_document(answer, asked.price, today),
            }
            for answer in found.answers
        ],
        "deciding": found.deciding.quantity.value,
        "standings": [_standing(standing, found) for standing in found.standings],
        "multiples": [_multiple(each, found) for each in found.multiples],
        "conditions": [_line(line, found) for line in found.matrix.lines],
        "pareto": [_point(point, found) for point in points_of(found.answers, asked)],
        "target_region": {
            "tok_s_user": region.per_user,
            "target": target_document(region.target),
            "exact": region.is_exact,
        }
        if region
        else None,
        "refused": [refusal_document(each) for each in refused],
    }


def standing_document(standing: Standing, found: Comparison) -> Json:
    """Return one quantity over all runs: the verdict, and each run's number with the chance that it leads."""
    ids = [answer.run.id for answer in found.answers]
    chances = standing.chances or (None,) * len(ids)
    return {
        "quantity": standing.quantity.value,
        "verdict": standing.verdict.value,
        "why": standing.why.value if standing.why else None,
        "ahead": ids[standing.leader] if standing.leader is not None else None,
        "runs": [
            {
                "id": name,
                "value": interval_document(figure.shown),
                "leads": {"low": chance.low, "high": chance.high} if chance else None,
            }
            for name, figure, chance in zip(ids, standing.figures, chances, strict=True)
        ],
    }


def _standing(standing: Standing, found: Comparison) -> Json:
    """Return one quantity with what would tell the runs apart by it, null where that is told."""
    step = first_step(found, standing, flags=True)
    return standing_document(standing, found) | {"next_step": str(step) if step else None}


def _multiple(each: Multiple, found: Comparison) -> Json:
    place = found.multiples.index(each)
    return {
        "quantity": each.quantity.value,
        "one": each.one,
        "other": each.other,
        "times": interval_document(each.times),
        "sentence": multiple_texts(found)[place],
        "accepted": [line.field for line in found.matrix.accepted],
    }


def _line(line: Line, found: Comparison) -> Json:
    runs = [answer.run for answer in found.answers]
    stands = line.state in (State.DIFFERENT, State.UNKNOWN)
    return {
        "group": line.group.value,
        "field": line.field,
        "state": line.state.value,
        "accepted": line.accepted,
        "values": {run.id: value for run, value in zip(runs, line.values, strict=True)},
        "consequence": str(consequence(line)) if stands else None,
        "way_out": str(way_out(line, runs, found.matrix, flags=True)) if stands else None,
    }


def _point(point: Point, found: Comparison) -> Json:
    return {
        "run": found.answers[point.place].run.id,
        "kind": point.kind.value,
        "load": point.load,
        "tok_s_user": point.per_user,
        "tpot_statistic": point.statistic,
        "output_tok_s_per_accelerator": point.per_accelerator,
        "cost_per_million_output": point.cost,
        "inside_targets": point.inside,
        # A frontier is a ranking: nothing is said of it where runs may not be ranked.
        "on_frontier": point.is_best if found.may_rank else None,
        "on_cost_frontier": point.is_cheapest if found.may_rank else None,
    }
