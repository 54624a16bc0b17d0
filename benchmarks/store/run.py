"""Kill savers, let 50 editors save at once, save one sweep 20 times, weigh drafts; write `results.md`.

Command: `python -m benchmarks.store.run`. It starts and kills a PostgreSQL of its own on this machine.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from sqlalchemy import create_engine, text

from benchmarks.store import drafts_cost
from benchmarks.store.trials import (
    Edited,
    Kill,
    Killed,
    edited_together,
    end_connections,
    kill_saver,
    kill_server,
    killed_while_saving,
)
from core.model.stage import Requests
from core.store.store import open_store
from tests.postgres import Cluster, cluster, why_not
from tests.store.store_build import a_run, a_scenario

RESULTS = Path(__file__).with_name("results.md")
SAVES, EDITORS, VERSIONS, RECORDS = 200, 50, 20, 10_000
SEED = 5


def main() -> int:
    """Run every trial, write the results and return 1 where anything was lost."""
    killed: list[tuple[str, str, Killed]] = []
    edited: list[tuple[str, Edited]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = f"sqlite:///{folder}/kills.db"
        killed.append(("SQLite", "the saver", killed_while_saving(file, kill_saver, saves=SAVES, seed=SEED)))
        edited.append(("SQLite", together(f"sqlite:///{folder}/editors.db")))
        sizes = saved_again(f"sqlite:///{folder}/versions.db")
    reason = why_not()
    if reason is None:
        with cluster() as running:
            for what, url, kill in kills(running):
                done = killed_while_saving(url, kill, saves=SAVES, seed=SEED, longest_s=0.8)
                killed.append(("PostgreSQL", what, done))
            edited.append(("PostgreSQL", together(running.address(running.create()))))
    written = page(killed, edited, sizes, drafts_cost.measured(), reason)
    RESULTS.write_text(written, encoding="utf-8")
    print(written)
    faults = [done.lost + done.torn for _, _, done in killed] + [done.lost + done.gaps for _, done in edited]
    return 1 if any(faults) else 0


def kills(running: Cluster) -> Iterator[tuple[str, str, Kill]]:
    """Yield what is killed, with a database of its own and how."""
    yield "the saver", running.address(running.create()), kill_saver
    url = running.address(running.create())
    yield "its connections", url, end_connections(running, url)
    yield "the whole server", running.address(running.create()), kill_server(running)


def together(url: str) -> Edited:
    """Let the editors save at once."""
    return edited_together(url, editors=EDITORS, marks=1, processes=2)


def saved_again(url: str) -> tuple[int, int, int]:
    """Save one sweep with its records often; return bytes of all payloads and of all tables, and how many these are."""
    chance = np.random.default_rng(SEED)
    numbers = {
        name: chance.lognormal(size=RECORDS)
        for name in ("start_s", "ttft_s", "tpot_s", "e2e_s", "input_tokens", "output_tokens")
    }
    records = Requests(**numbers, good=np.ones(RECORDS, dtype=bool))
    run = a_run()
    run = replace(run, stages=tuple(replace(stage, requests=records) for stage in run.stages[:1]))
    scenario = replace(a_scenario("many records"), runs=(run,), answers=())
    store = open_store(url)
    first = store.save(scenario)
    for number in range(1, VERSIONS):
        store.save(replace(scenario, notes=f"note {number}"), first.id)
    store.close()
    engine = create_engine(url)
    with engine.connect() as raw:
        payloads = int(raw.scalar(text("SELECT sum(length(payload)) FROM scenario")) or 0)
        size, count = raw.execute(text("SELECT sum(size), count(*) FROM blob")).one()
    engine.dispose()
    return payloads, int(size), int(count)


def page(
    killed: list[tuple[str, str, Killed]],
    edited: list[tuple[str, Edited]],
    sizes: tuple[int, int, int],
    cost: str,
    missing: str | None,
) -> str:
    """Return the results as Markdown."""
    lines = [
        "# What the store keeps",
        "",
        "Command: `python -m benchmarks.store.run`.",
        "",
        "## Killed while saving",
        "",
        f"Savers save in a loop; something is killed at random moments until {SAVES} saves were acknowledged. Found:",
        "acknowledged saves that are there, whole and with the right content. Beyond: saves that are there though the",
        "kill came before the answer. Torn: versions without their event or place in the sequence.",
        "",
        "| database | killed | kills | acknowledged | found | lost | beyond | torn |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {where} | {what} | {d.kills} | {d.acknowledged} | {d.found} | {d.lost} | {d.unasked} | {d.torn} |"
            for where, what, d in killed
        ),
        "",
        "## Saving at once",
        "",
        "Editors load one scenario, add a mark and save on what they loaded; who is told of a conflict looks again.",
        "",
        "| database | editors | updates | conflicts told | lost | gaps in the versions | wrong authors |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {where} | {d.editors} | {d.updates} | {d.conflicts} | {d.lost} | {d.gaps} | {d.strangers} |"
            for where, d in edited
        ),
        "",
        "## The same records in many versions",
        "",
        f"{VERSIONS} versions of a sweep with {RECORDS:,} requests: {sizes[2]} table of {sizes[1]:,} bytes,",
        f"and {sizes[0]:,} bytes for all {VERSIONS} versions themselves.",
        "",
        "## What keeping unsaved work costs",
        "",
        cost,
        "",
    ]
    if missing:
        lines += [f"PostgreSQL was not tried: {missing}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
