"""A batch, voice and an API in words, with numbers that can be checked in the head."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.fit.fit import fit_run
from core.model.answer import BatchAnswer, Interval, JobAnswer, Status, Throughput
from core.model.price import Price
from core.model.workload import Job, Verdict, Workload, WorkloadKind, workload_of
from core.pipeline import answer_run
from core.present.batch import at_best
from core.present.comparison import runs_table
from core.present.headline import headline
from core.present.job_chart import job_figure
from tests.decide.test_throughput import PLATEAU
from tests.present.builders import answer_of, run_of

BEST = Throughput(
    status=Status.WITHIN,
    rate_name="output_tok_s",
    at=256.0,
    rate=Interval(low=17_500.0, mid=18_200.0, high=19_000.0),
    enough=Interval(low=100.0, mid=120.0, high=140.0),
)
TIME = Interval(low=3600.0 * 3.5, mid=3600.0 * 4.0, high=3600.0 * 4.5)


def batch_answer(*, best=BEST, job=None, asked=None):
    workload = Workload(kind=WorkloadKind.BATCH, job=asked)
    return answer_of(workload=workload, batch=BatchAnswer(throughput=best, job=job), per_target=())


def done(verdict, deadline_s=18_000.0):
    asked = Job(requests=100_000, deadline_s=deadline_s)
    cost = Interval(low=7.0, mid=8.0, high=9.0)
    return batch_answer(asked=asked, job=JobAnswer(completion_s=TIME, deadline=verdict, cost=cost, currency="USD"))


def test_without_a_job_the_highest_throughput_leads():
    said = headline(batch_answer())
    assert said.number == "18,200 output tokens/s"
    assert said.safe == "Highest throughput: 18,200 output tokens/s (17,500–19,000)"
    assert said.estimate == "at 256 concurrent requests · 95% of it from 120 on"


def test_a_job_leads_with_its_time():
    said = headline(done(Verdict.MET), price=Price(amount=2.0, per_accelerator=False))
    assert (said.number, said.safe) == ("4 h", "100,000 requests take about 4 h (3.5–4.5 h)")
    assert said.stopped_by == "done within the deadline of 5 h"
    assert said.cost == "$8.00 ($7.00–$9.00) for the job"


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict.MISSED, "misses the deadline of 5 h at every load measured"),
        (Verdict.CANNOT_TELL, "cannot tell whether it is done within 5 h"),
    ],
)
def test_each_verdict_has_its_words(verdict, said):
    assert headline(done(verdict)).stopped_by == said


def test_a_rate_that_still_rises_is_a_lower_bound():
    rising = replace(BEST, status=Status.AT_LEAST, rate=Interval(low=17_500.0, mid=18_200.0, high=None), enough=None)
    said = headline(batch_answer(best=rising))
    assert said.number == "≥ 18,200 output tokens/s"
    assert said.safe.startswith("At least 18,200 output tokens/s")


def test_what_cannot_be_told_says_why():
    unknown = Throughput(status=Status.CANNOT_TELL, reasons=("throughput.unknown",))
    said = headline(batch_answer(best=unknown))
    assert (said.number, said.cost) == ("?", "no price given: no cost")
    assert said.safe == "Cannot tell the highest throughput: fewer than two levels give a throughput"
    asked = Job(requests=10, deadline_s=60.0)
    job = JobAnswer(completion_s=None, deadline=Verdict.CANNOT_TELL, reasons=("job.smaller_than_load",))
    said = headline(batch_answer(asked=asked, job=job))
    assert said.safe.startswith("Cannot tell how long the job takes: it has fewer requests")


def test_korean_says_the_same_numbers():
    said = headline(done(Verdict.MET), "ko")
    assert "100,000" in said.safe
    assert "4시간" in said.safe
    assert "3.5–4.5시간" in said.safe


def test_several_runs_stand_side_by_side_by_their_job():
    frame = runs_table((done(Verdict.MET), batch_answer()))
    assert frame["Highest throughput (range)"].tolist() == ["18,200 output tokens/s (17,500–19,000)"] * 2
    assert frame["Time of the job (range)"].tolist()[0] == "4 h (3.5–4.5 h)"
    assert "Safe number" not in frame.columns


def test_the_chart_shows_rate_and_time_and_says_them():
    run = run_of(stages=PLATEAU)
    answer = answer_run(run, (), None, workload=workload_of("batch", requests=36_720))
    figure = job_figure(answer, fit_run(run))
    times = figure.table["Time of the job (min)"].tolist()
    # 36,720 requests at 10.2 a second are an hour.
    assert times[5] == pytest.approx(60.0)
    assert "take about 60 min" in figure.alt
    assert job_figure(answer_of(), fit_run(run)) is None
    assert at_best(answer).capacity.safe == 32


def test_an_api_says_its_throughput_and_a_chat_does_not():
    api, chat = (answer_of(workload=Workload(kind=kind)) for kind in (WorkloadKind.API, WorkloadKind.CHAT))
    assert headline(api).throughput == "3,530 output tokens/s at the safe number (3,300–3,700)"
    assert headline(chat).throughput is None


def test_voice_counts_streams():
    said = headline(answer_of(workload=Workload(kind=WorkloadKind.VOICE)))
    assert said.safe == "41 streams at once, safely"
