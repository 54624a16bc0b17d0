"""The seven conditions of a comparison in words, and whether each is known (DESIGN 7)."""

from __future__ import annotations

from dataclasses import dataclass

from core.compare.conditions import FIELDS, Group
from core.i18n import Text, t
from core.model import sketch
from core.model.run import Conditions, Run
from core.present.compare_names import GROUPS as TITLES
from core.present.numbers import plain

NAMES: dict[str, Text] = {
    "model": t("Model"),
    "model_revision": t("Model revision"),
    "precision": t("Precision"),
    "kv_precision": t("KV cache precision"),
    "quality": t("Quality criterion"),
    "input_tokens_mean": t("Input tokens, mean"),
    "output_tokens_mean": t("Output tokens, mean"),
    "length_distribution": t("Distribution of lengths"),
    "arrival": t("Arrival of requests"),
    "max_num_seqs": t("Largest batch (max_num_seqs)"),
    "ttft_scope": t("What TTFT includes"),
    "measured_at": t("Where it was measured"),
    "accelerator": t("Accelerator"),
    "accelerator_count": t("Number of accelerators"),
    "accelerator_memory_gb": t("Memory of each (GB)"),
    "interconnect": t("Link between accelerators"),
    "network": t("Network"),
    "tp": t("Tensor parallel (TP)"),
    "pp": t("Pipeline parallel (PP)"),
    "ep": t("Expert parallel (EP)"),
    "dp": t("Data parallel (DP)"),
    "replicas": t("Replicas"),
    "serving_mode": t("Aggregated or disaggregated"),
    "prefill_accelerators": t("Accelerators for prefill"),
    "decode_accelerators": t("Accelerators for decode"),
    "engine": t("Engine"),
    "engine_version": t("Engine version"),
    "max_model_len": t("Longest request (tokens)"),
    "kv_cache_tokens": t("KV cache (tokens)"),
    "kv_cache_gib": t("KV cache of each (GiB)"),
    "weights_gib": t("Weights on each (GiB)"),
    "cache_hit_rate": t("Cache hit rate"),
    "speculation": t("Speculation"),
    "proposer": t("Proposer of drafts"),
    "acceptance_length": t("Acceptance length"),
    "verification": t("Verification of drafts"),
    "graph_replay": t("Launch graphs"),
    "tool": t("Load generator"),
    "tool_version": t("Load generator version"),
}

_FOLLOWS = ("max_model_len", "kv_cache_tokens", "kv_cache_gib", "weights_gib")
"""What follows from the conditions of the hardware and stands among them, but keeps no runs apart."""


def _members(group: Group) -> tuple[str, ...]:
    fields = FIELDS[group]
    if group is not Group.HARDWARE:
        return fields
    at = fields.index("engine_version") + 1
    return (*fields[:at], *_FOLLOWS, *fields[at:])


GROUPS: tuple[tuple[Text, tuple[str, ...]], ...] = tuple((title, _members(group)) for group, title in TITLES.items())
"""Each of the seven with its fields; `throughput`, `percentiles` and `failures` are read from the levels."""

SEEN: dict[str, Text] = {
    "throughput": t("Rates that the files give"),
    "percentiles": t("How percentiles are taken"),
    "failures": t("Failed requests"),
}

ASKED_FIRST = ("model", "precision", "accelerator", "accelerator_count", "engine", "engine_version", "ttft_scope")
"""What a comparison needs most and files record least (cost.md 7)."""

_RULES = {
    "given": t("as the tool gives them"),
    "linear": t("from the requests, linear interpolation"),
    sketch.RULE: t("from a sketch of the gaps between tokens, within 0.1 %"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One condition of a run.

    Attributes:
        field: its name in `Conditions`, or one of `SEEN`.
        value: in words, None where unknown.
        by_hand: a person gave it.
        source: where it is known from, None where it is unknown.
    """

    group: Text
    field: str
    name: Text
    value: str | None
    by_hand: bool
    source: Text | None = None


def conditions_of(run: Run, language: str = "en") -> tuple[Known, ...]:
    """Return every condition of a run, group by group; the unknown ones too."""
    sources = _sources(run)
    known = []
    for group, members in GROUPS:
        for field in members:
            value = _value(run, field, language)
            known.append(
                Known(
                    group=group,
                    field=field,
                    name=SEEN[field] if field in SEEN else NAMES[field],
                    value=value,
                    by_hand=field in run.asked,
                    source=None if value is None else sources.get(field, _FILES),
                )
            )
    return tuple(known)


_FILES = t("the files")
_SOURCES = {"ingest.from_file_name": t("the file name"), "ingest.from_beside": t("a file beside the results")}


def _sources(run: Run) -> dict[str, Text]:
    """Return where conditions are known from, by field, where it is not the content of the results."""
    told = {
        field: _SOURCES[finding.code]
        for finding in run.findings
        if finding.code in _SOURCES
        for field in (finding.where.field or "").split(", ")
    }
    return told | dict.fromkeys(run.asked, t("given by hand"))


def asked_for(run: Run) -> tuple[tuple[Text, tuple[str, ...]], ...]:
    """Return the conditions that a person may give, group by group: unknown ones, and those given before."""
    groups = ((group, tuple(f for f in members if f not in SEEN and _open(run, f))) for group, members in GROUPS)
    return tuple((group, members) for group, members in groups if members)


def _open(run: Run, field: str) -> bool:
    return getattr(run.conditions, field) is None or field in run.asked


def condition_name(field: str, language: str = "en") -> str:
    """Return the name of a condition; a field without one is shown as it is."""
    found = NAMES.get(field) or SEEN.get(field)
    return found.render(language) if found else field


def unknown(run: Run, language: str = "en") -> tuple[str, ...]:
    """Return the names of the conditions that a comparison needs most and that are not known."""
    return tuple(NAMES[field].render(language) for field in ASKED_FIRST if getattr(run.conditions, field) is None)


_MEAN_DIGITS = 4

_WORDS = {
    "closed loop": t("closed loop"),
    "aggregated": t("aggregated"),
    "disaggregated": t("disaggregated"),
}
"""Our own words for a condition; a tool's own stay as the file has them."""


def condition_text(conditions: Conditions, field: str, language: str = "en") -> str | None:
    """Return one condition in words, None where it is unknown."""
    value = getattr(conditions, field)
    if isinstance(value, str):
        return _WORDS[value].render(language) if value in _WORDS else value
    if value is None:
        return None
    if isinstance(value, int):
        return plain(value, language, digits=9)
    # A mean of thousands of tokens is whole; four digits say enough of a small one.
    return plain(value, language, digits=max(_MEAN_DIGITS, len(f"{abs(value):.0f}")))


def _value(run: Run, field: str, language: str) -> str | None:
    match field:
        case "throughput":
            given = (
                (t("output tokens/s"), [stage.output_tok_s for stage in run.stages]),
                (t("total tokens/s"), [stage.total_tok_s for stage in run.stages]),
                (t("requests/s"), [stage.achieved_rate for stage in run.stages]),
            )
            there = (name.render(language) for name, rates in given if any(rate is not None for rate in rates))
            return ", ".join(there) or None
        case "percentiles":
            rules = sorted({found.rule for stage in run.stages for found in stage.statistics.values()})
            return ", ".join(_RULES[rule].render(language) if rule in _RULES else rule for rule in rules) or None
        case "failures":
            recorded = [stage.requests_failed is not None for stage in run.stages]
            if not any(recorded):
                return None
            words = t("recorded at every level") if all(recorded) else t("recorded at some levels")
            return words.render(language)
        case _:
            return condition_text(run.conditions, field, language)
