"""A scenario with numbers that a rounding would change, and the path of a database."""

from __future__ import annotations

import numpy as np

from core.errors import Place
from core.i18n import t
from core.model.answer import (
    Capacity,
    Cost,
    Doubt,
    Interval,
    LoadPoint,
    NextMeasurement,
    RunAnswer,
    Status,
    TargetAnswer,
)
from core.model.finding import Finding, Severity
from core.model.mapping import ColumnMeaning, TableMapping
from core.model.metric import Metric
from core.model.price import Price
from core.model.run import Conditions, FileRef, Kind, Run
from core.model.scenario import Scenario
from core.model.stage import Requests, Stage, Statistics
from core.model.target import Target

TARGET = Target(Metric.TTFT, "p99", 0.1 + 0.2)
A_MAPPING = TableMapping(
    name="Load test 팀",
    headers=("동접", "응답(99)", ""),
    columns={
        "동접": ColumnMeaning(role="asked_concurrency"),
        "응답(99)": ColumnMeaning(role="latency", metric=Metric.TTFT, statistic="p99", unit="ms"),
        "#3": ColumnMeaning(role="ignored"),
    },
    transposed=True,
    sheet="결과",
)
PRICE = Price(amount=2.5, per_accelerator=True, accelerators=(("r", 8),), currency="KRW")


def a_run():
    """Two levels, one with records in which something is unknown."""
    records = Requests(
        start_s=np.array([0.0, 1 / 3]),
        ttft_s=np.array([0.1 + 0.2, np.nan]),
        tpot_s=np.array([1e-300, 5e-324]),
        e2e_s=np.array([-0.0, np.inf]),
        input_tokens=np.array([100.0, 200.0]),
        output_tokens=np.array([10.0, 20.0]),
        good=np.array([True, False]),
    )
    statistics = {Metric.TTFT: Statistics(mean=0.1, sd=None, n=80, quantiles={0.5: 1 / 3, 0.999: 2.0**-40})}
    level = Stage(
        where=Place("a.json", 3), statistics=statistics, asked_concurrency=8.0, requests=records, requests_failed=0
    )
    finding = Finding(
        code="sample.few",
        severity=Severity.WARNING,
        where=Place("a.json"),
        what=t("{n} requests at {load}", n=2, load=8.0),
    )
    return Run(
        id="r",
        label="모델 A",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(FileRef("a.json", "ab" * 32),),
        conditions=Conditions(model="gpt-oss-120b", accelerator_count=8, cache_hit_rate=0.0),
        stages=(
            level,
            Stage(where=Place("b.json"), asked_rate=2.5, achieved_concurrency=17.3, excluded="stage.by_hand"),
        ),
        findings=(finding,),
    )


def an_answer(run):
    """An answer whose every part is there."""
    capacity = Capacity(
        status=Status.WITHIN,
        concurrency=Interval(low=36.1, mid=47.7, high=None),
        safe=41,
        binding=TARGET,
        reasons=("fit.few_levels",),
        doubt=Doubt(noise=0.2, levels=0.7, requests=0.1),
    )
    rate = Interval(low=1 / 3, mid=2 / 3, high=1.0)
    cost = Cost(
        currency="KRW",
        per_hour=20.0,
        per_million_output=rate,
        per_million_total=rate,
        per_million_weighted_output=None,
        per_million_weighted_input=None,
    )
    return RunAnswer(
        run=run,
        levels=(8.0, 17.3),
        findings=run.findings,
        capacity=capacity,
        per_target=(TargetAnswer(target=TARGET, capacity=capacity),),
        at_capacity=LoadPoint(at=41.0, output_tok_s=rate, metrics={"ttft p99": rate}),
        at_estimate=None,
        cost=cost,
        cost_at_estimate=None,
        next_measurement=NextMeasurement(concurrency=44.0, requests=300, why=t("it halves the range"), command=None),
    )


def a_scenario(name="Launch", **values):
    """Everything that a person can save."""
    run = a_run()
    return Scenario(
        name=name,
        runs=(run,),
        targets=(TARGET,),
        price=PRICE,
        answers=(an_answer(run),),
        notes="first line\nsecond line",
        think_time_s=12.5,
        method_version="1",
        app_version="0.1.0",
        **values,
    )


def url_of(path):
    return f"sqlite:///{path}"
