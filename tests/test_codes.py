"""Codes are a promise to scripts: every one in the code is documented, and none that is documented is gone."""

from __future__ import annotations

import ast
import re

CODE = re.compile(r"[a-z][a-z0-9_]*\.[a-z0-9]+(?:_[a-z0-9]+)*")
NOT_CODES = {"scenario.key", "group.workload", "scenario.load", "traffic.load"} | {
    f"job.{name}" for name in ("requests", "deadline_s", "input_tokens", "output_tokens")
}
"""Columns and keys of files, and fields of a difference, in the form of a code."""

ROW = re.compile(r"^\| `([a-z][a-z0-9_]*\.[a-z0-9_]+)` \|", re.MULTILINE)


def test_every_code_is_documented_and_every_documented_code_exists(root):
    documented = set(ROW.findall((root / "docs" / "codes.md").read_text(encoding="utf-8")))
    families = {code.split(".")[0] for code in documented}
    used = {code for code in literals(root / "core") if code.split(".")[0] in families} - NOT_CODES
    assert not used - documented, lacking(used - documented)
    gone = sorted(documented - used)
    assert not gone, f"docs/codes.md has codes that no longer occur in core/: {', '.join(gone)}"


def test_every_raised_or_found_code_is_of_a_documented_family(root):
    documented = set(ROW.findall((root / "docs" / "codes.md").read_text(encoding="utf-8")))
    unknown = set(code_arguments(root / "core")) - documented
    assert not unknown, lacking(unknown)


def lacking(codes):
    return f"docs/codes.md has no row for {', '.join(sorted(codes))}"


def literals(folder):
    """Every string constant that has the form of a code."""
    for tree in trees(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
                yield node.value


def code_arguments(folder):
    """What is passed as `code=`, or first to an error's constructor."""
    for tree in trees(folder):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            named = [k.value for k in node.keywords if k.arg == "code"]
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            first = node.args[:1] if name.endswith("Error") or name == "refusal" else []
            for value in named + first:
                if isinstance(value, ast.Constant) and isinstance(value.value, str) and CODE.fullmatch(value.value):
                    yield value.value


def trees(folder):
    for path in folder.rglob("*.py"):
        yield ast.parse(path.read_text(encoding="utf-8"))
