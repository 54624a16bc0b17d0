"""AWS FMBench: groups of requests, means over groups, and what neither of them can say."""

import csv
import io

import pytest

from core.errors import RefusedFileError
from core.ingest.aws_instances import accelerators_of
from core.ingest.formats import fmbench, fmbench_records
from core.ingest.importer import ranked
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.ingest.registry import IMPORTERS
from core.normalise.runs import runs_of
from tests.ingest.golden_files import codes_of, golden_bytes, readings_of

SUMMARY, SCORES = golden_bytes("fmbench/summary_2024").decode(), golden_bytes("fmbench/scores_2025").decode()
GROUPS, RECORDS = golden_bytes("fmbench/groups").decode(), golden_bytes("fmbench_records/requests").decode()


def read(text, name="run/all_metrics_summary.csv"):
    return read_file(Upload(name, text.encode()))


def public(shared_data, run):
    folder = shared_data / "public" / "aws_fmbench_csv" / "aws-samples__foundation-model-benchmarking-tool" / run
    return [path for path in sorted(folder.glob("*.csv")) if path.is_file()]


def test_every_public_table_has_one_owner_or_none(shared_data):
    root = shared_data / "public" / "aws_fmbench_csv"
    owned = 0
    for path in sorted(root.rglob("*.csv")):
        head = Head(path.name, path.read_bytes()[:65_536])
        claims = [importer.FORMAT_ID for score, importer in ranked(IMPORTERS, head) if score >= 0.3]
        assert claims in ([], ["fmbench"]), path
        owned += bool(claims)
    assert owned == 19


@pytest.mark.parametrize("text", [SUMMARY, SCORES, GROUPS])
def test_a_summary_is_no_table_of_requests_nor_the_other_way_round(text):
    head = Head("x.csv", text.encode())
    assert (fmbench.match(head), fmbench_records.match(head)) == (0.95, 0.0)
    records = Head("x.csv", RECORDS.encode())
    assert (fmbench.match(records), fmbench_records.match(records)) == (0.0, 0.95)


def test_a_mean_over_groups_is_never_a_percentile():
    statistics = {key.split()[1] for level in read(SCORES).levels for key in readings_of(level)}
    assert statistics == {"mean"}


def test_rates_of_groups_are_not_the_rate_that_was_reached(shared_data):
    """The summary says 41 a minute where 15 requests one after another took 42 s."""
    files = {path.name: path for path in public(shared_data, "mistral-7b-tgi-g5-v1")}
    rows = csv.DictReader(io.StringIO(files["all_metrics_summary.csv"].read_text()))
    said = next(r for r in rows if r["payload_file"] == "payload_en_1000-2000.jsonl" and r["concurrency"] == "1")
    assert said["transactions_per_minute"] == "41"
    levels = read_file(Upload("r/all_metrics.csv", files["all_metrics.csv"].read_bytes())).levels
    (level,) = [x for x in levels if x.identity["payload_file"] == said["payload_file"] and x.asked_concurrency == 1.0]
    assert level.requests_good / level.duration_s * 60.0 == pytest.approx(21.44, abs=0.01)
    for level in read_file(Upload("r/s.csv", files["all_metrics_summary.csv"].read_bytes())).levels:
        assert (level.request_rate, level.output_tok_s, level.total_tok_s) == (None, None, None)


def test_a_folder_is_one_execution_with_the_counts_of_its_groups(shared_data):
    paths = [path for path in public(shared_data, "mistral-7b-tgi-g5-v1") if "metrics" in path.name]
    assert len(paths) == 4
    files = [read_file(Upload(f"mistral/{path.name}", path.read_bytes())) for path in paths]
    sent = sum(int(row["successes"]) for row in csv.DictReader(io.StringIO(paths[0].read_text())))
    runs = runs_of(files)
    stages = [stage for run in runs for stage in run.stages]
    assert len(stages) == 25
    assert all(stage.replicates in (None, 1) for stage in stages)
    assert sum(stage.requests_good for stage in stages) == sent > 500
    # One request at a time: never more than one in flight, and hardly less.
    assert all(0.95 <= stage.achieved_concurrency <= 1.0 for stage in stages if stage.asked_concurrency == 1.0)
    assert all(stage.achieved_concurrency < stage.asked_concurrency for stage in stages)


def test_without_a_folder_two_tables_are_not_one_execution():
    assert {level.run_key for level in read(SUMMARY, "all_metrics_summary.csv").levels} == {None}
    assert None not in {level.run_key for level in read(SUMMARY).levels}


def test_failures_do_not_pass_for_speed(shared_data):
    path = next(p for p in public(shared_data, "llama2-70b-g5-p4d-trt-v1") if p.name == "all_metrics_summary.csv")
    levels = read_file(Upload("r/all_metrics_summary.csv", path.read_bytes())).levels
    told = [finding for level in levels for finding in level.findings if finding.code == "fmbench.failed_share"]
    assert any("82 %" in str(finding.what) for finding in told)


def test_prices_are_told_and_part_of_no_configuration():
    raw = read(SCORES)
    (prices,) = [finding for finding in raw.findings if finding.code == "fmbench.prices"]
    assert "g5.2xlarge 1.212" in str(prices.what)
    assert "Plan page" in str(prices.fix)
    changed = read(SCORES.replace("1.212", "9.99").replace("0.000206", "0.5"))
    assert [level.identity for level in changed.levels] == [level.identity for level in raw.levels]
    assert "fmbench.prices" not in codes_of(read(SUMMARY))


def test_neither_prompts_nor_addresses_are_kept():
    for text in (GROUPS, RECORDS):
        kept = repr(read(text))
        for secret in ("Text of a prompt", "An answer", "dkr.ecr", "endpoint-1", "ep-1", "a failed request"):
            assert secret not in kept


def test_a_group_without_time_leaves_the_time_unknown():
    lines = GROUPS.splitlines(keepends=True)
    lines[2] = lines[2].replace(",100.0,", ",0,")
    level = read("".join(lines), "run/all_metrics.csv").levels[0]
    assert (level.requests_good, level.duration_s) == (5, None)


@pytest.mark.parametrize(
    ("header", "row", "word"),
    [
        ("experiment_name,payload_file,instance_type,concurrency,error_rate", "a,b,c,1,0.0", "error rates"),
        ("experiment_name,payload_file,instance_type,instance_count,concurrency,count", "a,b,c,1,1,57", "the groups"),
        ("instance_type,price_per_hour", "ml.g5.xlarge,1.4", "price list"),
        ("timestamp,cpu_percent_mean,memory_percent_mean,gpu_utilization_mean", "2025-01-26,1,2,3", "over time"),
    ],
)  # fmt: skip
def test_what_lies_beside_is_refused_with_the_file_to_send(header, row, word):
    with pytest.raises(RefusedFileError) as refused:
        read(f"{header}\n{row}\n", "run/x.csv")
    assert refused.value.code == "ingest.by_product"
    assert word in str(refused.value.what)
    assert "all_metrics_summary.csv" in str(refused.value.fix)


def test_an_instance_type_is_looked_up_and_never_guessed():
    assert accelerators_of("ml.p4de.24xlarge") == ("NVIDIA A100 80GB", 8)
    assert accelerators_of("inf2.48xlarge") == ("AWS Inferentia2", 12)
    assert [accelerators_of(name) for name in ("g5.99xlarge", "ml.c5.xlarge", "us.amazon.nova-micro-v1:0", "")] == [
        None
    ] * 4


def test_a_row_without_a_load_is_refused_with_its_line():
    for text, name in ((SUMMARY, "s.csv"), (RECORDS, "r.csv")):
        broken = text.replace(",ml.g5.12xlarge,2,", ",ml.g5.12xlarge,0,").replace(
            "tiny-7b,2,ml.g5.xlarge", "tiny-7b,,ml.g5.xlarge", 1
        )
        with pytest.raises(RefusedFileError) as refused:
            read(broken, name)
        assert refused.value.code == "ingest.no_load_value"
        assert refused.value.place.line in (3, 5)
