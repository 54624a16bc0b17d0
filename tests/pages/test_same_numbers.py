"""A number on the screen and the number of the command line are one number."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys

from core.present.numbers import concurrency, money
from pages.parts import keys
from tests.pages.conftest import press, words


def test_the_sample_says_the_same_on_the_page_and_in_json(visit, root):
    files = sorted(str(path) for path in (root / "data/samples/vllm_cpu").glob("*.json"))
    slos = ["--slo", "ttft p99 <= 300ms", "--slo", "tpot p95 <= 50ms"]
    done = subprocess.run(
        [sys.executable, "-m", "core", "plan", *files, *slos, "--price", "20/h", "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout)["runs"][0]
    said = words(press(visit(t=["ttft-p99-300ms", "tpot-p95-50ms"], price="20/h"), keys.SAMPLE))
    range_, cost = told["capacity"]["concurrency"], told["cost"]["per_million_output"]
    assert f"{told['capacity']['safe_concurrency']} concurrent requests, safely" in said
    assert f"estimate {concurrency(range_['mid'])}, range {concurrency(range_['low'])}–" in said
    assert f"{money(cost['mid'], 'USD')} per million output tokens" in said
    wanted = told["next_measurement"]
    assert f"at concurrency {wanted['concurrency']:g}" in said
    assert wanted["command"] in said
    findings = re.search(r"Doubts \((\d+) findings\)", said)
    assert int(findings[1]) == len(told["findings"])
    assert math.isfinite(cost["low"])
