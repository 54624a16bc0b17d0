"""A run as a person names it on the command line: by its id, or by its label as it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.errors import UsageError
from core.i18n import t


def by_id(texts: Iterable[str], labels: Mapping[str, str], ends: str = "=") -> tuple[str, ...]:
    """Return texts that begin with the name of a run, such as "RUN=2.10/gpu-h", with its id in place of its label.

    Args:
        texts: as written; one that begins with no label is kept as it is.
        labels: label by run id.
        ends: characters of which one stands behind the name.

    Raises:
        UsageError: "runs.ambiguous" where several runs have the label and none has it as its id.

    >>> by_id(["8 × H200=2/h", "b=3/h", "4/h"], {"a": "8 × H200", "b": "b"})
    ('a=2/h', 'b=3/h', '4/h')
    """
    return tuple(_by_id(text, labels, ends) for text in texts)


def listed_by_id(text: str, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the runs of a list with commas between them, each by its id; a label may hold a comma itself.

    Args:
        text: as written; nothing between two commas is "".
        labels: label by run id.

    Raises:
        UsageError: "runs.unknown" for a name that no run has, and "runs.ambiguous".

    >>> listed_by_id("8 × H200,b,,", {"a": "8 × H200", "b": "b"})
    ('a', 'b', '', '')
    """
    found, rest = [], f"{text},"
    while rest:
        name, _, rest = by_id([rest], labels, ",")[0].partition(",")
        known = name.strip()
        if known and known not in labels:
            raise UsageError(
                "runs.unknown",
                t('There is no run named "{name}"', name=known[:80]),
                fix=t("Use one of: {names}", names=", ".join(labels) or "-"),
            )
        found.append(known)
    return tuple(found)


def with_id(label: str, run_id: str) -> str:
    """Return the name of a run as printed beside others, with the id that options take.

    >>> with_id("8 × H200", "h200-8"), with_id("a", "a")
    ('8 × H200  (id h200-8)', 'a')
    """
    return label if label == run_id else f"{label}  (id {run_id})"


def _by_id(text: str, labels: Mapping[str, str], ends: str) -> str:
    written = text.lstrip()
    named = [name for name in {*labels, *labels.values()} if _begins(written, name, ends)]
    name = max(named, key=len, default=None)
    if name is None or name in labels:
        return text
    meant = [run for run, label in labels.items() if label == name]
    if len(meant) > 1:
        raise UsageError(
            "runs.ambiguous",
            t('Several runs are called "{name}"', name=name),
            fix=t("Write the id of one: {names}", names=", ".join(meant)),
        )
    return meant[0] + written[len(name) :]


def _begins(text: str, name: str, ends: str) -> bool:
    return bool(name) and text.startswith(name) and text[len(name) :].lstrip()[:1] in tuple(ends)
