"""What `compare` says of a demand with prices, and of a way out that a terminal has."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.compare.compare_build import table
from tests.test_cli_compare import EVERYTHING, SLO, asked


def test_the_way_out_on_the_command_line_is_a_flag_that_it_takes(tmp_path):
    """What the pages call "Let stand" is no control of a terminal; the word behind --accept is one that it knows."""
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(table(gpu="8xMI300X", engine_version="0.12.0"))
    found = asked(str(tmp_path), *SLO)
    document = json.loads(asked(str(tmp_path), *SLO, "--json").stdout)
    ways = [line["way_out"] for line in document["conditions"] if line["way_out"]]
    assert "Let stand" not in found.stdout + "".join(ways) + (document["next_step"] or "")
    flags = [way.split("--accept ")[1].split(",")[0] for way in ways if "--accept" in way]
    assert {"hardware", "network"} <= set(flags)
    assert asked(str(tmp_path), *SLO, *(word for flag in flags for word in ("--accept", flag))).exit_code != 2


def test_a_demand_with_prices_is_answered_with_the_bill_of_the_month(tmp_path, root):
    """As many replicas as the demand needs, at 20 an hour each; a price for the whole needs no count."""
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(table(gpu="8xMI300X", slower=1.3))
    words = (str(tmp_path), *SLO, "--price", "20/h", "--demand", "500-concurrency", *EVERYTHING)
    document = json.loads(asked(*words, "--json").stdout)
    jsonschema.validate(document, json.loads((root / "docs/schemas/compare.schema.json").read_text()))
    assert document["deciding"] == "cost_per_month"
    assert document["notes"] == []
    copies, month = (
        [run["value"]["mid"] for run in standing["runs"]]
        for name in ("replicas", "cost_per_month")
        for standing in document["standings"]
        if standing["quantity"] == name
    )
    assert month == pytest.approx([count * 20.0 * 730.0 for count in copies])
    shown = asked(*words).stdout
    assert "Cost a month of these replicas (730 hours)" in shown
    assert "leads by the cost a month of what the demand needs" in shown
