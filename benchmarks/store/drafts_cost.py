"""What keeping unsaved work costs: CPU of a moved target over six runs, with its draft written and without.

Command: `python -m benchmarks.store.drafts_cost`; `benchmarks.store.run` puts the same into `results.md`. The
writer's own thread counts, since it takes the same cores. By turns, so that a busy machine lengthens both.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from core.settings import database_url
from core.store.store import open_store
from pages.parts import database, drafts, keys
from tests.pages.test_plan_page import bench

RUNS, MOVES, WRITES = 6, 16, 100
LEVELS = [(1, 60, 8), (4, 70, 9), (16, 90, 12), (64, 160, 22), (128, 320, 38), (256, 900, 71)]
ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Measure and print."""
    print(measured())
    return 0


def measured() -> str:
    """Return what was measured, as a paragraph."""
    written, unwritten = [], []
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {"PLIMSOLL_HOME": folder}):
        os.environ.pop("PLIMSOLL_DATABASE_URL", None)
        app = with_runs()
        move(app, 0)
        for number in range(1, MOVES + 1):
            written.append(move(app, 2 * number))
            require_written(app, 2 * number)
            with patch.object(drafts, "asked", lambda *_told: None):
                unwritten.append(move(app, 2 * number + 1))
        alone = one_write(app) * 1e3
    with_, without = (statistics.median(each) * 1e3 for each in (written, unwritten))
    return (
        f"A target moved over {RUNS} runs, {MOVES} times by turns, median CPU: {with_:.0f} ms with its draft written,\n"
        f"{without:.0f} ms without, ratio {with_ / without:.2f}; on a busy machine this ratio moves by a tenth\n"
        "from one measurement to the next. "
        f"One write alone, median of {WRITES}: {alone:.1f} ms, {alone / without:.1%} of the move."
    )


def with_runs() -> AppTest:
    """Return the app with six runs of six levels."""
    begins = PagesManager.__init__

    def begun(self: PagesManager, *args: Any, **named: Any) -> None:  # noqa: ANN401 passed on as they come
        begins(self, *args, **named)
        # Every run begins with app.py, which writes the address and the question of the draft.
        PagesManager.uses_pages_directory = False

    PagesManager.__init__ = begun
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for number in range(RUNS):
        for load, ttft, tpot in LEVELS:
            document = json.loads(bench(load, ttft * (1 + number / 10), tpot)) | {"model_id": f"example/model-{number}"}
            app.file_uploader[0].upload(f"{number}/{load}.json", json.dumps(document).encode(), "application/json")
    app.run()
    shown = len(app.session_state[keys.HELD].shown)
    if shown != RUNS or app.exception:
        raise RuntimeError(f"{shown} runs instead of {RUNS}")
    return app


def move(app: AppTest, number: int) -> float:
    """Move the first target and return the CPU seconds that it took, those of the writer among them."""
    box = app.number_input(key=keys.of(keys.TARGET_VALUE, 0))
    before = time.process_time()
    box.set_value(300.0 + number)
    app.run()
    database.questions().flush()
    return time.process_time() - before


def one_write(app: AppTest) -> float:
    """Return the CPU seconds of writing one question, the median of many: a page's own noise is larger than it."""
    store = open_store(database_url())
    taken = []
    for number in range(WRITES):
        before = time.process_time()
        store.drafts.ask(app.session_state[keys.HELD].draft, {"t": [f"ttft-p99-{number}ms"]})
        taken.append(time.process_time() - before)
    store.close()
    return statistics.median(taken)


def require_written(app: AppTest, number: int) -> None:
    """Refuse to measure what does nothing."""
    store = open_store(database_url())
    found = store.drafts.find(app.session_state[keys.HELD].draft)
    store.close()
    if found is None or f"{300 + number}" not in str(found.question["t"]):
        raise RuntimeError("the draft was not written")


if __name__ == "__main__":
    sys.exit(main())
