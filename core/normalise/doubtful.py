"""Finds the doubts about grouping: each function looks for one kind among the parts that the files alone make."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from core.ingest.raw import Scalar
from core.model.run import Kind
from core.normalise.conditions import conditions_of
from core.normalise.contrast import contrast_of
from core.normalise.doubts import DoubtKind, GroupingDoubt, Reading, ReadingRun, with_state
from core.normalise.labels import is_condition, is_label
from core.normalise.lengths import SAME_WITHIN, SAMPLING, UNKNOWN_COUNT, input_length, output_length
from core.normalise.level import Level, family
from core.normalise.partings import Parting, parted, telling_name, value_said
from core.normalise.parts import Part, shared_identity
from core.normalise.pool import executions
from core.normalise.regrouping import Act, Step
from core.normalise.signature import LOAD_DEPENDENT, folder

Side = tuple[str, Sequence[Level]]
"""A name and the levels under it: one run of a reading."""

NEARLY_APART, HARDLY_APART = 1.08, 1.20
"""Ratios of mean lengths between which the border of 10 % decides by little."""

AS_AGAIN = 1.05
"""Ratio up to which results of one level look like the same measured again, whatever their files are called."""

MOST_CANDIDATES = 3
_LONG = 20.0

_OF_THE_TOOL = frozenset({"tool", "tool_version", "arrival", "max_num_seqs"}) | LOAD_DEPENDENT


def doubts_of(fresh: Sequence[Part], parts: Sequence[Part], steps: Sequence[Step]) -> tuple[GroupingDoubt, ...]:
    """Return every doubt about the files, with what holds after the steps, in a stable order."""
    found = [doubt for look in _KINDS for doubt in look(fresh)]
    return tuple(with_state(doubt, fresh, parts, steps) for doubt in sorted(found, key=lambda each: each.files))


def folders(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where only the folder tells two results of one level apart: other runs, or the same again?"""
    siblings: dict[tuple[int, int], list[Part]] = defaultdict(list)
    for part in fresh:
        siblings[part.group, part.length].append(part)
    for same in siblings.values():
        if len(same) > 1:
            yield _apart(DoubtKind.FOLDERS, [(part.folder, part.levels) for part in same])


def repeats(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where results of one level were put together while their files' names tell them apart."""
    for part in fresh:
        most = max((len(same) for same in executions(part.levels)), default=0)
        sides = parted(part.levels, Parting.NAME) if most > 1 else []
        one_folder = len({folder(level) for level in part.levels}) == 1
        # As many names as results of one level, each at one of them: else the names tell something else.
        told = [{telling_name(level) for level in same} for same in executions(part.levels) if len(same) > 1]
        if one_folder and len(sides) == most and all(len(names) > 1 for names in told):
            doubt = _together(DoubtKind.REPEATS, sides, part.levels, Parting.NAME)
            if doubt.contrast is None or doubt.contrast.high > AS_AGAIN * doubt.contrast.low:
                yield doubt


def settings(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where a single setting keeps levels apart that may be a label, or parts a sweep into two halves.

    A setting that is a condition by its name is never asked about: its values are other measurements.
    """
    alike: dict[object, list[tuple[Scalar, Part]]] = defaultdict(list)
    for part in fresh:
        identity = shared_identity(part.levels)
        for name in (each for each in identity if not is_condition(each)):
            rest = frozenset((key, str(value)) for key, value in identity.items() if key != name)
            alike[name, _source(part), _conditions(part, LOAD_DEPENDENT), rest].append((identity[name], part))
    for key, pairs in sorted(alike.items(), key=str):
        name = str(key[0]) if isinstance(key, tuple) else ""
        parts = [part for _, part in pairs]
        distinct = len({value_said(value) for value, _ in pairs}) == len(pairs) > 1 and _same_lengths(parts)
        if distinct and (is_label(name) or _no_load_shared(parts)):
            yield _apart(DoubtKind.SETTING, [(value_said(value), part.levels) for value, part in pairs], about=name)


def lengths(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where mean lengths differ by hardly more, or hardly less, than what keeps runs apart."""
    for about, by, length in (("input", Parting.INPUT, input_length), ("output", Parting.OUTPUT, output_length)):
        for part in fresh:
            sides = parted(part.levels, by)
            if len(sides) == 2 and _nearly_apart([levels for _, levels in sides], length):
                named = [(_mean(levels, length), levels) for _, levels in sides]
                yield _together(DoubtKind.LENGTHS, named, part.levels, by, about=about, ratio=_ratio(named, length))
        for one, other in combinations(fresh, 2):
            if one.group == other.group and one.length != other.length and one.folder == other.folder:
                pair = sorted((one, other), key=lambda part: _least(part.levels, length))
                both: list[Side] = [(_mean(part.levels, length), part.levels) for part in pair]
                ratio = _ratio(both, length)
                if ratio is not None and SAME_WITHIN < ratio <= HARDLY_APART:
                    yield _apart(DoubtKind.LENGTHS, both, about=about, ratio=ratio)


def formats(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where two tools measured what nothing tells apart."""
    measured = [part for part in fresh if part.levels[0].kind is Kind.MEASURED]
    yield from _pairs(DoubtKind.FORMATS, measured, _other_tool, lambda part: part.levels[0].format_id)


def axes(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where one configuration was measured at rates and at numbers of concurrent requests."""
    yield from _pairs(DoubtKind.AXIS, fresh, _other_loop, lambda part: part.levels[0].loop)


def ambiguous(fresh: Sequence[Part]) -> Iterator[GroupingDoubt]:
    """Ask where a file fits several configurations and names none."""
    for part in fresh:
        options = [same[0] for number in part.could_join if len(same := [p for p in fresh if p.group == number]) == 1]
        if not options:
            continue
        names = _telling_conditions(options)
        every: list[Side] = [
            *((name, option.levels) for name, option in zip(names, options, strict=True)),
            ("", part.levels),
        ]
        readings = [_reading(every, Act.KEEP, DoubtKind.AMBIGUOUS)]
        for i in range(min(len(options), MOST_CANDIDATES)):
            rest = [side for j, side in enumerate(every[:-1]) if j != i]
            joined = (names[i], [*options[i].levels, *part.levels])
            step = _step(Act.MERGE, joined[1], DoubtKind.AMBIGUOUS)
            readings.append(Reading(runs=tuple(_run(*side) for side in [joined, *rest]), step=step))
        yield _doubt(DoubtKind.AMBIGUOUS, every, readings, asked=part.levels)


_KINDS: tuple[Callable[[Sequence[Part]], Iterable[GroupingDoubt]], ...] = (
    folders,
    repeats,
    settings,
    lengths,
    formats,
    axes,
    ambiguous,
)


def _pairs(
    kind: DoubtKind, parts: Sequence[Part], fit: Callable[[Part, Part], bool], name: Callable[[Part], str]
) -> Iterator[GroupingDoubt]:
    """Ask for every two parts that fit each other and no third one."""
    partners = [[other for other in parts if other is not part and fit(part, other)] for part in parts]
    for part, found in zip(parts, partners, strict=True):
        if len(found) != 1 or parts.index(part) > parts.index(found[0]):
            continue
        if partners[parts.index(found[0])] == [part]:
            yield _apart(kind, [(name(each), each.levels) for each in (part, found[0])])


def _other_tool(one: Part, other: Part) -> bool:
    return (
        family(one.levels[0].format_id) != family(other.levels[0].format_id)
        and one.levels[0].loop == other.levels[0].loop
        and _same_service(one, other)
        and bool(_model(one))
    )


def _other_loop(one: Part, other: Part) -> bool:
    mine, theirs = (shared_identity(part.levels) for part in (one, other))
    agree = all(mine[name] == theirs[name] for name in mine.keys() & theirs.keys())
    same_tool = family(one.levels[0].format_id) == family(other.levels[0].format_id)
    loops = {one.levels[0].loop, other.levels[0].loop}
    return loops == {"open", "closed"} and same_tool and agree and _same_service(one, other)


def _same_service(one: Part, other: Part) -> bool:
    """Return True if nothing that both know of the service and the requests differs."""
    mine, theirs = (dict(_conditions(part, _OF_THE_TOOL | {"model"})) for part in (one, other))
    agree = all(mine[name] == theirs[name] for name in mine.keys() & theirs.keys())
    return (
        agree
        and one.levels[0].kind is other.levels[0].kind
        and _model(one) == _model(other)
        and _same_lengths([one, other])
    )


def _model(part: Part) -> str:
    return (conditions_of(part.levels).model or "").rstrip("/").rpartition("/")[2].lower()


def _source(part: Part) -> tuple[str, str, str]:
    first = part.levels[0]
    return first.kind.value, family(first.format_id), first.loop


def _conditions(part: Part, without: frozenset[str]) -> frozenset[tuple[str, str]]:
    known = conditions_of(part.levels).known()
    return frozenset((name, value_said(value)) for name, value in known.items() if name not in without)


def _telling_conditions(parts: Sequence[Part]) -> list[str]:
    """Return for each part what the others do not share: conditions, settings and lengths, else folder, else file."""
    told = [frozenset(_shared(part.levels)) for part in parts]
    common = frozenset.intersection(*told) if len(told) > 1 else frozenset[tuple[str, str]]()
    names = [", ".join(f"{name} {value}".replace("_", " ") for name, value in sorted(one - common)) for one in told]
    for more in (lambda level: "/".join(folder(level)), lambda level: level.file.name):
        if len({*names}) < len(names) or "" in names:
            places = [min(map(more, part.levels)) for part in parts]
            names = [", ".join(filter(None, pair)) for pair in zip(names, places, strict=True)]
    return names


def _shared(levels: Sequence[Level]) -> tuple[tuple[str, str], ...]:
    """Return the conditions, settings and mean lengths on which levels agree, as (name, value), model first."""
    known = conditions_of(levels).known()
    told = {name: value_said(value) for name, value in known.items() if name not in _OF_THE_TOOL}
    told |= {name: value_said(value) for name, value in sorted(shared_identity(levels).items()) if name not in told}
    for name, length in (("input_tokens_mean", input_length), ("output_tokens_mean", output_length)):
        values = [value for level in levels if (value := length(level)) is not None]
        if values and max(values) <= SAME_WITHIN * min(values):
            told[name] = _mean(levels, length)
    return tuple(told.items())


def _same_lengths(parts: Sequence[Part]) -> bool:
    for length in (input_length, output_length):
        known = [value for part in parts for level in part.levels if (value := length(level)) is not None]
        if known and max(known) > SAME_WITHIN * min(known):
            return False
    return True


def _no_load_shared(parts: Sequence[Part]) -> bool:
    keys = [{level.load_key for level in part.levels} for part in parts]
    return all(one.isdisjoint(other) for one, other in combinations(keys, 2))


def _nearly_apart(halves: Sequence[Sequence[Level]], length: Callable[[Level], float | None]) -> bool:
    short, long = ([level for level in half if length(level) is not None] for half in halves)
    low, high = max(short, key=lambda level: length(level) or 0.0), min(long, key=lambda level: length(level) or 0.0)
    ratio = (length(high) or 0.0) / (length(low) or 1.0)
    if not NEARLY_APART < ratio <= SAME_WITHIN:
        return False
    fewest = min(level.stage.requests_good or UNKNOWN_COUNT for level in (low, high))
    # Lengths drawn at random differ by as much where requests are few.
    return ratio > 1.0 + SAMPLING / math.sqrt(fewest) or not _no_load_shared(
        [Part(levels=tuple(short)), Part(levels=tuple(long))]
    )


def _least(levels: Sequence[Level], length: Callable[[Level], float | None]) -> float:
    return min((value for level in levels if (value := length(level)) is not None), default=math.inf)


def _mean(levels: Sequence[Level], length: Callable[[Level], float | None]) -> str:
    known = [value for level in levels if (value := length(level)) is not None]
    mean = sum(known) / len(known) if known else 0.0
    # Two short lengths that differ by a tenth are one number without its fraction.
    return f"{mean:.{0 if mean >= _LONG else 1}f}" if known else ""


def _ratio(sides: Sequence[Side], length: Callable[[Level], float | None]) -> float | None:
    """Return by what factor the longer side's shortest mean is above the shorter side's longest one."""
    known = [[value for level in levels if (value := length(level)) is not None] for _, levels in sides]
    return min(known[1]) / max(known[0]) if all(known) else None


def _apart(kind: DoubtKind, sides: Sequence[Side], *, about: str = "", ratio: float | None = None) -> GroupingDoubt:
    """Return the question whether runs that are kept apart are one."""
    sides = sorted(sides, key=lambda side: _natural(side[0]))
    every = [level for _, levels in sides for level in levels]
    one = Reading(runs=(_run("", every),), step=_step(Act.MERGE, every, kind))
    return _doubt(kind, sides, [_reading(sides, Act.KEEP, kind), one], about=about, ratio=ratio)


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Return a key by which 9 comes before 10, and a number before a word."""
    return [
        (not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in re.split(r"(\d+)", name)
    ]


def _together(
    kind: DoubtKind,
    sides: Sequence[Side],
    levels: Sequence[Level],
    by: Parting,
    *,
    about: str = "",
    ratio: float | None = None,
) -> GroupingDoubt:
    """Return the question whether the levels of one run are several."""
    keep = Reading(runs=(_run("", levels),), step=_step(Act.KEEP, levels, kind))
    split = Reading(runs=tuple(_run(*side) for side in sides), step=_step(Act.SPLIT, levels, kind, by))
    return _doubt(kind, sides, [keep, split], about=about, ratio=ratio)


def _reading(sides: Sequence[Side], act: Act, kind: DoubtKind) -> Reading:
    every = [level for _, levels in sides for level in levels]
    return Reading(runs=tuple(_run(*side) for side in sides), step=_step(act, every, kind))


def _step(act: Act, levels: Sequence[Level], kind: DoubtKind, by: Parting = Parting.FOUND) -> Step:
    keys = tuple(sorted(key for level in levels for key in level.keys))
    return Step(act=act, levels=keys, by=by, doubt=kind.value)


def _run(name: str, levels: Sequence[Level]) -> ReadingRun:
    sent = [level.stage.requests_sent or level.stage.requests_good for level in levels]
    return ReadingRun(
        name=name,
        loads=tuple(sorted({level.stage.load for level in levels if level.stage.load is not None})),
        executions=len(levels),
        requests=sum(n for n in sent if n) if all(n is not None for n in sent) else None,
    )


def _doubt(
    kind: DoubtKind,
    sides: Sequence[Side],
    readings: Sequence[Reading],
    *,
    asked: Sequence[Level] | None = None,
    about: str = "",
    ratio: float | None = None,
) -> GroupingDoubt:
    every = [level for _, levels in sides for level in levels]
    return GroupingDoubt(
        kind=kind,
        about=about,
        files=tuple(sorted({level.file.name for level in asked or every})),
        levels=tuple(sorted(key for level in every for key in level.keys)),
        readings=tuple(readings),
        contrast=contrast_of(sides),
        ratio=ratio,
        shared=_shared(asked or every),
    )
