"""`mapping` proposes what columns are, `--mapping` puts it to use."""

import json

import pytest
from click.testing import CliRunner

from core.cli import main

TABLE = "Batch Size,TTFT p99 (ms)\n1,30\n2,40\n"


def run(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_proposal_is_edited_and_passed_back(table, tmp_path):
    proposed = run("mapping", table)
    assert proposed.exit_code == 0
    assert "Batch Size" in proposed.stderr
    (mapping,) = json.loads(proposed.stdout)
    assert mapping["columns"]["TTFT p99 (ms)"] == {
        "role": "latency",
        "metric": "ttft",
        "statistic": "p99",
        "unit": "ms",
    }
    assert run("import", table).exit_code == 3
    mapping["columns"]["Batch Size"] = {"role": "asked_concurrency"}
    edited = tmp_path / "m.json"
    edited.write_text(json.dumps([mapping]), encoding="utf-8")
    document = json.loads(run("import", table, "--mapping", edited, "--json").stdout)
    assert [stage["asked_concurrency"] for stage in document["runs"][0]["stages"]] == [1.0, 2.0]
    planned = run("plan", table, "--mapping", edited, "--slo", "ttft p99 <= 35ms")
    assert planned.exit_code in (0, 1)


def test_a_mapping_that_is_none_is_a_command_written_wrongly(table):
    done = run("import", table, "--mapping", table)
    assert done.exit_code == 2
    assert "mapping.unreadable" in done.stderr


def test_a_file_without_a_table_has_no_proposal(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04xl/nothing")
    done = run("mapping", path)
    assert done.exit_code == 3
    assert "ingest.bad_workbook" in done.stderr
