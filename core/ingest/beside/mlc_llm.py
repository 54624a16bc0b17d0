"""What MLC LLM's benchmark writes beside its results. docs/formats/mlc_llm_bench.md."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head


def _is_dump(head: Head) -> bool:
    """`--debug-dump`: every request with its prompt and answer, under what it was run with."""
    names = {path.rpartition(".")[2] for path in json_paths(head.sample) if ".[]." in path}
    return {"request_id", "chat_cmpl"} <= names


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_dump,
        what=t("This is MLC LLM's debug dump: the prompt and the answer of every request"),
        fix=t("Send the CSV that the benchmark wrote beside it"),
    ),
)
