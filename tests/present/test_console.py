"""The terminal's tables: whole levels, and nothing from a file that a terminal would obey."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.present.console import import_table, plan_table, printable
from tests.present.builders import NEXT, answer_of, run_of

HOSTILE = "a\x1b[31mb\nc\u202ed\x9b\te"
SHOWN = "a\ufffd[31mb\ufffdc\ufffdd\ufffd\ufffde"
CLEANED = "a[31mb cd e"
"""What runs and findings keep of it in the first place."""


def test_what_a_terminal_would_obey_is_replaced():
    assert printable(HOSTILE) == SHOWN
    assert printable("한국어 90 % × ≤ –") == "한국어 90 % × ≤ –"


@pytest.mark.parametrize(
    "table", [lambda run: import_table([run]), lambda run: plan_table([answer_of(run)], None, None)]
)
def test_strings_of_files_reach_the_terminal_harmless(table):
    finding = Finding(code="a.b", severity=Severity.INFO, where=Place(HOSTILE), what=t("Seen in {x}", x=HOSTILE))
    said = table(replace(run_of(label=HOSTILE, model=HOSTILE, engine=HOSTILE), findings=(finding,)))
    assert all(line.isprintable() for line in said.split("\n"))
    assert said.split("\n")[0].startswith(CLEANED)
    assert f"[a.b] {CLEANED}" in said


def test_levels_are_named_in_full():
    assert any(line.split()[:1] == ["1,024"] for line in import_table([run_of((4.0, 1024.0))]).splitlines())
    said = plan_table([answer_of(next_measurement=replace(NEXT, concurrency=1024.0))], None, None)
    assert "Next: Run 400 requests at concurrency 1,024. It lies at the estimate." in said
