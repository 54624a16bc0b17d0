"""The given result files that tests read in place."""

from __future__ import annotations

from fnmatch import fnmatchcase

from tests.conftest import SHARED_DATA

# Questions and answers of the accuracy figures, and what describes the data, are no results of a tool.
NOT_RESULTS = (
    "README.md",
    "*/README.md",
    "public/INDEX.csv",
    "generated/accuracy_*",
    "generated/tools/summary.tsv",
    "*/NO_FILES_WRITTEN.txt",
)


def given() -> list[str]:
    """Paths of every given result file, relative to the folder of data."""
    if not SHARED_DATA.is_dir():
        return []
    paths = (path.relative_to(SHARED_DATA).as_posix() for path in sorted(SHARED_DATA.rglob("*")) if path.is_file())
    return [path for path in paths if not any(fnmatchcase(path, pattern) for pattern in NOT_RESULTS)]
