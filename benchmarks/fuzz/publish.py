"""What damage and fuzzing came to, kept in results.json and written out in results.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEPT, SHOWN = HERE / "results.json", HERE / "results.md"
OUTCOMES = {
    "refused": "refused, with the place",
    "finding": "read, with a finding more",
    "same": "read, the same result",
    "hit": "read, differs only in the field or row that was hit",
    "shorter": "read, shorter: cut at the end of a line, or where nothing shows the end",
    "wrong": "anything else",
}


def publish(part: str, found: Mapping[str, object]) -> None:
    """Replace one part of the results, "damage" or "fuzzing", and write them out."""
    results = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    results[part] = found
    KEPT.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    SHOWN.write_text(shown(results), encoding="utf-8")


def shown(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the results as Markdown."""
    parts = ["# Hostile and damaged files", ""]
    if "damage" in results:
        parts += _damage(results["damage"])
    if "fuzzing" in results:
        parts += _fuzzing(results["fuzzing"])
    return "\n".join(parts)


def _damage(found: Mapping[str, Any]) -> list[str]:
    about = f"""{found["files"]} golden files of {found["formats"]} formats, each cut off at {found["places"]} offsets
and with {found["places"]} single bytes replaced, read and made into runs: `python -m benchmarks.fuzz.damage`.
The same damage is a test (`tests/fuzz/test_damage.py`: one file per format in `make test`, all in `make fuzz`)."""
    rows = [
        f"| {words} | {found['cuts'].get(outcome, 0)} | {found['flips'].get(outcome, 0)} |"
        for outcome, words in OUTCOMES.items()
    ]
    head = ["| outcome | cut off | one byte replaced |", "| --- | ---: | ---: |"]
    return ["## Every golden file, damaged", "", about, "", *head, *rows, ""]


def _fuzzing(found: Mapping[str, Any]) -> list[str]:
    about = f"""`python -m tests.fuzz.fuzz_reading --all {found["seconds"]}`: atheris, {found["seconds"]} s for sniffing
and for each format, beside other work; `make fuzz` takes FUZZ_SECONDS=60 for each. A find is anything but a
result or a refusal, or an input that takes longer than 20 s; each becomes a test (`tests/fuzz/test_found.py`).
Coverage is libFuzzer's count of features of the code that were reached."""
    rows = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in found["rows"]]
    head = ["| format | inputs tried | coverage | finds |", "| --- | ---: | ---: | ---: |"]
    return ["## Coverage-guided fuzzing", "", about, "", *head, *rows, ""]
