"""What lies beside a model's weights: its own description, which holds no measurement. docs/memory.md."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head


def _is_config(head: Head) -> bool:
    paths = json_paths(head.sample, depth=2)
    layers = {path for path in paths if path.rpartition(".")[2] in ("num_hidden_layers", "n_layer", "num_layers")}
    return "model_type" in paths and bool(layers)


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_config,
        what=t("This describes the model itself, not a measurement of it"),
        fix=t('Send the results first, then drop this file on the Plan page under "What memory allows"'),
    ),
)
