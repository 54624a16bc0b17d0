"""The part of docs/formats.md that says what became of every given result file.

    python scripts/formats.py            print it
    python scripts/formats.py --write    put it into docs/formats.md

It needs the folder of result files beside the checkout. A test holds the page to it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.errors import RefusedFileError  # noqa: E402  # the path has to be there first
from core.ingest.raw import Upload  # noqa: E402
from core.ingest.read import read_file  # noqa: E402
from tests.conftest import SHARED_DATA  # noqa: E402
from tests.given.files import given  # noqa: E402

PAGE = ROOT / "docs" / "formats.md"
START, END = "<!-- given files: start -->", "<!-- given files: end -->"
_DIGITS = re.compile(r"\d+(?:[._-]\d+)*")
_MOST_NAMES = 3


Outcome = str | RefusedFileError
"""What became of a file: the id of the format that it was read as, or why it was refused."""


def outcomes() -> dict[str, Outcome]:
    """Read every given file."""
    found: dict[str, Outcome] = {}
    for path in given():
        try:
            found[path] = read_file(Upload(path, (SHARED_DATA / path).read_bytes())).format_id
        except RefusedFileError as error:
            found[path] = error
    return found


def section(found: Mapping[str, Outcome]) -> str:
    """Return the two tables: what is read, by folder, and what is refused, by reason."""
    read: dict[str, Counter[str]] = defaultdict(Counter)
    refused: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for path, outcome in found.items():
        folder = _folder(path)
        if isinstance(outcome, str):
            read[folder][outcome] += 1
        else:
            refused[folder, outcome.code, f"{_plain(outcome)}. {outcome.fix}"].append(path)
    count = sum(isinstance(outcome, str) for outcome in found.values())
    lines = [
        f"Of {len(found)} files, {count} are read and {len(found) - count} are refused.",
        "",
        "| folder | read as |",
        "| --- | --- |",
        *(f"| `{folder}` | {_counted(counts)} |" for folder, counts in sorted(read.items())),
        "",
        "| folder | refused | code | because |",
        "| --- | --- | --- | --- |",
        *(f"| `{key[0]}` | {_names(paths)} | `{key[1]}` | {key[2]} |" for key, paths in sorted(refused.items())),
    ]
    return "\n".join(lines)


def on_page(text: str) -> str:
    """Return the section that a page holds, "" where it has none."""
    return text.split(START)[1].split(END, maxsplit=1)[0].strip() if START in text else ""


def _folder(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[: 3 if parts[0] == "generated" else 2]) if len(parts) > 2 else parts[0]


def _plain(error: RefusedFileError) -> str:
    """Return what was refused without the numbers and names of one file, so that equal reasons are one row."""
    return re.sub(r'"[^"]*"', '"…"', _DIGITS.sub("N", str(error.what))).replace("|", "/")


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"`{format_id}` {count}" for format_id, count in sorted(found.items()))


def _names(paths: list[str]) -> str:
    names = sorted({_DIGITS.sub("*", path.rsplit("/", 1)[-1]) for path in paths})
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMES]) + (" …" if len(names) > _MOST_NAMES else "")
    return f"{len(paths)}: {shown}"


def main() -> None:
    """Print the section, or write it into the page."""
    made = section(outcomes())
    if "--write" not in sys.argv:
        sys.stdout.write(made + "\n")
        return
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n\n{made}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
