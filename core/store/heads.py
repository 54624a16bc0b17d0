"""Heads: what may change about a scenario without a new version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from core.errors import UsageError
from core.i18n import t
from core.letters import one_line
from core.model.copied import Copied
from core.model.person import Role
from core.model.scenario import NAME_CHARS, Scenario
from core.store.saved import Entry
from core.store.summary import folded, summary_from, words_of
from core.store.tables import HeadRow

MOST_TAGS = 20
TAG_CHARS = 40


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags on one line each, without repetition, in their order.

    Raises:
        UsageError: "scenario.tags" where there are too many or one is too long.
    """
    found: dict[str, str] = {}
    for tag in tags:
        line = " ".join(one_line(tag).split())
        if line:
            found.setdefault(folded(line), line)
    if len(found) > MOST_TAGS or any(len(tag) > TAG_CHARS for tag in found.values()):
        raise UsageError(
            "scenario.tags",
            t("There may be {most} tags of {limit} characters each", most=MOST_TAGS, limit=TAG_CHARS),
            fix=t("Shorten them, or put the rest into the notes"),
        )
    return tuple(found.values())


def describe(head: HeadRow, scenario: Scenario, tags: Sequence[str] | None) -> None:
    """Let a head say what its newest version says."""
    labels = tags_of(head) if tags is None else tags
    head.name, head.tags = scenario.name, json.dumps(list(labels), ensure_ascii=False)
    head.words = words_of(scenario, labels)


def tags_of(head: HeadRow) -> tuple[str, ...]:
    """Return the tags of a head; what cannot be read is none."""
    try:
        found = json.loads(head.tags)
    except ValueError:
        return ()
    cut = (one_line(str(tag))[:TAG_CHARS] for tag in found[:MOST_TAGS]) if isinstance(found, list) else ()
    return tuple(dict.fromkeys(filter(None, cut)))


def entry_of(head: HeadRow, role: Role, summary: str | None, author: str | None, copied: Copied | None = None) -> Entry:
    """Return a head as a list shows it, with what its newest version says."""
    return Entry(
        id=head.id,
        name=one_line(head.name)[:NAME_CHARS],
        tags=tags_of(head),
        latest=head.latest,
        saved_at=head.saved_at,
        created_at=head.created_at,
        role=role,
        answers=summary_from(summary),
        author=author or "",
        archived_at=head.archived_at,
        deleted_at=head.deleted_at,
        forked_from=head.forked_from,
        copied=copied,
    )
