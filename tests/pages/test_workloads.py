"""What the page leads with: concurrency, streams, or the end of a job."""

from __future__ import annotations

from dataclasses import replace

from core.model.workload import Job, Workload, WorkloadKind
from pages.parts import keys
from pages.parts.links import Ask, from_params, row_from, to_params
from pages.parts.links_unread import unread
from tests.pages.conftest import calm, press, unfold, words

BATCH = Workload(
    kind=WorkloadKind.BATCH, job=Job(requests=100_000, deadline_s=14_400.0, input_tokens=800.5, output_tokens=90.0)
)


def test_a_batch_without_targets_survives_its_link():
    asked = Ask(workload=BATCH)
    assert to_params(asked) == {
        "t": [],
        "w": ["batch"],
        "job": ["100000"],
        "deadline": ["14400s"],
        "job_in": ["800.5"],
        "job_out": ["90"],
    }
    assert from_params(to_params(asked), Ask(rows=(row_from("ttft-p99-500ms"),))) == asked
    assert unread(to_params(asked)) == ()


def test_other_kinds_keep_their_first_targets():
    rows = (row_from("ttft-p99-500ms"),)
    asked = from_params({"w": ["voice"], "job": ["5"]}, Ask(rows=rows))
    assert asked == Ask(rows=rows, workload=Workload(kind=WorkloadKind.VOICE))


def test_a_link_that_makes_no_sense_leaves_what_does():
    asked = from_params({"w": ["batch"], "job": ["many"], "deadline": ["soon"]}, Ask())
    assert asked == Ask(workload=Workload(kind=WorkloadKind.BATCH))
    asked = from_params({"w": ["batch"], "job": ["7"], "deadline": ["soon"]}, Ask())
    assert asked == Ask(workload=Workload(kind=WorkloadKind.BATCH))
    assert from_params({"w": ["rocket"]}, Ask()) == Ask()


def test_a_batch_leads_with_the_job_and_comes_back_with_the_targets(visit):
    app = press(visit(t="ttft-p99-60ms"), keys.SAMPLE)
    assert "concurrent requests, safely" in words(app)
    calm(app.segmented_control(key=keys.WORKLOAD).set_value(WorkloadKind.BATCH).run())
    assert "Highest throughput" in words(app)
    calm(app.number_input(key=keys.JOB_REQUESTS).set_value(100_000).run())
    calm(app.number_input(key=keys.JOB_HOURS).set_value(4.0).run())
    shown = words(app)
    assert "100,000 requests take about" in shown
    assert "done within the deadline of 4 h" in shown
    job = Job(requests=100_000, deadline_s=14_400.0)
    assert app.session_state[keys.ASK].workload == Workload(kind=WorkloadKind.BATCH, job=job)
    calm(app.segmented_control(key=keys.WORKLOAD).set_value(WorkloadKind.CHAT).run())
    assert "concurrent requests, safely" in words(app)
    assert app.session_state[keys.ASK].rows == (row_from("ttft-p99-60ms"),)


def test_the_limit_to_configure_stands_on_the_page(visit):
    shown = words(press(visit(t="ttft-p99-60ms"), keys.SAMPLE))
    assert "Limit to configure" in shown
    assert "the measured endpoint as a whole" in shown


def test_voice_counts_streams(visit):
    shown = words(press(visit(t="ttft-p99-60ms", w="voice"), keys.SAMPLE))
    assert "streams at once, safely" in shown
    assert "TTFT is then the time to the first piece of audio" in shown


def test_a_preset_brings_its_kind(visit):
    app = press(visit(t="ttft-p99-60ms"), keys.SAMPLE)
    press(unfold(app, keys.PRESET), keys.of(keys.PRESET, "batch"))
    assert "Highest throughput" in words(app)


def test_the_kind_is_part_of_the_question():
    assert replace(Ask(), workload=BATCH) != Ask()
