"""Likely values for conditions that the files leave unknown: shown to a person, never taken by themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from core.i18n import Text, t
from core.ingest.raw import Scalar
from core.model.run import Conditions, Kind, Run
from core.normalise.signature import LOAD_DEPENDENT


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A likely value and where it comes from."""

    value: str | int | float
    why: Text


_PRECISION = re.compile(r"(?<![a-z0-9])(mxfp4|nvfp4|fp8|fp4|int8|int4|awq|gptq|bf16|fp16|w8a8|w4a16)(?![a-z0-9])", re.I)
_ACCELERATOR = re.compile(
    r"(?<![a-z0-9])(gb300|gb200|b300|b200|gh200|h200|h100|h800|h20|a100|a800|a10g?|l40s?|l4|rtx[ _-]?\d{4}|"
    r"mi300[ax]|mi325x|mi350x|mi355x|gaudi ?[23]|tpu[ _-]?v\d[ep]?)(?![a-z0-9])",
    re.I,
)
_MXFP4 = re.compile(r"(?<![a-z0-9])gpt-oss-\d", re.I)
_ENGINES = {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM", "tensorrt-llm": "TensorRT-LLM", "tgi": "TGI"}


def suggestions(run: Run, others: Sequence[Run] = ()) -> dict[str, Suggestion]:
    """Return likely values of unknown conditions by their field.

    Args:
        run: whose conditions are looked at.
        others: the other runs of the same drop; what they agree on is likely here too.
    """
    unknown = {field.name for field in fields(Conditions) if getattr(run.conditions, field.name) is None}
    found: dict[str, Suggestion] = {}
    for name, guess in _GUESSES:
        suggested = guess(run) if name in unknown else None
        if suggested is not None:
            found[name] = suggested
    for name in sorted(unknown - found.keys() - _OWN):
        known = {value for other in others if (value := _of(other, name)) is not None}
        if len(known) == 1:
            found[name] = Suggestion(known.pop(), t("the other runs have it"))
    return found


_OWN = LOAD_DEPENDENT | {"tool", "tool_version", "arrival", "max_num_seqs"}
"""Conditions that follow from how a run was measured: what another run has says nothing of them."""


def _of(run: Run, name: str) -> str | int | float | None:
    value: Scalar = getattr(run.conditions, name)
    return value


def _count(run: Run) -> Suggestion | None:
    sizes = [getattr(run.conditions, name) for name in ("tp", "pp", "dp")]
    known = [size for size in sizes if size is not None]
    if not known:
        return None
    count = 1
    for size in known:
        count *= size
    return Suggestion(count * (run.conditions.replicas or 1), t("the product of the parallel sizes"))


def _precision(run: Run) -> Suggestion | None:
    model = run.conditions.model or ""
    if _MXFP4.search(model):
        return Suggestion("mxfp4", t("what this model is published in"))
    return _named([model], _PRECISION, str.lower)


def _accelerator(run: Run) -> Suggestion | None:
    return _named((file.name for file in run.files), _ACCELERATOR, str.upper)


def _engine(run: Run) -> Suggestion | None:
    name = _ENGINES.get((run.backend or "").lower())
    return Suggestion(name, t("the load generator spoke to it in its own way")) if name else None


def _mode(run: Run) -> Suggestion | None:
    apart = run.conditions.prefill_accelerators or run.conditions.decode_accelerators
    return Suggestion("disaggregated", t("prefill and decode have accelerators of their own")) if apart else None


def _where(run: Run) -> Suggestion | None:
    measured = run.kind is Kind.MEASURED and run.conditions.tool
    return Suggestion("client", t("load generators measure at the client")) if measured else None


def _named(texts: Iterable[str], pattern: re.Pattern[str], shown: Callable[[str], str]) -> Suggestion | None:
    """Return what one and the same word in every telling text says."""
    found = {shown(match[1]) for text in texts for match in pattern.finditer(text.replace("_", "-"))}
    return Suggestion(found.pop(), t("the name says so")) if len(found) == 1 else None


_GUESSES: tuple[tuple[str, Callable[[Run], Suggestion | None]], ...] = (
    ("accelerator_count", _count),
    ("precision", _precision),
    ("accelerator", _accelerator),
    ("engine", _engine),
    ("serving_mode", _mode),
    ("measured_at", _where),
)
