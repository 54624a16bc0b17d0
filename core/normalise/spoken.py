"""What a person decides about runs, as written on a command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import UsageError
from core.i18n import t
from core.model.run import Run
from core.normalise.partings import Parting, Way
from core.normalise.regrouping import Act, Members, Regrouping, Step, excluding, file_of, renamed
from core.normalise.said import Said

_WORDS = {"file": Parting.FILE, "folder": Parting.FOLDER, "name": Parting.NAME}


def spoken(said: Said, runs: Sequence[Run], members: Members, ways: Mapping[str, Sequence[Way]]) -> Regrouping:
    """Return the decisions that options mean.

    Raises:
        UsageError: "runs.unknown", "runs.no_such_way", "runs.no_reason".
    """
    ids = {run.id: tuple(sorted(key for keys in members[run.id] for key in keys)) for run in runs}
    labels = {run.id: run.label for run in runs}
    merges = [_merge(text.split(","), ids, labels) for text in said.merge]
    decided = Regrouping(steps=(*merges, *(_split(text, ids, ways) for text in said.split)))
    for text in said.rename:
        name, label = _parted(text, ids)
        decided = renamed(decided, ids[name], label)
    for text in said.exclude:
        decided = _excluding(decided, text, runs, members)
    return decided


def _merge(names: Sequence[str], ids: Mapping[str, tuple[str, ...]], labels: Mapping[str, str]) -> Step:
    levels = _all(names, ids)
    return Step(act=Act.MERGE, levels=levels, of=tuple(labels[name.strip()] for name in names))


def _all(names: Sequence[str], ids: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    unknown = next((name.strip() for name in names if name.strip() not in ids), None)
    if unknown is not None or len(names) < 2:
        raise _unknown(unknown or names[0], ids)
    return tuple(sorted(key for name in names for key in ids[name.strip()]))


def _split(text: str, ids: Mapping[str, tuple[str, ...]], ways: Mapping[str, Sequence[Way]]) -> Step:
    name, how = _parted(text, ids)
    by, setting = (_WORDS[how], "") if how in _WORDS else (Parting.SETTING, how)
    possible = [way for way in ways.get(name, ()) if way.by is not Parting.FOUND]
    if not any((way.by, way.setting) == (by, setting) for way in possible):
        raise UsageError(
            "runs.no_such_way",
            t("{run} cannot be split by {how}", run=name, how=how),
            fix=t("It can be split by: {ways}", ways=", ".join(way.setting or way.by.value for way in possible) or "–"),
        )
    return Step(act=Act.SPLIT, levels=ids[name], by=by, setting=setting)


def _parted(text: str, ids: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
    name, _, rest = text.partition("=")
    if name.strip() not in ids or not rest.strip():
        raise _unknown(text, ids)
    return name.strip(), rest.strip()


def _excluding(decided: Regrouping, text: str, runs: Sequence[Run], members: Members) -> Regrouping:
    """Return the decisions with what is named kept out; a file's name may hold the sign before the reason too."""
    for place in (i for i, letter in enumerate(text) if letter == "="):
        keys, reason = _keys_of(text[:place].strip(), runs, members), text[place + 1 :].strip()
        if keys and reason:
            return excluding(decided, keys, reason)
        if keys:
            raise UsageError(
                "runs.no_reason",
                t("No reason is given for leaving out {what}", what=text[:place]),
                fix=t("Write it behind the sign, such as {example}", example='c64.json="another job ran"'),
            )
    raise _unknown(text, {run.id: () for run in runs})


def _keys_of(what: str, runs: Sequence[Run], members: Members) -> list[str]:
    for run in runs:
        if what == run.id:
            return [key for keys in members[run.id] for key in keys]
    name, _, load = what.rpartition("@")
    found = []
    for run in runs:
        files = {ref.sha256: ref.name for ref in run.files}
        for stage, keys in zip(run.stages, members[run.id], strict=True):
            meant = name == run.id and load == _load(stage.load)
            found += [key for key in keys if meant or _is_file(what, files.get(file_of(key)))]
    return found


def _load(load: float | None) -> str:
    return "" if load is None else f"{load:g}"


def _is_file(what: str, name: str | None) -> bool:
    return bool(what and name) and (name == what or str(name).endswith(f"/{what}"))


def _unknown(text: str, ids: Mapping[str, tuple[str, ...]]) -> UsageError:
    return UsageError(
        "runs.unknown",
        t("{text} names no run of these files", text=text),
        fix=t("The runs are: {runs}", runs=", ".join(ids)),
    )
