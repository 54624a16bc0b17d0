"""What a condition that differs or is unknown does to a comparison, and the way out."""

from __future__ import annotations

from collections.abc import Sequence

from core.compare.conditions import Group, Line, Matrix, State
from core.compare.names import is_off, same_value
from core.i18n import Text, joined, t
from core.model.run import Run
from core.present.compare_names import GROUPS
from core.present.conditions import condition_name, condition_text
from core.present.numbers import plain

_THOUSAND = 1000.0

_CONSEQUENCES: dict[str, Text] = {
    "model": t("Another model does other work: neither speed nor cost tells anything about the hardware"),
    "model_revision": t("Another revision may have other layers, experts or another tokeniser, and so another speed"),
    "precision": t("Fewer bits move less memory per token: faster, and the answers may be worse"),
    "kv_precision": t("A smaller cache holds more requests, and the answers may be worse"),
    "quality": t("A faster deployment whose answers are worse is not the better one"),
    "input_tokens_mean": t("Longer prompts take longer to the first token and fill the cache"),
    "output_tokens_mean": t("Longer answers hold their place in the batch longer and divide the bill by more tokens"),
    "length_distribution": t("Lengths that vary make tails longer than fixed ones with the same mean"),
    "arrival": t("Requests that arrive at random wait where evenly spaced ones do not; a closed loop never overloads"),
    "max_num_seqs": t("The batch limit decides where requests begin to wait, whatever the hardware could do"),
    "ttft_scope": t("One TTFT may hold the queue and the network, and the other not"),
    "measured_at": t("Where it was measured decides how much of the network is in every latency"),
    "throughput": t("Tokens per second of the system, of all tokens and of requests are different numbers"),
    "percentiles": t("Percentiles that are taken in different ways differ in the tail"),
    "failures": t("Requests that failed and were not counted make the rest look faster"),
    "tool": t("Tools end TTFT at different chunks and count tokens with different tokenisers"),
    "tool_version": t("Definitions changed between versions of the same tool"),
    "accelerator": t("It is another machine: what is compared, or what disturbs the comparison of something else"),
    "accelerator_count": t(
        "More accelerators carry more: only numbers for each of them, or for each unit of money, compare"
    ),
    "accelerator_memory_gb": t("More memory holds more requests at once"),
    "interconnect": t("A slower link between accelerators slows every token of a model that is split over them"),
    "network": t("The network carries the KV cache between prefill and decode, and every request"),
    "serving_mode": t("Prefill apart from decode trades time to the first token for steadier tokens"),
    "engine": t("Another engine schedules and computes in other ways"),
    "engine_version": t("Versions of an engine differ by tens of per cent"),
    "cache_hit_rate": t(
        "Prompts found in the cache cost no prefill: the hit rate belongs to the traffic, not the hardware"
    ),
    "speculation": t("Accepted drafts make tokens faster at low load and may cost throughput at high load"),
    "verification": t(
        "Relaxed verification lets drafts pass that the model would not have written: the answers change"
    ),
    "graph_replay": t("Without launch graphs every step pays for its launches"),
}

_CHOICES = frozenset(
    {"model", "precision", "kv_precision", "verification", "speculation"}
    | {"accelerator", "accelerator_count", "accelerator_memory_gb", "engine", "prefill_accelerators"}
    | {"decode_accelerators", "serving_mode"}
)
"""Conditions that a choice is about more often than not: to measure one run as the other leaves nothing to choose."""

_BY_GROUP: dict[Group, Text] = {
    Group.HARDWARE: t("The deployment is another one, so speed and cost are too"),
    Group.MODEL: t("The work is not the same"),
    Group.LENGTHS: t("The work is not the same"),
    Group.LOAD: t("The load is not the same"),
    Group.TTFT: t("The times do not begin or end at the same point"),
    Group.THROUGHPUT: t("The rates do not count the same"),
    Group.STATISTICS: t("The statistics do not mean the same"),
}


def consequence(line: Line) -> Text:
    """Return what it does to the comparison that a condition differs or is unknown."""
    said = _CONSEQUENCES.get(line.field, _BY_GROUP[line.group])
    return said if line.state is State.DIFFERENT else t("It may differ. {consequence}", consequence=said)


def way_out(line: Line, runs: Sequence[Run], matrix: Matrix, language: str = "en", *, flags: bool = False) -> Text:
    """Return how the condition can be made to match: a run to remeasure and how, or what to say of which runs.

    `flags` names what the command line accepts a difference by, in place of the control on the page.
    """
    if line.field == "quality":
        return _quality(line, runs, matrix, language, flags=flags)
    if line.state is State.UNKNOWN:
        names = _names([run for run, value in zip(runs, line.values, strict=True) if value is None])
        if line.group in (Group.THROUGHPUT,) or line.field in ("percentiles", "failures"):
            return t("Measure {runs} with a tool that records it", runs=names)
        if flags:
            return t(
                "Say what it is for {runs} on the Data page, or pass --accept {field}", runs=names, field=line.field
            )
        return t(
            'Say what it is for {runs} on the Data page, or choose "Let stand" for {group}',
            runs=names,
            group=GROUPS[line.group],
        )
    reference = _reference(line)
    others = [
        run
        for run, value in zip(runs, line.values, strict=True)
        if value is not None and not same_value(line.field, line.values[reference], value)
    ]
    names = _names(others)
    if line.field in ("input_tokens_mean", "output_tokens_mean"):
        return t("Remeasure {runs} at {shape}", runs=names, shape=shape(runs[reference]))
    if line.group in (Group.THROUGHPUT, Group.STATISTICS):
        return t(
            "Remeasure {runs} with the tool and the statistics of {other}", runs=names, other=runs[reference].label
        )
    name = condition_name(line.field, language)
    if is_choice(line):
        if flags:
            return t(
                "If {name} is what you choose, the difference can be accepted by name: pass --accept {group}, and it "
                "is printed with every multiple",
                name=name,
                group=line.group.value,
            )
        return t(
            'If {name} is what you choose, the difference can be accepted by name: choose "Let stand" for {group}, and '
            "it is printed with every multiple",
            name=name,
            group=GROUPS[line.group],
        )
    value = value_text(line, reference, language) or "?"
    if flags:
        return t(
            "Remeasure {runs} with {name} = {value}, or pass --accept {group}",
            runs=names,
            name=name,
            value=value,
            group=line.group.value,
        )
    return t(
        'Remeasure {runs} with {name} = {value}, or choose "Let stand" for {group}',
        runs=names,
        name=name,
        value=value,
        group=GROUPS[line.group],
    )


def is_choice(line: Line) -> bool:
    """Return True for a difference that a choice is about more often than not: the way out is to accept it by name."""
    return line.state is State.DIFFERENT and line.field in _CHOICES


def _quality(line: Line, runs: Sequence[Run], matrix: Matrix, language: str, *, flags: bool) -> Text:
    """Return how quality becomes known, else how results that differ may stand: no measuring makes them equal."""
    if matrix.quality_untold:
        blind = [run for run in runs if not run.conditions.quality]
        if matrix.unsaid:
            return _unsaid(runs, matrix, blind, language, flags=flags)
        if flags:
            return t(
                "Run the same quality test on {runs}, and say each result: --quality RUN=RESULT, RUN being {ids}",
                runs=_names(blind),
                ids=", ".join(run.id for run in blind),
            )
        return t(
            'Run the same quality test on {runs}, and type each result on the Data page, field "Quality criterion"',
            runs=_names(blind),
        )
    if flags:
        return t(
            "Results of the quality test differ: where that is good enough, pass --accept {group}, and both are "
            "printed with every multiple",
            group=line.group.value,
        )
    return t(
        'Results of the quality test differ: where that is good enough, choose "Let stand" for {group}, and both are '
        "printed with every multiple",
        group=GROUPS[line.group],
    )


def shape(run: Run) -> str:
    """Return lengths as people say them, "8k/1k": mean input and output tokens, "?" where unknown."""
    return "/".join(_short(n) for n in (run.conditions.input_tokens_mean, run.conditions.output_tokens_mean))


def value_text(line: Line, place: int, language: str = "en") -> str | None:
    """Return one value of a line in words, None where it is unknown."""
    value = line.values[place]
    if value is None:
        return None
    if line.field in _FROM_LEVELS:
        return _FROM_LEVELS[line.field](str(value), language)
    from core.model.run import Conditions

    return condition_text(Conditions(**{line.field: value}), line.field, language)  # type: ignore[arg-type]  # one field of many types


_RATES = {
    "output_tok_s": t("output tokens/s"),
    "total_tok_s": t("total tokens/s"),
    "achieved_rate": t("requests/s"),
}
_RULES = {"given": t("as the tool gives them"), "linear": t("from the requests, linear interpolation")}
_FAILURES = {"recorded": t("recorded at every level"), "recorded at some levels": t("recorded at some levels")}


def _rates(value: str, language: str) -> str:
    return joined([_RATES[name] for name in value.split(" + ")]).render(language)


def _rules(value: str, language: str) -> str:
    return ", ".join(_RULES[rule].render(language) if rule in _RULES else rule for rule in value.split(", "))


def _failures(value: str, language: str) -> str:
    return _FAILURES[value].render(language)


_FROM_LEVELS = {"throughput": _rates, "percentiles": _rules, "failures": _failures}


def _reference(line: Line) -> int:
    """Return the run that the others are held against: the first whose value is known."""
    return next(place for place, value in enumerate(line.values) if value is not None)


def _names(runs: Sequence[Run]) -> str:
    return ", ".join(run.label for run in runs)


def _short(tokens: float | None) -> str:
    if tokens is None:
        return "?"
    return f"{plain(tokens / _THOUSAND, digits=2)}k" if tokens >= _THOUSAND else plain(tokens, digits=3)


def _unsaid(runs: Sequence[Run], matrix: Matrix, blind: Sequence[Run], language: str, *, flags: bool) -> Text:
    """Return which precision or verification to say of which runs, else how quality becomes known."""
    told = "; ".join(
        f"{condition_name(line.field, language)} ({_names(missing)})"
        for line in matrix.lines
        if line.field in matrix.unsaid
        for missing in [[run for run, value in zip(runs, line.values, strict=True) if not value and _drafts(line, run)]]
    )
    if flags:
        return t(
            "Say on the Data page what is missing: {missing}; or run the same quality test on {runs}, and say each "
            "result: --quality RUN=RESULT, RUN being {ids}",
            missing=told,
            runs=_names(blind),
            ids=", ".join(run.id for run in blind),
        )
    return t(
        "Say on the Data page what is missing: {missing}; or run the same quality test on {runs}, and type each result "
        'in the field "Quality criterion"',
        missing=told,
        runs=_names(blind),
    )


def _drafts(line: Line, run: Run) -> bool:
    """Return False where a verification has no meaning: the run is not known to make drafts."""
    made = run.conditions.speculation
    return line.field != "verification" or (made is not None and not is_off(made))
