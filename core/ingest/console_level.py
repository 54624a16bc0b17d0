"""One printed result of a benchmark script to one load level.

What the block leaves out may stand in the lines above it: the arguments that the tool prints at its
start, or the command itself. Only the load, the model and the number of prompts are taken from there.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.bench_fields import (
    level_from_name,
    positive_rate,
    rate_that_was_applied,
    statistics_of,
    tokens_mean,
    total_tok_s,
)
from core.ingest.console_block import Block
from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.notices import system_rtfx
from core.ingest.raw import RawLevel, Scalar
from core.model.finding import Finding, Severity

_ABOVE = {
    "max_concurrency": re.compile(r"(?<![a-z])(?:max(?:imum)?[-_ ]?)?(?:request )?concurrency[-_ =:]+'?(\d+)\b", re.I),
    "request_rate": re.compile(r"(?<![a-z])(?:traffic )?request[-_ ]rate[ =:]+'?(\d+(?:\.\d+)?|inf)\b", re.I),
    "burstiness": re.compile(r"burstiness(?: factor)?[ =:]+'?(\d+(?:\.\d+)?)\b", re.I),
    "num_prompts": re.compile(r"num[-_]prompts?[ =]+'?(\d+)\b", re.I),
    "model": re.compile(r"(?<![\w-])(?:--)?model[ =]+['\"]?([\w./:-]+)"),
}


class Printed(Fields):
    """The values of a block; a place names the line and the label that were printed."""

    def __init__(self, block: Block, file: str) -> None:
        super().__init__(block.values, Place(file, block.line))
        self._labels = block.labels

    def at(self, key: str) -> Place:
        """Return the line and the label of a value."""
        label, line = self._labels.get(key, (key, self.place.line or 1))
        return Place(self.place.file, line, label)

    def label(self, key: str) -> str:
        """Return a value's label as printed."""
        return self._labels.get(key, (key, 0))[0]


def level_of(block: Block, file: str, *, alone: bool) -> RawLevel:
    """Return one level.

    Args:
        block: the printed result.
        file: name of the file it stands in.
        alone: whether it is the file's only one, so that the file's name can tell its load.

    Raises:
        RefusedFileError: a value is no number.
    """
    fields = Printed(block, file)
    completed = fields.count("completed")
    readings, sample_n = statistics_of(fields, completed)
    above = _said_above(block)
    asked_concurrency, asked_rate, arrival = _asked(fields, above, alone=alone)
    sent = _sent(fields, above, completed)
    output_tok_s = fields.not_negative("output_throughput")
    rtfx = fields.number("rtfx")
    if rtfx:
        fields.findings.append(system_rtfx(fields.at("rtfx"), rtfx))
    return RawLevel(
        place=fields.place,
        asked_concurrency=asked_concurrency,
        asked_rate=asked_rate,
        measured_concurrency=fields.not_negative("concurrency"),
        requests_sent=sent,
        requests_good=completed,
        requests_failed=sent - completed if sent is not None and completed is not None else None,
        duration_s=fields.not_negative("duration"),
        request_rate=fields.not_negative("request_throughput"),
        input_tokens_mean=tokens_mean(fields, "total_input_tokens", completed),
        output_tokens_mean=tokens_mean(fields, "total_output_tokens", completed),
        output_tok_s=output_tok_s,
        total_tok_s=total_tok_s(fields, "total_token_throughput", output_tok_s),
        acceptance_length=fields.not_negative("acceptance_length") or None,
        readings=tuple(replace(reading, field=fields.label(reading.field)) for reading in readings),
        sample_n=sample_n,
        conditions=_conditions(fields, above, arrival),
        identity={"backend": backend} if (backend := fields.text("backend")) else {},
        findings=tuple(fields.findings),
    )


def _said_above(block: Block) -> dict[str, str]:
    """Return what the lines above a block say, the nearest line first."""
    found: dict[str, str] = {}
    for line in reversed(block.above):
        for key, pattern in _ABOVE.items():
            if key not in found and (hit := pattern.search(line)):
                found[key] = hit[1]
    return found


def _asked(fields: Printed, above: dict[str, str], *, alone: bool) -> tuple[float | None, float | None, str | None]:
    """Return concurrency and rate as asked, and the arrival process."""
    asked = above.keys() & {"max_concurrency", "request_rate"} - fields.values.keys()
    told: dict[str, str] = {key: above[key] for key in sorted(asked)}
    if fields.text("request_rate") == "trace":
        return None, None, "trace"
    fields.values = {**told, **fields.values}
    rate = positive_rate(fields, "request_rate")
    concurrency = fields.not_negative("max_concurrency") or None
    used = {key: value for key, value in told.items() if value != "inf"}
    if used:
        fields.findings.append(_from_above(fields.place, used))
    if rate is not None:
        applied = rate_that_was_applied(fields, rate)
        if applied is None:
            return concurrency, None, None
        return concurrency, rate, _arrival(fields, above)
    concurrency, rate = level_from_name(fields, concurrency, "request_rate", alone=alone)
    return concurrency, rate, "closed loop" if concurrency is not None else None


def _arrival(fields: Printed, above: dict[str, str]) -> str | None:
    """Return how requests arrived at a rate: SGLang draws Poisson arrivals only, vLLM prints its burstiness before."""
    shape = above.get("burstiness")
    if "backend" in fields.values or (shape is not None and float(shape) == 1.0):
        return "poisson"
    return f"gamma, burstiness {float(shape):g}" if shape is not None else None


def _sent(fields: Printed, above: dict[str, str], completed: int | None) -> int | None:
    failed = fields.count("failed")
    if completed is None:
        return None
    if failed is not None:
        return completed + failed
    asked = int(above["num_prompts"]) if "num_prompts" in above else None
    return asked if asked is not None and asked >= completed else None


def _conditions(fields: Printed, above: dict[str, str], arrival: str | None) -> dict[str, Scalar]:
    sglang = "backend" in fields.values
    model, revision = model_in(above.get("model"))
    engine = "SGLang" if fields.text("backend") in ("sglang", "sglang-native") else None
    told = {
        "model": model,
        "model_revision": revision,
        "engine": engine,
        "arrival": arrival,
        "tool": "SGLang bench_serving" if sglang else "vLLM bench serve",
    }
    return {key: value for key, value in told.items() if value is not None}


def _from_above(place: Place, values: dict[str, str]) -> Finding:
    said = ", ".join(f"{key} {value}" for key, value in values.items())
    return Finding(
        code="ingest.from_text_above",
        severity=Severity.INFO,
        where=place,
        what=t("Read from the lines above the result: {values}", values=said),
        consequence=t("Where results were pasted together, check that each stands under its own command"),
    )
