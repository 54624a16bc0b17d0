"""What a file says of its folder reaches the results there, and no other."""

from __future__ import annotations

import pytest

from core.errors import Place
from core.ingest.raw import RawFile, RawLevel
from core.model.run import Kind
from core.normalise.runs import runs_of


def result(name: str, format_id: str = "tool", **conditions: str | int) -> RawFile:
    level = RawLevel(place=Place(name), asked_concurrency=4.0, conditions=conditions)
    return RawFile(
        name=name, sha256=name, format_id=format_id, format_version=None, kind=Kind.MEASURED, levels=(level,)
    )


def about(name: str, about_format: str | None = None, **said: str | int) -> RawFile:
    return RawFile(
        name=name,
        sha256=name,
        format_id="log",
        format_version=None,
        kind=Kind.MEASURED,
        levels=(),
        about=said,
        about_format=about_format,
    )


def codes(run):
    return {finding.code for finding in run.findings}


@pytest.mark.parametrize(
    ("log", "told"),
    [("a/server.log", True), ("server.log", True), ("b/server.log", False), ("a/x/deeper/server.log", False)],
)
def test_a_log_speaks_for_its_folder_and_those_below(log, told):
    (run,) = runs_of([result("a/x/c4.json"), about(log, accelerator="H100")])
    assert (run.conditions.accelerator == "H100") is told
    assert ("ingest.from_beside" in codes(run)) is told
    assert (log in {file.name for file in run.files}) is told


def test_the_nearest_folder_wins():
    files = [result("a/x/c4.json"), about("log", accelerator="H100"), about("a/x/log", accelerator="H200")]
    (run,) = runs_of(files)
    assert run.conditions.accelerator == "H200"


def test_two_files_of_one_folder_that_contradict_each_other_say_nothing():
    (run,) = runs_of([result("a/c4.json"), about("a/1.log", tp=4, pp=2), about("a/2.log", tp=8, pp=2)])
    assert (run.conditions.tp, run.conditions.pp) == (None, 2)
    assert "ingest.beside_unclear" in codes(run)


def test_the_results_own_word_counts():
    (run,) = runs_of([result("a/c4.json", tp=4), about("a/1.log", tp=8)])
    assert run.conditions.tp == 4
    assert "ingest.beside_disagrees" in codes(run)


def test_settings_of_one_tool_do_not_speak_for_another():
    files = [result("a/c4.json", "tool"), result("a/c4.txt", "other"), about("a/meta.json", "other", model="m")]
    one, other = runs_of(files)
    assert (one.conditions.model, other.conditions.model) == (None, "m")


def test_two_spellings_of_an_engine_are_one_engine():
    (run,) = runs_of([result("a/c4.json", engine="vLLM"), about("a/1.log", engine="vllm", tp=2)])
    assert (run.conditions.engine, run.conditions.tp) == ("vLLM", 2)
    assert "ingest.beside_disagrees" not in codes(run)
