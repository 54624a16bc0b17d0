"""Lines of the log: one an event, in one form, whoever writes them and however late."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import logging, sys
sys.path.insert(0, {root!r})
early = logging.getLogger("early")
early.propagate = False
early.addHandler(logging.StreamHandler(sys.stderr))
from serve import logs
logs.start(as_json={as_json}, secrets=["a-known-secret-value", "short"])
late = logging.getLogger("late")
late.propagate = False
handler = logging.StreamHandler(sys.stderr)
handler.setFormatter(logging.Formatter("%(message)s %(foreign)s", defaults={{"foreign": "form"}}))
late.addHandler(handler)
early.warning("GET /?s=%s from %s", "Zm9vYmFyYmF6", "postgresql://app:pa@ss@db/x")
late.warning("a-known-secret-value is short\\nINFO forged line")
late.warning("%d and no number", "x")
try:
    raise ValueError("postgresql://app:pa@ss@db/x ?d=Zm9vYmFyYmF6")
except ValueError:
    logging.getLogger("plimsoll.failures").error("error ABCD2345: x", exc_info=True, extra={{"error_id": "ABCD2345"}})
"""


@pytest.fixture(scope="module", params=[True, False], ids=["json", "plain"])
def written(request, root):
    code = PROGRAM.format(root=str(root), as_json=request.param)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return request.param, done.stderr


def test_no_secret_is_in_it(written):
    text = written[1]
    assert not [each for each in ("Zm9vYmFyYmF6", "pa@ss", "a-known-secret-value") if each in text]
    assert "is short" in text


def test_each_event_is_one_line_that_nobody_can_forge(written):
    as_json, text = written
    lines = text.splitlines()
    if as_json:
        events = [json.loads(line) for line in lines]
        assert [event["logger"] for event in events] == ["early", "late", "late", "plimsoll.failures"]
        assert events[3]["error_id"] == "ABCD2345"
        assert "ValueError" in events[3]["trace"]
        assert events[0]["time"].endswith("Z")
    else:
        assert len([line for line in lines if not line.startswith("    ")]) == 4
        assert not [line for line in lines if line.startswith("INFO forged")]


def test_a_mistake_in_a_line_is_written_and_not_raised(written):
    assert "and no number" in written[1]
    assert "Logging error" not in written[1]
