"""The shape of the code: layers, file sizes, and what may know what."""

from __future__ import annotations

import subprocess
import sys

import pytest

LONGEST_FILE = 350


def test_layers_hold(root):
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("folder", ["core", "pages"])
def test_no_file_needs_scrolling(root, folder):
    long = {str(p.relative_to(root)): n for p in (root / folder).rglob("*.py") if (n := lines(p)) > LONGEST_FILE}
    assert not long


def test_no_module_is_named_after_nothing(root):
    vague = {"utils", "helpers", "manager", "base", "common", "misc"}
    assert not [p for p in (root / "core").rglob("*.py") if p.stem in vague]


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())
