"""Every importer, in plain sight. Adding a format is one file and one line here."""

from __future__ import annotations

from core.ingest.beside import aiperf as beside_aiperf
from core.ingest.beside import vllm as beside_vllm
from core.ingest.byproduct import ByProduct
from core.ingest.formats import (
    aiconfigurator,
    aiperf_csv,
    aiperf_json,
    aiperf_records,
    aiperf_settings,
    aiperf_sweep,
    generic_csv,
    guidellm,
    sglang_bench,
    sglang_bench_console,
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
    guidellm,
    aiconfigurator,
    vllm_bench_csv,
    generic_csv,
)

BY_PRODUCTS: tuple[ByProduct, ...] = (
    *beside_aiperf.BY_PRODUCTS,
    *beside_vllm.BY_PRODUCTS,
)
"""What holds no results, by tool (`core.ingest.beside`)."""
