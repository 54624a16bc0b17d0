"""What the files of a session come to: its runs as a person changed them, and what follows them when they change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.edits import amended, carried, edited, told_of
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.normalise.regrouping import Members
from pages.parts.drafts import Based, Held


def carried_columns(columns: Iterable[DecisionColumn], before: Members, after: Members) -> tuple[DecisionColumn, ...]:
    """Return the person's own columns by the ids that runs have now."""
    return tuple(replace(column, values=dict(carried(column.values.items(), before, after))) for column in columns)


def laid_out(changed: Held) -> Held:
    """Return the files with their runs as a person changed them."""
    saved = {run.id: saved_keys(run) for run in changed.opened}
    opened = [amended(run, saved[run.id], changed.decided) for run in changed.opened]
    named = apart((*opened, *changed.read))
    own = (*saved.values(), *(changed.read_members[run.id] for run in changed.read))
    members = {run.id: stages for run, stages in zip(named, own, strict=True)}
    shown = tuple(edited(run, told_of(flat(members[run.id]), changed.told)) for run in named)
    return replace(changed, shown=shown, members=members)


def saved_keys(run: Run) -> tuple[tuple[str, ...], ...]:
    """Return keys for the levels of a run that came without its files."""
    return tuple((f"saved/{run.id}#{number}",) for number in range(len(run.stages)))


def flat(stages: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys of several stages."""
    return tuple(key for stage in stages for key in stage)


def apart(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return runs with ids of their own: a saved run and a new one may come from the same files."""
    seen: dict[str, int] = {}
    named = []
    for run in runs:
        seen[run.id] = count = seen.get(run.id, 0) + 1
        again = replace(run, id=f"{run.id}--{count}", label=f"{run.label} ({count})")
        named.append(run if count == 1 else again)
    return tuple(named)


def based_after(past: Held, now: Held) -> Based | None:
    """Return what an earlier state goes on from: what was saved of the same work since then stays saved."""
    shared = {file.sha256 for file in past.files} & {file.sha256 for file in now.files}
    same_work = past.opened is now.opened and bool(shared or past.opened)
    same_base = now.based and (past.based is None or past.based.scenario_id == now.based.scenario_id)
    return now.based if same_work and same_base else past.based
