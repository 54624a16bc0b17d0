"""inference-perf's config.yaml: what it says of the results beside it. docs/formats/inference_perf_config.md.

Addresses, keys, headers and paths in it are never kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.ingest.yaml_text import json_or_yaml
from core.model.run import Kind

FORMAT_ID = "inference_perf_config"
LABEL = "inference-perf configuration"
RESULTS = "inference_perf"

_SECTIONS = frozenset({"api", "data", "load", "server"})
_CLOSED = "concurrent"


def match(head: Head) -> float:
    """Recognise the four sections that every configuration has, and no results beside them."""
    paths = yaml_paths(head.sample) or json_paths(head.sample)
    typed = any(f"{section}.type" in paths for section in ("load", "data"))
    return 0.95 if paths >= _SECTIONS and typed and "successes" not in paths else 0.0


def read(upload: Upload) -> RawFile:
    """Return a file without levels that is about the results in its folder.

    Raises:
        RefusedFileError: not YAML, or sections of another shape.
    """
    document = json_or_yaml(upload)
    if not isinstance(document, Mapping):
        what = t("The file does not hold the sections of a configuration")
        raise refusal("ingest.unexpected", what, upload.name, t("Send the file again as the tool wrote it"))
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(),
        about=_about(Fields(document, Place(upload.name))),
        about_format=RESULTS,
    )


def _about(config: Fields) -> dict[str, Scalar]:
    server, load = config.inner("server"), config.inner("load").text("type")
    tokenizer = config.inner("tokenizer").text("pretrained_model_name_or_path")
    model, revision = model_in(server.text("model_name") or tokenizer)
    found: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "engine": server.text("type"),
        "arrival": "closed loop" if load == _CLOSED else load,
        "length_distribution": _lengths(config.inner("data")),
    }
    return {name: value for name, value in found.items() if value is not None}


def _lengths(data: Fields) -> str | None:
    """Return "fixed" where neither prompts nor answers were asked to vary, else the kind of data."""
    asked = [data.inner(f"{side}_distribution").not_negative("std_dev") for side in ("input", "output")]
    return "fixed" if asked == [0.0, 0.0] else data.text("type")
