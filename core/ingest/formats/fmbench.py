"""AWS FMBench: all_metrics_summary.csv and the tables cut from it, and all_metrics.csv with the groups behind it.

Source: files of the tool's repository (2024 to January 2025) and the notebooks that write them
(3_run_inference, 5_model_metric_analysis); docs/formats/fmbench.md. Seconds throughout. FMBench sends
as many requests at once as the concurrency says, waits for all, and sends the next group: a row of
all_metrics.csv is one group, and a summary is the plain mean over groups, percentiles and rates included.
"""

from __future__ import annotations

import hashlib
import re

from core.errors import Place
from core.i18n import Text, joined, t
from core.ingest.fields import Fields
from core.ingest.formats.fmbench_conditions import conditions_of, sent_in_groups
from core.ingest.formats.fmbench_groups import of_groups
from core.ingest.formats.fmbench_readings import PERCENTILES, readings
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.ingest.required import load_of
from core.ingest.row_fields import fields_of
from core.ingest.table import header_of, table_of
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "fmbench"
LABEL = "AWS FMBench"

_KEYS = ("experiment_name", "payload_file", "instance_type", "instance_count")
_MARKS = frozenset({"experiment_name", "payload_file", "instance_type", "concurrency", "error_rate"})
_TIME = re.compile(r"(?:latency|TTFT|TPOT)_(?:mean|p\d+)")
_START = 65_536
_GROUPS = frozenset({"successes", "all_prompts_token_count", "prompt_token_throughput"})


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is one of FMBench's with a latency in it."""
    return frozenset(header) >= _MARKS and any(_TIME.fullmatch(name) for name in header)


def match(head: Head) -> float:
    """0.95 where every column that tells the format is there."""
    return 0.95 if claims(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per experiment, payload file, instance type and concurrency.

    Raises:
        RefusedFileError: a damaged table, a row without concurrency or with a cell that is no number.
    """
    groups = frozenset(header_of(Head(upload.name, upload.data[:_START]))) >= _GROUPS
    table = table_of(upload, LIMITS.csv_rows if groups else LIMITS.levels)
    rows = fields_of(table)
    levels = tuple(_level(row, groups=groups) for row in (of_groups(rows, _KEYS) if groups else rows))
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="groups" if groups else "summary",
        kind=Kind.MEASURED,
        levels=levels,
        findings=_findings(upload.name, rows, table.header, groups=groups),
    )


def _level(row: Fields, *, groups: bool) -> RawLevel:
    concurrency = load_of(row, "concurrency")
    told: dict[str, Scalar] = {key: row.text(key) for key in _KEYS if row.text(key) is not None}
    good, failed = _counts(row, groups=groups)
    if good == 0:
        row.findings.append(none_completed(row.place))
    folder, slash, _ = (row.place.file or "").rpartition("/")
    return RawLevel(
        place=row.place,
        asked_concurrency=concurrency,
        requests_good=good,
        requests_failed=failed,
        duration_s=row.not_negative("duration_s") if groups else None,
        input_tokens_mean=row.not_negative("prompt_token_count_mean"),
        output_tokens_mean=row.not_negative("completion_token_count_mean"),
        readings=() if good == 0 else readings(row, concurrency),
        conditions=conditions_of(row.text("instance_type"), row.text("instance_count")),
        identity=told,
        # Tables of one folder that hold one row twice, or its groups, are one execution.
        run_key="|".join((folder, *map(str, told.values()), f"{concurrency:g}")) if slash else None,
        findings=tuple(row.findings),
    )


def _counts(row: Fields, *, groups: bool) -> tuple[int | None, int | None]:
    """Return good and failed requests; a share of failures is a count only where it is none or all."""
    if groups:
        return row.count("successes"), row.count("failures")
    share = row.not_negative("error_rate")
    if not share:
        return None, 0 if share == 0.0 else None
    if share >= 1.0:
        return 0, None
    row.findings.append(
        Finding(
            code="fmbench.failed_share",
            severity=Severity.WARNING,
            where=row.at("error_rate"),
            what=t(
                "{percent} % of the requests failed; the table does not say of how many", percent=f"{share:.0%}"[:-1]
            ),
            consequence=t("The latency is of the others only, so the level looks better than it is"),
            fix=t("Send all_metrics.csv of the same folder too: it holds the counts"),
        )
    )
    return None, None


def _findings(name: str, rows: list[Fields], header: tuple[str, ...], *, groups: bool) -> tuple[Finding, ...]:
    found = [sent_in_groups(name)]
    if not groups:
        found.append(_rates(name))
    if any(PERCENTILES.fullmatch(column) for column in header):
        found.append(_percentiles(name))
    prices = {row.text("instance_type"): row.text("price_per_hour") for row in rows}
    said = [
        t("{instance} {price}", instance=instance, price=price)
        for instance, price in prices.items()
        if instance and price
    ]
    return (*found, _prices(name, said)) if said else tuple(found)


def _rates(name: str) -> Finding:
    return Finding(
        code="fmbench.rates_of_groups",
        severity=Severity.INFO,
        where=Place(name, field="transactions_per_minute"),
        what=t("The rates of this table are means over groups, not what was reached over the whole time"),
        consequence=t("They are not used: short groups count as much as long ones, seen up to 1.9 times too high"),
        fix=t("Send all_metrics.csv of the same folder too: it holds tokens and time of every group"),
    )


def _percentiles(name: str) -> Finding:
    return Finding(
        code="fmbench.percentiles_of_groups",
        severity=Severity.WARNING,
        where=Place(name),
        what=t("A percentile of this table is the mean of the percentiles of single groups, not of all requests"),
        consequence=t("It is not used: in groups of two, what is called p99 lies near the p66 of all requests"),
        fix=t("Send per_inference_request_results.csv of the same folder: it holds every request"),
    )


def _prices(name: str, said: list[Text]) -> Finding:
    return Finding(
        code="fmbench.prices",
        severity=Severity.INFO,
        where=Place(name, field="price_per_hour"),
        what=t("The table states prices per hour: {prices}", prices=joined(said[:12])),
        consequence=t("They are not used"),
        fix=t("Set the price of an accelerator on the Plan page"),
    )
