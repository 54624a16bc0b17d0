"""Options about runs: merged, split, renamed and left out on the command line as on the Data page."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from core.cli import main
from tests.pages.test_data_page import slower
from tests.pages.test_plan_page import SWEEP, bench


@pytest.fixture
def drop(tmp_path):
    """Two models in folders, and a level in a file whose name holds the sign before a reason."""
    for model, by in ((b"model-8b", 1.0), (b"model-9b", 1.5)):
        folder = tmp_path / model.decode()
        folder.mkdir()
        for load, ttft in ((4, 70), (16, 90), (64, 160)):
            name = f"run={load}.json"
            (folder / name).write_bytes(bench(load, by * ttft, 10).replace(b"model-8b", model))
    return tmp_path


def told(*arguments):
    done = CliRunner().invoke(main, ["import", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["runs"]


def refused(*arguments):
    done = CliRunner().invoke(main, ["import", *map(str, arguments)])
    assert done.exit_code == 2, done.output
    return done.stderr


def test_runs_are_merged_and_renamed(drop):
    (run,) = told(drop, "--merge", "model-8b,model-9b", "--rename", "model-9b=Both")
    assert run["label"] == "Both"
    assert [stage["replicates"] for stage in run["stages"]] == [2, 2, 2]
    assert "group.merged_by_hand" in {finding["code"] for finding in run["findings"]}


def test_a_run_is_split_by_file_and_a_merged_one_by_a_setting(drop):
    assert len(told(drop, "--split", "model-8b=file")) == 4
    back = told(drop, "--merge", "model-8b,model-9b", "--split", "model-8b=file")
    assert len(back) == 6


def test_levels_files_and_runs_are_left_out_with_their_reason(drop):
    first, second = told(drop, "--exclude", "model-8b@16=cold cache", "--exclude", "model-9b=wrong cluster")
    assert [stage["excluded"] for stage in first["stages"]] == [None, "cold cache", None]
    assert [stage["excluded"] for stage in second["stages"]] == ["wrong cluster"] * 3
    first, second = told(drop, "--exclude", "model-8b/run=64.json=a=b")
    assert [stage["excluded"] for stage in first["stages"]] == [None, None, "a=b"]
    assert {stage["excluded"] for stage in second["stages"]} == {None}


def test_the_plan_uses_what_is_left(drop):
    done = CliRunner().invoke(
        main, ["plan", str(drop / "model-8b"), "--slo", "ttft mean <= 1s", "--exclude", "run=64.json=late", "--json"]
    )
    assert json.loads(done.stdout)["runs"][0]["levels"] == [4, 16]


@pytest.mark.parametrize(
    ("option", "text", "code"),
    [
        ("--merge", "model-8b", "runs.unknown"),
        ("--merge", "model-8b,other", "runs.unknown"),
        ("--split", "model-8b=tp", "runs.no_such_way"),
        ("--split", "other=file", "runs.unknown"),
        ("--rename", "model-8b=", "runs.unknown"),
        ("--exclude", "model-8b", "runs.unknown"),
        ("--exclude", "other=late", "runs.unknown"),
        ("--exclude", "model-8b@16= ", "runs.no_reason"),
    ],
)
def test_what_cannot_be_followed_is_said(drop, option, text, code):
    assert code in refused(drop, option, text)


def test_doubts_are_in_the_document_and_the_table(tmp_path):
    for where, changed in (("a", lambda data: data), ("b", slower)):
        (tmp_path / where).mkdir()
        for name, data in SWEEP.items():
            (tmp_path / where / name.rpartition("/")[2]).write_bytes(changed(data))
    done = CliRunner().invoke(main, ["import", str(tmp_path), "--json"])
    (doubt,) = json.loads(done.stdout)["doubts"]
    assert (doubt["kind"], doubt["settled"], len(doubt["readings"])) == ("folders", False, 2)
    assert "the same run, measured again?" in CliRunner().invoke(main, ["import", str(tmp_path)]).stdout


def test_a_run_is_named_as_it_is_printed_wherever_options_name_one(drop):
    words = ("--slo", "ttft p99 <= 500ms", "--rename", "model-8b=8B · × 4", "--rename", "model-9b=9B, spare")
    named = ("--price", "8B · × 4=2/gpu-h", "--gpus", "8B · × 4=4", "--gpu-busy", "8B · × 4=0.5")
    other = ("--price", "9B, spare=3/gpu-h", "--terms", "pools=9B, spare:2:6")
    ids = [text.replace("8B · × 4", "model-8b").replace("9B, spare", "model-9b") for text in (*named, *other)]
    done = CliRunner().invoke(main, ["plan", str(drop), *words, *named, *other])
    assert done.exit_code == 0, done.output
    assert done.stdout == CliRunner().invoke(main, ["plan", str(drop), *words, *ids]).stdout
    assert "8B · × 4  (id model-8b)" in done.stdout
    assert "$24.00 per hour in all" in done.stdout
    compared = CliRunner().invoke(main, ["compare", str(drop), *words, *named[:4], *other[:2]])
    assert all(name in compared.stdout for name in ("8B · × 4", "model-8b", "model-9b"))


def test_a_label_names_a_run_in_the_options_about_runs(drop):
    labels = [run["label"] for run in told(drop)]
    assert len(told(drop, "--merge", ",".join(labels))) == 1
    both = ("--rename", "model-8b=same", "--rename", "model-9b=same", "--slo", "ttft p99 <= 500ms")
    done = CliRunner().invoke(main, ["plan", str(drop), *both, "--price", "same=2/h"])
    assert done.exit_code == 2
    assert "model-8b, model-9b" in done.stderr
    numbered = CliRunner().invoke(main, ["plan", str(drop), *both, "--price", "same (2)=2/h"])
    assert numbered.exit_code == 0, numbered.output
    assert numbered.stdout.count("Paid: ") == 1
