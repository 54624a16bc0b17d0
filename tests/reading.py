"""What an importer read, compared with facts that came from elsewhere (the keys are in tests/golden/test_golden.py)."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.ingest.raw import RawFile, RawLevel, RawRequests

READING = re.compile(r"(ttft|itl|tpot|e2e|queue|rtf)_(mean|sd|p[\d.]+)")


def near(value):
    return pytest.approx(value, rel=1e-6, abs=0.0) if isinstance(value, float) else value


def requests_facts(requests: RawRequests) -> dict:
    """Counts and means of per-request records; a mean is over the good requests that have a value."""
    facts = {"n": requests.good.size, "good": int(requests.good.sum()), "gaps": requests.gaps.size}
    facts |= {"unit": requests.unit, "gaps_mean": float(requests.gaps.mean()) if requests.gaps.size else None}
    if requests.cut_off is not None:
        facts["cut_off"] = int(requests.cut_off.sum())
    for name in ("ttft", "e2e", "start", "input_tokens", "output_tokens", "tpot"):
        values = getattr(requests, name)
        known = values[requests.good & ~np.isnan(values)] if values is not None else np.empty(0)
        facts[f"{name}_mean"] = float(known.mean()) if known.size else None
    return facts


def found_and_wanted(level: RawLevel, key: str, want) -> tuple:
    """One key of expected.json: what was read, and what should have been, in comparable form."""
    if READING.fullmatch(key):
        found = next((r for r in level.readings if f"{r.metric.value}_{r.statistic}" == key), None)
        return found and [found.value, found.unit], want and [near(float(want[0])), want[1]]
    if key == "conditions":
        return {name: level.conditions.get(name) for name in want}, want
    if key == "sample_n":
        return {metric.value: n for metric, n in level.sample_n.items()}, want
    if key == "findings":
        return sorted(f.code for f in level.findings), sorted(want)
    if key == "place":
        return {name: getattr(level.place, name) for name in want}, want
    if key == "requests" and want and level.requests:
        facts = requests_facts(level.requests)
        return {name: facts[name] for name in want}, {name: near(value) for name, value in want.items()}
    value = getattr(level, key)
    return list(value) if isinstance(value, tuple) else value, near(want)


def compare_level(level: RawLevel, expected: dict) -> None:
    names = [(r.metric, r.statistic) for r in level.readings]
    assert len(set(names)) == len(names), "one statistic was read twice"
    for key, wanted in expected.items():
        got, want = found_and_wanted(level, key, wanted)
        assert got == want, key


def compare_file(raw: RawFile, expected: dict) -> None:
    for key in ("format_version", "kind"):
        if key in expected:
            assert getattr(raw, key) == expected[key], key
    if "measured" in expected:
        assert dict(raw.measured) == {name: near(value) for name, value in expected["measured"].items()}
    if "about" in expected:
        assert {name: raw.about.get(name) for name in expected["about"]} == expected["about"]
    if "findings" in expected:
        assert sorted(f.code for f in raw.findings) == sorted(expected["findings"])
    if "pool" in expected:
        facts = requests_facts(raw.pool) if raw.pool else {}
        assert {name: facts.get(name) for name in expected["pool"]} == {n: near(v) for n, v in expected["pool"].items()}
    assert len(raw.levels) == len(expected["levels"])
    for level, want in zip(raw.levels, expected["levels"], strict=True):
        compare_level(level, want)
