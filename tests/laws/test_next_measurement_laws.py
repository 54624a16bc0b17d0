"""What is promised of the advice on the next measurement, for sweeps as servers give them and for hostile ones."""

from __future__ import annotations

import itertools
import math
import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from core.decide.decide import decide
from core.decide.expected import widths
from core.decide.measure import next_measurement, with_widths
from core.fit.fit import fit_run, fit_stages
from core.letters import flat
from core.model.run import Conditions, Kind, Run
from core.model.target import parse_target
from tests.fit.sweeps import sweep
from tests.laws.served import hostile, question, served

any_sweep = st.one_of(served(), hostile(least=1))
names = st.text(st.characters(codec="utf-8"), max_size=40)


def run_of(levels, **conditions):
    return Run(
        id="r",
        label="r",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(**conditions),
        stages=tuple(levels),
    )


@settings(max_examples=40)
@given(question(served()), st.integers(1, 2000), st.lists(st.integers(1, 100_000), min_size=2, max_size=4))
def test_more_requests_never_raise_the_expected_width(asked, load, counts):
    """At one load, the width announced falls or stays as the requests grow; no width is below 1 or infinite."""
    levels, target = asked
    fit = fit_stages(levels)
    decision = decide(fit, [target])
    told = [widths(fit, decision, [target], float(load), (count, 300)) for count in sorted(counts)]
    after = [found[1] for found in told if found]
    assert len(after) in (0, len(counts))
    assert all(more <= fewer * (1.0 + 1e-12) for fewer, more in itertools.pairwise(after))
    assert all(1.0 <= width < math.inf for width in after)


@settings(max_examples=60)
@given(question(any_sweep))
def test_the_advice_is_whole_and_finite(asked):
    """Whatever the sweep: at least one request in flight, ten requests for each, times and widths that are numbers."""
    levels, target = asked
    run = run_of(levels)
    fit = fit_run(run)
    decision = decide(fit, [target])
    found = next_measurement(run, fit, decision, [target])
    if found is None:
        return
    found = with_widths(run, fit, decision, [target], found)
    assert found.concurrency == int(found.concurrency) >= 1
    assert found.requests >= 10 * found.concurrency
    assert found.duration_s is None or 0.0 < found.duration_s < math.inf
    assert (found.width_now is None) == (found.width_after is None)
    assert found.width_now is None or 1.0 <= found.width_now < math.inf
    assert found.rate is None or 0.0 < found.rate < math.inf


@settings(max_examples=60)
@given(names, names)
def test_a_hostile_name_is_one_word_of_every_command_or_none(model, version):
    """A model's name is pasted as one quoted word, or as one value of a configuration, or not at all."""
    run = run_of(sweep((1, 4, 16, 64), (0.010, 0.012, 0.030, 0.3)), model=model, tool_version=version)
    fit = fit_run(run)
    target = parse_target("tpot mean <= 1 s")
    found = next_measurement(run, fit, decide(fit, [target]), [target])
    for each in found.commands:
        if each.tool == "inference_perf":
            lines = each.command.splitlines()
            assert lines[0].startswith("cat > ")
            assert lines.count("END") == 1
            assert lines[-1] == "inference-perf --config_file inference-perf.yml"
            continue
        words = shlex.split(each.command.replace("<MODEL>", "MODEL"))
        plain = words.index("--model") if "--model" in words else None
        assert plain is None or words[plain + 1] in (flat(model), "MODEL", "<MODEL>")
        assert len(each.command.splitlines()) == 1
