"""Labels and ids of runs: readable, different from each other, the same whatever the order of files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import PurePosixPath

from core.model.run import Conditions, Run

_DOT = " · "
_LENGTH = 90


def named(runs: Sequence[Run], folders: Sequence[str]) -> list[Run]:
    """Return the runs with unique labels and ids.

    Args:
        runs: in any order; their own labels and ids are replaced.
        folders: for each run the folder that tells it apart, "" where none does.
    """
    labels = [_first_label(run, folder) for run, folder in zip(runs, folders, strict=True)]
    for name in (f.name for f in fields(Conditions)):
        labels = _with_condition(runs, labels, name)
    labels = _with(labels, [_shape(run) for run in runs])
    labels = _with(labels, [PurePosixPath(run.files[0].name).parent.name for run in runs])
    labels = _with(labels, [PurePosixPath(run.files[0].name).stem for run in runs])
    labels = _numbered(runs, labels)
    ids = _numbered(runs, [_slug(label) for label in labels], mark="-")
    return [_renamed(run, label, name) for run, label, name in zip(runs, labels, ids, strict=True)]


def _first_label(run: Run, folder: str) -> str:
    conditions = run.conditions
    parts = [_short(conditions.model) or _source(run), _hardware(conditions), folder]
    return _DOT.join(part for part in parts if part)[:_LENGTH]


def _short(model: str | None) -> str:
    return PurePosixPath(model).name[:60] if model else ""


def _source(run: Run) -> str:
    """Name a run without a model after the folder of its files, else after the first file."""
    path = PurePosixPath(run.files[0].name)
    folders = {PurePosixPath(file.name).parent.name for file in run.files}
    return path.parent.name if len(folders) == 1 and path.parent.name else path.name.split(".")[0]


def _hardware(conditions: Conditions) -> str:
    count, name = conditions.accelerator_count, conditions.accelerator
    if count and name:
        return f"{count} × {name}"
    return f"{count} accelerators" if count else (name or "")


def _shape(run: Run) -> str:
    """Describe the mean lengths, "64 in, 32 out"."""
    ends = (("in", run.conditions.input_tokens_mean), ("out", run.conditions.output_tokens_mean))
    return ", ".join(f"{round(mean)} {end}" for end, mean in ends if mean is not None)


def _with_condition(runs: Sequence[Run], labels: Sequence[str], name: str) -> list[str]:
    """Add a condition to labels that are equal, where its values tell those runs apart."""
    if name in ("model", "accelerator", "accelerator_count", "input_tokens_mean", "output_tokens_mean"):
        return list(labels)
    return _with(labels, [_told(name, getattr(run.conditions, name)) for run in runs])


def _told(name: str, value: object) -> str:
    if value is None:
        return ""
    words = name.replace("_", " ")
    return str(value) if isinstance(value, str) else f"{words} {value:g}" if isinstance(value, int | float) else ""


def _with(labels: Sequence[str], extras: Sequence[str]) -> list[str]:
    """Add an extra to labels that are equal, where the extras are not all the same."""
    told: dict[str, set[str]] = {}
    for label, extra in zip(labels, extras, strict=True):
        told.setdefault(label, set()).add(extra)
    return [
        label + _DOT + extra if extra and len(told[label]) > 1 else label
        for label, extra in zip(labels, extras, strict=True)
    ]


def _numbered(runs: Sequence[Run], names: Sequence[str], mark: str = " ") -> list[str]:
    """Number what is still equal, by content, so that the order of files does not matter."""
    order = sorted(range(len(runs)), key=lambda i: [(file.name, file.sha256) for file in runs[i].files])
    counts, seen = Counter(names), Counter[str]()
    result = list(names)
    for i in order:
        name = names[i]
        seen[name] += 1
        if counts[name] > 1:
            number = str(seen[name])
            result[i] = f"{name}{mark}({number})" if mark == " " else f"{name}{mark}{number}"
    return result


def _slug(label: str) -> str:
    return re.sub(r"[^0-9a-z가-힣.]+", "-", label.lower()).strip("-.") or "run"


def _renamed(run: Run, label: str, name: str) -> Run:
    return replace(run, label=label, id=name)
