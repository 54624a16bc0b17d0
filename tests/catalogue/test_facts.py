"""The tidy tables say the same as the collected facts, wherever both exist."""

from __future__ import annotations

import csv
import re

import pytest

from core.catalogue.hardware import Quantity, catalogue
from core.catalogue.prices import prices

COLUMNS = {
    "memory_gb": Quantity.MEMORY,
    "memory_usable_mib": Quantity.MEMORY_SEEN,
    "bandwidth_tb_s": Quantity.BANDWIDTH,
    "bf16_dense_tflops": Quantity.BF16,
    "fp8_dense_tflops": Quantity.FP8,
    "fp4_dense_tflops": Quantity.FP4,
    "tdp_w": Quantity.TDP,
    "interconnect_gb_s_unidir": Quantity.LINK_ONE_WAY,
    "interconnect_gb_s_bidir": Quantity.LINK_BOTH_WAYS,
    "scaleup_domain_gpus": Quantity.SCALEUP_DOMAIN,
}


def facts(shared_data, name):
    file = shared_data.parent / "facts" / name
    if not file.exists():
        pytest.skip("the collected facts are not here")
    with file.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def test_every_accelerator_has_the_figures_of_the_facts(shared_data):
    rows = facts(shared_data, "hardware.csv")
    assert [row["name"] for row in rows] == [part.name for part in catalogue()]
    for row, part in zip(rows, catalogue(), strict=True):
        assert (part.vendor, part.form_factor, part.interconnect) == (
            row["vendor"],
            row["form_factor"],
            row["interconnect"],
        )
        assert (part.certainty, part.as_of) == (row["certainty"], row["as_of"])
        assert part.source
        for column, quantity in COLUMNS.items():
            assert part.value(quantity) == (float(row[column]) if row[column] else None), (part.name, column)
        doubted = set(filter(None, row["uncertain_fields"].split(";")))
        for column, quantity in COLUMNS.items():
            figure = part.used(quantity)
            if figure and part.certainty != "uncertain":
                assert (figure.certainty == "uncertain") == (column in doubted), (part.name, column)


def test_every_price_is_that_of_the_facts(shared_data):
    rows = facts(shared_data, "prices.csv")
    assert len(rows) == len(prices()) == 172
    for row, price in zip(rows, prices(), strict=True):
        assert (price.provider, price.sku, price.accelerator) == (row["provider"], row["sku"], row["accelerator"])
        assert price.region == row["region"].replace("(unstated)", "")
        assert (price.commitment, price.certainty, price.source) == (
            row["pricing_model"],
            row["certainty"],
            row["source"],
        )
        assert price.per_hour == float(row["usd_per_hour"])
        assert price.each == pytest.approx(float(row["usd_per_accel_hour"]), abs=1e-6)
        dated = re.search(r"\d{4}(-\d\d-\d\d)?", row["as_of"])
        assert price.as_of == (dated.group(0) if dated else "")
        assert row["notes"] in price.notes
