"""Accelerators by the names that files and people use; where sources disagree, every figure is kept."""

from __future__ import annotations

import pytest

from core.catalogue.hardware import Quantity, Standing, accelerator, candidates, catalogue
from core.catalogue.prices import prices


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("NVIDIA H100 80GB HBM3", "H100-SXM"),
        ("h100_sxm", "H100-SXM"),
        ("NVIDIA H100 PCIe", "H100-PCIe"),
        ("NVIDIA A100-SXM4-80GB", "A100-80GB-SXM"),
        ("NVIDIA-A100-40GB", "A100-40GB-SXM"),
        ("NVIDIA GeForce RTX 4090", "RTX-4090"),
        ("AMD Instinct MI300X", "MI300X"),
        ("GB200", "GB200-NVL72"),
        ("16 x GB200", "GB200-NVL72"),
        ("B200", "B200-HGX"),
        ("nvidia-l4", "L4"),
        ("Intel Gaudi 3", "Gaudi3"),
        ("AWS Inferentia2", "Inferentia2"),
    ],
)
def test_names_that_are_meant_for_one_part_find_it(written, name):
    assert accelerator(written).name == name


def test_a_name_of_several_parts_finds_none_of_them_but_all():
    assert accelerator("NVIDIA H100") is None
    assert [part.name for part in candidates("NVIDIA H100")] == ["H100-SXM", "H100-PCIe", "H100-NVL"]
    assert candidates("Tesla T4") == candidates("") == ()


def test_every_name_of_the_table_finds_itself():
    assert all(accelerator(part.name) is part for part in catalogue())
    assert len({part.name for part in catalogue()}) == 29


def test_figures_that_disagree_stand_beside_the_one_in_use():
    part = accelerator("B300")
    assert (part.memory_gb, part.fp4_tflops) == (270.0, 14000.0)
    assert {one.value for one in part.others(Quantity.MEMORY)} == {268.0, 288.0}
    sparse = [one for one in part.others(Quantity.FP4) if one.standing is Standing.SPARSE]
    assert [one.value for one in sparse] == [18000.0]
    assert part.used(Quantity.FP4).certainty == "uncertain"


def test_what_nobody_published_is_unknown_even_where_somebody_guessed():
    part = accelerator("Trainium2")
    assert part.tdp_w is None
    assert [one.value for one in part.others(Quantity.TDP)] == [600.0]


def test_every_figure_names_its_source_and_day():
    for part in catalogue():
        for found in part.figures.values():
            assert sum(one.standing is Standing.USED for one in found) <= 1
            assert all(one.source and len(one.as_of) == 10 and one.value > 0 for one in found)


def test_all_in_power_is_more_than_the_chip():
    """cost.md 1.3: 1.5 to 2.5 times; H100 1.73 kW against 0.70, GB300 2.10 against 1.40."""
    known = [part for part in catalogue() if part.all_in_kw]
    assert len(known) == 9
    assert all(1.49 <= part.all_in_kw * 1000 / part.tdp_w <= 2.5 for part in known)


def test_the_order_is_no_rank_of_speed():
    """Vendors and generations, as in the table: neither TFLOPS nor bandwidth rises or falls along it."""
    for speeds in ([part.bf16_tflops for part in catalogue()], [part.bandwidth_tb_s for part in catalogue()]):
        known = [speed for speed in speeds if speed]
        assert known not in (sorted(known), sorted(known, reverse=True))


def test_prices_are_of_parts_that_are_known_or_said_not_to_be():
    names = {part.name for part in catalogue()}
    assert {one.accelerator for one in prices()} - names == {"A10", "GH200", "TPU-v4", "Trainium1"}
