"""Names tell load, accelerators and model, and nothing that is not there."""

import pytest

from core.errors import Place
from core.ingest.names import (
    accelerators_in,
    concurrency_in,
    from_name,
    model_in,
    parallelism_in,
    rate_in,
    without_load,
)
from core.model.finding import Severity


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("concurrency_128_req_rate_inf_gpus_16_ctx_8_gen_8.json", 128),
        ("glm5_fp8_vllm_tp8_isl1024_osl128_conc16.json", 16),
        ("openai-infqps-concurrency8-tiny-llama-20261129-161243.json", 8),
        ("SERVE--mns8-BENCH--max-concurrency=32/run=0.json", 32),
        ("concurrency_4__requests_40/profile_export.jsonl.gz", 4),
        ("c01.json.gz", 1),
        (r"runs\c8_goodput.json", 8),
        ("conc8/conc16.json", 16),
        ("D100_1_text-to-text_num_concurrency_8_time_26s.json", 8),
    ],
)
def test_a_level_in_a_name_is_read(name, level):
    assert concurrency_in(name) == level


@pytest.mark.parametrize(
    "name",
    [
        "run=0.json",
        "benchmark_2025-05-11_23-00-27.json",
        "tp8_ep8.json",
        "c5n.18xlarge.json",
        "conc8_conc16.json",
        "conc0.json",
        "concurrency_inf.json",
        "kubecon2025_vllm.json",
        "",
        "ctx_8192.json",
        "tensor_parallel_8.json",
        "c8i.json",
        "preconc8.json",
    ],
)
def test_no_level_is_read_into_a_name(name):
    assert concurrency_in(name) is None


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("rate5.json", 5.0),
        ("rate20_b0.3_maxc16.json", 20.0),
        ("rate0.5.json", 0.5),
        ("vllm-2.5qps-concurrency8.json", 2.5),
        ("request_rate_10/run.json", 10.0),
        ("req-rate=4.json", 4.0),
        ("llama_qps_12.csv", 12.0),
    ],
)
def test_a_rate_in_a_name_is_read(name, rate):
    assert rate_in(name) == rate


@pytest.mark.parametrize(
    "name",
    [
        "req_rate_inf.json",
        "error_rate_5.json",
        "hit_rate_50.json",
        "openai-infqps-m.json",
        "conc8.json",
        "migrate5.json",
    ],
)
def test_no_rate_is_read_into_a_name(name):
    assert rate_in(name) is None


def test_pools_of_accelerators_have_to_add_up():
    assert accelerators_in("gpus_16_ctx_4_gen_12.json") == {
        "accelerator_count": 16,
        "prefill_accelerators": 4,
        "decode_accelerators": 12,
    }
    assert accelerators_in("gpus_16_ctx_8192_gen_1024.json") == {"accelerator_count": 16}
    assert accelerators_in("gpt-oss-120b_16gpu_1p1d/c8.json") == {"accelerator_count": 16}
    assert accelerators_in("h100_tp8.json") == {}


def test_parallelism_is_read_from_the_files_own_name():
    assert parallelism_in("glm5_fp8_vllm_tp8_isl1024_osl128_conc16.json") == {"tp": 8}
    assert parallelism_in("tp4/minimax_m25_vllm_tep8_conc4.json") == {"tp": 8, "dp": 1, "ep": 8}
    assert parallelism_in("m_tp8-ep2-dpafalse.json") == {"tp": 8, "ep": 2}
    assert parallelism_in("http8.json") == parallelism_in("step8_pp512.json") == parallelism_in("tp0.json") == {}


@pytest.mark.parametrize(
    ("text", "model", "revision"),
    [
        ("/models/models--openai--gpt-oss-120b/snapshots/b5c939de/", "openai/gpt-oss-120b", "b5c939de"),
        (r"D:\cache\models--gpt2\snapshots\abc", "gpt2", "abc"),
        ("/home/someone/tiny-llama", "tiny-llama", None),
        ("./out/ckpt-3/", "ckpt-3", None),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct", None),
        ("/", None, None),
        (None, None, None),
    ],
)
def test_a_model_is_named_without_the_machine_it_lies_on(text, model, revision):
    assert model_in(text) == (model, revision)


def test_a_label_loses_its_level_and_keeps_its_configuration():
    assert [without_load(text) for text in ("fp8 conc16", "fp8 conc32", "c8", "fp8-rate", "run 2.5qps")] == [
        "fp8",
        "fp8",
        "",
        "fp8-rate",
        "run",
    ]


def test_what_a_name_told_is_marked():
    finding = from_name(Place("a.json", 3), "asked_concurrency", 16.0)
    assert (finding.code, finding.severity) == ("ingest.from_file_name", Severity.INFO)
    assert finding.where == Place("a.json", 3, "asked_concurrency")
    assert str(finding.what) == "Read from the file name: concurrent requests: 16"
