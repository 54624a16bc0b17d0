"""inference-perf's own part of a benchmark report: inference-perf.partial.stage_N.yaml, beside each stage's JSON.

It has more percentiles than the stage's JSON, and neither the load nor the model. docs/formats/inference_perf_yaml.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest import doubled
from core.ingest.decode import refusal
from core.ingest.execution import by_numbers
from core.ingest.fields import Fields
from core.ingest.formats.inference_perf_level import AKIN, TOOL, identity_of, stage_in
from core.ingest.formats.llm_d_performance import performance_of
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head, RawFile, RawLevel, Upload
from core.ingest.statistic_block import mean_s
from core.ingest.yaml_text import json_or_yaml
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "inference_perf_yaml"
LABEL = "inference-perf partial report"

_OWN = re.compile(rb"\buid[\"']?:\s*[\"']?inference-perf-stage-\d")
_AGGREGATE = ("results", "request_performance", "aggregate")


def match(head: Head) -> float:
    """Recognise inference-perf's own id of a run in a report that nobody added a scenario to."""
    paths = yaml_paths(head.sample) or json_paths(head.sample)
    report = {"run", "results", "version"} <= paths and "scenario" not in paths
    return 0.95 if report and _OWN.search(head.sample) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a stage; its load is in the stage's JSON.

    Raises:
        RefusedFileError: cut off, a part that is missing, or a value that is not a number.
    """
    document = json_or_yaml(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    section = top
    for key in _AGGREGATE:
        section = section.inner(key)
    if not section.inner("throughput").values:
        what = t("The report ends before its throughput")
        raise refusal("ingest.truncated", what, upload.name, t("Send the file again as the tool wrote it"))
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=top.text("version"),
        kind=Kind.MEASURED,
        levels=(_level(top, section),),
    )


def _level(top: Fields, section: Fields) -> RawLevel:
    told = performance_of(section, TOOL)
    lengths = section.inner("requests").inner("output_length")
    readings = told.readings if told.good != 0 else []
    readings = doubled.without_doubled(top, readings, told.output_tokens, vary=doubled.lengths_vary(lengths))
    place = top.place
    if told.good == 0:
        top.findings.append(none_completed(place))
    return replace(
        told.level(place, readings),
        conditions={"tool": TOOL},
        identity=identity_of(place),
        run_key=by_numbers(place.file, told.good, mean_s(readings, Metric.E2E), mean_s(readings, Metric.TTFT)),
        akin=AKIN,
        position=stage_in(place.file or ""),
        findings=tuple(top.findings),
    )
