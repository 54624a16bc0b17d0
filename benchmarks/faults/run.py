"""Plant every fault in every clean sweep, as every tool that can show it; say what is found and what is a false alarm.

python -m benchmarks.faults.run            print and write benchmarks/faults/results.{json,md}
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from benchmarks.faults.kinds import FAULTS, Fault
from benchmarks.faults.writers import BASES, WRITERS, Files, clean
from core.ingest.raw import Upload
from core.pipeline import load

HERE = Path(__file__).resolve().parent
GIVEN = HERE.parents[2] / "shared" / "data" / "generated" / "tools"
# Sweeps of the quiet emulator, by the tools themselves: nothing is wrong with them either.
CLEAN_FOLDERS = ("vllm-bench-0.32.0/dense_emulator_mns16", "vllm-bench-0.32.0/sweep_emulator")


def told(files: Files) -> dict[str, set[str]]:
    """Return by file name the codes of everything that is said of it."""
    loaded = load([Upload(name, data) for name, data in files.items()])
    codes: dict[str, set[str]] = defaultdict(set)
    for refusal in loaded.refused:
        codes[refusal.file].add(refusal.code)
    for run in loaded.runs:
        for finding in run.findings:
            codes[finding.where.file or ""].add(finding.code)
    return codes


def planted(fault: Fault, base: str, writer: str) -> Files:
    """Return the files of one damaged copy."""
    rows = clean(base)
    files = WRITERS[writer](fault.rows(rows) if fault.rows else rows)
    return fault.files(files) if fault.files else files


def cases() -> list[tuple[Fault, str, str]]:
    """Every fault with every sweep and tool that can show it."""
    return [(fault, base, writer) for fault in FAULTS for base in BASES for writer in fault.writers]


def missed() -> list[str]:
    """Return the damaged copies whose fault nobody named."""
    return [
        f"{fault.name}, {base}, {writer}"
        for fault, base, writer in cases()
        if not fault.codes & set().union(*told(planted(fault, base, writer)).values())
    ]


def alarms() -> tuple[int, list[str]]:
    """Return the number of clean files, and those of which a fault is said that they do not have."""
    every = frozenset(code for fault in FAULTS for code in fault.codes)
    sets = [WRITERS[writer](clean(base)) for base in BASES for writer in WRITERS]
    for folder in CLEAN_FOLDERS:
        found = sorted((GIVEN / folder).rglob("*.json")) if GIVEN.is_dir() else []
        if found:
            sets.append({path.relative_to(GIVEN).as_posix(): path.read_bytes() for path in found})
    wrong = []
    for files in sets:
        codes = told(files)
        wrong += [f"{name}: {', '.join(sorted(codes[name] & every))}" for name in files if codes[name] & every]
    return sum(map(len, sets)), wrong


def main() -> None:
    """Print and publish both figures."""
    not_found, (clean_files, false) = missed(), alarms()
    planted_count = len(cases())
    found = planted_count - len(not_found)
    results = {
        "faults": len(FAULTS),
        "damaged copies": planted_count,
        "found": found,
        "missed": not_found,
        "clean files": clean_files,
        "false alarms": false,
    }
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    lines = [
        "# Planted faults",
        "",
        "Command: `python -m benchmarks.faults.run`. One fault in each copy of a clean sweep, written as vLLM, AIPerf",
        "and a CSV table would; found means that a finding or refusal of the right kind names it.",
        "",
        f"* {len(FAULTS)} kinds of fault, {planted_count} damaged copies: {found} found ({found / planted_count:.1%}).",
        f"* {clean_files} clean files: a fault is said of {len(false)} ({len(false) / clean_files:.1%}).",
        "",
        "| fault | codes that name it | copies | found |",
        "| --- | --- | --- | --- |",
    ]
    for fault in FAULTS:
        count = len(BASES) * len(fault.writers)
        lost = sum(text.startswith(f"{fault.name}, ") for text in not_found)
        codes = ", ".join(f"`{code}`" for code in sorted(fault.codes))
        lines.append(f"| {fault.name} | {codes} | {count} | {count - lost} |")
    lines += ["", *(f"Missed: {text}." for text in not_found), *(f"False alarm: {text}." for text in false)]
    (HERE / "results.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
