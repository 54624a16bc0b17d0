"""Whatever an importer lets through, normalising and checking do not fail, and no NaN comes out."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.check.checks import check_run, excluded_by_rule
from core.errors import Place
from core.ingest.raw import RawLevel, RawRequests, Reading
from core.model.metric import MEASURED
from core.model.run import Kind
from core.model.stage import Stage
from core.normalise.runs import runs_of
from tests.normalise.raw_build import file

amounts = st.none() | st.sampled_from([0.0, 1.0, 1e-300, 1e300]) | st.floats(0.0, 1e6)
numbers = st.none() | st.integers(0, 10**7)
anything = st.floats(allow_nan=True, allow_infinity=True)
scalars = st.none() | st.booleans() | st.text(max_size=5) | st.integers(-5, 10**20) | anything
RATES = ("asked_concurrency", "asked_rate", "applied_rate", "measured_concurrency", "duration_s", "request_rate")
MORE = ("input_tokens_mean", "output_tokens_mean", "output_tok_s", "total_tok_s", "max_num_seqs", "acceptance_length")
COUNTS = ("requests_sent", "requests_good", "requests_failed", "requests_cut_off")


@st.composite
def requests(draw):
    n = draw(st.integers(0, 6))

    def column():
        return np.array(draw(st.lists(anything, min_size=n, max_size=n)), dtype=float)

    def flags():
        return np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=bool)

    names = ("ttft", "e2e", "start", "input_tokens", "output_tokens")
    return RawRequests(
        unit=draw(st.sampled_from(["s", "ms", "fortnight"])),
        good=flags(),
        cut_off=draw(st.none() | st.just(flags())),
        tpot=draw(st.none() | st.just(column())),
        gaps=np.array(draw(st.lists(anything, max_size=4)), dtype=float),
        **{name: column() for name in names},
    )


readings = st.builds(
    Reading,
    st.sampled_from(sorted(MEASURED)),
    st.sampled_from(["mean", "sd", "p50", "p90", "p99", "p100", "p0", "max", ""]),
    anything,
    st.sampled_from(["s", "ms", "ratio", "?"]),
    st.just("field"),
)


@st.composite
def levels(draw):
    told = {name: draw(amounts) for name in (*RATES, *MORE)} | {name: draw(numbers) for name in COUNTS}
    names = st.sampled_from(["model", "tp", "arrival", "max_num_seqs", "input_tokens_mean", "nonsense"])
    return RawLevel(
        place=Place(draw(st.sampled_from(["a/x.json", "b/x.json", "run1/y.json", ""]))),
        readings=tuple(draw(st.lists(readings, max_size=6))),
        sample_n=draw(st.dictionaries(st.sampled_from(sorted(MEASURED)), st.integers(0, 10**6), max_size=2)),
        requests=draw(st.none() | requests()),
        conditions=draw(st.dictionaries(names, scalars, max_size=3)),
        identity=draw(st.dictionaries(st.text(max_size=3), scalars, max_size=2)),
        run_key=draw(st.none() | st.sampled_from("kl")),
        **told,
    )


@st.composite
def files(draw):
    kind = draw(st.sampled_from(list(Kind)))
    form = draw(st.sampled_from(["vllm_bench", "aiperf", "aiperf_csv"]))
    return file(*draw(st.lists(levels(), max_size=5)), name=draw(st.text(max_size=12)), format_id=form, kind=kind)


@settings(max_examples=50)
@given(st.lists(files(), max_size=4))
def test_no_data_makes_it_fail_and_no_answer_is_nan(drawn):
    for run in runs_of(drawn):
        ruled = excluded_by_rule(run)
        assert run.id
        assert run.label
        for finding in (*run.findings, *check_run(ruled)):
            assert str(finding.what)
            # This one quotes what the file says.
            assert finding.code == "statistic.unreadable" or "nan" not in str(finding.what).lower().split()
        for stage in ruled.stages:
            for name in (f.name for f in fields(Stage)):
                value = getattr(stage, name)
                assert not (isinstance(value, float) and not math.isfinite(value)), name
            for found in stage.statistics.values():
                assert all(math.isfinite(v) for v in (found.mean, found.sd, *found.quantiles.values()) if v is not None)
    assert len({run.id for run in runs_of(drawn)}) == len(runs_of(drawn))
    assert len({run.label for run in runs_of(drawn)}) == len(runs_of(drawn))
