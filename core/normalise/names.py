"""Labels and ids of runs: readable, different from each other, the same whatever the order of files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePosixPath

from core.ingest.raw import Scalar
from core.model.run import Conditions, Run

_DOT = " · "
_LENGTH = 90
_PATH = re.compile(r"""[^\s"'()]+""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """A run without a name, and what its name may be made of besides its conditions.

    Attributes:
        run: its label and id are replaced.
        folder: the folder that tells it apart, "" where none does.
        identity: the settings that its levels share, by the file's name for them.
    """

    run: Run
    folder: str
    identity: Mapping[str, Scalar]


def named(unnamed: Sequence[Unnamed], given: Sequence[str | None] = ()) -> list[Run]:
    """Return the runs with unique labels and ids, each label as short as it can be.

    Runs of one model and hardware get what tells them apart: conditions first, then settings,
    lengths, folders and file names, and numbers where nothing else does.

    Args:
        unnamed: the runs.
        given: for each the name that a person gave it, None where nobody did. An id does not follow it.
    """
    runs = [each.run for each in unnamed]
    labels = [_first_label(each.run, each.folder) for each in unnamed]
    # Who measured comes first: what two tools record differently is not what tells their runs apart.
    for name in ("tool", *(f.name for f in fields(Conditions))):
        labels = _with_condition(runs, labels, name)
    settings = sorted({name for each in unnamed for name in each.identity})
    digests = [name for name in settings if any(_is_digest(each.identity.get(name)) for each in unnamed)]
    for name in (name for name in settings if name not in digests):
        labels = _with(labels, [_told(name, each.identity.get(name)) for each in unnamed])
    labels = _with(labels, [_shape(run) for run in runs])
    labels = _with(labels, [PurePosixPath(run.files[0].name).parent.name for run in runs])
    labels = _with(labels, [PurePosixPath(run.files[0].name).stem for run in runs])
    # A digest of an address tells runs apart and nothing to a person: it comes last.
    for name in digests:
        labels = _with(labels, [_told(name, each.identity.get(name)) for each in unnamed])
    labels = _numbered(runs, labels)
    ids = _numbered(runs, [_slug(label) for label in labels], mark="-")
    if any(given):
        labels = _numbered(runs, [own or label for own, label in zip(given, labels, strict=True)])
    return [_renamed(run, label, name) for run, label, name in zip(runs, labels, ids, strict=True)]


def _first_label(run: Run, folder: str) -> str:
    conditions = run.conditions
    parts = [_short(conditions.model) or _source(run), _hardware(conditions), folder]
    return _DOT.join(dict.fromkeys(part for part in parts if part))[:_LENGTH]


def _short(model: str | None) -> str:
    """Return a model without the folders or the organisation before it; any other text stays whole."""
    if not model:
        return ""
    return (PurePosixPath(model).name if _PATH.fullmatch(model) else model)[:60]


def _source(run: Run) -> str:
    """Name a run without a model after the folder of its files, else after the first file."""
    path = PurePosixPath(run.files[0].name)
    folders = {PurePosixPath(file.name).parent.name for file in run.files}
    named = path.parent.name if len(folders) == 1 else ""
    return (named or path.name.split(".")[0]).strip() or "run"


def _hardware(conditions: Conditions) -> str:
    count, name = conditions.accelerator_count, conditions.accelerator
    if count and name:
        return f"{count} × {name}"
    if count:
        # A label is a name and stays as it is in every language, so it has a sign and no word.
        return f"× {count}"
    return name or ""


def _shape(run: Run) -> str:
    """Describe the mean lengths, "64 in, 32 out"."""
    ends = (("in", run.conditions.input_tokens_mean), ("out", run.conditions.output_tokens_mean))
    return ", ".join(f"{round(mean)} {end}" for end, mean in ends if mean is not None)


def _with_condition(runs: Sequence[Run], labels: Sequence[str], name: str) -> list[str]:
    """Add a condition to labels that are equal, where its values tell those runs apart."""
    if name in ("model", "accelerator", "accelerator_count", "input_tokens_mean", "output_tokens_mean"):
        return list(labels)
    return _with(labels, [_told(name, getattr(run.conditions, name)) for run in runs])


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{12,64}", value) is not None


def _told(name: str, value: object) -> str:
    if value is None:
        return ""
    words = name.replace("_", " ")
    if isinstance(value, bool):
        return words if value else f"no {words}"
    if isinstance(value, int | float):
        return f"{words} {value:g}"
    # "fp8" speaks for itself, "0.5.5" and "true" do not.
    text = str(value)[:40]
    return text if re.search(r"[^\W\d_]{2}", text) and text.lower() not in ("true", "false") else f"{words} {text}"


def _with(labels: Sequence[str], extras: Sequence[str]) -> list[str]:
    """Add an extra to labels that are equal, where the extras are not all the same."""
    told: dict[str, set[str]] = {}
    for label, extra in zip(labels, extras, strict=True):
        told.setdefault(label, set()).add(extra)
    return [
        label + _DOT + extra if extra and len(told[label]) > 1 and extra not in label.split(_DOT) else label
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
