"""The command `compare`: its schema, its exit codes, and acceptance by name."""

from __future__ import annotations

import json

import jsonschema
import pytest
from click.testing import CliRunner

from core.cli import main
from core.compare.conditions import Group
from tests.compare.compare_build import table

SLO = ("--slo", "tpot p99 <= 30ms", "--slo", "ttft p99 <= 800ms")
EVERYTHING = tuple(word for group in Group for word in ("--accept", group.value))


@pytest.fixture
def files(tmp_path):
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(table(gpu="8xMI300X", slower=1.3))
    (tmp_path / "c.csv").write_text(table(gpu="8xH200", slower=0.9, isl=8192))
    return str(tmp_path)


def asked(*words: str):
    return CliRunner().invoke(main, ["compare", *words])


def test_the_document_keeps_its_schema_and_every_multiple_its_acceptances(files, root):
    schema = json.loads((root / "docs" / "schemas" / "compare.schema.json").read_text())
    found = asked(files, *SLO, "--price", "2.5/gpu-h", "--demand", "500", *EVERYTHING, "--json")
    assert found.exit_code == 0, found.output
    document = json.loads(found.stdout)
    jsonschema.validate(document, schema)
    assert document["sentence"].startswith("llama-3.1-70b · 8 × H200 leads")
    assert document["multiples"]
    for each in document["multiples"]:
        assert "accelerator" in each["accepted"]
        assert "input_tokens_mean" in each["accepted"]
    assert {each["quantity"] for each in document["multiples"]} >= {"capacity", "cost", "per_user", "throughput"}


def test_without_acceptance_there_is_no_multiple_and_a_way_out(files, root):
    schema = json.loads((root / "docs" / "schemas" / "compare.schema.json").read_text())
    found = asked(files, *SLO, "--json")
    document = json.loads(found.stdout)
    jsonschema.validate(document, schema)
    assert found.exit_code == 1
    assert document["multiples"] == []
    assert document["sentence"].startswith("Not ranked: ")
    lengths = next(line for line in document["conditions"] if line["field"] == "input_tokens_mean")
    assert lengths["way_out"] == "Remeasure llama-3.1-70b · 8 × H200 at 1k/256"


def test_the_text_prints_what_is_accepted_beside_the_multiples(files):
    shown = asked(files, *SLO, *EVERYTHING).stdout
    assert "Accepted differences: Input tokens, mean: 1,024 against 8,192; Accelerator: H100 against MI300X" in shown
    assert "concurrent requests of" in shown


def test_a_condition_that_is_none_is_named(files):
    found = asked(files, *SLO, "--accept", "colour")
    assert found.exit_code == 2
    assert "compare.unknown_condition" in found.stderr


def test_no_usable_file_still_prints_a_document(tmp_path, root):
    (tmp_path / "x.json").write_text("{}")
    found = asked(str(tmp_path), *SLO, "--json")
    assert found.exit_code == 3
    jsonschema.validate(json.loads(found.stdout), json.loads((root / "docs/schemas/compare.schema.json").read_text()))
