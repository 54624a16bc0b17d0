"""Headers in their many spellings: metric, statistic and unit."""

import pytest

from core.ingest.columns import column_of
from core.ingest.header import parsed
from core.model.metric import Metric


@pytest.mark.parametrize(
    "header",
    [
        "TTFT p99 (ms)", "ttft_p99_ms", "p99_ttft_ms", "P99 TTFT [ms]", "ttft-p99-ms", "TTFT (p99, ms)", "ttftP99Ms",
        "p99TTFT_ms", "99th percentile TTFT (ms)", "TTFT 99%ile ms", "time_to_first_token_p99_ms",
        "Time to First Token p99 (ms)", "First token latency P99 msec", "quantiles_p99_ttft_ms", "ttft_0.99_ms",
        "TTFT TP99 (ms)", "ttft q99 milliseconds", "첫 토큰 지연 p99 (ms)", "首token延迟 P99 (毫秒)",
    ],
)  # fmt: skip
def test_one_header_in_many_spellings(header):
    column = column_of(0, header)
    assert (column.role, column.metric, column.statistic, column.unit) == ("latency", Metric.TTFT, "p99", "ms")


@pytest.mark.parametrize(
    ("header", "metric", "statistic", "unit"),
    [
        ("latency_p95_sec", Metric.E2E, "p95", "s"),
        ("mean TTFT (s)", Metric.TTFT, "mean", "s"),
        ("ttft_mean", Metric.TTFT, "mean", None),
        ("avg_tpot_ms", Metric.TPOT, "mean", "ms"),
        ("median_itl_us", Metric.ITL, "p50", "us"),
        ("e2e_latency_p99", Metric.E2E, "p99", None),
        ("p99_e2el_ms", Metric.E2E, "p99", "ms"),
        ("End-to-End Latency std (s)", Metric.E2E, "sd", "s"),
        ("request latency (ns)", Metric.E2E, None, "ns"),
        ("Inter-Token Latency p99.9 (ms)", Metric.ITL, "p99.9", "ms"),
        ("time per output token p90 ms", Metric.TPOT, "p90", "ms"),
        ("queue time p50 (s)", Metric.QUEUE, "p50", "s"),
        ("rtf_p99", Metric.RTF, "p99", None),
        ("total_time_p95", Metric.E2E, "p95", None),
        ("1st token latency (ms)", Metric.TTFT, None, "ms"),
        ("응답 시간 평균 (초)", Metric.E2E, "mean", "s"),
        ("延迟 平均 (秒)", Metric.E2E, "mean", "s"),
    ],
)
def test_metric_statistic_and_unit(header, metric, statistic, unit):
    column = column_of(0, header)
    assert (column.role, column.metric, column.statistic, column.unit) == ("latency", metric, statistic, unit)


@pytest.mark.parametrize(
    ("spelling", "statistic"),
    [
        ("p1", "p1"), ("p01", "p1"), ("p001", "p0.1"), ("p0.1", "p0.1"), ("p0p1", "p0.1"), ("p999", "p99.9"),
        ("p99p9", "p99.9"), ("p99.9", "p99.9"), ("99.9th percentile", "p99.9"), ("p9999", "p99.99"), ("p5", "p5"),
        ("p100", "max"), ("median", "p50"), ("max", "max"), ("min", "min"),
    ],
)  # fmt: skip
def test_percentile_names_are_never_mistaken_for_each_other(spelling, statistic):
    assert parsed(f"{spelling} ttft ms").statistic == statistic


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("concurrency", "asked_concurrency"), ("Max Concurrency", "asked_concurrency"), ("conc", "asked_concurrency"),
        ("users", "asked_concurrency"), ("# of concurrent users", "asked_concurrency"),
        ("num_concurrent_requests", "asked_concurrency"), ("동시 접속자 수", "asked_concurrency"),
        ("并发数", "asked_concurrency"), ("mean concurrency", "measured_concurrency"),
        ("achieved_concurrency", "measured_concurrency"), ("batch_size", "batch"), ("qps", "rate"),
        ("request_rate", "rate"), ("Target QPS", "asked_rate"), ("achieved_rps", "request_rate"),
        ("request_throughput", "request_rate"), ("num_prompts", "requests_sent"), ("completed", "requests_good"),
        ("failed requests", "requests_failed"), ("error_rate", "error_rate"), ("Errors (%)", "error_rate"),
        ("success rate", "success_rate"), ("benchmark duration (s)", "duration_s"),
        ("Output Token Throughput (tok/s)", "output_tok_s"), ("out_tok_s", "output_tok_s"),
        ("total_token_throughput", "total_tok_s"), ("tokens/s", "throughput"), ("tok/s/gpu", "ignored"),
        ("tokens_per_sec_per_user", "ignored"), ("completion_token_count_mean", "output_tokens_mean"),
        ("random_input_len", "input_asked"), ("OSL", "output_asked"), ("total_output_tokens", "output_total"),
        ("tensor_parallel_size", "conditions.tp"), ("Framework", "conditions.engine"), ("timestamp", "ignored"),
        ("max_num_seqs", "conditions.max_num_seqs"), ("ttft_max_ms", "ignored"), ("total_time", "ignored"),
        ("payload_file", "other"), ("", "ignored"),
    ],
)  # fmt: skip
def test_what_other_headers_mean(header, role):
    assert column_of(0, header).role == role


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("Asked request rate (req/s)", "asked_rate"),
        ("Offered load (req/s)", "asked_rate"),
        ("Load (rps)", "rate"),
        ("Rate (req/s)", "rate"),
        ("Achieved rate (req/s)", "request_rate"),
        ("Request throughput (req/s)", "request_rate"),
    ],
)
def test_a_rate_with_its_unit_beside_its_name(header, role):
    assert column_of(0, header).role == role
