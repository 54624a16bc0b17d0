"""The seven conditions of a comparison, run beside run: equal, different or unknown (DESIGN 7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.compare.names import is_off, is_relaxed, same_value
from core.model.run import Run


class State(StrEnum):
    """Whether a condition is the same in every run. Printed: never rename one."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


class Group(StrEnum):
    """The seven. Printed, and typed on the command line: never rename one."""

    MODEL = "model_and_quality"
    LENGTHS = "lengths"
    LOAD = "load"
    TTFT = "what_ttft_includes"
    THROUGHPUT = "throughput"
    STATISTICS = "statistics"
    HARDWARE = "hardware"


FIELDS: dict[Group, tuple[str, ...]] = {
    Group.MODEL: ("model", "model_revision", "precision", "kv_precision", "quality"),
    Group.LENGTHS: ("input_tokens_mean", "output_tokens_mean", "length_distribution"),
    Group.LOAD: ("arrival", "max_num_seqs"),
    Group.TTFT: ("ttft_scope", "measured_at"),
    Group.THROUGHPUT: ("throughput",),
    Group.STATISTICS: ("percentiles", "failures", "tool", "tool_version"),
    Group.HARDWARE: (
        "accelerator",
        "accelerator_count",
        "accelerator_memory_gb",
        "interconnect",
        "network",
        "tp",
        "pp",
        "ep",
        "dp",
        "replicas",
        "serving_mode",
        "prefill_accelerators",
        "decode_accelerators",
        "engine",
        "engine_version",
        "cache_hit_rate",
        "speculation",
        "proposer",
        "acceptance_length",
        "verification",
        "graph_replay",
    ),
}
"""What each of the seven is made of. What follows from them, such as the room of the KV cache, is no condition."""

_ONLY_WITH_DRAFTS = frozenset({"proposer", "acceptance_length", "verification"})
_ONLY_APART = frozenset({"prefill_accelerators", "decode_accelerators"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One condition of every run.

    Attributes:
        field: its name in `Conditions`, or "throughput", "percentiles", "failures", which are read from the levels.
        values: one for each run, None is unknown.
        accepted: the person said that this difference, or that it is unknown, may stand.
    """

    group: Group
    field: str
    values: tuple[str | int | float | None, ...]
    state: State
    accepted: bool = False

    @property
    def is_open(self) -> bool:
        """True where it keeps runs from being compared."""
        return not self.accepted and self.state in (State.DIFFERENT, State.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Every condition of every run.

    Attributes:
        lines: in the order of `FIELDS`.
        quality_untold: precision or verification differ, or may, and no quality result says what that did.
        unsaid: of these, the conditions that some runs say and others do not: nobody knows whether they differ.
    """

    lines: tuple[Line, ...]
    quality_untold: bool = False
    unsaid: tuple[str, ...] = ()

    def of(self, group: Group) -> tuple[Line, ...]:
        """Return the conditions of one of the seven."""
        return tuple(line for line in self.lines if line.group is group)

    def state(self, group: Group) -> State:
        """Return what holds of one of the seven as a whole: a difference weighs more than what is unknown."""
        states = {line.state for line in self.of(group)}
        return next((s for s in (State.DIFFERENT, State.UNKNOWN) if s in states), State.EQUAL)

    @property
    def open(self) -> tuple[Line, ...]:
        """Return what keeps the runs from being compared."""
        return tuple(line for line in self.lines if line.is_open)

    @property
    def accepted(self) -> tuple[Line, ...]:
        """Return what the person accepts, which is printed with every multiple."""
        return tuple(line for line in self.lines if line.accepted)

    @property
    def is_comparable(self) -> bool:
        """True where a ranking or a multiple may be said: all match, or the person accepts what does not."""
        return not self.open and not self.quality_untold


def matrix_of(runs: Sequence[Run], accepted: Collection[str] = ()) -> Matrix:
    """Return the conditions of runs side by side.

    Args:
        runs: one or more.
        accepted: names of conditions, or of one of the seven for all of it, that may differ or be unknown.
            A quality that nobody knows after a change of precision cannot be accepted: it has to be typed.
    """
    lines = []
    untold = _quality_untold(runs)
    for group, names in FIELDS.items():
        for field in names:
            values = tuple(_value(run, field) for run in runs)
            state = _state(field, values, runs)
            if field == "quality" and state is State.UNKNOWN and not untold:
                state = State.NOT_APPLICABLE
            is_said = field in accepted or group.value in accepted
            stands = is_said and state in (State.DIFFERENT, State.UNKNOWN) and not (field == "quality" and untold)
            lines.append(Line(group=group, field=field, values=values, state=state, accepted=stands))
    return Matrix(lines=tuple(lines), quality_untold=untold, unsaid=_unsaid(runs) if untold else ())


def fields_of(name: str) -> tuple[str, ...]:
    """Return the conditions that a name means: itself, or all of one of the seven; () for no such name."""
    if name in {group.value for group in Group}:
        return FIELDS[Group(name)]
    return (name,) if any(name in names for names in FIELDS.values()) else ()


def _value(run: Run, field: str) -> str | int | float | None:
    used = [stage for stage in run.stages if stage.excluded is None]
    match field:
        case "throughput":
            names = ("output_tok_s", "total_tok_s", "achieved_rate")
            there = [name for name in names if any(getattr(stage, name) is not None for stage in used)]
            return " + ".join(there) or None
        case "percentiles":
            return ", ".join(sorted({found.rule for stage in used for found in stage.statistics.values()})) or None
        case "failures":
            known = [stage.requests_failed is not None for stage in used]
            return None if not any(known) else "recorded" if all(known) else "recorded at some levels"
        case _:
            found: str | int | float | None = getattr(run.conditions, field)
            return found


def _state(field: str, values: Sequence[str | int | float | None], runs: Sequence[Run]) -> State:
    if not _applies(field, runs):
        return State.NOT_APPLICABLE
    known = [value for value in values if value is not None]
    if any(not same_value(field, known[0], value) for value in known[1:]):
        return State.DIFFERENT
    return State.EQUAL if len(known) == len(values) else State.UNKNOWN


def _applies(field: str, runs: Sequence[Run]) -> bool:
    """Return False where a condition says nothing: of drafts where none are known to be made, and so on."""
    every = [run.conditions for run in runs]
    if field in _ONLY_WITH_DRAFTS:
        return any(each.speculation and not is_off(each.speculation) for each in every)
    if field in _ONLY_APART:
        return any("disagg" in (each.serving_mode or "") for each in every)
    if field == "interconnect":
        return not all(each.accelerator_count == 1 for each in every)
    return True


def _quality_untold(runs: Sequence[Run]) -> bool:
    """Return True where answers may have become worse, and no quality result of each run says whether they did."""
    every = [run.conditions for run in runs]
    if all(each.quality for each in every):
        return False
    changed = _known_apart("precision", runs) or _known_apart("kv_precision", runs)
    return changed or any(is_relaxed(each.verification) for each in every) or bool(_unsaid(runs))


def _unsaid(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return what may have changed the answers although no difference is known.

    A precision that one run says and another does not may be two: unknown is not equal. Where no run says it, nothing
    points to a change: the condition stays open as unknown, and a person may let it stand. That runs rest on the same
    files excuses nothing, since one file can hold several configurations.
    """
    every = [run.conditions for run in runs]
    found = [
        field for field in ("precision", "kv_precision") if len({bool(getattr(each, field)) for each in every}) > 1
    ]
    drafted = [each.speculation is not None and not is_off(each.speculation) for each in every]
    blind = [is_made and not each.verification for is_made, each in zip(drafted, every, strict=True)]
    # Without drafts nothing is verified: drafts of an unknown verification stand against that, or against a known one.
    # All of the same drafts with nothing said of any is as a precision that no run says; other drafts are a change.
    if any(blind) and (not all(blind) or _known_apart("speculation", runs) or _known_apart("proposer", runs)):
        found.append("verification")
    return tuple(found)


def _known_apart(field: str, runs: Sequence[Run]) -> bool:
    """Return True where two runs say different values of a condition."""
    known = [value for run in runs if (value := getattr(run.conditions, field))]
    return any(not same_value(field, known[0], value) for value in known[1:])
