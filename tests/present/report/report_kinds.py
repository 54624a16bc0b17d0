"""Scenarios of every kind that a person can save, small ones with levels made by hand, answered by the real program."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import pandas as pd

from core.compare.conditions import Group
from core.errors import Place
from core.fit.fit import fit_run
from core.fleet.days import day_presets
from core.i18n import t
from core.model.compared import Compared
from core.model.fleet import ApiPrice, Fleet
from core.model.metric import Metric
from core.model.owned import Owned
from core.model.price import Price
from core.model.redaction import without_prices
from core.model.run import FileRef, Kind
from core.model.scenario import DecisionColumn, Demand, DemandKind, Scenario
from core.model.stage import Stage, Statistics
from core.model.target import parse_target
from core.model.traffic import Profile, Traffic
from core.model.workload import Job, Workload, WorkloadKind
from core.pipeline import answer_run, plan
from core.present.comparison import RUN, runs_table
from core.present.headline import headline
from core.present.report.frames import KIND
from core.present.report.memo_parts import SavedAs
from core.present.users import active_users
from tests.present.builders import LEVELS, run_of, stage_at

SAVED = SavedAs(when=datetime(2026, 11, 30, 9, tzinfo=UTC), version=3)
LINK = "https://plan.example.com/?share=Jx3k2Qm1p9VtYw8s0aZb4cRdEfGhIjKl"
EACH = Price(amount=2.5, per_accelerator=True)
WHOLE = Price(amount=31.0, per_accelerator=False, currency="EUR")
TTFT, TPOT = parse_target("ttft p99 <= 500ms"), parse_target("tpot p99 <= 50ms")
KOREAN = "사내 상담 도우미를 위한 가속기 여덟 장짜리 서버 구성, 양자화한 모델과 긴 문맥을 함께 재어 본 결과 모음"


def levels(*, rates=True, scale=1.0, **more):
    """Levels with token rates of both directions; `scale` makes the run faster."""
    found = []
    for load in LEVELS:
        rate = scale * load * 100 / (1 + load / 256)
        given = {"total_tok_s": 5 * rate, "achieved_rate": rate / 200} if rates else {}
        stage = stage_at(load, **given, **more)
        statistics = {metric: _faster(each, scale) for metric, each in stage.statistics.items()}
        found.append(replace(stage, statistics=statistics, output_tok_s=rate if rates else None))
    return found


def _faster(found, scale):
    return replace(found, mean=found.mean / scale, quantiles={q: v / scale for q, v in found.quantiles.items()})


def run(number=0, label=None, *, stages=None, kind=Kind.MEASURED, **conditions):
    """A run of its own id and name."""
    made = run_of(stages=stages if stages is not None else levels(scale=1 + number / 4), kind=kind, **conditions)
    names = tuple(FileRef(f"run-{number}/c{stage.load:g}.json", f"{number:064d}") for stage in made.stages)
    return replace(made, id=f"run-{number}", label=label or f"gpt-oss-120b, offer {number + 1}", files=names)


def offline(number=0):
    """What a batch tool gives: no first token, only whole requests and tokens of both directions."""
    stages = []
    for load in LEVELS:
        rate = load * 12 / (1 + load / 90)
        whole = Statistics(mean=load / rate, n=2000, quantiles={0.99: 1.4 * load / rate})
        stages.append(
            Stage(
                where=Place(f"b{load:g}.json"),
                statistics={Metric.E2E: whole},
                asked_concurrency=load,
                achieved_concurrency=load,
                requests_sent=2000,
                requests_good=2000,
                requests_failed=0,
                achieved_rate=rate,
                total_tok_s=1200 * rate,
                input_tokens_mean=1000.0,
                output_tokens_mean=200.0,
                output_tok_s=200 * rate,
            )
        )
    return run(number, f"nightly batch {number + 1}", stages=stages, accelerator_count=4)


def voice():
    """Sound: its processing time over its length, and no tokens."""
    stages = []
    for load in LEVELS[:6]:
        statistics = {
            Metric.RTF: Statistics(mean=0.1 + load * 0.008, n=900, quantiles={0.99: 0.15 + load * 0.012}),
            Metric.TTFT: Statistics(mean=0.05 + load * 0.002, n=900, quantiles={0.99: 0.1 + load * 0.004}),
        }
        stages.append(
            Stage(
                where=Place(f"v{load:g}.json"),
                statistics=statistics,
                asked_concurrency=load,
                achieved_concurrency=load,
                requests_sent=900,
                requests_good=900,
                achieved_rate=load / 9,
            )
        )
    return run(0, "speech, one L40S", stages=stages, model="a speech model", accelerator="L40S", accelerator_count=1)


@cache
def _answered(number, targets, price, workload):
    """The answer of a run of `run`, once a session: names and marks change no number."""
    if number < 2:
        return plan([run(number)], targets, price, workload=workload)[0]
    # What a looser limit is worth takes most of the time, and is tested with the first two.
    return answer_run(run(number), targets, price, workload=workload)


def scenario(runs, targets=(TTFT, TPOT), price=EACH, *, plain=False, name="Assistant for the support desk", **more):
    """A scenario answered in full; the runs of `plain` ones are those of `run`, but for their names and kinds."""
    asked = {key: more.get(key) for key in ("workload", "traffic")}
    if plain:
        found = [_answered(i, tuple(targets), price, asked["workload"]) for i in range(len(runs))]
        answers = tuple(replace(answer, run=one) for answer, one in zip(found, runs, strict=True))
    else:
        answers = plan(runs, targets, price, **asked)
    return Scenario(
        name=name,
        runs=tuple(runs),
        targets=tuple(targets),
        price=price,
        answers=answers,
        method_version="knee-network/2",
        constants_version="0123abcd",
        app_version="0.1.0",
        **more,
    )


def columns(runs, count):
    """Columns of a person's own; every second run has nothing in the last of them."""
    names = ("Lead time", "Vendor", "Rack power", "납기와 설치 장소", "Contract")
    return tuple(
        DecisionColumn(
            name=name,
            values={one.id: f"{name[:4]} {i}" for i, one in enumerate(runs) if place < count - 1 or i % 2 == 0},
        )
        for place, name in enumerate(names[:count])
    )


def one():
    runs, demand = [run()], Demand(peak=900, kind=DemandKind.USERS)
    return scenario(runs, plain=True, think_time_s=20.0, demand=demand, decision=columns(runs, 1))


def two():
    runs = [run(0), run(1)]
    return scenario(runs, plain=True, demand=Demand(peak=400), decision=columns(runs, 5), notes="Ask the vendor first.")


def unlike():
    """Every kind of answer beside each other: at least, below, cannot tell, and no throughput with no accelerators."""
    no_tail = [replace(s, statistics={**s.statistics, Metric.TTFT: Statistics(mean=0.2, n=640)}) for s in levels()]
    runs = [
        run(0, "the fastest", stages=levels(scale=20.0)),
        run(1, "the slowest", stages=levels(scale=0.05), kind=Kind.SIMULATED),
        run(2, "no percentiles", stages=no_tail),
        run(3, "no token rates", stages=levels(rates=False), accelerator_count=None),
    ]
    work, demand = Workload(kind=WorkloadKind.API), Demand(peak=37.5, kind=DemandKind.REQ_S)
    return scenario(runs, (TTFT,), demand=demand, workload=work)


def seven():
    """Seven with long names, ranked over every difference that there is."""
    kinds = ("GB200", "MI300X", "H200", "H100", "L40S", "A100", "B200")
    runs = [run(i, f"{KOREAN} {i + 1}", accelerator=kinds[i], engine=f"engine {i}") for i in range(7)]
    notes, stands = f"{KOREAN}\n" * 4, Compared(accepted=tuple(group.value for group in Group))
    more = {"demand": Demand(peak=1200), "decision": columns(runs, 1), "compared": stands}
    return scenario(runs, plain=True, name=KOREAN, notes=notes, **more)


def chosen():
    """What a purchase is signed with: two offers ranked over a named difference, a day, every way to pay, a budget."""
    runs = [run(0), run(1, accelerator="MI300X")]
    fleet = Fleet(
        curve=day_presets()[0].curve,
        growth=0.05,
        ahead=6,
        burst=1.3,
        ceiling=0.8,
        spares=1,
        reserved=1.6,
        owned=Owned(capex=30_000.0, years=4.0, power_kw=1.0, tariff=0.12),
        api=ApiPrice(input=0.2, output=0.9),
        budget=90_000.0,
    )
    stands = Compared(accepted=tuple(group.value for group in Group))
    demand = Demand(peak=900, kind=DemandKind.USERS)
    return scenario(runs, plain=True, think_time_s=20.0, demand=demand, fleet=fleet, compared=stands)


def batch():
    job = Job(requests=2_000_000, deadline_s=4000)
    return scenario([offline()], (), WHOLE, workload=Workload(kind=WorkloadKind.BATCH, job=job))


def batch_within():
    job = Job(requests=500_000, input_tokens=1500, output_tokens=120)
    work = Workload(kind=WorkloadKind.BATCH, job=job)
    runs = [offline(0), replace(offline(1), kind=Kind.SIMULATED)]
    return scenario(runs, (parse_target("e2e p99 <= 8s"),), workload=work, demand=Demand(peak=300))


def batch_without_job():
    return scenario([offline()], (), workload=Workload(kind=WorkloadKind.BATCH))


def speech():
    targets = (parse_target("rtf p99 <= 0.5"), parse_target("ttft p99 <= 300ms"))
    return scenario([voice()], targets, WHOLE, workload=Workload(kind=WorkloadKind.VOICE), demand=Demand(peak=200))


def simulated():
    return scenario([run(0, kind=Kind.SIMULATED)], plain=True, demand=Demand(peak=400))


def no_price():
    return scenario([run(0), run(1)], price=None)


def left_out():
    whole = levels()
    kept = [replace(s, excluded="it was warming up") if i in (1, 5) else s for i, s in enumerate(whole)]
    none = [replace(s, excluded="the client was the bottleneck") for s in levels()]
    return scenario([run(0, stages=kept), run(1, "nothing of it can be used", stages=none)], demand=Demand(peak=90))


def hidden():
    return without_prices(two())


def own_traffic():
    traffic = Traffic(profiles=(Profile(input_tokens=2000, output_tokens=400),))
    known = {"input_tokens_mean": 800.0, "output_tokens_mean": 200.0}
    stages = levels(input_tokens_mean=800.0, output_tokens_mean=200.0)
    return scenario([run(stages=stages, **known)], traffic=traffic, demand=Demand(peak=90))


KINDS = {
    each.__name__: (each, language)
    for each, language in (
        (one, "en"),
        (two, "ko"),
        (unlike, "en"),
        (seven, "ko"),
        (batch, "ko"),
        (batch_within, "en"),
        (batch_without_job, "en"),
        (speech, "ko"),
        (simulated, "en"),
        (no_price, "en"),
        (left_out, "ko"),
        (hidden, "en"),
        (own_traffic, "en"),
        (chosen, "en"),
    )
}
"""Every kind by its name, with the language that it is written in."""


@cache
def made(name):
    """A scenario of a kind with the fits of its runs, once a session."""
    found = KINDS[name][0]()
    return found, {answer.run.id: fit_run(answer.run) for answer in found.answers}


def on_screen(answer, scenario, language):
    """What the Plan page says of one answer: the parts of its sentence."""
    users = active_users(answer, scenario.think_time_s) if scenario.think_time_s is not None else None
    said = headline(answer, language, users=users, price=scenario.price)
    parts = (said.lead, said.safe, said.estimate, said.stopped_by, said.measured, said.throughput, *said.beside)
    return [part for part in (*parts, said.cost if scenario.price else None) if part]


def cells_on_screen(scenario, language):
    """What the table of the Plan page says of each run, in words and numbers, without the names.

    It says what was measured; where the service's own traffic leads, the sentence says both.
    """
    if any(answer.for_traffic for answer in scenario.answers):
        return []
    frame = runs_table(scenario.answers, language, price=scenario.price)
    left = {RUN.render(language), KIND.render(language), t("Unknown conditions").render(language)}
    left |= {t("Answer").render(language), t("Accelerators").render(language)}
    kept = [name for name in frame if name not in left]
    return [[str(row[name]) for name in kept if not pd.isna(row[name])] for _, row in frame.iterrows()]
