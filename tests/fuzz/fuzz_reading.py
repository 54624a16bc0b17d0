"""Coverage-guided fuzzing of sniffing and of every format: `make fuzz`.

    python -m tests.fuzz.fuzz_reading FORMAT [SECONDS] [RUNS]     one format, from its golden files
    python -m tests.fuzz.fuzz_reading --all [SECONDS]             each in a process of its own, a table at the end

A crash is written to .fuzz/<format>/; its bytes become a test in tests/fuzz/test_found.py.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["core.ingest", "core.normalise"], enable_loader_override=False):
    from core.errors import RefusedFileError
    from core.ingest.decode import unpacked
    from core.ingest.raw import RawFile, Upload
    from core.ingest.read import read_file
    from core.normalise.runs import runs_of

from benchmarks.fuzz.publish import publish
from tests.golden.test_golden import CASES, upload_of

ROOT = Path(__file__).resolve().parents[2]
FOUND = ROOT / ".fuzz"
SECONDS = 60
MOST_BYTES = 20_000
SNIFFING = "sniffing"
NASTY: list[object] = [
    None, True, False, 0, -1, 0.5, 1e308, 1e-320, 10**400, float("nan"), float("inf"), float("-inf"),
    "", "-", "inf", "NaN", "12,5", "1e999", "x" * 400, "\x00", "\ud800", [], {}, [[]], [None], [1, "a"], {"a": {}},
]  # fmt: skip
# The names of golden files say a load, which a fuzzer would hardly guess.
NAMES = {case.parent.name: upload_of(case).name for case in CASES}


def check(raw: RawFile) -> None:
    """What holds for everything that is read, whatever the bytes."""
    for level in raw.levels:
        assert all(math.isfinite(reading.value) for reading in level.readings)
        for load in (level.asked_concurrency, level.asked_rate):
            assert load is None or (math.isfinite(load) and load > 0.0)
        if level.requests is not None:
            assert level.requests.good.shape == level.requests.e2e.shape == level.requests.ttft.shape
    for run in runs_of([raw]):
        assert run.stages


def target(name: str) -> Callable[[bytes], None]:
    """Return what reads one input: anything but an answer or a refusal is a find."""

    def one(data: bytes) -> None:
        try:
            raw = read_file(Upload(name, data))
        except RefusedFileError as error:
            complete = error.place.file and str(error.fix)
        else:
            check(raw)
            complete = True
        assert complete

    return one


def mutated(data: bytes, most: int, seed: int) -> bytes:
    """Return another input: every second time one value inside a JSON document, else bytes as libFuzzer likes."""
    chance = random.Random(seed)
    if chance.random() < 0.5:
        lines = data.split(b"\n")
        at = chance.randrange(len(lines)) if lines[0].rstrip().endswith(b"}") else 0
        text = lines[at] if len(lines) > 1 and lines[0].rstrip().endswith(b"}") else data
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return bytes(atheris.Mutate(data, most))
        _replace_one(document, chance)
        made = json.dumps(document).encode()
        if text is not data:
            lines[at] = made
            made = b"\n".join(lines)
        if len(made) <= most:
            return made
    return bytes(atheris.Mutate(data, most))


def _replace_one(document: object, chance: random.Random) -> None:
    """Walk to a random leaf and put something nasty there, or take it away."""
    inside = document
    while isinstance(inside, dict | list) and inside:
        key = chance.choice(list(inside)) if isinstance(inside, dict) else chance.randrange(len(inside))
        deeper = inside[key]
        if not isinstance(deeper, dict | list) or not deeper or chance.random() < 0.1:
            if chance.random() < 0.2:
                del inside[key]
            else:
                inside[key] = chance.choice(NASTY)
            return
        inside = deeper


def fuzz(format_id: str, seconds: int, runs: int) -> None:
    """Fuzz one format in this process, which libFuzzer ends."""
    found = FOUND / format_id
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for case in CASES:
            if format_id in (case.parent.name, SNIFFING):
                data = unpacked(upload_of(case)).data
                (Path(corpus) / f"{case.parent.name}-{case.name}").write_bytes(data[:MOST_BYTES])
        options = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-artifact_prefix={found}/", "-timeout=20"]
        options += [f"-runs={runs}"] if runs else []
        arguments = [sys.argv[0], *options, "-print_final_stats=1", corpus]
        atheris.Setup(arguments, target(NAMES.get(format_id, "file")), custom_mutator=mutated)
        atheris.Fuzz()


def _apart(format_id: str, seconds: int) -> tuple[int, str]:
    """Fuzz one format in a copy of this process, which is instrumented already; its exit code and what it printed."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            try:
                fuzz(format_id, seconds, 0)
            finally:
                # libFuzzer ends the process itself: here is only what failed before it.
                os._exit(70)
        _, status = os.waitpid(child, 0)
        log.seek(0)
        return os.waitstatus_to_exitcode(status), log.read().decode("utf-8", "replace")


def every(seconds: int) -> int:
    """Fuzz each format in a process of its own; print and publish a table; return how many found something."""
    failed = 0
    rows: list[tuple[object, ...]] = []
    sys.stdout.write("| format | inputs tried | coverage | finds |\n| --- | --- | --- | --- |\n")
    for format_id in (SNIFFING, *sorted(NAMES)):
        code, told = _apart(format_id, seconds)
        tried = re.findall(r"number_of_executed_units:\s*(\d+)", told)
        covered = re.findall(r"cov: (\d+)", told)
        failed += code != 0
        row = (format_id, tried[-1] if tried else "?", covered[-1] if covered else "?", int(code != 0))
        rows.append(row)
        sys.stdout.write("| {} | {} | {} | {} |\n".format(*row))
        if code:
            sys.stdout.write(told[-3000:])
        sys.stdout.flush()
    publish("fuzzing", {"seconds": seconds, "rows": rows})
    return failed


if __name__ == "__main__":
    if sys.argv[1] == "--all":
        sys.exit(every(int(sys.argv[2]) if len(sys.argv) > 2 else SECONDS) > 0)
    fuzz(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else SECONDS, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
