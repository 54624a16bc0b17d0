"""What memory is reckoned with is kept with its run: stored, read back with care, and told apart in a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.edits import Edits, Told, edited, told_of
from core.errors import StoreError
from core.limits.architecture import architecture_of
from core.model.change import Aspect
from core.model.codec import decode, encode
from core.model.run import Run
from core.model.sizing import Logged, Sizing
from core.present.diff_words import change_name
from core.run_diff import run_changes
from tests.check.run_build import run, stage
from tests.limits import configs

SIZING = Sizing(
    architecture=architecture_of(configs.KIMI_LINEAR), accelerator="L4", tp=2, logged=Logged(kv_gib=1.5, kv_tokens=64)
)


def test_it_comes_back_from_the_store_to_the_last_layer() -> None:
    kept = replace(run(stage(1)), sizing=SIZING)
    assert decode(encode(kept), Run).sizing == SIZING
    # A run that was saved before there was such a thing has none.
    assert decode(encode(run(stage(1))), Run).sizing is None


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (b'"tp":2', b'"tp":-2'),
        (b'"kv_gib":1.5', b'"kv_gib":-1.5'),
        (b'"hidden":2304', b'"hidden":-1'),
        (b'"order":[0', b'"order":[99'),
        (b'"latent":576', b'"latent":1000000000000000000'),
    ],
)
def test_what_no_deployment_can_have_is_not_read(good: bytes, bad: bytes) -> None:
    written = encode(replace(run(stage(1)), sizing=SIZING))
    assert good in written
    with pytest.raises(StoreError):
        decode(written.replace(good, bad), Run)


def test_a_difference_names_each_part() -> None:
    before = run(stage(1))
    changes = list(run_changes([(before, replace(before, sizing=SIZING))]))
    assert {change.name for change in changes} == {"architecture", "accelerator", "tp", "logged"}
    assert all(change.about is Aspect.MEMORY for change in changes)
    assert [change_name(change) for change in changes if change.name == "tp"] == ["Tensor parallel ranks"]


def test_what_is_said_goes_with_the_levels_of_its_run() -> None:
    told = (Told(levels=("a", "b"), edits=Edits(sizing=SIZING)),)
    assert told_of(("b",), told).sizing == SIZING
    assert told_of(("c",), told).sizing is None
    two = (*told, Told(levels=("c",), edits=Edits(sizing=Sizing(tp=1))))
    # Runs that were merged and of which different things were said: nothing is known of the whole.
    assert told_of(("a", "c"), two).sizing is None
    assert edited(run(stage(1)), Edits(sizing=SIZING)).sizing == SIZING
