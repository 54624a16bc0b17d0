"""Speech in a table: RTF, RTFx turned round, the first sound."""

from __future__ import annotations

import pytest

from core.ingest.formats.generic_csv import read
from core.ingest.raw import Upload
from core.model.metric import Metric
from core.model.target import parse_target
from core.model.workload import workload_of
from core.pipeline import load, plan
from core.present.first_targets import first_kind, targets_for
from core.present.headline import headline


def levels_of(*lines):
    return read(Upload("voice.csv", ("\n".join(lines) + "\n").encode()))


def readings(level):
    return {(r.metric, r.statistic): (r.value, r.unit) for r in level.readings}


def test_a_low_percentile_of_rtfx_is_the_high_one_of_rtf():
    """1 % of the requests run at 4 times real time or slower, so 99 % take at most a quarter of it."""
    (level,) = levels_of("concurrency,rtfx_p1,RTFx p5,rtfx_median", "8,4,5,8").levels
    assert readings(level) == {
        (Metric.RTF, "p99"): (0.25, "ratio"),
        (Metric.RTF, "p95"): (0.2, "ratio"),
        (Metric.RTF, "p50"): (0.125, "ratio"),
    }


def test_a_high_percentile_of_rtfx_tells_only_the_fast_ones():
    (level,) = levels_of("concurrency,rtfx_p99", "8,10").levels
    assert readings(level) == {(Metric.RTF, "p1"): (0.1, "ratio")}


def test_percentiles_with_decimals_turn_round_exactly():
    (level,) = levels_of("concurrency,rtfx_p0.1", "8,10").levels
    assert readings(level) == {(Metric.RTF, "p99.9"): (0.1, "ratio")}


@pytest.mark.parametrize("name", ["rtfx", "rtfx_mean", "RTFx avg", "rtfx_std", "rtfx_max"])
def test_a_mean_of_rtfx_is_never_turned_round(name):
    """1 / mean(1 / x) is not mean(x): 1 and 9 have the mean 5, their inverses that of 1.8."""
    found = levels_of(f"concurrency,{name},rtf_p99", "8,5,0.5")
    assert readings(found.levels[0]) == {(Metric.RTF, "p99"): (0.5, "ratio")}
    assert [finding.code for finding in found.findings] == ["ingest.rtfx_mean"]


def test_rtf_stays_as_it_is():
    (level,) = levels_of("concurrency,rtf_p99,rtf_mean", "8,0.5,0.25").levels
    assert readings(level) == {(Metric.RTF, "p99"): (0.5, "ratio"), (Metric.RTF, "mean"): (0.25, "ratio")}


def test_no_speed_at_all_is_unknown_and_never_infinite():
    (level,) = levels_of("concurrency,rtfx_p1,ttfa_p99_ms", "8,0,200").levels
    assert readings(level) == {(Metric.TTFT, "p99"): (200.0, "ms")}
    assert [finding.code for finding in level.findings] == ["ingest.zero_latency"]


@pytest.mark.parametrize("name", ["first audio p99 (ms)", "time_to_first_audio_p99_ms", "TTFA p99 [ms]"])
def test_the_first_sound_is_the_first_token(name):
    (level,) = levels_of(f"concurrency,{name}", "8,200").levels
    assert readings(level) == {(Metric.TTFT, "p99"): (200.0, "ms")}


SWEEP = Upload(
    "voice.csv",
    b"concurrency,completed,failed,rtfx_p1,first audio p99 (ms)\n"
    b"1,400,0,8,120\n2,400,0,6.25,140\n4,400,0,4,170\n8,800,0,2.5,210\n16,1600,0,1.6,270\n32,3200,0,0.8,380\n",
)


def test_a_voice_sweep_is_answered_in_streams():
    """RTF p99 is 0.625 at 16 and 1.25 at 32; the first sound needs 270 ms and 380 ms there."""
    runs = load([SWEEP]).runs
    targets = (parse_target("rtf p99 <= 1"), parse_target("ttft p99 <= 300ms"))
    (answer,) = plan(runs, targets, None, workload=workload_of("voice"))
    rtf, first = (each.capacity for each in answer.per_target)
    assert 16 < rtf.concurrency.mid < 32
    assert 16 <= first.safe < rtf.concurrency.mid
    assert headline(answer).safe == f"{answer.capacity.safe} streams at once, safely"
    assert "스트림" in headline(answer, "ko").safe


def test_a_voice_sweep_starts_as_voice():
    runs = load([SWEEP]).runs
    assert first_kind(runs) == "voice"
    assert [str(target.metric) for target in targets_for(first_kind(runs), runs)] == ["rtf", "ttft"]
    assert targets_for(workload_of("batch").kind, runs) == ()
