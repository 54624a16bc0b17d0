"""Settings that people add become conditions or identity; passing things become neither."""

import pytest

from core.ingest.conditions import sorted_settings


def test_aliases_of_a_condition_are_read_whatever_their_spelling():
    conditions, identity = sorted_settings(
        {
            "GPU_Type": "H100",
            "num-gpus": "16",
            "tensor-parallel-size": 8,
            "kv-cache-dtype": "fp8",
            "vllm_version": "0.11.0",
        }
    )
    assert conditions == {
        "accelerator": "H100",
        "accelerator_count": 16,
        "tp": 8,
        "kv_precision": "fp8",
        "engine_version": "0.11.0",
    }
    assert identity == {}


@pytest.mark.parametrize(
    "key",
    [
        "date",
        "run_date",
        "seed",
        "timestamp",
        "job_id",
        "max_concurrency",
        "request-rate",
        "base_url",
        "run_number",
        "hostname",
    ],
)
def test_dates_seeds_hosts_and_load_tell_no_configurations_apart(key):
    assert sorted_settings({key: "1"}) == ({}, {})


@pytest.mark.parametrize(
    "key", ["prefix_hit_rate", "block_size", "optimization_level", "think_time", "acceptance_rate"]
)
def test_settings_of_the_configuration_are_kept_as_they_are_named(key):
    assert sorted_settings({key: 0.5}) == ({}, {key: 0.5})


def test_a_value_that_says_nothing_is_left_out():
    assert sorted_settings({"dtype": "auto", "quantization": None, "engine": " "}) == ({}, {})


def test_a_count_that_is_no_whole_number_stays_with_its_own_name():
    conditions, identity = sorted_settings({"tp": "two", "gpu": "8", "dp": True, "pp": 0})
    assert conditions == {"accelerator_count": 8}
    assert identity == {"tp": "two", "dp": True, "pp": 0}


def test_what_is_measured_per_level_is_no_condition():
    conditions, identity = sorted_settings({"acceptance_length": "2.9", "cache_hit_rate": "0.5"})
    assert conditions == {}
    assert set(identity) == {"acceptance_length", "cache_hit_rate"}
