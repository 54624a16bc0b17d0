"""The command `compare`: its schema, its exit codes, and acceptance by name."""

from __future__ import annotations

import json

import jsonschema
import pytest
from click.testing import CliRunner

from core.catalogue.prices import prices
from core.cli import main
from core.compare.conditions import Group
from core.price.terms import key_of
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
    found = asked(files, *SLO, "--price", "2.5/gpu-h", "--demand", "500 concurrency", *EVERYTHING, "--json")
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


def test_runs_at_their_own_rates_are_compared_in_money(files, root):
    """Each number follows its own price, and what is doubtful of one is printed with it."""
    listed = "A|b||H200-SXM|on_demand|3|EUR|2026-11-01|good|x|"
    document = json.loads(asked(files, *SLO, "--price", "2.5/gpu-h", "--json").stdout)
    ids = [run["id"] for run in document["runs"]]
    prices = ("--price", f"{ids[0]}=2.10/gpu-h", "--price", f"{ids[1]}=listed/gpu-h;listed={listed}", "--price", "20/h")
    rate = ("--currency", "KRW", "--terms", "exchange=EUR:1500:2026-11-01")
    found = json.loads(asked(files, *SLO, *prices, *rate, "--json").stdout)
    jsonschema.validate(found, json.loads((root / "docs/schemas/compare.schema.json").read_text()))
    paid = [run["price"] for run in found["runs"]]
    # 2.10 × 8, 3 × 8 and 20 for the whole, each × 1,500.
    assert [each["bill_per_hour"] for each in paid] == pytest.approx([25_200.0, 36_000.0, 30_000.0])
    assert [each["is_own"] for each in paid] == [True, True, False]
    assert paid[1]["findings"] == ["price.other_hardware"]
    cost = [next(s for s in doc["standings"] if s["quantity"] == "cost")["runs"] for doc in (document, found)]
    for before, after, factor in zip(*cost, (25_200 / 20, 36_000 / 20, 30_000 / 20), strict=True):
        assert after["value"]["mid"] == pytest.approx(factor * before["value"]["mid"])
    shown = asked(files, *SLO, *prices, *rate).stdout
    assert "at €2.10 per accelerator and hour × 8, at ₩1,500 for 1 EUR of 2026-11-01" in shown
    assert "Paid for llama-3.1-70b · 8 × MI300X: at €3.00 per accelerator" in shown
    assert "[price.other_hardware]" in shown
    assert "[price.exchange_doubtful]" in asked(files, *SLO, "--price", "2/h", "--terms", "exchange=KRW:1500").stdout


@pytest.mark.parametrize("command", ["plan", "compare", "fleet"])
def test_a_price_of_a_run_that_is_not_there_is_refused_with_the_names(files, command):
    demand = ("--demand", "500-concurrency") if command == "fleet" else ()
    found = CliRunner().invoke(main, [command, files, *SLO, *demand, "--price", "h100=2/gpu-h"])
    assert found.exit_code == 2
    assert 'There is no run named "h100". Use one of: ' in found.stderr
    assert "[price.unknown_run]" in found.stderr


def test_no_multiple_before_a_quality_result_of_both_is_said(tmp_path):
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(table(precision="bf16", slower=1.5))
    found = json.loads(asked(str(tmp_path), *SLO, *EVERYTHING, "--json").stdout)
    assert (found["quality_untold"], found["multiples"]) == (True, [])
    assert found["next_step"].startswith("Run the same quality test on ")
    assert "Remeasure" not in found["next_step"]
    one, other = (run["id"] for run in found["runs"])
    said = ("--quality", f"{one}=MMLU-Pro 0.71")
    half = json.loads(asked(str(tmp_path), *SLO, *EVERYTHING, *said, "--json").stdout)
    assert half["multiples"] == []
    assert half["next_step"].endswith(f"--quality RUN=RESULT, RUN being {other}")
    both = json.loads(
        asked(str(tmp_path), *SLO, *EVERYTHING, *said, "--quality", f"{other}=MMLU-Pro 0.72", "--json").stdout
    )
    assert both["multiples"]
    assert "Quality criterion: MMLU-Pro 0.71 against MMLU-Pro 0.72" in both["accepted_text"]
    wrong = asked(str(tmp_path), *SLO, "--quality", "nobody=1")
    assert (wrong.exit_code, "compare.bad_quality" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("command", ["plan", "compare", "fleet"])
def test_a_listed_price_is_not_called_by_another_currency_without_a_rate(files, command):
    row = next(row for row in prices() if row.currency == "USD")
    demand = ("--demand", "500-concurrency") if command == "fleet" else ()
    asking = [command, files, *SLO, *demand, "--gpus", "8", "--terms", f"listed={key_of(row)}"]
    found = CliRunner().invoke(main, [*asking, "--currency", "KRW"])
    assert (found.exit_code, "[price.other_currency]" in found.stderr) == (2, True)
    assert "--terms exchange=USD:RATE" in found.stderr
    for said in (["--currency", "USD"], [], ["--currency", "KRW", "--terms", "exchange=USD:1380:2026-11-01"]):
        assert "price.other_currency" not in CliRunner().invoke(main, [*asking, *said]).stderr


def test_an_old_price_is_marked_in_table_and_json(files):
    row = next(row for row in prices() if row.currency == "USD" and row.as_of.startswith("2025"))
    asking = (files, *SLO, *EVERYTHING, "--gpus", "8", "--terms", f"listed={key_of(row)}")
    assert "old price" in asked(*asking).stdout.split("Paid for llama")[1].splitlines()[0]
    price = json.loads(asked(*asking, "--json").stdout)["runs"][0]["price"]
    assert (price["as_of"], price["age"]) == (row.as_of, "stale")
    assert price["age_days"] > 0
    assert price["marks"]
    typed = json.loads(asked(files, *SLO, *EVERYTHING, "--gpus", "8", "--price", "2/gpu-h", "--json").stdout)
    plain = typed["runs"][0]["price"]
    assert (plain["as_of"], plain["age_days"], plain["age"], plain["marks"]) == (None, None, None, [])
