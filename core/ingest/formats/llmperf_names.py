"""What LLMPerf's files share: runs keyed by their level, the key of one run, the latency that is not ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.notices import no_load
from core.ingest.raw import Upload
from core.model.finding import Finding, Severity
from core.settings import LIMITS

FORMAT_ID = "llmperf"

LENGTHS = ("mean_input_tokens", "stddev_input_tokens", "mean_output_tokens", "stddev_output_tokens")
"""Lengths as they were asked for: settings of the run, not what came back."""

_LEVEL = re.compile(r"\d{1,7}")


def runs_by_level(upload: Upload, is_run: Callable[[Mapping[str, object]], bool]) -> list[Fields]:
    """Return the runs of a document: the one it is, or those under its keys "1", "2", "4".

    Args:
        upload: the file, unpacked.
        is_run: takes an object, says whether it is a run.

    Raises:
        RefusedFileError: not JSON, not such a document, or more levels than are read.
    """
    document = json_document(upload)
    if isinstance(document, Mapping) and is_run(document):
        return [Fields(document, Place(upload.name))]
    runs = dict(document) if isinstance(document, Mapping) else {}
    if not runs or len(runs) > LIMITS.levels or not all(_LEVEL.fullmatch(key) for key in runs):
        raise _unexpected(upload.name, None)
    for key, run in runs.items():
        if not isinstance(run, Mapping) or not is_run(run):
            raise _unexpected(upload.name, key)
    return [Fields(run, Place(upload.name, None, key)) for key, run in runs.items()]


def asked_concurrency(run: Fields, key: str) -> float | None:
    """Return the requests held in flight: as the run says, else the key that it stands under."""
    said = run.not_negative(key)
    keyed = float(run.place.field) if run.place.field else None
    if said and keyed and said != keyed:
        run.findings.append(
            Finding(
                code="llmperf.level_disagrees",
                severity=Severity.WARNING,
                where=run.at(key),
                what=t("The run under {key} says that it held {said} requests", key=f"{keyed:g}", said=f"{said:g}"),
                consequence=t("What the run itself says counts"),
                fix=t("Check whether the file was put together by hand"),
            )
        )
    load = said or keyed
    if not load:
        run.findings.append(no_load(run.at(key)))
    return load or None


def run_key(ttft_mean_s: float | None) -> str | None:
    """Return what names one execution in all of its files: they share no id, but every digit of this mean."""
    return f"ttft {ttft_mean_s:.9g}" if ttft_mean_s else None


def itl_not_read(name: str, field: str) -> Finding:
    """Return the finding that the tool's time per token is none of ours."""
    return Finding(
        code="llmperf.itl_includes_ttft",
        severity=Severity.INFO,
        where=Place(name, field=field),
        what=t(
            "LLMPerf's inter-token latency is the whole request divided by its output tokens:"
            " the time to the first token is in it"
        ),
        consequence=t("It is not used, so a target on ITL or TPOT cannot be judged from this file alone"),
        fix=t("Send the file of individual responses of the same run too: TPOT follows from it"),
    )


def _unexpected(name: str, field: str | None) -> RefusedFileError:
    return refusal(
        "llmperf.no_summary",
        t("This is no summary of LLMPerf: its counts or its first-token times are missing"),
        name,
        t("Send the file that LLMPerf wrote, as it is"),
        field=field,
    )
