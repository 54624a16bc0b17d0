"""The options of the command line that say which levels are one run, what a run is called and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING

import click

from core.normalise.said import Said

if TYPE_CHECKING:
    from core.pipeline import Loaded


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options about runs; the command gets them as one `said`."""

    @click.option("--merge", multiple=True, metavar="RUN,RUN", help="Make one run of several.")
    @click.option("--split", multiple=True, metavar="RUN=HOW", help="By file, folder, name, or a setting's name.")
    @click.option("--rename", multiple=True, metavar="RUN=NAME", help="Call a run by another name.")
    @click.option("--exclude", multiple=True, metavar="WHAT=REASON", help="Leave out a file, RUN@LOAD or a whole RUN.")
    @wraps(command)
    def with_runs(
        *args: object,
        merge: tuple[str, ...],
        split: tuple[str, ...],
        rename: tuple[str, ...],
        exclude: tuple[str, ...],
        **others: object,
    ) -> None:
        command(*args, said=Said(merge=merge, split=split, rename=rename, exclude=exclude), **others)

    return with_runs


def arranged_as(loaded: Loaded, said: Said) -> Loaded:
    """Return the runs after what was said; the names in it are those of `loaded`.

    Raises:
        UsageError: as `core.normalise.spoken.spoken` and `core.model.run_name.by_id`.
    """
    from core.normalise.spoken import spoken
    from core.pipeline import arrange

    if said.empty:
        return loaded
    decided = spoken(_by_id(said, loaded), loaded.runs, loaded.members, loaded.ways)
    return replace(arrange(loaded.files, decided), refused=loaded.refused)


def _by_id(said: Said, loaded: Loaded) -> Said:
    """Return the options with ids in place of labels."""
    from core.model.run_name import by_id

    labels = {run.id: run.label for run in loaded.runs}
    return Said(
        merge=tuple(_merged(text, labels) for text in said.merge),
        split=by_id(said.split, labels),
        rename=by_id(said.rename, labels),
        exclude=by_id(said.exclude, labels, "=@"),
    )


def _merged(text: str, labels: Mapping[str, str]) -> str:
    """Return "RUN,RUN" in ids; a label may hold a comma itself."""
    from core.model.run_name import by_id

    ids, rest = [], f"{text},"
    while rest:
        run, _, rest = by_id([rest], labels, ",")[0].partition(",")
        ids.append(run)
    return ",".join(ids)
