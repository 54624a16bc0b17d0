"""Expected values of the given tables with one request per row, worked out without `core`.

The script of lisyoen/llm-benchmark writes the same requests as CSV and JSON Lines, in seconds; `timestamp` is when a
request ended, which its id (microseconds since 1970 when it began) shows.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import mean

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[3] / "shared" / "data"
FOLDER = DATA / "public" / "handmade_tables" / "lisyoen__llm-benchmark"


def rows_of(path: Path) -> list[dict]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def facts(path: Path) -> dict:
    rows = rows_of(path)
    good = [row for row in rows if str(row["success"]).lower() == "true"]
    return {
        "format_id": "generic_requests",
        "kind": "measured",
        "levels": [
            {
                "asked_concurrency": None,
                "asked_rate": None,
                "requests_sent": len(rows),
                "requests_good": len(good),
                "requests_failed": len(rows) - len(good),
                "conditions": {"model": rows[0]["model"]},
                "identity": {"workload": rows[0]["workload"]},
                "findings": ["ingest.no_load"],
                "requests": {
                    "n": len(rows),
                    "good": len(good),
                    "gaps": 0,
                    "unit": "s",
                    "ttft_mean": mean(float(row["ttft"]) for row in good),
                    "e2e_mean": mean(float(row["total_time"]) for row in good),
                    "output_tokens_mean": mean(float(row["tokens_generated"]) for row in good),
                    "input_tokens_mean": None,
                },
            }
        ],
    }


def main() -> None:
    paths = [path for path in sorted(FOLDER.glob("bench_*")) if path.suffix in (".csv", ".jsonl")]
    paths = [path for path in paths if not path.stem.endswith("_summary")]
    found = {path.relative_to(DATA).as_posix(): facts(path) for path in paths}
    told = {"how": "python tests/given/second_route/generic_requests.py", "files": found}
    target = HERE.parent / "generic_requests.json"
    target.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
