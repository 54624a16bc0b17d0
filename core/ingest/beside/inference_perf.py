"""What inference-perf writes beside the reports of its stages."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.formats.inference_perf import is_report, of_adapter
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head

_STAGES = t("Send the files stage_0_lifecycle_metrics.json and so on of the same folder")


def _paths(head: Head) -> frozenset[str]:
    return json_paths(head.sample) or yaml_paths(head.sample)


def _server(head: Head) -> bool:
    paths = _paths(head)
    return is_report(paths) and "successes.rate" in paths


def _adapter(head: Head) -> bool:
    return is_report(_paths(head)) and of_adapter(head.name)


def _pool(head: Head) -> bool:
    paths = _paths(head)
    return is_report(paths) and "load_summary.requested_rate" not in paths and "successes.rate" not in paths


def _validation(head: Head) -> bool:
    return {"global.warnings", "global.errors", "reports"} <= _paths(head)


def _sessions(head: Head) -> bool:
    return {"num_sessions", "total_events"} <= _paths(head)


BY_PRODUCTS: tuple[ByProduct, ...] = (
    ByProduct(
        recognise=_server,
        what=t("The file holds what the server's own metrics said of a stage, not what the client measured"),
        fix=_STAGES,
    ),
    ByProduct(
        recognise=_adapter, what=t("The file holds the requests of one adapter, a part of each level"), fix=_STAGES
    ),
    ByProduct(
        recognise=_pool, what=t("The file pools the requests of all stages, so it is no load level"), fix=_STAGES
    ),
    ByProduct(
        recognise=_validation, what=t("The file lists what inference-perf found wrong with its reports"), fix=_STAGES
    ),
    ByProduct(recognise=_sessions, what=t("The file holds whole conversations, not requests"), fix=_STAGES),
)
