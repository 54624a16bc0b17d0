"""Questions in bulk: one line of JSON in, one answer out, whatever the line holds."""

from __future__ import annotations

import logging

from core.decide.decide import decide
from core.errors import UsageError
from core.fit.constants import Constants
from core.fit.edition import edition
from core.fit.fit import fit_stages
from core.fit.method import METHOD
from core.i18n import t
from core.ingest.stage_json import SweepQuestion, line_id, read_line
from core.present.documents import Json, capacity_document

log = logging.getLogger(__name__)


def answer_line(line: bytes, constants: Constants | None = None, constants_edition: str | None = None) -> Json:
    """Answer one line of `batch`.

    Args:
        line: `{"id", "stages": [...], "target_sets": [[target, ...], ...]}`.
        constants: of the method, None for those that come with Plimsoll.
        constants_edition: fingerprint of their file, None for that of our own.

    Returns:
        `{"id", "answers": [capacity, ...], "method", "constants"}`, or `{"id", "error": {"code", "what", "fix"}}`.
    """
    try:
        question = read_line(line)
        answers = _answers(question, constants)
        used = edition() if constants_edition is None else constants_edition
        return {"id": question.id, "answers": answers, "method": METHOD, "constants": used}
    except UsageError as error:
        told = {"code": error.code, "what": _with_place(error), "fix": str(error.fix)}
        return {"id": line_id(line), "error": told}
    except Exception as error:
        # A fault of ours in one line must not lose the others.
        log.exception("fault in a line of batch")
        what = t("Plimsoll failed on this line: {kind}", kind=type(error).__name__)
        told = {"code": "batch.fault", "what": str(what), "fix": str(t("Please report it with the line"))}
        return {"id": line_id(line), "error": told}


def _answers(question: SweepQuestion, constants: Constants | None) -> list[Json]:
    if not all(question.target_sets):
        raise UsageError(
            "batch.no_targets",
            t("A target set is empty"),
            fix=t("Give every set one target or more, with metric, statistic and limit"),
        )
    fit = fit_stages(question.stages, constants=constants)
    return [capacity_document(decide(fit, targets).capacity) for targets in question.target_sets]


def _with_place(error: UsageError) -> str:
    return f"{error.what} ({error.place})" if str(error.place) else str(error.what)
