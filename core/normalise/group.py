"""Levels of any number of files to configurations: the levels that become one run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.i18n import t
from core.model.finding import Finding, Severity
from core.normalise.level import Level
from core.normalise.signature import Signature, batch_follows_load, folder, signature_of


@dataclass(slots=True)
class Group:
    """The levels of one configuration, while they are being collected.

    Attributes:
        could_join: the configurations of which it may be a part, where that cannot be told.
    """

    signature: Signature
    levels: list[Level]
    findings: list[Finding] = field(default_factory=list)
    could_join: list[Group] = field(default_factory=list)


def grouped(levels: Sequence[Level]) -> list[Group]:
    """Return the configurations among levels, whatever their order.

    Levels that say the same are taken together first. The groups that say less then join the
    one group they do not contradict; where there are several, the one in their own folder.
    """
    same: dict[Signature, list[Level]] = defaultdict(list)
    follows = batch_follows_load(levels)
    for level in levels:
        same[signature_of(level, batch_follows_load=follows)].append(level)
    groups: list[Group] = []
    for signature in sorted(same, key=lambda s: s.order):
        members = same[signature]
        fitting = [group for group in groups if group.signature.fits(signature)]
        nearer = [group for group in fitting if _folders(members) <= _folders(group.levels)]
        chosen = fitting[0] if len(fitting) == 1 else nearer[0] if len(nearer) == 1 else None
        if chosen:
            chosen.levels.extend(members)
            chosen.signature = chosen.signature.joined(signature)
        else:
            groups.append(Group(signature, list(members), [_ambiguous(members)] if fitting else [], fitting))
    return groups


def _folders(levels: Sequence[Level]) -> set[tuple[str, ...]]:
    return {folder(level) for level in levels}


def _ambiguous(levels: Sequence[Level]) -> Finding:
    first = min(levels, key=lambda level: level.file.name)
    return Finding(
        code="group.ambiguous",
        severity=Severity.WARNING,
        where=first.stage.where,
        what=t("The file does not say which of several configurations it belongs to"),
        consequence=t("It is kept as a run of its own"),
        fix=t("Send each configuration in a folder of its own, or separately"),
    )
