"""Every word is explained, on the screen and in the docs."""

from __future__ import annotations

import re

from core.model.answer import Status
from core.model.metric import Metric
from core.model.workload import WorkloadKind
from core.present.glossary import ENTRIES, entry, tooltip
from core.present.presets import NAMES, presets


def test_every_metric_and_every_verdict_has_an_entry():
    keys = {found.key for found in ENTRIES}
    assert {metric.value for metric in Metric} <= keys
    assert {status.value for status in Status} <= keys
    assert {"concurrency", "output_tok_s", "total_tok_s", "safe", "range", "percentile"} <= keys
    assert {"measured", "simulated", "interpolated", "assumed"} <= keys
    assert len(keys) == len(ENTRIES)


def test_every_metric_is_in_the_docs_with_its_formula(root):
    text = (root / "docs" / "metrics.md").read_text(encoding="utf-8")
    for metric in Metric:
        assert f"`{metric.value}`" in text
        assert str(entry(metric).formula) in text


def test_sentences_are_short_enough_for_a_manager():
    for found in ENTRIES:
        for sentence in re.split(r"(?<=[.:;]) ", str(found.definition)):
            assert len(sentence.split()) <= 32, sentence


def test_a_tooltip_has_definition_formula_names_and_source():
    text = tooltip(Metric.TPOT)
    assert "TPOT = (E2E − TTFT) ÷ (output tokens − 1)." in text
    assert "ITL in AIPerf" in text
    assert "Source:" in text


def test_every_preset_has_a_name_targets_and_a_source():
    assert {preset.id for preset in presets()} == set(NAMES)
    for preset in presets():
        assert bool(preset.targets) is (preset.kind is not WorkloadKind.BATCH)
        assert preset.source
