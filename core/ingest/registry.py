"""Every importer, in plain sight. How to add one: CONTRIBUTING.md, "A new format in five steps"."""

from __future__ import annotations

from core.ingest.beside import aiperf as beside_aiperf
from core.ingest.beside import evalscope as beside_evalscope
from core.ingest.beside import fmbench as beside_fmbench
from core.ingest.beside import genai_bench as beside_genai_bench
from core.ingest.beside import genai_perf as beside_genai_perf
from core.ingest.beside import guidellm as beside_guidellm
from core.ingest.beside import inference_perf as beside_inference_perf
from core.ingest.beside import inferencex as beside_inferencex
from core.ingest.beside import k6 as beside_k6
from core.ingest.beside import locust as beside_locust
from core.ingest.beside import mlc_llm as beside_mlc_llm
from core.ingest.beside import mlperf as beside_mlperf
from core.ingest.beside import model as beside_model
from core.ingest.beside import simulators as beside_simulators
from core.ingest.beside import tables as beside_tables
from core.ingest.beside import traces as beside_traces
from core.ingest.beside import vllm as beside_vllm
from core.ingest.byproduct import ByProduct
from core.ingest.formats import (
    aiconfigurator,
    aiperf_csv,
    aiperf_json,
    aiperf_records,
    aiperf_server,
    aiperf_settings,
    aiperf_sweep,
    aisimulate,
    aisimulate_recommendation,
    aisimulate_requests,
    blis,
    engine_log,
    evalscope_args,
    evalscope_console,
    evalscope_db,
    evalscope_json,
    fmbench,
    fmbench_records,
    fmperf,
    genai_bench,
    genai_bench_metadata,
    genai_perf_csv,
    genai_perf_json,
    generic_csv,
    generic_requests,
    guidellm,
    guidellm_csv,
    inference_perf,
    inference_perf_config,
    inference_perf_records,
    inference_perf_yaml,
    inferencex,
    inferencex_csv,
    k6,
    k6_csv,
    llm_d_planner,
    llm_d_report,
    llmperf,
    llmperf_records,
    llmperf_table,
    llmservingsim,
    llmservingsim_bench,
    llmservingsim_settings,
    lmbenchmark,
    locust,
    mlc_llm_bench,
    mlperf,
    sglang_bench,
    sglang_bench_console,
    splitwise_sim,
    trtllm_bench,
    trtllm_bench_console,
    vidur,
    vidur_settings,
    vllm_bench,
    vllm_bench_console,
    vllm_bench_csv,
)
from core.ingest.importer import Importer

IMPORTERS: tuple[Importer, ...] = (
    vllm_bench,
    sglang_bench,
    sglang_bench_console,
    vllm_bench_console,
    aiperf_json,
    aiperf_csv,
    aiperf_records,
    aiperf_sweep,
    aiperf_settings,
    genai_perf_json,
    genai_perf_csv,
    evalscope_json,
    evalscope_args,
    evalscope_db,
    evalscope_console,
    guidellm,
    guidellm_csv,
    inference_perf,
    inference_perf_config,
    inference_perf_records,
    inference_perf_yaml,
    llm_d_report,
    aiconfigurator,
    fmbench,
    fmbench_records,
    aisimulate,
    aisimulate_recommendation,
    aisimulate_requests,
    blis,
    llm_d_planner,
    llmservingsim,
    llmservingsim_bench,
    llmservingsim_settings,
    splitwise_sim,
    vidur,
    vidur_settings,
    vllm_bench_csv,
    fmperf,
    genai_bench,
    genai_bench_metadata,
    inferencex,
    inferencex_csv,
    llmperf,
    llmperf_records,
    llmperf_table,
    lmbenchmark,
    engine_log,
    mlc_llm_bench,
    mlperf,
    trtllm_bench,
    trtllm_bench_console,
    k6,
    k6_csv,
    locust,
    aiperf_server,
    generic_csv,
    generic_requests,
)

BY_PRODUCTS: tuple[ByProduct, ...] = (
    *beside_aiperf.BY_PRODUCTS,
    *beside_evalscope.BY_PRODUCTS,
    *beside_fmbench.BY_PRODUCTS,
    *beside_genai_bench.BY_PRODUCTS,
    *beside_genai_perf.BY_PRODUCTS,
    *beside_guidellm.BY_PRODUCTS,
    *beside_inference_perf.BY_PRODUCTS,
    *beside_inferencex.BY_PRODUCTS,
    *beside_k6.BY_PRODUCTS,
    *beside_locust.BY_PRODUCTS,
    *beside_mlc_llm.BY_PRODUCTS,
    *beside_mlperf.BY_PRODUCTS,
    *beside_model.BY_PRODUCTS,
    *beside_simulators.BY_PRODUCTS,
    *beside_tables.BY_PRODUCTS,
    *beside_traces.BY_PRODUCTS,
    *beside_vllm.BY_PRODUCTS,
)
"""What holds no results, by tool (`core.ingest.beside`)."""
